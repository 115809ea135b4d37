import { assertNever } from '../domain/assert-never.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { InterruptId, MessageId, RunId, SessionId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { EntryId } from '../domain/memory.ts';
import type { MessagePart, MessageStatus } from '../domain/message.ts';
import type { ModelRef, Usage } from '../domain/model.ts';
import type { Plan } from '../domain/plan.ts';
import type { InterruptKind, OWNERS_INTERRUPTS, RunStatus } from '../domain/run.ts';
import type { Touch } from '../domain/sink.ts';
import type { EffectClass, LiveResource } from '../domain/tool.ts';
import type { RequestedCall, RunTerms, RunUse } from './events.ts';

/** What every state of a run holds: the finished part of its turn. */
export interface Progress {
	readonly sessionId: SessionId;
	readonly messageId: MessageId;
	/** The step under way or, between steps, the next one. Model calls and tool calls count alike. */
	readonly step: number;
	/** Model calls finished since the turn, or the owner's last Continue, began. */
	readonly modelCalls: number;
	readonly maxModelCalls: number;
	/** The message as far as it is finished: also what the model is told of this turn. */
	readonly parts: readonly MessagePart[];
	/** The join over everything that any step so far could see. */
	readonly label: Label;
	/** What that was, by name; of more than MOST_SOURCES the least trusted. Absent before the first. */
	readonly sources?: readonly ContextSource[];
	/** Entries recalled into the prompts of this turn; absent before the first. */
	readonly recalled?: readonly EntryId[];
	readonly usage?: Usage;
	readonly model?: ModelRef;
	readonly modelName?: string;
	/** Calls in a row that could not be read or were not known (chat-7). */
	readonly unreadableCalls: number;
	/** All call ids so far: they are unique within a run. */
	readonly callIds: readonly string[];
	readonly terms: RunTerms;
	/** Processes in a row that died at the step under way. */
	readonly deaths: number;
	readonly plan?: Plan;
	/** How long its steps took so far, without its waits. */
	readonly workedMs?: number;
	/** What it had used when its budget was used up the last time. */
	readonly usedUp?: RunUse;
	/** From there on its budget counts: the owner let it go on. */
	readonly budgetFrom?: RunUse;
	/** What calls left open and this process, or the one before, holds. */
	readonly resources?: readonly LiveResource[];
}

/** How the next model call is to be made. */
export interface ModelPlan {
	/** 1 for the first try. */
	readonly attempt: number;
	/** Milliseconds to wait before it. */
	readonly waitMs: number;
	/** How often the prompt was too long; each time the window is taken smaller. */
	readonly overflows: number;
	readonly use: 'chosen' | 'fallback';
	/** The reply's last text is partial: go on after it. */
	readonly continues: boolean;
	/** Where in `parts` this step's own parts begin. */
	readonly fromPart: number;
	/** Why the last try failed. */
	readonly lastError?: ErrorShape;
}

/** The tool call at hand and those after it in the same model reply; they run one by one. */
export interface ToolQueue {
	readonly call: RequestedCall;
	readonly rest: readonly RequestedCall[];
	/** Where in `parts` the call's own part is or will be. */
	readonly fromPart: number;
}

/** A call that the gate has read and judged. */
export interface JudgedCall extends ToolQueue {
	readonly args: Json;
	readonly effect: EffectClass;
	readonly label: Label;
	/** What the step that made the call could see, by name. */
	readonly sources?: readonly ContextSource[];
	/** What it would touch, as it was judged. */
	readonly touches?: readonly Touch[];
	/** The question that the owner answered with yes: it runs under that answer alone. */
	readonly approvedBy?: InterruptId;
}

/** Where a run was cut, so that Retry does that step again and nothing before it. */
export type Cut =
	| { readonly at: 'model'; readonly fromPart: number; readonly hasText: boolean }
	| { readonly at: 'tool'; readonly queue: ToolQueue }
	/** Its effect may have happened. */
	| { readonly at: 'effect'; readonly judged: JudgedCall; readonly startedAt: number }
	/** Between two steps: a restored run, which goes on with the next one. */
	| { readonly at: 'place'; readonly ready: Place };

export type Place = Extract<RunState, { kind: 'model_ready' | 'tool_ready' }>;

export type OwnersKind = (typeof OWNERS_INTERRUPTS)[number];
export type WaitKind = Exclude<InterruptKind, OwnersKind>;

export type RunState =
	| { readonly kind: 'model_ready'; readonly progress: Progress; readonly plan: ModelPlan }
	| { readonly kind: 'calling_model'; readonly progress: Progress; readonly plan: ModelPlan }
	| { readonly kind: 'tool_ready'; readonly progress: Progress; readonly queue: ToolQueue }
	/** May run now: the owner said yes, or a repeat is harmless (R2). */
	| { readonly kind: 'tool_approved'; readonly progress: Progress; readonly judged: JudgedCall }
	| { readonly kind: 'running_tool'; readonly progress: Progress; readonly judged: JudgedCall; readonly startedAt: number }
	/** Whether the effect happened is not known; the owner has to be asked (R2). */
	| {
			readonly kind: 'effect_unknown';
			readonly progress: Progress;
			readonly judged: JudgedCall;
			readonly startedAt: number;
			/** Its tool was asked and could not tell: what it found. */
			readonly verified?: { readonly found?: string | undefined };
	  }
	| {
			readonly kind: 'awaiting_owner';
			readonly progress: Progress;
			readonly judged: JudgedCall;
			readonly interruptId: InterruptId;
			readonly interruptKind: OwnersKind;
			readonly startedAt?: number;
	  }
	| {
			readonly kind: 'sleeping';
			readonly progress: Progress;
			readonly judged: JudgedCall;
			readonly interruptId: InterruptId;
			readonly interruptKind: WaitKind;
			readonly until?: number;
			readonly childRunId?: RunId;
	  }
	| { readonly kind: 'interrupted'; readonly progress: Progress; readonly cut: Cut; readonly error: ErrorShape }
	| { readonly kind: 'failed'; readonly progress: Progress; readonly cut: Cut; readonly error: ErrorShape }
	| { readonly kind: 'stopped'; readonly progress: Progress; readonly cut: Cut }
	| { readonly kind: 'done'; readonly progress: Progress };

/** What the driver has to do next. `none`: the run waits, is at work, or is over. */
export type Command =
	| { readonly kind: 'call_model'; readonly progress: Progress; readonly plan: ModelPlan }
	| { readonly kind: 'judge_tool'; readonly progress: Progress; readonly queue: ToolQueue }
	| { readonly kind: 'run_tool'; readonly progress: Progress; readonly judged: JudgedCall }
	/** The tool is asked what it knows of a call, before the owner is. Asking twice is harmless. */
	| { readonly kind: 'verify_effect'; readonly progress: Progress; readonly judged: JudgedCall; readonly startedAt: number }
	| {
			readonly kind: 'ask_whether_it_happened';
			readonly progress: Progress;
			readonly judged: JudgedCall;
			readonly startedAt: number;
			readonly found?: string | undefined;
	  }
	| { readonly kind: 'none' };

/**
 * What a state asks for. States that stand for an effect under way ask for nothing: only its outcome, or the recovery
 * scan's `process_died`, leads on. So no replay of a journal can start an effect twice (R1, R2).
 */
export function commandFor(state: RunState): Command {
	switch (state.kind) {
		case 'model_ready':
			return { kind: 'call_model', progress: state.progress, plan: state.plan };
		case 'tool_ready':
			return { kind: 'judge_tool', progress: state.progress, queue: state.queue };
		case 'tool_approved':
			return { kind: 'run_tool', progress: state.progress, judged: state.judged };
		case 'effect_unknown':
			return afterUnknown(state);
		case 'calling_model':
		case 'running_tool':
		case 'awaiting_owner':
		case 'sleeping':
		case 'interrupted':
		case 'failed':
		case 'stopped':
		case 'done':
			return { kind: 'none' };
		default:
			return assertNever(state);
	}
}

function afterUnknown({ progress, judged, startedAt, verified }: Extract<RunState, { kind: 'effect_unknown' }>): Command {
	return verified
		? { kind: 'ask_whether_it_happened', progress, judged, startedAt, found: verified.found }
		: { kind: 'verify_effect', progress, judged, startedAt };
}

/** Stable: the same call of the same step has it again after a crash (R2), and no other ever has. */
export function callKey(runId: RunId, step: number, callId: string): string {
	return `${runId}:${step}:${callId}`;
}

/** The status kept beside the journal for scans. */
export function runStatus(state: RunState): RunStatus {
	switch (state.kind) {
		case 'model_ready':
		case 'calling_model':
		case 'tool_ready':
		case 'tool_approved':
		case 'running_tool':
		case 'effect_unknown':
			return 'running';
		case 'awaiting_owner':
			return 'waiting';
		case 'sleeping':
			return 'sleeping';
		case 'interrupted':
		case 'failed':
		case 'stopped':
		case 'done':
			return state.kind;
		default:
			return assertNever(state);
	}
}

/** What is kept beside the journal for scans. */
export function statusOf(state: RunState): { status: RunStatus; step: number; workedMs: number } & ReturnType<typeof waitOf> {
	const { step, workedMs = 0 } = state.progress;
	return { status: runStatus(state), step, workedMs, ...waitOf(state) };
}

/** What it waits for now, and until when at the longest. */
function waitOf(state: RunState): { waitsFor?: InterruptKind; waitsUntil?: number } {
	if (state.kind === 'awaiting_owner') return { waitsFor: state.interruptKind };
	if (state.kind !== 'sleeping') return {};
	return { waitsFor: state.interruptKind, ...(state.until !== undefined && { waitsUntil: state.until }) };
}

const MESSAGE_STATUS: Record<RunStatus, MessageStatus> = {
	running: 'streaming',
	waiting: 'waiting',
	sleeping: 'waiting',
	interrupted: 'interrupted',
	failed: 'failed',
	stopped: 'stopped',
	done: 'complete',
};

/** The run's message as the state has it. */
export function messageOf(state: RunState): {
	parts: readonly MessagePart[];
	status: MessageStatus;
	error?: ErrorShape;
	label: Label;
	sources?: readonly ContextSource[];
	usage?: Usage;
	model?: ModelRef;
	modelName?: string;
} {
	const { parts, label, sources, usage, model, modelName } = state.progress;
	const error = state.kind === 'interrupted' || state.kind === 'failed' ? state.error : undefined;
	return { parts, status: MESSAGE_STATUS[runStatus(state)], error, label, ...(sources && { sources }), usage, model, modelName };
}
