import { answerFits } from '../approvals/machine.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import { joinLabels } from '../domain/label.ts';
import type { MessagePart, ToolPart } from '../domain/message.ts';
import type { RunEventOf } from './events.ts';
import { findTool, withTool } from './parts.ts';
import { nextModelStep } from './reduce-model.ts';
import { stopAt } from './reduce-owner.ts';
import type { Cut, JudgedCall, Progress, RunState, ToolQueue } from './state.ts';
import { partOf, queueOf, withStatus, withUnrun } from './tool-parts.ts';

type At<Kind extends RunState['kind']> = Extract<RunState, { kind: Kind }>;

/** Transitions of tool steps: judged, run, asked about, refused, cut off. */

/** Calls in a row that can't be read before the reply fails; the model hears of each but the last (chat-7). */
const UNREADABLE_LIMIT = 2;

export function toolStarted(state: RunState, event: RunEventOf<'tool_started'>): RunState | undefined {
	const queue = state.kind === 'tool_ready' ? state.queue : state.kind === 'tool_approved' ? state.judged : undefined;
	if (!queue || event.step !== state.progress.step || event.callId !== queue.call.callId) return undefined;
	// What the owner approved is what runs, whatever the event says (B3).
	const judged = state.kind === 'tool_approved' ? state.judged : judgedCall(queue, event);
	const told = withRepairNotice(state, queue, event.repaired);
	const part: ToolPart = { ...partOf(judged), status: 'running', startedAt: event.at };
	const progress = { ...told, parts: withTool(told.parts, part), unreadableCalls: 0 };
	return { kind: 'running_tool', progress, judged, startedAt: event.at };
}

export function afterTool(state: At<'running_tool'>, event: RunEventOf<'tool_finished'>): RunState {
	const part: ToolPart = {
		...partOf(state.judged),
		status: event.result.isError ? 'failed' : 'done',
		result: event.result,
		label: event.label,
		startedAt: state.startedAt,
		finishedAt: event.at,
	};
	const label = joinLabels(state.progress.label, event.label);
	return nextCall({ ...state.progress, label, parts: withTool(state.progress.parts, part) }, state.judged);
}

export function afterRefusal(state: At<'tool_ready'>, event: RunEventOf<'tool_refused'>): RunState {
	const { queue } = state;
	const status = event.why === 'unreadable' ? 'failed' : 'denied';
	const part: ToolPart = { type: 'tool', callId: event.callId, tool: queue.call.tool, args: event.args, status, result: event.result };
	const unreadableCalls = event.why === 'denied' ? 0 : state.progress.unreadableCalls + 1;
	const progress: Progress = { ...state.progress, unreadableCalls, parts: withTool(state.progress.parts, part) };
	if (unreadableCalls < UNREADABLE_LIMIT) return nextCall(progress, queue);
	const cut: Cut = { at: 'model', fromPart: queue.fromPart, hasText: false };
	return { kind: 'failed', progress: { ...withUnrun(progress, queue), step: progress.step + 1 }, cut, error: badCalls(queue.call.tool) };
}

export function interruptOpened(state: RunState, event: RunEventOf<'interrupt_opened'>): RunState | undefined {
	if (event.step !== state.progress.step) return undefined;
	const { interruptId, kind: interruptKind, startedAt } = event;
	if (state.kind === 'effect_unknown') {
		if (interruptKind !== 'did_it_happen' || event.callId !== state.judged.call.callId) return undefined;
		const { progress, judged } = state;
		return { kind: 'awaiting_owner', progress, judged, interruptId, interruptKind, startedAt: state.startedAt };
	}
	if (state.kind !== 'tool_ready' || interruptKind === 'did_it_happen' || event.callId !== state.queue.call.callId) return undefined;
	const judged = judgedCall(state.queue, event);
	const told = withRepairNotice(state, state.queue, event.repaired);
	const progress = { ...told, parts: withTool(told.parts, { ...partOf(judged), status: 'waiting' }), unreadableCalls: 0 };
	return { kind: 'awaiting_owner', progress, judged, interruptId, interruptKind, startedAt };
}

export function afterAnswer(state: At<'awaiting_owner'>, event: RunEventOf<'interrupt_answered'>): RunState | undefined {
	const { answer, at } = event;
	const { progress, judged } = state;
	if (!answerFits(state.interruptKind, answer.type)) return undefined;
	const told = (status: ToolPart['status'], text: string, isError: boolean): RunState => {
		const before = findTool(progress.parts, judged.call.callId);
		const part: ToolPart = { ...partOf(judged), status, result: { text, isError }, startedAt: before?.startedAt, finishedAt: at };
		return nextCall({ ...progress, parts: withTool(progress.parts, part) }, judged);
	};
	switch (answer.type) {
		case 'approve':
		case 'run_again':
			return { kind: 'tool_approved', progress: withStatus(progress, judged, 'running'), judged };
		case 'reject':
			return told(
				'denied',
				answer.reason ? `The owner said no: ${answer.reason}` : 'The owner said no. Do not ask for the same again.',
				true,
			);
		case 'reply':
			return told('done', answer.text, false);
		case 'happened':
			return told('done', answer.result === '' ? 'The owner says that it happened; its result was not kept.' : answer.result, false);
		case 'skip':
			return state.interruptKind === 'question'
				? told('skipped', 'The owner chose not to answer. Go on without it.', false)
				: told('skipped', 'The owner skipped this. Whether it took effect is not known; do not repeat it.', true);
		case 'stop':
			return stopAt(state, { type: 'stopped', parts: [], at });
		default:
			return assertNever(answer);
	}
}

/** R2: a repeat of the first two changes nothing; the last may have happened. */
export function toolDied(state: At<'running_tool'>): RunState {
	const { progress, judged, startedAt } = state;
	switch (judged.effect) {
		case 'pure':
		case 'idempotent':
			return { kind: 'tool_approved', progress, judged };
		case 'effectful':
			return { kind: 'effect_unknown', progress: withStatus(progress, judged, 'unknown'), judged, startedAt };
		default:
			return assertNever(judged.effect);
	}
}

function nextCall(progress: Progress, queue: ToolQueue): RunState {
	const [call, ...rest] = queue.rest;
	if (!call) return nextModelStep(progress);
	return { kind: 'tool_ready', progress: { ...progress, step: progress.step + 1 }, queue: { call, rest, fromPart: progress.parts.length } };
}

function withRepairNotice(state: RunState, queue: ToolQueue, repaired: boolean): Progress {
	if (state.kind !== 'tool_ready' || !(repaired || queue.call.fromText)) return state.progress;
	const notice: MessagePart = { type: 'notice', code: 'tool_call_repaired', values: { tool: queue.call.tool } };
	return { ...state.progress, parts: [...state.progress.parts, notice] };
}

function judgedCall(queue: ToolQueue, event: { args: Json; effect: JudgedCall['effect']; label: JudgedCall['label'] }): JudgedCall {
	return { ...queueOf(queue), args: event.args, effect: event.effect, label: event.label };
}

function badCalls(tool: string): ErrorShape {
	return {
		kind: 'terminal',
		code: 'model_bad_tool_call',
		message: `The model asked for ${tool === '' ? 'a tool' : `the tool “${tool}”`} in a form that can't be read, twice in a row.`,
		safe: 'Nothing was run for it.',
		action: 'Retry, or choose a model that handles tools better.',
	};
}
