import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { WorkStatus } from '../../src/contract/methods/runs.ts';
import type { StateDb } from '../../src/db/open.ts';
import { Background } from '../../src/timer/background.ts';
import type { WorkRules } from '../../src/timer/holds.ts';
import type { DueListener } from '../../src/timer/ticker.ts';
import { budgetsWith } from './budgets.ts';

export const NO_RULES: WorkRules = { activeHours: null, budgets: budgetsWith() };

/** A wall clock that the test sets; durations are real. */
export interface SetClock extends Clock {
	at: number;
}

export function setClock(at: number): SetClock {
	const clock = { at, now: () => clock.at, monotonic: () => performance.now() };
	return clock;
}

export interface Life {
	readonly background: Background;
	readonly told: string[];
	readonly announced: WorkStatus[];
	rules: WorkRules;
	/** How often what was held was let go. */
	freed: number;
}

/** One life of timers over a database; the listener notes what it is told. Nothing takes any time but by `monotonic`: what is due is told in one go. */
export function timersLife(
	db: StateDb,
	clock: Clock,
	given: Partial<{ rules: WorkRules; zone: string; listener: DueListener; monotonic: () => number }> = {},
): Life {
	const told: string[] = [];
	const announced: WorkStatus[] = [];
	const life: Life = { background: undefined as unknown as Background, told, announced, rules: given.rules ?? NO_RULES, freed: 0 };
	const background = new Background({
		db,
		clock: { now: () => clock.now(), monotonic: given.monotonic ?? (() => 0) },
		logger: silentLogger,
		zone: () => given.zone ?? 'UTC',
		rules: () => life.rules,
		announce: (work) => void announced.push(work),
		onFreed: () => {
			life.freed += 1;
		},
	});
	background.timers.onDue('test', given.listener ?? ((ref) => void told.push(ref)));
	onTestFinished(() => background.close());
	return Object.assign(life, { background });
}
