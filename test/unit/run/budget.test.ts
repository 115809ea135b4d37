import { expect, test } from 'vitest';
import { MessageId, SessionId } from '../../../src/domain/ids.ts';
import { ModelRef } from '../../../src/domain/model.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { next, replay } from '../../../src/run/reduce.ts';
import { budgetError, usedSince } from '../../../src/run/reduce-budget.ts';

const started: RunEvent = {
	type: 'run_started',
	version: 1,
	sessionId: SessionId.parse('s'),
	messageId: MessageId.parse('m'),
	maxModelCalls: 10,
	kind: 'task',
	budget: { tokens: 100, minutes: 2 },
};
const model = ModelRef.parse({ providerId: 'scripted', modelId: 'scripted' });
const step: RunEvent[] = [
	{ type: 'model_started', step: 1, model, modelName: 'scripted', label: 'owner', notices: [] },
	{
		type: 'model_finished',
		step: 1,
		parts: [],
		calls: [{ callId: 'c', tool: 'look', args: '{}' }],
		reason: 'tool_calls',
		usage: { inputTokens: 90, outputTokens: 20 },
		ms: 61_000,
	},
];
const used = { tokens: 110, costUsd: 0, ms: 61_000 };
const over: RunEvent = { type: 'budget_used', budget: { tokens: 100 }, used, total: used };

test('how long a run worked is the sum of its steps, not of what lies between them', () => {
	expect(replay([started, ...step])?.progress.workedMs).toBe(61_000);
});

test('a budget says each limit that is reached, in words, and nothing while something is left of all', () => {
	expect(budgetError({ tokens: 111, costUsd: 0.5, minutes: 2 }, used)).toBeUndefined();
	expect(budgetError({}, { tokens: 1e9, costUsd: 1e9, ms: 1e9 })).toBeUndefined();
	expect(budgetError({ tokens: 110, costUsd: 1, minutes: 1 }, used)).toMatchObject({
		kind: 'terminal',
		code: 'run_budget_used',
		message: 'This run has used what a run of its task may: 110 of 110 tokens, 1 of 1 minute.',
	});
	expect(budgetError({ costUsd: 0.01 }, { tokens: 1, costUsd: 0.0123, ms: 0 })?.message).toContain('$0.0123 of $0.0100');
	expect(usedSince(used, undefined)).toEqual(used);
	expect(usedSince({ tokens: 300, costUsd: 2, ms: 5 }, { tokens: 110, costUsd: 0.5, ms: 1 })).toEqual({ tokens: 190, costUsd: 1.5, ms: 4 });
});

test('it ends a run before its next step, which it goes on with; Continue gives the budget anew, Retry does not', () => {
	const ended = replay([started, ...step, over]);
	expect(ended).toMatchObject({
		kind: 'interrupted',
		error: { code: 'run_budget_used' },
		cut: { at: 'tool', queue: { call: { callId: 'c' } } },
	});
	if (!ended) throw new Error('no state');
	expect(next(ended, { type: 'retried' })).toMatchObject({ kind: 'tool_ready', queue: { call: { callId: 'c' } } });
	expect(next(ended, { type: 'retried' })?.progress.budgetFrom).toBeUndefined();
	expect(next(ended, { type: 'continued' })?.progress.budgetFrom).toEqual(used);
	expect(next(ended, over)).toBeUndefined();
	// Within a step, and where something is left, it has no place.
	expect(next(replay([started, ...step.slice(0, 1)]), over)).toBeUndefined();
	expect(next(replay([started]), { ...over, used: { ...used, tokens: 1 } })).toBeUndefined();
});
