import { Link } from 'wouter';
import { usedBudgetOf } from '../../../src/contract/used-budget.ts';
import { BUILTIN_PROVIDER_ID } from '../../../src/domain/model.ts';
import { useConnection } from '../../connection/index.ts';
import { useAmounts } from '../../settings/spending/amounts.ts';
import { SPENDING } from '../../settings/spending/place.ts';
import { useChoices } from '../../shell/queries.ts';
import { useWhen } from '../../timeline/marks.tsx';
import { useSay } from '../../ui/strings.tsx';

/** Said before a message is sent that no model would answer. The built-in responder always does. */
export function BudgetNote() {
	const say = useSay();
	const when = useWhen();
	const amounts = useAmounts();
	const used = useConnection((state) => (state.work ? usedBudgetOf(state.work, 'chat') : undefined));
	const chosen = useChoices().data?.chat;
	if (!used || !chosen || chosen.providerId === BUILTIN_PROVIDER_ID) return null;
	const { tokens, costUsd, limit, until } = used;
	const words =
		limit.tokens !== null && tokens >= limit.tokens
			? say('spending.tokensOf', { count: tokens, limit: limit.tokens })
			: say('spending.costOf', { cost: amounts.money(costUsd), limit: amounts.money(limit.costUsd ?? 0) });
	return (
		<p className="compose-problem mild" role="status">
			<span className="grow">{say('compose.budgetUsed', { used: words, at: when(until) })}</span>
			<Link className="btn sm" href={SPENDING}>
				{say('compose.budgetRaise')}
			</Link>
		</p>
	);
}
