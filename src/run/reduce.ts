import { assertNever } from '../domain/assert-never.ts';
import type { RunEvent } from './events.ts';
import { forkedHere, restoredHere } from './reduce-branch.ts';
import { budgetUsed } from './reduce-budget.ts';
import { afterFailure, afterModel, modelDied, modelStarted, started } from './reduce-model.ts';
import { failAt, goOn, stopAt, tryAgain } from './reduce-owner.ts';
import { resourcesLost } from './reduce-resources.ts';
import { afterAnswer, afterRefusal, afterTool, effectVerified, interruptOpened, toolDied, toolStarted, verifyDied } from './reduce-tool.ts';
import { afterWait } from './reduce-wait.ts';
import { type Command, commandFor, type RunState } from './state.ts';

/**
 * The whole behaviour of a run: pure, total over the legal pairs, and the only place that decides what follows what. An
 * event that does not fit the state is refused (undefined), never ignored: a journal that holds one is damaged.
 */
export function next(state: RunState | undefined, event: RunEvent): RunState | undefined {
	if (event.type === 'run_started') return state === undefined ? started(event) : undefined;
	if (state === undefined) return undefined;
	switch (event.type) {
		case 'model_started':
			return state.kind === 'model_ready' && event.step === state.progress.step ? modelStarted(state, event) : undefined;
		case 'model_finished':
			return state.kind === 'calling_model' && event.step === state.progress.step ? afterModel(state, event) : undefined;
		case 'model_failed':
			return state.kind === 'calling_model' && event.step === state.progress.step ? afterFailure(state, event) : undefined;
		case 'tool_started':
			return toolStarted(state, event);
		case 'tool_finished':
			return state.kind === 'running_tool' && isAt(state.progress.step, state.judged.call.callId, event)
				? afterTool(state, event)
				: undefined;
		case 'tool_refused':
			if (state.kind === 'tool_ready' && isAt(state.progress.step, state.queue.call.callId, event)) return afterRefusal(state, event);
			return state.kind === 'tool_approved' && isAt(state.progress.step, state.judged.call.callId, event)
				? afterRefusal(state, event)
				: undefined;
		case 'interrupt_opened':
			return interruptOpened(state, event);
		case 'interrupt_answered':
			return (state.kind === 'awaiting_owner' || state.kind === 'sleeping') && state.interruptId === event.interruptId
				? afterAnswer(state, event)
				: undefined;
		case 'wait_ended':
			return state.kind === 'sleeping' && state.interruptId === event.interruptId ? afterWait(state, event) : undefined;
		case 'effect_verified':
			return state.kind === 'effect_unknown' && isAt(state.progress.step, state.judged.call.callId, event)
				? effectVerified(state, event)
				: undefined;
		case 'resources_lost':
			return resourcesLost(state, event);
		case 'process_died':
			if (state.kind === 'calling_model') return modelDied(state, event.parts);
			if (state.kind === 'running_tool') return toolDied(state);
			return state.kind === 'effect_unknown' ? verifyDied(state) : undefined;
		case 'stopped':
			return stopAt(state, event);
		case 'continued':
			return goOn(state);
		case 'retried':
			return tryAgain(state);
		case 'restored':
			return restoredHere(state, event);
		case 'forked':
			return forkedHere(state, event);
		case 'budget_used':
			return budgetUsed(state, event);
		case 'run_failed':
			return failAt(state, event);
		default:
			return assertNever(event);
	}
}

export class IllegalEvent extends Error {
	constructor(state: RunState | undefined, event: RunEvent) {
		super(`event ${event.type} does not fit a run that is ${state?.kind ?? 'not started'}`);
		this.name = 'IllegalEvent';
	}
}

/** Throws IllegalEvent. The command says what the driver does next; replaying a journal gives the same one again. */
export function reduce(state: RunState | undefined, event: RunEvent): { state: RunState; command: Command } {
	const following = next(state, event);
	if (!following) throw new IllegalEvent(state, event);
	return { state: following, command: commandFor(following) };
}

export function replay(events: Iterable<RunEvent>): RunState | undefined {
	let state: RunState | undefined;
	for (const event of events) state = reduce(state, event).state;
	return state;
}

function isAt(step: number, callId: string, event: { step: number; callId: string }): boolean {
	return event.step === step && event.callId === callId;
}
