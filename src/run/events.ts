import { z } from 'zod';
import { ContextSource } from '../domain/context-source.ts';
import { ErrorShape } from '../domain/errors.ts';
import { InterruptId, MessageId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { Json } from '../domain/json.ts';
import { Label } from '../domain/label.ts';
import { EntryId } from '../domain/memory.ts';
import { NoticePart, ReasoningPart, TextPart } from '../domain/message.ts';
import { ModelRef, Usage } from '../domain/model.ts';
import { Plan } from '../domain/plan.ts';
import { InterruptAnswer, InterruptKind, RunKind, RunPlace, WaitOutcome } from '../domain/run.ts';
import { Touch } from '../domain/sink.ts';
import { RunBudget, TaskNeed } from '../domain/task.ts';
import { EffectClass, LiveResource, ToolResult } from '../domain/tool.ts';

/**
 * What can happen in a run. The journal is a list of these; the state of a run is their fold and nothing else. They are
 * kept for ever, so a shape is only ever extended by optional fields, and `run_started` carries the version of the set.
 */
export const JOURNAL_VERSION = 1;

/** What a model step streamed, in order; neighbours of one type are one part. */
export const StreamedPart = z.discriminatedUnion('type', [TextPart, ReasoningPart]);
export type StreamedPart = z.infer<typeof StreamedPart>;

/** A tool call as the model wrote it. `args` is not parsed yet: the gate does that. */
export const RequestedCall = z.object({
	callId: z.string().min(1),
	tool: z.string(),
	args: z.string(),
	/** It was printed as text and recovered from there (chat-7). */
	fromText: z.boolean().optional(),
});
export type RequestedCall = z.infer<typeof RequestedCall>;

/** What a run is given when it begins, beside its place. Of what is left out: a chat turn, all tools, the owner's choice of model. */
export const RunTerms = z.object({
	kind: RunKind.optional(),
	/** It makes these calls, one by one, and is over: no model is asked. */
	script: z.array(RequestedCall).min(1).optional(),
	/** What the calls of the script were made from. */
	label: Label.optional(),
	sources: z.array(ContextSource).optional(),
	/** The only tools that are offered and let through. */
	tools: z.array(z.string()).optional(),
	model: ModelRef.optional(),
	/** Nobody watches: what a dead process cut off is done again by itself where that is safe. */
	unattended: z.literal(true).optional(),
	/**
	 * Its prompt is its task and `instructions`, and nothing else: no documents, no memory, no skills, no chat, no tools; no other model steps in (B1).
	 */
	isolated: z.object({ instructions: z.string(), answer: z.enum(['findings']) }).optional(),
	/** How many runs are above it. */
	depth: z.number().int().positive().optional(),
	/** Of it with all that it delegates; looked at before each step. */
	budget: RunBudget.optional(),
	/** It tries a task: what would have an effect is not done, but written down (B3). */
	test: z.literal(true).optional(),
});
export type RunTerms = z.infer<typeof RunTerms>;

/** What a run used, with all that it delegated. */
export const RunUse = z.object({
	tokens: z.number().int().nonnegative(),
	costUsd: z.number().nonnegative(),
	ms: z.number().int().nonnegative(),
});
export type RunUse = z.infer<typeof RunUse>;

const Resources = {
	/** What the call left open, and ids of what it closed. */
	opened: z.array(LiveResource).optional(),
	closed: z.array(z.string()).optional(),
};
/** How long it worked, in milliseconds. */
const ms = z.number().int().nonnegative().optional();
const step = z.number().int().positive();
const callId = z.string().min(1);

export const RunEvent = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('run_started'),
		version: z.literal(JOURNAL_VERSION),
		sessionId: SessionId,
		messageId: MessageId,
		maxModelCalls: z.number().int().positive(),
		...RunTerms.shape,
	}),

	/** Before the call (R1). `label` is the join over everything in the prompt. */
	z.object({
		type: z.literal('model_started'),
		step,
		model: ModelRef,
		modelName: z.string(),
		label: Label,
		/** What was in the prompt, by name, and was not among what earlier steps could see. */
		sources: z.array(ContextSource).optional(),
		notices: z.array(NoticePart),
		/** Entries recalled into the prompt. Later steps of the turn take the same, so that recall happens once. */
		recalled: z.array(EntryId).optional(),
		/** What the summary cost that was made for this call. It is in the day's spending already. */
		spent: Usage.optional(),
		/** Content hash of what the model was given besides the conversation. */
		prompt: z.string().length(64).optional(),
	}),
	z.object({
		type: z.literal('model_finished'),
		step,
		parts: z.array(StreamedPart),
		calls: z.array(RequestedCall),
		reason: z.enum(['stop', 'tool_calls', 'length', 'content_filter', 'other']),
		usage: Usage.optional(),
		/** What Hearth says of what the model said. */
		notices: z.array(NoticePart).optional(),
		ms,
	}),
	z.object({
		type: z.literal('model_failed'),
		step,
		parts: z.array(StreamedPart),
		error: ErrorShape,
		/** The owner's other choice of model, where there is one; it takes over when tries are used up. */
		fallback: z.string().optional(),
		/** Where the model had begun to answer. */
		usage: Usage.optional(),
		ms,
	}),

	/** The gate allowed it; written before the tool runs (R1). */
	z.object({
		type: z.literal('tool_started'),
		step,
		callId,
		args: Json,
		effect: EffectClass,
		label: Label,
		repaired: z.boolean(),
		touches: z.array(Touch).optional(),
		at: Timestamp,
	}),
	z.object({
		type: z.literal('tool_finished'),
		step,
		callId,
		result: ToolResult,
		label: Label,
		/** What the result was made from. */
		sources: z.array(ContextSource).optional(),
		at: Timestamp,
		/** The run's plan from now on. */
		plan: Plan.optional(),
		...Resources,
		ms,
	}),
	/**
	 * The gate did not let it run: policy said no, there is no such tool, the call can't be read, or it asks for what can't be. The second and
	 * third count (chat-7). `test`: the run only tries a task; `need`: what it would have done.
	 */
	z.object({
		type: z.literal('tool_refused'),
		step,
		callId,
		args: Json,
		why: z.enum(['denied', 'unknown', 'unreadable', 'impossible', 'test']),
		result: ToolResult,
		need: TaskNeed.optional(),
	}),

	/** Waiting is a row (R3): written in one transaction with the row in `interrupts`. */
	z.object({
		type: z.literal('interrupt_opened'),
		step,
		callId,
		interruptId: InterruptId,
		kind: InterruptKind,
		args: Json,
		effect: EffectClass,
		label: Label,
		repaired: z.boolean(),
		touches: z.array(Touch).optional(),
		/** When the effect in question began; only for `did_it_happen`. */
		startedAt: Timestamp.optional(),
		/** When a timer is due, or the wait for an event is given up. */
		until: Timestamp.optional(),
		/** The run that is waited for; begun in the same transaction. */
		childRunId: RunId.optional(),
	}),
	z.object({ type: z.literal('interrupt_answered'), interruptId: InterruptId, answer: InterruptAnswer, at: Timestamp }),
	/** What a run slept for came, or will not come. */
	z.object({ type: z.literal('wait_ended'), interruptId: InterruptId, outcome: WaitOutcome, at: Timestamp }),

	/** What the tool itself found out about an effect that was under way when its process died (R2). */
	z.object({
		type: z.literal('effect_verified'),
		step,
		callId,
		at: Timestamp,
		verdict: z.discriminatedUnion('happened', [
			z.object({
				happened: z.literal('yes'),
				result: ToolResult,
				label: Label,
				sources: z.array(ContextSource).optional(),
				plan: Plan.optional(),
				...Resources,
			}),
			z.object({ happened: z.literal('no') }),
			z.object({ happened: z.literal('unknown'), found: z.string().optional() }),
		]),
	}),

	/** Found by the recovery scan: what was open in the last process is gone. */
	z.object({ type: z.literal('resources_lost'), reopened: z.array(LiveResource), tornDown: z.array(LiveResource) }),

	/** Found by the recovery scan: the process that ran this died. `parts` is what its model call had streamed. */
	z.object({ type: z.literal('process_died'), parts: z.array(StreamedPart) }),

	/** The owner's Stop, Continue and Retry. */
	z.object({ type: z.literal('stopped'), parts: z.array(StreamedPart), at: Timestamp, usage: Usage.optional() }),
	z.object({ type: z.literal('continued') }),
	z.object({ type: z.literal('retried') }),
	/** All before it is a copy of another run's journal, up to this place (R4). */
	z.object({ type: z.literal('restored'), from: RunPlace, at: Timestamp }),
	/** As above; it goes on at once, with this model where one is named. */
	z.object({ type: z.literal('forked'), from: RunPlace, model: ModelRef.optional(), at: Timestamp }),
	/** Before a step: with all that it delegated it has used what a run of its task may. `used`: since the owner let it go on, of `total`. */
	z.object({ type: z.literal('budget_used'), budget: RunBudget, used: RunUse, total: RunUse }),
	/** An error of Hearth itself, such as a full disk, that no other event names. The run can be continued or retried. */
	z.object({ type: z.literal('run_failed'), parts: z.array(StreamedPart), error: ErrorShape, usage: Usage.optional() }),
]);
export type RunEvent = z.infer<typeof RunEvent>;
export type RunEventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
