import { assertNever } from '../domain/assert-never.ts';
import type { ToolPart } from '../domain/message.ts';
import type { RunEventOf } from './events.ts';
import { withStreamed, withTool } from './parts.ts';
import { freshPlan, modelCut, withUsage } from './reduce-model.ts';
import type { Cut, JudgedCall, Place, Progress, RunState } from './state.ts';
import { NOT_RUN, partOf, queueOf, withStatus, withUnrun } from './tool-parts.ts';

/** Transitions that the owner asks for, and failures of Hearth itself, which leave the run where the owner can go on. */

/** Continue: after the partial text where there is some, else with the next model call. */
export function goOn(state: RunState): RunState | undefined {
	if (state.kind !== 'interrupted' && state.kind !== 'failed' && state.kind !== 'stopped') return undefined;
	const { cut } = state;
	if (cut.at === 'place') return fromPlace(cut.ready);
	// Without a model there is nothing that could go on around the call that was cut off.
	if (state.progress.terms.script) return tryAgain(state);
	const { usedUp = state.progress.budgetFrom } = state.progress;
	const anew = usedUp && { budgetFrom: usedUp };
	const progress: Progress = { ...state.progress, ...anew, modelCalls: 0, unreadableCalls: 0, deaths: 0, step: state.progress.step + 1 };
	if (cut.at !== 'model') return { kind: 'model_ready', progress, plan: freshPlan(progress) };
	return { kind: 'model_ready', progress, plan: { ...freshPlan(progress), fromPart: cut.fromPart, continues: cut.hasText } };
}

/** Retry: the cut-off step from its start. What finished before it stays and is not repeated (R1). */
export function tryAgain(state: RunState): RunState | undefined {
	if (state.kind !== 'interrupted' && state.kind !== 'failed' && state.kind !== 'stopped') return undefined;
	const { cut } = state;
	const progress: Progress = { ...state.progress, modelCalls: 0, unreadableCalls: 0, deaths: 0 };
	const upTo = (fromPart: number): Progress => ({ ...progress, parts: progress.parts.slice(0, fromPart) });
	switch (cut.at) {
		case 'model': {
			const kept = upTo(cut.fromPart);
			return { kind: 'model_ready', progress: kept, plan: freshPlan(kept) };
		}
		case 'tool':
			return { kind: 'tool_ready', progress: upTo(cut.queue.fromPart), queue: cut.queue };
		case 'effect': {
			const { judged, startedAt } = cut;
			const own = progress.parts.findIndex((part) => part.type === 'tool' && part.callId === judged.call.callId);
			return { kind: 'effect_unknown', progress: withStatus(upTo(own + 1), judged, 'unknown'), judged, startedAt };
		}
		case 'place':
			return fromPlace(cut.ready);
		default:
			return assertNever(cut);
	}
}

/** Of a restored run: nothing was cut off, and the next step is the one that had come next. */
function fromPlace(ready: Place): RunState {
	return { ...ready, progress: { ...ready.progress, modelCalls: 0, unreadableCalls: 0, deaths: 0 } };
}

/** Stop, from any state that is not over. */
export function stopAt(state: RunState, event: RunEventOf<'stopped'>): RunState | undefined {
	switch (state.kind) {
		case 'model_ready':
			return { kind: 'stopped', progress: state.progress, cut: modelCut(state.progress.parts, state.plan) };
		case 'calling_model': {
			const parts = withStreamed(state.progress.parts, event.parts, state.plan);
			return { kind: 'stopped', progress: { ...withUsage(state.progress, event), parts }, cut: modelCut(parts, state.plan) };
		}
		case 'tool_ready':
			return { kind: 'stopped', progress: withUnrun(state.progress, state.queue), cut: { at: 'tool', queue: state.queue } };
		case 'tool_approved':
			return stoppedBefore(state.progress, state.judged);
		case 'running_tool':
		case 'effect_unknown':
			return stoppedDuring(state.progress, state.judged, state.startedAt, event.at);
		case 'awaiting_owner':
			return state.interruptKind === 'did_it_happen'
				? stoppedDuring(state.progress, state.judged, state.startedAt ?? event.at, event.at)
				: stoppedBefore(state.progress, state.judged);
		case 'sleeping':
			return stoppedBefore(state.progress, state.judged);
		case 'interrupted':
		case 'failed':
		case 'stopped':
		case 'done':
			return undefined;
		default:
			return assertNever(state);
	}
}

function stoppedBefore(progress: Progress, judged: JudgedCall): RunState {
	return { kind: 'stopped', progress: withUnrun(progress, judged), cut: { at: 'tool', queue: queueOf(judged) } };
}

function stoppedDuring(progress: Progress, judged: JudgedCall, startedAt: number, at: number): RunState {
	const effectful = judged.effect === 'effectful';
	const text = effectful ? 'Stopped by the owner while it was under way: it may have taken effect.' : NOT_RUN;
	const status = effectful ? 'unknown' : 'stopped';
	const part: ToolPart = { ...partOf(judged), status, result: { text, isError: true }, startedAt, finishedAt: at };
	const cut: Cut = effectful ? { at: 'effect', judged, startedAt } : { at: 'tool', queue: queueOf(judged) };
	return { kind: 'stopped', progress: withUnrun({ ...progress, parts: withTool(progress.parts, part) }, judged), cut };
}

/** An error of Hearth itself, where no tool is under way. */
export function failAt(state: RunState, event: RunEventOf<'run_failed'>): RunState | undefined {
	const { error } = event;
	switch (state.kind) {
		case 'model_ready':
			return { kind: 'failed', progress: state.progress, cut: modelCut(state.progress.parts, state.plan), error };
		case 'calling_model': {
			const parts = withStreamed(state.progress.parts, event.parts, state.plan);
			return { kind: 'failed', progress: { ...withUsage(state.progress, event), parts }, cut: modelCut(parts, state.plan), error };
		}
		case 'tool_ready':
			return { kind: 'failed', progress: withUnrun(state.progress, state.queue), cut: { at: 'tool', queue: state.queue }, error };
		default:
			return undefined;
	}
}
