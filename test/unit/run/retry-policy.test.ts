import { expect, test } from 'vitest';
import type { ErrorCode, ErrorKind } from '../../../src/domain/errors.ts';
import { judgeFailure, LONGEST_WAIT_MS } from '../../../src/run/retry-policy.ts';
import type { ModelPlan } from '../../../src/run/state.ts';

const plan = (more: Partial<ModelPlan> = {}): ModelPlan => ({
	attempt: 1,
	waitMs: 0,
	overflows: 0,
	use: 'chosen',
	continues: false,
	fromPart: 0,
	...more,
});
const error = (code: ErrorCode, kind: ErrorKind = 'retryable', retryAfterMs?: number) => ({ kind, code, message: 'x', retryAfterMs });
const nothing = { text: false, fallback: false };

test('waits double from one second, and tries are bounded', () => {
	const waits = [1, 2, 3, 4].map((attempt) => judgeFailure(error('model_server_error'), plan({ attempt }), nothing));
	expect(waits).toEqual([
		{ kind: 'again', waitMs: 1000 },
		{ kind: 'again', waitMs: 2000 },
		{ kind: 'again', waitMs: 4000 },
		{ kind: 'failed' },
	]);
});

test('chat-10 Retry-After is honoured, unless it is longer than an owner would wait', () => {
	expect(judgeFailure(error('model_rate_limited', 'retryable', 7000), plan(), nothing)).toEqual({ kind: 'again', waitMs: 7000 });
	expect(judgeFailure(error('model_rate_limited', 'retryable', LONGEST_WAIT_MS + 1), plan(), nothing)).toEqual({ kind: 'failed' });
});

test('chat-9 once text has arrived nothing is repeated', () => {
	expect(judgeFailure(error('model_stream_cut'), plan(), { text: true, fallback: true })).toEqual({ kind: 'interrupted' });
	expect(judgeFailure(error('model_auth', 'needs_owner'), plan(), { text: true, fallback: true })).toEqual({ kind: 'failed' });
});

test('the fallback is asked once, after the tries of the first are used up', () => {
	const ready = { text: false, fallback: true };
	expect(judgeFailure(error('model_unreachable'), plan({ attempt: 2 }), ready)).toEqual({ kind: 'fallback' });
	expect(judgeFailure(error('model_unreachable'), plan({ attempt: 2, use: 'fallback' }), ready)).toEqual({ kind: 'failed' });
	expect(judgeFailure(error('model_auth', 'needs_owner'), plan(), ready)).toEqual({ kind: 'failed' });
});

test('a prompt that is too long is tried smaller, twice', () => {
	const verdicts = [0, 1, 2].map(
		(overflows) => judgeFailure(error('model_context_overflow', 'terminal'), plan({ overflows }), nothing).kind,
	);
	expect(verdicts).toEqual(['smaller_window', 'smaller_window', 'failed']);
});
