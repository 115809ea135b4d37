import type { Clock } from '../base/clock.ts';
import { assertNever } from '../domain/assert-never.ts';
import { type ErrorShape, HearthError, toErrorShape } from '../domain/errors.ts';
import type { EmbeddingPort } from './port.ts';

/**
 * Keeps a failing embedding model from being asked again and again, while search goes on by keyword (mem-4). Three failures in a row
 * open it, and at once what another try can't mend: a key, a quota, a missing model, a server that names its own pause. Later one call
 * is let through as a trial; each failed trial doubles the pause.
 */
export type BreakerState =
	| { readonly state: 'closed'; readonly since: number; readonly failures: number }
	| {
			readonly state: 'open';
			readonly since: number;
			readonly reason: ErrorShape;
			readonly openings: number;
			readonly retryAt: number;
			readonly due: number;
	  }
	| { readonly state: 'half_open'; readonly since: number; readonly reason: ErrorShape; readonly openings: number };

/** As others see it. `since` and `retryAt` are milliseconds of the wall clock; nothing is tried before `retryAt`. */
export interface BreakerView {
	readonly state: BreakerState['state'];
	readonly since: number;
	readonly reason?: ErrorShape;
	readonly retryAt?: number;
}

/** Both clocks at one moment: `wall` for people, `monotonic` for the pause, which a changed clock must not stretch (dur-6). */
export interface Moment {
	readonly wall: number;
	readonly monotonic: number;
}

/** How a call that was let through ended. Only a trial's end decides about a half-open breaker. */
export type Outcome = { readonly trial: boolean } & (
	| { readonly type: 'answered' }
	| { readonly type: 'stopped' }
	| { readonly type: 'failed'; readonly error: ErrorShape }
);

export const FAILURES_TO_OPEN = 3;
export const FIRST_PAUSE_MS = 30_000;
export const LONGEST_PAUSE_MS = 30 * 60_000;

export function closedBreaker(at: Moment): BreakerState {
	return { state: 'closed', since: at.wall, failures: 0 };
}

/** Whether a call may be made now, and what the breaker is then. */
export function ask(breaker: BreakerState, at: Moment): { readonly breaker: BreakerState; readonly may: 'call' | 'trial' | 'not' } {
	switch (breaker.state) {
		case 'closed':
			return { breaker, may: 'call' };
		case 'half_open':
			return { breaker, may: 'not' };
		case 'open': {
			if (at.monotonic < breaker.due) return { breaker, may: 'not' };
			const { reason, openings } = breaker;
			return { breaker: { state: 'half_open', since: at.wall, reason, openings }, may: 'trial' };
		}
		default:
			return assertNever(breaker);
	}
}

export function settle(breaker: BreakerState, outcome: Outcome, at: Moment): BreakerState {
	switch (breaker.state) {
		case 'closed': {
			if (outcome.type === 'stopped') return breaker;
			if (outcome.type === 'answered') return breaker.failures === 0 ? breaker : { ...breaker, failures: 0 };
			const failures = breaker.failures + 1;
			return failures >= FAILURES_TO_OPEN || opensAtOnce(outcome.error) ? open(outcome.error, 1, at) : { ...breaker, failures };
		}
		case 'open':
			// A call from before it opened: what it found is known.
			return breaker;
		case 'half_open': {
			if (!outcome.trial) return breaker;
			const { reason, openings } = breaker;
			if (outcome.type === 'answered') return closedBreaker(at);
			if (outcome.type === 'failed') return open(outcome.error, openings + 1, at);
			return { state: 'open', since: at.wall, reason, openings, retryAt: at.wall, due: at.monotonic };
		}
		default:
			return assertNever(breaker);
	}
}

/** The owner mended something: the next call is a trial. */
export function mend(breaker: BreakerState, at: Moment): BreakerState {
	return breaker.state === 'open' ? { ...breaker, retryAt: at.wall, due: at.monotonic } : breaker;
}

function opensAtOnce(error: ErrorShape): boolean {
	return error.kind === 'needs_owner' || error.code === 'network_denied' || error.code === 'embedding_rate_limited';
}

function open(reason: ErrorShape, openings: number, at: Moment): BreakerState {
	const backOff = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(openings - 1, 20), LONGEST_PAUSE_MS);
	const pause = Math.max(backOff, reason.retryAfterMs ?? 0);
	return { state: 'open', since: at.wall, reason, openings, retryAt: at.wall + pause, due: at.monotonic + pause };
}

export interface Breaker {
	view(): BreakerView;
	/** The next call is let through, whenever it comes. */
	mend(): void;
}

export interface GuardedEmbedding extends EmbeddingPort {
	readonly breaker: Breaker;
}

export interface BreakerOptions {
	readonly clock: Clock;
	/** Called when it opens, lets a trial through or closes; not for a pause that was cut short. Must not throw. */
	onChange?(now: BreakerView, before: BreakerView): void;
}

/** The same port behind a breaker: while it is open, `embed` rejects at once with the reason, and `retryAfterMs` says for how long. */
export function withBreaker(port: EmbeddingPort, { clock, onChange }: BreakerOptions): GuardedEmbedding {
	const moment = (): Moment => ({ wall: clock.now(), monotonic: clock.monotonic() });
	let breaker = closedBreaker(moment());

	function become(next: BreakerState): void {
		const before = breaker;
		breaker = next;
		if (next.state !== before.state) onChange?.(view(next), view(before));
	}

	function refusal(): HearthError {
		if (breaker.state === 'closed') throw new Error('A closed breaker refuses nothing.');
		const wait = breaker.state === 'open' ? Math.max(0, breaker.due - clock.monotonic()) : 0;
		return new HearthError({ ...breaker.reason, ...(breaker.reason.kind === 'retryable' && { retryAfterMs: wait }) });
	}

	return {
		id: port.id,
		get dims() {
			return port.dims;
		},
		async embed(texts, kind, signal) {
			const asked = ask(breaker, moment());
			become(asked.breaker);
			if (asked.may === 'not') throw refusal();
			const trial = asked.may === 'trial';
			try {
				const vectors = await port.embed(texts, kind, signal);
				become(settle(breaker, { trial, type: 'answered' }, moment()));
				return vectors;
			} catch (failure) {
				const error = toErrorShape(failure);
				const outcome = error.code === 'run_stopped' ? { trial, type: 'stopped' as const } : { trial, type: 'failed' as const, error };
				become(settle(breaker, outcome, moment()));
				throw failure;
			}
		},
		close: () => port.close(),
		breaker: {
			view: () => view(breaker),
			mend: () => become(mend(breaker, moment())),
		},
	};
}

function view(breaker: BreakerState): BreakerView {
	const { state, since } = breaker;
	if (breaker.state === 'closed') return { state, since };
	return { state, since, reason: breaker.reason, ...(breaker.state === 'open' && { retryAt: breaker.retryAt }) };
}
