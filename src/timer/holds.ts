import type { Settings } from '../contract/methods/profile.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { RunKind } from '../domain/run.ts';
import { activeFrom, isActive } from '../schedule/active-hours.ts';
import { dayEnds } from '../schedule/local-time.ts';

/** The owner's rules for work that goes on by itself. */
export type WorkRules = Pick<Settings, 'activeHours' | 'dailyTokens' | 'dailyCostUsd'>;

export interface Spent {
	readonly tokens: number;
	readonly costUsd: number;
}

/** Why work does not go on now, and when it does by itself; a pause ends by the owner. */
export type Hold = { readonly why: 'paused' } | { readonly why: 'active_hours' | 'budget_used'; readonly until: Timestamp };

/** All that decides. `spent`: on this local day, of work that goes on by itself. */
export interface Situation {
	readonly now: Timestamp;
	/** IANA name. */
	readonly zone: string;
	readonly paused: boolean;
	readonly rules: WorkRules;
	readonly spent: Spent;
}

export function overBudget(spent: Spent, limits: Pick<WorkRules, 'dailyTokens' | 'dailyCostUsd'>): boolean {
	const { dailyTokens, dailyCostUsd } = limits;
	return (dailyTokens !== null && spent.tokens >= dailyTokens) || (dailyCostUsd !== null && spent.costUsd >= dailyCostUsd);
}

/** What keeps runs of this kind from their next step. Chats are the owner's own doing: nothing does. `anyHour`: the owner asked for it now. */
export function holdOnRuns(work: RunKind, situation: Situation, { anyHour = false } = {}): Hold | undefined {
	const { now, zone, paused, rules, spent } = situation;
	if (work === 'chat') return undefined;
	if (paused) return { why: 'paused' };
	const { activeHours } = rules;
	if (!anyHour && activeHours && !isActive(activeHours, now, zone))
		return { why: 'active_hours', until: activeFrom(activeHours, now, zone) };
	return overBudget(spent, rules) ? { why: 'budget_used', until: dayEnds(now, zone) } : undefined;
}

/** What keeps timers of this kind from being told. What a chat waits for comes whatever the hour, but not while all is paused. */
export function holdOnTimers(work: RunKind, situation: Situation): Hold | undefined {
	return situation.paused ? { why: 'paused' } : holdOnRuns(work, situation);
}
