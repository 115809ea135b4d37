import { z } from 'zod';
import { Timestamp } from '../../domain/ids.ts';
import { BudgetName, Limit, SpendingKind, Spent } from '../../domain/spending.ts';

/** Days that what was used is kept, and shown. */
export const SPENDING_DAYS = 400;

/** How a budget stands today. */
export const BudgetState = Spent.extend({
	budget: BudgetName,
	limit: Limit,
	/** It is used up: what draws on it goes on then, at the end of the owner's local day, or once the owner raises it. */
	until: Timestamp.optional(),
});
export type BudgetState = z.infer<typeof BudgetState>;

/** What each kind of work used on one of the owner's local days; kinds that used nothing are not in it. */
export const SpendingDay = z.object({
	/** `2026-11-30` */
	day: z.string(),
	kinds: z.array(
		Spent.omit({ tokens: true }).extend({
			kind: SpendingKind,
			inputTokens: z.number().int().nonnegative(),
			outputTokens: z.number().int().nonnegative(),
		}),
	),
});
export type SpendingDay = z.infer<typeof SpendingDay>;

export const SpendingReport = z.object({
	today: z.string(),
	/** When the next local day begins. */
	dayEndsAt: Timestamp,
	/** The first day that was asked for. */
	from: z.string(),
	budgets: z.array(BudgetState),
	/** Newest first, without days on which nothing was used. */
	days: z.array(SpendingDay),
});
export type SpendingReport = z.infer<typeof SpendingReport>;

/** What is given is changed, in one budget; the rest stays. */
export const BudgetChange = z.object({ budget: BudgetName, ...Limit.partial().shape });
export type BudgetChange = z.infer<typeof BudgetChange>;
