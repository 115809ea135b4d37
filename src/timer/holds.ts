import type { Settings } from '../contract/methods/profile.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { RunKind } from '../domain/run.ts';
import {
	addSpent,
	type BudgetName,
	budgetsOf,
	isUsedUp,
	kindsIn,
	NOTHING_SPENT,
	SPENDING_KINDS,
	type SpendingKind,
	type Spent,
} from '../domain/spending.ts';
import { activeFrom, isActive } from '../schedule/active-hours.ts';
import { dayEnds } from '../schedule/local-time.ts';

/** The owner's rules for what may go on. */
export type WorkRules = Pick<Settings, 'activeHours' | 'budgets'>;

/** Why work does not go on now, and when it does by itself; a pause ends by the owner. */
export type Hold =
	| { readonly why: 'paused' }
	| { readonly why: 'active_hours'; readonly until: Timestamp }
	| { readonly why: 'budget_used'; readonly budget: BudgetName; readonly until: Timestamp };

/** All that decides. */
export interface Situation {
	readonly now: Timestamp;
	/** IANA name. */
	readonly zone: string;
	readonly paused: boolean;
	readonly rules: WorkRules;
	/** On this local day. */
	readonly spent: ReadonlyMap<SpendingKind, Spent>;
}

/** Of all that draws on it. */
export function spentOfBudget(budget: BudgetName, spent: Situation['spent']): Spent {
	return kindsIn(budget).reduce((sum, kind) => addSpent(sum, spent.get(kind) ?? NOTHING_SPENT), NOTHING_SPENT);
}

/** The first budget that keeps this kind from a model today. */
export function usedUpFor(kind: SpendingKind, { rules, spent }: Pick<Situation, 'rules' | 'spent'>): BudgetName | undefined {
	return budgetsOf(kind).find((budget) => isUsedUp(spentOfBudget(budget, spent), rules.budgets[budget]));
}

/** What keeps all that goes on by itself, whatever its kind. */
export function holdOnAll(situation: Situation, { anyHour = false } = {}): Hold | undefined {
	const { now, zone, paused, rules, spent } = situation;
	if (paused) return { why: 'paused' };
	const { activeHours, budgets } = rules;
	if (!anyHour && activeHours && !isActive(activeHours, now, zone))
		return { why: 'active_hours', until: activeFrom(activeHours, now, zone) };
	const isUsed = isUsedUp(spentOfBudget('unattended', spent), budgets.unattended);
	return isUsed ? { why: 'budget_used', budget: 'unattended', until: dayEnds(now, zone) } : undefined;
}

/**
 * What keeps runs of this kind from their next step. Chats are the owner's own doing: nothing does, and a chat whose budget is used up is told so at
 * its next model call instead. `anyHour`: the owner asked for it now.
 */
export function holdOnRuns(work: RunKind, situation: Situation, how: { anyHour?: boolean } = {}): Hold | undefined {
	if (work === 'chat') return undefined;
	const hold = holdOnAll(situation, how);
	if (hold) return hold;
	const kind = SPENDING_KINDS.find((each) => each === work);
	const budget = kind && usedUpFor(kind, situation);
	return budget && { why: 'budget_used', budget, until: dayEnds(situation.now, situation.zone) };
}

/** What keeps timers of this kind from being told. What a chat waits for comes whatever the hour, but not while all is paused. */
export function holdOnTimers(work: RunKind, situation: Situation): Hold | undefined {
	return situation.paused ? { why: 'paused' } : holdOnRuns(work, situation);
}
