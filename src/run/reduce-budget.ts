import type { ErrorShape } from '../domain/errors.ts';
import type { RunEventOf } from './events.ts';
import { modelCut } from './reduce-model.ts';
import type { RunState } from './state.ts';
import { queueOf, withUnrun } from './tool-parts.ts';

/** What a run may use: the pure part. */

/** It ends before its next step, so that it can go on with exactly that one. What the owner said yes to a moment ago is still done. */
export function budgetUsed(state: RunState, { budget, used, total }: RunEventOf<'budget_used'>): RunState | undefined {
	const error = budgetError(budget, used);
	if (!error) return undefined;
	const progress = { ...state.progress, usedUp: total };
	switch (state.kind) {
		case 'model_ready':
			return { kind: 'interrupted', progress, cut: modelCut(progress.parts, state.plan), error };
		case 'tool_ready':
			return { kind: 'interrupted', progress: withUnrun(progress, state.queue), cut: { at: 'tool', queue: queueOf(state.queue) }, error };
		default:
			return undefined;
	}
}

type Use = RunEventOf<'budget_used'>['used'];
type Budget = RunEventOf<'budget_used'>['budget'];

/** Of what was used, what counts. */
export function usedSince(used: Use, from: Use | undefined): Use {
	if (!from) return used;
	return { tokens: used.tokens - from.tokens, costUsd: used.costUsd - from.costUsd, ms: used.ms - from.ms };
}

const MINUTE_MS = 60_000;

/** Undefined while there is something left of everything that is limited. */
export function budgetError({ tokens, costUsd, minutes }: Budget, used: Use): ErrorShape | undefined {
	const over = [
		...(tokens !== undefined && used.tokens >= tokens ? [`${used.tokens} of ${tokens} tokens`] : []),
		...(costUsd !== undefined && used.costUsd >= costUsd ? [`${dollars(used.costUsd)} of ${dollars(costUsd)}`] : []),
		...(minutes !== undefined && used.ms >= minutes * MINUTE_MS
			? [`${inMinutes(used.ms)} of ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`]
			: []),
	];
	if (over.length === 0) return undefined;
	return {
		kind: 'terminal',
		code: 'run_budget_used',
		message: `This run has used what a run of its task may: ${over.join(', ')}.`,
		safe: 'Everything it did so far is kept, and nothing of it is done again.',
		action: 'Raise the budget of the task, or run it again: it goes on where it stopped, with its budget anew.',
	};
}

function dollars(amount: number): string {
	return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

function inMinutes(ms: number): number {
	return Math.round(ms / 6_000) / 10;
}
