import { z } from 'zod';
import type { RunKind } from './run.ts';

/** Kinds of work that have a budget: of the run at the root of the tree, so that what work delegated is its own. */
const BUDGETED = ['chat', 'heartbeat', 'task', 'workflow'] as const satisfies readonly RunKind[];

/** Whose use of models it is. `memory`: vectors that a server makes, for whatever work memory is searched; they have no budget. */
export const SpendingKind = z.enum([...BUDGETED, 'memory']);
export type SpendingKind = z.infer<typeof SpendingKind>;
export const SPENDING_KINDS = SpendingKind.options;

/** `unattended`: all kinds together but chats, which are the owner's own doing. */
export const BudgetName = z.enum(['unattended', ...BUDGETED]);
export type BudgetName = z.infer<typeof BudgetName>;
export const BUDGET_NAMES = BudgetName.options;

const ABOVE_0 = 'Use a number above 0, or none.';

/** What may be used on one of the owner's local days. Null: no limit. */
export const Limit = z.object({
	tokens: z.number(ABOVE_0).int('Use a whole number.').min(1, ABOVE_0).max(1_000_000_000).nullable(),
	/** US dollars, as far as prices are known. */
	costUsd: z.number(ABOVE_0).positive(ABOVE_0).max(100_000).nullable(),
});
export type Limit = z.infer<typeof Limit>;
export const NO_LIMIT: Limit = { tokens: null, costUsd: null };

export const Budgets = z.record(BudgetName, Limit);
export type Budgets = z.infer<typeof Budgets>;

/** What was used. */
export const Spent = z.object({
	/** Into and out of models, `unpricedTokens` and `estimatedTokens` among them. */
	tokens: z.number().int().nonnegative(),
	/** Of the tokens whose price is known. */
	costUsd: z.number().nonnegative(),
	/** Of models elsewhere that no price was entered for: their cost is not known. */
	unpricedTokens: z.number().int().nonnegative(),
	/** Of calls that their provider gave no count of: counted by their length. */
	estimatedTokens: z.number().int().nonnegative(),
});
export type Spent = z.infer<typeof Spent>;
export const NOTHING_SPENT: Spent = { tokens: 0, costUsd: 0, unpricedTokens: 0, estimatedTokens: 0 };

export function addSpent(sum: Spent, more: Spent): Spent {
	return {
		tokens: sum.tokens + more.tokens,
		costUsd: sum.costUsd + more.costUsd,
		unpricedTokens: sum.unpricedTokens + more.unpricedTokens,
		estimatedTokens: sum.estimatedTokens + more.estimatedTokens,
	};
}

/** The limit is reached. Cost that is not known counts as none: only a limit in tokens sees it. */
export function isUsedUp(spent: Pick<Spent, 'tokens' | 'costUsd'>, { tokens, costUsd }: Limit): boolean {
	return (tokens !== null && spent.tokens >= tokens) || (costUsd !== null && spent.costUsd >= costUsd);
}

/** The budgets that work of this kind draws on, the narrower first. */
export function budgetsOf(kind: SpendingKind): readonly BudgetName[] {
	if (kind === 'memory') return [];
	return kind === 'chat' ? ['chat'] : [kind, 'unattended'];
}

export function kindsIn(budget: BudgetName): readonly SpendingKind[] {
	return budget === 'unattended' ? BUDGETED.filter((kind) => kind !== 'chat') : [budget];
}
