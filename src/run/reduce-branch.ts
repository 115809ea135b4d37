import type { MessagePart } from '../domain/message.ts';
import type { RunEventOf } from './events.ts';
import { freshPlan } from './reduce-model.ts';
import { goOn } from './reduce-owner.ts';
import type { Place, Progress, RunState } from './state.ts';

/**
 * A run whose journal is the copy of another one's, up to a checkpoint (R4). Finished steps are in it and ask for nothing; what follows has
 * keys of its own, as they contain the run's id.
 */

/** It stands where the other one stood, and waits for *Continue*. A finished reply stays finished. */
export function restoredHere(state: RunState, { from }: RunEventOf<'restored'>): RunState | undefined {
	const notice: MessagePart = { type: 'notice', code: 'restored_here', values: { step: from.step } };
	if (state.kind === 'done') return { kind: 'done', progress: anew(state.progress, notice) };
	const ready = placeOf(state, notice);
	return ready && { kind: 'stopped', progress: ready.progress, cut: { at: 'place', ready } };
}

/** It goes on at once. Undefined where there is nothing to go on with. */
export function forkedHere(state: RunState, { from }: RunEventOf<'forked'>): RunState | undefined {
	return placeOf(state, { type: 'notice', code: 'forked_here', values: { step: from.step } });
}

function placeOf(state: RunState, notice: MessagePart): Place | undefined {
	switch (state.kind) {
		case 'model_ready': {
			const progress = anew(state.progress, notice);
			const { continues, fromPart } = state.plan;
			return { kind: 'model_ready', progress, plan: { ...freshPlan(progress), ...(continues && { continues, fromPart }) } };
		}
		case 'tool_ready': {
			const progress = anew(state.progress, notice);
			return { kind: 'tool_ready', progress, queue: { ...state.queue, fromPart: progress.parts.length } };
		}
		case 'interrupted':
		case 'failed':
		case 'stopped': {
			const following = goOn(state);
			return following && placeOf(following, notice);
		}
		default:
			return undefined;
	}
}

/** What calls of the other run had left open belongs to it. */
function anew({ resources = [], ...progress }: Progress, notice: MessagePart): Progress {
	const closed = resources.map(({ what, tool }): MessagePart => ({ type: 'notice', code: 'resource_torn_down', values: { what, tool } }));
	return { ...progress, modelCalls: 0, unreadableCalls: 0, deaths: 0, parts: [...progress.parts, ...closed, notice] };
}
