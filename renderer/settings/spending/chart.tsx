import { useIntl } from 'react-intl';
import type { SpendingReport } from '../../../src/contract/methods/spending.ts';
import { useSay } from '../../ui/strings.tsx';
import { useAmounts } from './amounts.ts';
import { chartDays, kindsUsed, type Measure } from './chart-days.ts';

const HEIGHT = 96;
/** Between two bars, of a bar's place. */
const GAP = 0.2;
/** Of a piece that would be too thin to be seen. */
const LEAST = 1.5;

/** What was used by day and kind, as bars. The table below it says the same in figures. */
export function SpendingChart({ report, measure }: { report: SpendingReport; measure: Measure }) {
	const say = useSay();
	const intl = useIntl();
	const amounts = useAmounts();
	const { bars, most, daysEach } = chartDays(report.days, report.from, report.today, measure);
	const dayWords = (day: string): string => intl.formatDate(day, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
	const [from, to] = [dayWords(report.from), dayWords(report.today)];
	const amount = measure === 'cost' ? amounts.money(most) : say('spending.tokens', { count: most });
	return (
		<figure className="spend-chart">
			<svg
				role="img"
				aria-label={say('spending.chart', { from, to })}
				viewBox={`0 0 ${bars.length} ${HEIGHT}`}
				preserveAspectRatio="none"
				height={HEIGHT}
			>
				{bars.map(({ day, pieces }, index) =>
					pieces.map(({ kind, from: foot, size }) => (
						<rect
							key={`${day} ${kind}`}
							className={`spend-${kind}`}
							x={index + GAP / 2}
							width={1 - GAP}
							y={HEIGHT - (foot + size) * HEIGHT}
							height={Math.max(LEAST, size * HEIGHT)}
						/>
					)),
				)}
			</svg>
			<p className="spend-ends meta">
				<span>{from}</span>
				<span>{say('spending.most', { count: daysEach, most: amount })}</span>
				<span>{to}</span>
			</p>
			<figcaption className="spend-legend meta">
				{kindsUsed(report.days).map((kind) => (
					<span key={kind}>
						<span className={`spend-dot spend-${kind}`} aria-hidden="true" />
						{say('spending.kind', { kind })}
					</span>
				))}
			</figcaption>
		</figure>
	);
}
