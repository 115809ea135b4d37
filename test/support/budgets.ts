import { BUDGET_NAMES, type Budgets, type Limit, NO_LIMIT } from '../../src/domain/spending.ts';

/** No limits but those that are given. */
export function budgetsWith(given: { readonly [name in keyof Budgets]?: Partial<Limit> } = {}): Budgets {
	return Object.fromEntries(BUDGET_NAMES.map((name) => [name, { ...NO_LIMIT, ...given[name] }])) as Budgets;
}
