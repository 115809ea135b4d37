import { type BudgetName, budgetsOf, SpendingKind } from '../domain/spending.ts';
import type { WorkStatus } from './methods/runs.ts';
import type { BudgetState } from './methods/spending.ts';

/** A budget that is used up today, and until when that holds. */
export type UsedBudget = BudgetState & { readonly until: number };

export function usedBudgets({ budgets }: Pick<WorkStatus, 'budgets'>): UsedBudget[] {
	return budgets.filter((state): state is UsedBudget => state.until !== undefined);
}

/** The one that keeps work of this kind from a model today. What is no kind of its own draws on none. */
export function usedBudgetOf(work: Pick<WorkStatus, 'budgets'>, kind: string): UsedBudget | undefined {
	const known = SpendingKind.safeParse(kind);
	const drawsOn: readonly BudgetName[] = known.success ? budgetsOf(known.data) : [];
	return usedBudgets(work).find(({ budget }) => drawsOn.includes(budget));
}
