import { answerFits } from '../approvals/machine.ts';
import { assertNever } from '../domain/assert-never.ts';
import { joinSources } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import { joinLabels } from '../domain/label.ts';
import type { MessagePart, ToolPart } from '../domain/message.ts';
import { planFollows } from '../domain/plan.ts';
import type { RunEventOf } from './events.ts';
import { findTool, withTool } from './parts.ts';
import { nextCall, scriptFailed } from './reduce-call.ts';
import { DIED_OFTEN, MOST_DEATHS, worksLonger } from './reduce-model.ts';
import { stopAt } from './reduce-owner.ts';
import { afterSkippedWait, fallAsleep, isWait } from './reduce-wait.ts';
import type { Cut, JudgedCall, Progress, RunState, ToolQueue } from './state.ts';
import { partOf, queueOf, refusedAs, withStatus, withUnrun } from './tool-parts.ts';

type At<Kind extends RunState['kind']> = Extract<RunState, { kind: Kind }>;

/** Transitions of tool steps: judged, run, asked about, refused, cut off. */

/** Calls in a row that can't be read before the reply fails; the model hears of each but the last (chat-7). */
const UNREADABLE_LIMIT = 2;

export function toolStarted(state: RunState, event: RunEventOf<'tool_started'>): RunState | undefined {
	const queue = state.kind === 'tool_ready' ? state.queue : state.kind === 'tool_approved' ? state.judged : undefined;
	if (!queue || event.step !== state.progress.step || event.callId !== queue.call.callId) return undefined;
	const judged = state.kind === 'tool_approved' ? approvedCall(state.judged, event) : judgedCall(state.progress, queue, event);
	const told = withRepairNotice(state, queue, event.repaired);
	const part: ToolPart = { ...partOf(judged), status: 'running', startedAt: event.at };
	const progress = { ...told, parts: withTool(told.parts, part), unreadableCalls: 0 };
	return { kind: 'running_tool', progress, judged, startedAt: event.at };
}

/** What a call gave back, as it ended or as its tool found out later. */
type CallOutcome = Pick<RunEventOf<'tool_finished'>, 'result' | 'label' | 'sources' | 'at' | 'plan' | 'opened' | 'closed' | 'ms'>;

/** Undefined where the plan does not follow from the one before. */
export function afterTool(state: At<'running_tool'> | At<'effect_unknown'>, event: CallOutcome): RunState | undefined {
	const { plan } = event;
	if (plan && !planFollows(state.progress.plan, plan)) return undefined;
	const part: ToolPart = {
		...partOf(state.judged),
		status: event.result.isError ? 'failed' : 'done',
		result: event.result,
		label: event.label,
		...(event.sources && { sources: event.sources }),
		startedAt: state.startedAt,
		finishedAt: event.at,
	};
	const progress: Progress = {
		...worksLonger(state.progress, event.ms),
		...(plan && { plan }),
		...resourcesAfter(state.progress, event),
		label: joinLabels(state.progress.label, event.label),
		...(event.sources && { sources: joinSources(state.progress.sources, event.sources) }),
	};
	return nextCall({ ...progress, parts: withTool(progress.parts, part) }, state.judged);
}

function resourcesAfter({ resources = [] }: Progress, { opened = [], closed = [] }: CallOutcome): Pick<Progress, 'resources'> {
	if (opened.length === 0 && closed.length === 0) return {};
	const gone = new Set([...closed, ...opened.map(({ id }) => id)]);
	return { resources: [...resources.filter(({ id }) => !gone.has(id)), ...opened] };
}

/** R2: the tool knows what became of a call that was under way, or the owner has to be asked. */
export function effectVerified(state: At<'effect_unknown'>, { verdict, at }: RunEventOf<'effect_verified'>): RunState | undefined {
	if (state.verified) return undefined;
	switch (verdict.happened) {
		case 'yes':
			return afterTool(state, { ...verdict, at });
		case 'no':
			return { kind: 'tool_approved', progress: withStatus(state.progress, state.judged, 'running'), judged: state.judged };
		case 'unknown':
			return { ...state, verified: verdict.found === undefined ? {} : { found: verdict.found } };
		default:
			return assertNever(verdict);
	}
}

export function afterRefusal(state: At<'tool_ready'> | At<'tool_approved'>, event: RunEventOf<'tool_refused'>): RunState {
	const queue = state.kind === 'tool_ready' ? state.queue : state.judged;
	const status = refusedAs(event.why);
	const part: ToolPart = { type: 'tool', callId: event.callId, tool: queue.call.tool, args: event.args, status, result: event.result };
	const unreadableCalls = event.why === 'unknown' || event.why === 'unreadable' ? state.progress.unreadableCalls + 1 : 0;
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
	// The owner approved a call that waits.
	if (state.kind === 'tool_approved' && isWait(interruptKind) && event.callId === state.judged.call.callId) {
		const { progress, judged } = state;
		return fallAsleep(withStatus(progress, judged, 'waiting'), judged, interruptKind, event);
	}
	// What it was allowed by no longer holds, or the yes was to something else: the owner is asked anew.
	if (state.kind === 'tool_approved' && interruptKind === 'approval' && event.callId === state.judged.call.callId) {
		const judged = judgedCall(state.progress, state.judged, event);
		return { kind: 'awaiting_owner', progress: withStatus(state.progress, judged, 'waiting'), judged, interruptId, interruptKind };
	}
	if (state.kind !== 'tool_ready' || interruptKind === 'did_it_happen' || event.callId !== state.queue.call.callId) return undefined;
	const judged = judgedCall(state.progress, state.queue, event);
	const told = withRepairNotice(state, state.queue, event.repaired);
	const part: ToolPart = { ...partOf(judged), status: 'waiting', ...(startedAt !== undefined && { startedAt }) };
	const progress = { ...told, parts: withTool(told.parts, part), unreadableCalls: 0 };
	if (isWait(interruptKind)) return fallAsleep(progress, judged, interruptKind, event);
	return { kind: 'awaiting_owner', progress, judged, interruptId, interruptKind, startedAt };
}

export function afterAnswer(state: At<'awaiting_owner'> | At<'sleeping'>, event: RunEventOf<'interrupt_answered'>): RunState | undefined {
	const { answer, at } = event;
	const { progress, judged } = state;
	if (!answerFits(state.interruptKind, answer.type)) return undefined;
	if (state.kind === 'sleeping' && answer.type === 'skip') return afterSkippedWait(state, at);
	const told = (status: ToolPart['status'], text: string, isError: boolean): RunState => {
		const before = findTool(progress.parts, judged.call.callId);
		const part: ToolPart = { ...partOf(judged), status, result: { text, isError }, startedAt: before?.startedAt, finishedAt: at };
		const after: Progress = { ...progress, parts: withTool(progress.parts, part) };
		// Should the owner have this done again after all, they are asked again whether it happened (R2).
		if (isError && progress.terms.script && state.kind === 'awaiting_owner' && state.startedAt !== undefined)
			return scriptFailed(after, judged, { text }, { at: 'effect', judged, startedAt: state.startedAt });
		return nextCall(after, judged);
	};
	switch (answer.type) {
		case 'approve':
		case 'run_again': {
			const approved = { ...judged, approvedBy: event.interruptId };
			return { kind: 'tool_approved', progress: withStatus(progress, judged, 'running'), judged: approved };
		}
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
	const { judged, startedAt } = state;
	const progress: Progress = { ...state.progress, deaths: state.progress.deaths + 1 };
	switch (judged.effect) {
		case 'pure':
		case 'idempotent':
			if (progress.deaths < MOST_DEATHS) return { kind: 'tool_approved', progress, judged };
			return { kind: 'interrupted', progress: withUnrun(progress, judged), cut: { at: 'tool', queue: queueOf(judged) }, error: DIED_OFTEN };
		case 'effectful':
			return { kind: 'effect_unknown', progress: withStatus(progress, judged, 'unknown'), judged, startedAt };
		default:
			return assertNever(judged.effect);
	}
}

/** A tool that takes the process with it each time it is asked what happened will not be asked for ever. */
export function verifyDied(state: At<'effect_unknown'>): RunState | undefined {
	if (state.verified) return undefined;
	const progress: Progress = { ...state.progress, deaths: state.progress.deaths + 1 };
	return progress.deaths < MOST_DEATHS ? { ...state, progress } : { ...state, progress, verified: {} };
}

function withRepairNotice(state: RunState, queue: ToolQueue, repaired: boolean): Progress {
	if (state.kind !== 'tool_ready' || !(repaired || queue.call.fromText)) return state.progress;
	const notice: MessagePart = { type: 'notice', code: 'tool_call_repaired', values: { tool: queue.call.tool } };
	return { ...state.progress, parts: [...state.progress.parts, notice] };
}

function judgedCall(
	{ sources }: Progress,
	queue: ToolQueue,
	{ args, effect, label, touches }: Pick<RunEventOf<'tool_started'>, 'args' | 'effect' | 'label' | 'touches'>,
): JudgedCall {
	return { ...queueOf(queue), args, effect, label, ...(touches && { touches }), ...(sources && { sources }) };
}

/** What the owner approved is what runs, whatever the event says (B3). What goes on without a yes may touch what it was judged by this time. */
function approvedCall(judged: JudgedCall, { touches }: RunEventOf<'tool_started'>): JudgedCall {
	return judged.approvedBy === undefined && touches ? { ...judged, touches } : judged;
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
