import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ErrorShape } from '../../src/domain/errors.ts';
import {
	ask,
	type BreakerState,
	closedBreaker,
	FAILURES_TO_OPEN,
	FIRST_PAUSE_MS,
	LONGEST_PAUSE_MS,
	mend,
	type Outcome,
	settle,
} from '../../src/embed/breaker.ts';

const reason: fc.Arbitrary<ErrorShape> = fc.oneof(
	fc.constant<ErrorShape>({ kind: 'retryable', code: 'embedding_unreachable', message: 'Nothing answers.' }),
	fc.constant<ErrorShape>({ kind: 'needs_owner', code: 'embedding_quota', message: 'Used up.' }),
	fc.constant<ErrorShape>({ kind: 'terminal', code: 'embedding_bad_response', message: 'No vectors.' }),
	fc
		.nat(4_000_000)
		.map<ErrorShape>((retryAfterMs) => ({ kind: 'retryable', code: 'embedding_rate_limited', message: 'Slowly.', retryAfterMs })),
);
type Step =
	| { type: 'call' }
	| { type: 'end'; which: number; outcome: { type: 'answered' } | { type: 'stopped' } | { type: 'failed'; error: ErrorShape } }
	| { type: 'wait'; ms: number; wallJump: number }
	| { type: 'mend' };
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Step>({ type: 'call' }) },
	{
		weight: 4,
		arbitrary: fc.record({
			type: fc.constant('end' as const),
			which: fc.nat(2),
			outcome: fc.oneof(
				fc.constant({ type: 'answered' as const }),
				fc.constant({ type: 'stopped' as const }),
				fc.record({ type: fc.constant('failed' as const), error: reason }),
			),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			type: fc.constant('wait' as const),
			ms: fc.oneof(fc.nat(FIRST_PAUSE_MS), fc.nat(LONGEST_PAUSE_MS * 2)),
			wallJump: fc.integer({ min: -1e9, max: 1e9 }),
		}),
	},
	{ weight: 1, arbitrary: fc.constant<Step>({ type: 'mend' }) },
);

test('mem-4 whatever happens: no call while it pauses, one trial at a time, and one good trial closes it', () => {
	const seen = new Set<string>();
	fc.assert(
		fc.property(fc.array(step, { minLength: 50, maxLength: 150, size: 'max' }), (steps) => {
			let at = { wall: 1_000_000_000_000, monotonic: 0 };
			let breaker: BreakerState = closedBreaker(at);
			let running: { trial: boolean }[] = [];
			/** The model: when a call may be made again, by the clock that never jumps. */
			let notBefore = 0;
			let inRow = 0;
			for (const each of steps) {
				if (each.type === 'wait') at = { wall: at.wall + each.ms + each.wallJump, monotonic: at.monotonic + each.ms };
				else if (each.type === 'mend') {
					breaker = mend(breaker, at);
					if (breaker.state === 'open') notBefore = at.monotonic;
				} else if (each.type === 'call') {
					const asked = ask(breaker, at);
					seen.add(`${breaker.state} ${asked.may}`);
					if (breaker.state === 'closed') expect(asked.may).toBe('call');
					if (breaker.state === 'open') expect(asked.may).toBe(at.monotonic < notBefore ? 'not' : 'trial');
					if (breaker.state === 'half_open') expect(asked.may).toBe('not');
					breaker = asked.breaker;
					if (asked.may !== 'not') running.push({ trial: asked.may === 'trial' });
					expect(running.filter(({ trial }) => trial).length).toBeLessThanOrEqual(1);
				} else {
					const call = running[each.which];
					if (!call) continue;
					running = running.filter((other) => other !== call);
					const before = breaker;
					const outcome: Outcome = { ...call, ...each.outcome };
					breaker = settle(breaker, outcome, at);
					if (before.state === 'closed' && outcome.type !== 'stopped') inRow = outcome.type === 'failed' ? inRow + 1 : 0;
					if (before.state === 'half_open' && call.trial && outcome.type === 'answered') {
						expect(breaker).toEqual(closedBreaker(at));
						inRow = 0;
					}
					if (before.state === 'half_open' && !call.trial) expect(breaker).toBe(before);
					if (before.state === 'closed' && breaker.state === 'closed') expect(inRow).toBeLessThan(FAILURES_TO_OPEN);
					if (breaker.state === 'open' && before.state !== 'open') {
						const asked = outcome.type === 'failed' ? (outcome.error.retryAfterMs ?? 0) : 0;
						notBefore = breaker.due;
						const pause = breaker.due - at.monotonic;
						if (outcome.type === 'failed') {
							expect(pause).toBeGreaterThanOrEqual(Math.max(FIRST_PAUSE_MS, asked));
							expect(pause).toBeLessThanOrEqual(Math.max(LONGEST_PAUSE_MS, asked));
							expect(breaker.reason).toBe(outcome.error);
							expect(breaker.retryAt - at.wall).toBe(pause);
						} else expect(pause).toBe(0);
						inRow = 0;
					}
				}
			}
		}),
	);
	// Every way through was walked.
	expect([...seen].sort()).toEqual(['closed call', 'half_open not', 'open not', 'open trial']);
});

test('each failed trial doubles the pause, up to half an hour', () => {
	const error: ErrorShape = { kind: 'needs_owner', code: 'embedding_auth', message: 'No key.' };
	let at = { wall: 5, monotonic: 5 };
	let breaker = settle(closedBreaker(at), { trial: false, type: 'failed', error }, at);
	const pauses: number[] = [];
	for (let trial = 0; trial < 10 && breaker.state === 'open'; trial++) {
		pauses.push(breaker.due - at.monotonic);
		at = { wall: breaker.retryAt, monotonic: breaker.due };
		breaker = settle(ask(breaker, at).breaker, { trial: true, type: 'failed', error }, at);
	}
	expect(pauses.map((pause) => pause / 1000)).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800, 1800, 1800]);
});
