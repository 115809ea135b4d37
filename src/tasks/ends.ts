import type { Clock } from '../base/clock.ts';
import type { WriteDb } from '../db/brands.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Ticker } from '../timer/ticker.ts';
import { blocksAtOnce, mayRetry, waitsForUnlock } from './doers/failures.ts';
import type { StoredOccurrence } from './occurrence-row.ts';
import { endOccurrence, setQueued } from './occurrence-store.ts';
import type { Standing } from './ports.ts';
import { type StoredTask, setFailures, setStatus } from './task-store.ts';
import { openOccurrences } from './turn-store.ts';

/** Timers whose `ref` is an occurrence: its next try. */
export const RETRY_TIMER = 'task_retry';
/** However often it was tried, the pauses grow no longer. */
const LONGEST_PAUSE_MS = 24 * 3_600_000;

export interface EndsDeps {
	readonly clock: Pick<Clock, 'now'>;
	readonly timers: Pick<Ticker, 'set' | 'clear'>;
}

export interface Used {
	readonly tokens: number;
	readonly costUsd: number;
}
export type Over = Exclude<Standing, { kind: 'going_on' | 'waiting' }>;
/** What became of an occurrence whose work is over. `again`: it is tried once more. `gone`: somebody else ended it. */
export type Settled = 'done' | 'failed' | 'blocked' | 'stopped' | 'again' | 'gone';

/** In the caller's transaction: the end of what ran, or of what could not be begun. */
export function settle(
	tx: WriteDb,
	{ clock, timers }: EndsDeps,
	task: StoredTask,
	occurrence: StoredOccurrence,
	over: Over,
	used: Used,
): Settled {
	const now = clock.now();
	switch (over.kind) {
		case 'done':
			if (!endOccurrence(tx, occurrence.id, { state: 'done', ...used }, now)) return 'gone';
			if (task.failures > 0) setFailures(tx, task.id, 0);
			// It works again: that is what the owner was to see to.
			if (task.status === 'blocked') setStatus(tx, task.id, 'on');
			return 'done';
		case 'stopped': {
			const end = { state: 'stopped', why: occurrence.why ?? 'owner', ...used, nothingToDeliver: true } as const;
			return endOccurrence(tx, occurrence.id, end, now) ? 'stopped' : 'gone';
		}
		case 'failed': {
			const nextTryAt = triesAgainAt(task, occurrence, over.error, now);
			if (nextTryAt !== undefined) {
				setQueued(tx, occurrence.id, { nextTryAt, error: over.error });
				timers.set(tx, { kind: RETRY_TIMER, ref: occurrence.id, dueAt: nextTryAt, work: 'task' });
				return 'again';
			}
			if (!endOccurrence(tx, occurrence.id, { state: 'failed', error: over.error, ...used }, now)) return 'gone';
			return countFailure(tx, task, over.error, now) ? 'blocked' : 'failed';
		}
		default:
			return assertNever(over);
	}
}

/** When it is tried again; undefined where it is not. Twice as long after each try, never sooner than who refused it said. */
export function triesAgainAt(
	{ draft: { failure } }: Pick<StoredTask, 'draft'>,
	{ attempt }: Pick<StoredOccurrence, 'attempt'>,
	error: ErrorShape,
	now: Timestamp,
): Timestamp | undefined {
	// Whoever unlocks them says so: `Runner.unlocked`.
	if (waitsForUnlock(error)) return now + LONGEST_PAUSE_MS;
	if (!mayRetry(error) || attempt >= failure.tries) return undefined;
	const pause = Math.min(failure.pauseSeconds * 1000 * 2 ** Math.max(0, attempt - 1), LONGEST_PAUSE_MS);
	return now + Math.max(pause, error.retryAfterMs ?? 0);
}

/** True where the task is blocked by it: only the owner can mend it, or it was one too many. */
function countFailure(tx: WriteDb, task: StoredTask, error: ErrorShape, now: Timestamp): boolean {
	const failures = task.failures + 1;
	setFailures(tx, task.id, failures);
	const tooMany = failures >= task.draft.failure.stopAfter;
	const atOnce = blocksAtOnce(error);
	if ((!atOnce && !tooMany) || task.status === 'blocked') return false;
	setStatus(tx, task.id, 'blocked', { problem: atOnce ? error : oneTooMany(error, failures) });
	for (const { id, by, seen } of openOccurrences(tx, 'queued', task.id)) {
		if (by !== 'owner' && !seen) endOccurrence(tx, id, { state: 'missed', why: 'blocked', nothingToDeliver: true }, now);
	}
	return true;
}

function oneTooMany(error: ErrorShape, failures: number): ErrorShape {
	return {
		kind: 'needs_owner',
		code: error.code,
		message: failures === 1 ? error.message : `It failed ${failures} times in a row. The last time: ${error.message}`,
		safe: 'It does not run by itself until you let it go on.',
		action: error.action ?? 'See what went wrong in its history, then let it go on.',
	};
}
