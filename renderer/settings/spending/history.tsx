import { useState } from 'react';
import { useIntl } from 'react-intl';
import { SPENDING_DAYS, type SpendingDay } from '../../../src/contract/methods/spending.ts';
import { addSpent, NOTHING_SPENT, type Spent } from '../../../src/domain/spending.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';
import { useAmounts } from './amounts.ts';
import { SpendingChart } from './chart.tsx';
import { kindsUsed, type Measure } from './chart-days.ts';
import { useSpending } from './queries.ts';

const SPANS = [7, 30, 90, SPENDING_DAYS];
/** Days of the table that are shown at first, and with each *more*. */
const PAGE = 14;

/** What was used on the days before: a chart, and all of its figures as a table. */
export function SpendingHistory() {
	const say = useSay();
	const [days, setDays] = useState(30);
	const [measure, setMeasure] = useState<Measure>('tokens');
	const report = useSpending(days).data;
	if (!report) return null;
	const isPartlyUnknown = report.days.some(({ kinds }) => kinds.some(({ unpricedTokens }) => unpricedTokens > 0));
	return (
		<>
			<h3>
				{say('spending.history')}
				<span className="h-acts">
					<Select
						label={say('spending.measure')}
						value={measure}
						options={[
							{ value: 'tokens', label: say('spending.measureTokens') },
							{ value: 'cost', label: say('spending.measureCost') },
						]}
						onChange={(next) => setMeasure(next === 'cost' ? 'cost' : 'tokens')}
					/>
					<Select
						label={say('spending.span')}
						value={String(days)}
						options={SPANS.map((span) => ({ value: String(span), label: say('spending.spanDays', { count: span }) }))}
						onChange={(next) => setDays(Number(next))}
					/>
				</span>
			</h3>
			{report.days.length === 0 ? (
				<p className="meta">{say('spending.historyNone')}</p>
			) : (
				<>
					<SpendingChart report={report} measure={measure} />
					<DayTable key={days} days={report.days} />
				</>
			)}
			<p className="meta spend-kept">
				{say('spending.kept', { days: SPENDING_DAYS })}
				{isPartlyUnknown ? ` ${say('spending.unknownSign')}` : ''}
			</p>
		</>
	);
}

function DayTable({ days }: { days: readonly SpendingDay[] }) {
	const say = useSay();
	const intl = useIntl();
	const [shown, setShown] = useState(PAGE);
	const kindsShown = kindsUsed(days);
	return (
		<>
			{/* It may be wider than a narrow window: then it is scrolled by itself, by keys too. */}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus. */}
			<section className="spend-scroll" tabIndex={0} aria-label={say('spending.history')}>
				<table className="spend-table">
					<thead>
						<tr>
							<th scope="col">{say('spending.day')}</th>
							{kindsShown.map((kind) => (
								<th key={kind} scope="col">
									{say('spending.kind', { kind })}
								</th>
							))}
							<th scope="col">{say('spending.total')}</th>
						</tr>
					</thead>
					<tbody>
						{days.slice(0, shown).map(({ day, kinds }) => {
							const used = kinds.map(({ inputTokens, outputTokens, ...rest }) => ({ ...rest, tokens: inputTokens + outputTokens }));
							return (
								<tr key={day}>
									<th scope="row">
										{intl.formatDate(day, { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })}
									</th>
									{kindsShown.map((kind) => (
										<Amount key={kind} spent={used.find((each) => each.kind === kind)} />
									))}
									<Amount spent={used.reduce<Spent>(addSpent, NOTHING_SPENT)} />
								</tr>
							);
						})}
					</tbody>
				</table>
			</section>
			{days.length > shown ? <Button onClick={() => setShown(shown + PAGE)}>{say('spending.more')}</Button> : null}
		</>
	);
}

function Amount({ spent }: { spent: Spent | undefined }) {
	const amounts = useAmounts();
	const cost = spent && amounts.shortCost(spent);
	return (
		<td>
			{spent ? amounts.count(spent.tokens) : '–'}
			{cost === undefined ? null : <span className="meta">{cost}</span>}
		</td>
	);
}
