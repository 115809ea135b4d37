import { useConnection } from '../../connection/index.ts';
import { Note } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { SectionHead } from '../row.tsx';
import { BudgetTable } from './budgets.tsx';
import { SpendingHistory } from './history.tsx';
import { useSetBudget } from './queries.ts';

/** What models used, and what they may use in a day. */
export function SpendingSection() {
	const say = useSay();
	const budgets = useConnection((state) => state.work)?.budgets;
	const save = useSetBudget();
	const ofAll = budgets?.filter(({ budget }) => budget === 'unattended' || budget === 'chat') ?? [];
	const sum = (part: 'unpricedTokens' | 'estimatedTokens'): number => ofAll.reduce((all, each) => all + each[part], 0);
	const isBlind = budgets?.some(({ limit, unpricedTokens }) => limit.costUsd !== null && unpricedTokens > 0) === true;
	return (
		<section>
			<SectionHead title={say('settings.spending')} lead={say('spending.lead')} />
			<h3>{say('spending.today')}</h3>
			<p className="meta">{say('spending.todayLead')}</p>
			{budgets ? <BudgetTable budgets={budgets} onSave={save.mutate} /> : null}
			{isBlind ? (
				<Note tone="ask">
					<p>{say('spending.costBlind', { count: sum('unpricedTokens') })}</p>
				</Note>
			) : null}
			{sum('estimatedTokens') > 0 ? (
				<p className="meta spend-kept">{say('spending.estimated', { count: sum('estimatedTokens') })}</p>
			) : null}
			<SpendingHistory />
		</section>
	);
}
