import type { ErrorCode, ErrorShape } from '../domain/errors.ts';
import type { WatchedBudget, WatchedHealth } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';

/** When a source is read next, and how reading it goes: pure. */

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS;
/** A server may say to come back in years: no longer than this is waited for its word. */
const LONGEST_TOLD_MS = 7 * LONGEST_WAIT_MS;
/** A server may have a bad hour: what looks final counts as such after so many times in a row. */
const MOST_FAILURES = 5;
/** Trying again changes nothing about these. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['source_gone', 'network_denied', 'invalid_input', 'not_found']);
/** Of a source that is not read again by itself: an integer beyond any wall clock. */
export const NEVER: Timestamp = Number.MAX_SAFE_INTEGER;

export interface NextReading {
	readonly health: WatchedHealth;
	readonly nextReadAt: Timestamp;
	/** What it stood for is gone: it is not asked again until the owner says so. */
	readonly pause: boolean;
}

export interface Going {
	readonly now: Timestamp;
	readonly budget: Pick<WatchedBudget, 'everyMinutes'>;
	/** 0 to 1: so that sources that were added or failed together are not read together for ever. */
	readonly chance: number;
}

export function afterReading({ now, budget, chance }: Going, note: string | undefined): NextReading {
	const health: WatchedHealth = { kind: 'ok', at: now, ...(note !== undefined && { note: note.slice(0, 500) }) };
	return { health, nextReadAt: now + Math.round(budget.everyMinutes * MINUTE_MS * (1 + 0.05 * chance)), pause: false };
}

/** `before`: how it went until now. */
export function afterFailure({ now, budget, chance }: Going, before: WatchedHealth, error: ErrorShape): NextReading {
	const failures = (before.kind === 'waiting' ? before.failures : 0) + 1;
	const isFinal = error.kind === 'needs_owner' || FINAL.has(error.code) || (error.kind === 'terminal' && failures >= MOST_FAILURES);
	if (isFinal) return { health: { kind: 'failed', at: now, error }, nextReadAt: NEVER, pause: error.code === 'source_gone' };
	const base = Math.min(LONGEST_WAIT_MS, budget.everyMinutes * MINUTE_MS * 2 ** Math.min(failures - 1, 12));
	const told = Math.min(LONGEST_TOLD_MS, error.retryAfterMs ?? 0);
	const until = now + Math.max(Math.round(base * (1 + 0.2 * chance)), Math.ceil(told));
	return { health: { kind: 'waiting', at: now, until, failures, error }, nextReadAt: until, pause: false };
}
