import { useId, useState } from 'react';
import type { BudgetState } from '../../../src/contract/methods/spending.ts';
import type { Limit } from '../../../src/domain/spending.ts';
import { useWhen } from '../../timeline/marks.tsx';
import { StateMark } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { NumberField } from '../number-row.tsx';
import { useAmounts } from './amounts.ts';

const MOST_TOKENS = 1_000_000_000;
const MOST_USD = 100_000;

/** What was used of each budget today, and its limits. */
export function BudgetTable({
	budgets,
	onSave,
}: {
	budgets: readonly BudgetState[];
	onSave: (change: Partial<Limit> & Pick<BudgetState, 'budget'>) => void;
}) {
	const say = useSay();
	const most = Math.max(1, ...budgets.map(({ tokens }) => tokens));
	return (
		<div className="tbl budgets">
			<div className="tr budget-head" aria-hidden="true">
				<span className="grow" />
				<span className="meta">{say('spending.colTokens')}</span>
				<span className="meta">{say('spending.colCost')}</span>
			</div>
			{budgets.map((state) => (
				<BudgetRow key={state.budget} state={state} most={most} onSave={(limit) => onSave({ budget: state.budget, ...limit })} />
			))}
		</div>
	);
}

function BudgetRow({ state, most, onSave }: { state: BudgetState; most: number; onSave: (limit: Partial<Limit>) => void }) {
	const say = useSay();
	const when = useWhen();
	const id = useId();
	const [bad, setBad] = useState<'tokens' | 'cost'>();
	const { budget, limit, until } = state;
	const kind = say('spending.kind', { kind: budget });
	const problem = bad === 'tokens' ? say('general.outOfRange', { from: 1, to: MOST_TOKENS }) : say('general.costBad');
	return (
		<div className="tr budget">
			<div className="grow">
				<p>
					{kind}
					{until === undefined ? null : <StateMark state="waiting">{say('spending.usedUp', { at: when(until) })}</StateMark>}
				</p>
				<p className="meta">
					{bad ? (
						<span className="field-error" id={id}>
							{problem}
						</span>
					) : (
						say('spending.kindHint', { kind: budget })
					)}
				</p>
			</div>
			<NumberField
				label={say('spending.limitTokens', { kind })}
				placeholder={say('general.noLimit')}
				whole
				value={limit.tokens}
				fits={(number) => Number.isInteger(number) && number >= 1 && number <= MOST_TOKENS}
				onSave={(tokens) => onSave({ tokens })}
				onBad={(isBad) => setBad(isBad ? 'tokens' : undefined)}
				describedBy={bad === 'tokens' ? id : undefined}
			/>
			<NumberField
				label={say('spending.limitCost', { kind })}
				placeholder={say('general.noLimit')}
				value={limit.costUsd}
				fits={(number) => number > 0 && number <= MOST_USD}
				onSave={(costUsd) => onSave({ costUsd })}
				onBad={(isBad) => setBad(isBad ? 'cost' : undefined)}
				describedBy={bad === 'cost' ? id : undefined}
			/>
			<Used state={state} kind={kind} most={most} />
		</div>
	);
}

/** How much of it is used, in words and as bars: of each limit, and where there is none, beside the others. `most`: tokens of the one that used most. */
function Used({ state, kind, most }: { state: BudgetState; kind: string; most: number }) {
	const say = useSay();
	const amounts = useAmounts();
	const { tokens, costUsd, limit, unpricedTokens } = state;
	const usedTokens =
		limit.tokens === null ? say('spending.tokens', { count: tokens }) : say('spending.tokensOf', { count: tokens, limit: limit.tokens });
	const cost =
		limit.costUsd === null
			? amounts.cost(state)
			: say('spending.costOf', { cost: amounts.money(costUsd), limit: amounts.money(limit.costUsd) });
	const unknown = limit.costUsd !== null && unpricedTokens > 0 ? say('spending.unpriced', { count: unpricedTokens }) : undefined;
	const isFree = limit.tokens === null && limit.costUsd === null;
	const isNothing = tokens === 0 && isFree;
	return (
		<div className="tr-below used">
			{limit.tokens === null ? null : (
				<Bar label={say('spending.barTokens', { kind })} used={tokens} limit={limit.tokens} words={usedTokens} />
			)}
			{limit.costUsd === null ? null : (
				<Bar label={say('spending.barCost', { kind })} used={costUsd} limit={limit.costUsd} words={cost ?? ''} />
			)}
			{isFree && tokens > 0 ? (
				<div className="bar free" aria-hidden="true">
					<div style={{ inlineSize: `${(tokens / most) * 100}%` }} />
				</div>
			) : null}
			<p className="meta num">
				{isNothing ? say('spending.nothing') : [usedTokens, cost, unknown].filter((part) => part !== undefined).join(' · ')}
			</p>
		</div>
	);
}

function Bar({ label, used, limit, words }: { label: string; used: number; limit: number; words: string }) {
	const share = Math.min(1, used / limit);
	return (
		<>
			<meter className="vh" aria-label={label} aria-valuetext={words} min={0} max={limit} value={Math.min(used, limit)} />
			<div className={share >= 1 ? 'bar full' : 'bar'} aria-hidden="true">
				<div style={{ inlineSize: `${share * 100}%` }} />
			</div>
		</>
	);
}
