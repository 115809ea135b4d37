import { z } from 'zod';
import { ContextSource } from './context-source.ts';
import { InterruptId, MessageId, RunId, SessionId, Timestamp, WorkflowInstanceId } from './ids.ts';
import { Flag, Risk } from './inspection.ts';
import { isDeeperThan, Json } from './json.ts';
import { Label } from './label.ts';
import { PermissionOffer } from './permission.ts';
import { Touch } from './sink.ts';
import { TaskCard } from './task.ts';
import { EffectClass } from './tool.ts';

/**
 * `chat`: a turn of a conversation. `child`: work that a step of another run delegated. `workflow`: what a workflow's state does. `heartbeat`: a look at a source.
 * `task`: what a scheduled or triggered task does.
 */
export const RunKind = z.enum(['chat', 'child', 'workflow', 'heartbeat', 'task']);
export type RunKind = z.infer<typeof RunKind>;

/**
 * `waiting`: for the owner. `sleeping`: for a time, an event or a child run. `interrupted`: was at a model call when the process died and
 * waits for *Continue* or *Retry*. The last three are final.
 */
export const RunStatus = z.enum(['running', 'waiting', 'sleeping', 'interrupted', 'done', 'failed', 'stopped']);
export type RunStatus = z.infer<typeof RunStatus>;

/** What a run waits for: a row, never a held promise (R3). The first three are answered by the owner, the others by what they wait for. */
export const InterruptKind = z.enum(['approval', 'question', 'did_it_happen', 'timer', 'event', 'child']);
export type InterruptKind = z.infer<typeof InterruptKind>;

export const OWNERS_INTERRUPTS = ['approval', 'question', 'did_it_happen'] as const satisfies readonly InterruptKind[];

export function isOwners(kind: InterruptKind): boolean {
	return (OWNERS_INTERRUPTS as readonly InterruptKind[]).includes(kind);
}

/** A place in the life of a run: the state after its step `step`; 0 is before the first. */
export const RunPlace = z.object({ runId: RunId, step: z.number().int().nonnegative() });
export type RunPlace = z.infer<typeof RunPlace>;

export const RunSummary = z.object({
	id: RunId,
	kind: RunKind,
	/** What it is about, in one line: the owner's message, the task of a child, a workflow's state. */
	title: z.string(),
	sessionId: SessionId,
	messageId: MessageId,
	status: RunStatus,
	step: z.number().int().nonnegative(),
	createdAt: Timestamp,
	updatedAt: Timestamp,
	/** The run that delegated it. */
	parentRunId: RunId.optional(),
	instanceId: WorkflowInstanceId.optional(),
	/** Where it was forked or restored from. */
	from: RunPlace.extend({ how: z.enum(['fork', 'restore']) }).optional(),
	/** What it waits for now, and until when at the longest. */
	waitsFor: InterruptKind.optional(),
	waitsUntil: Timestamp.optional(),
});
export type RunSummary = z.infer<typeof RunSummary>;

export const WAIT_NOTE_CHARS = 500;
/** UTF-16 units of an event's payload as JSON: all of it goes into the prompt of the run that waited. */
export const EVENT_PAYLOAD_CHARS = 16_000;
const DEEPEST_PAYLOAD = 100;
/** What comes with an event. What walks such a value may run out of its stack where it is too deep, so that is looked at first. */
export const EventPayload = z
	.custom<unknown>((value) => !isDeeperThan(value, DEEPEST_PAYLOAD), {
		error: `Its lists and objects lie in each other more than ${DEEPEST_PAYLOAD} deep. Put it into a file in workspace/ and name that file.`,
		abort: true,
	})
	.pipe(Json)
	.default(null);
/** Whose words come with an event: a script hands on what others wrote, unless the owner says that it is theirs (B2). */
export const PayloadLabel = z.enum(['owner', 'external']).default('external');

/** Name of an event that runs and workflows wait for: `documents_signed`. */
export const EventName = z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'Use small letters, digits, _ . -, starting with a letter.');
export type EventName = z.infer<typeof EventName>;

export const InterruptDetail = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('approval'),
		tool: z.string(),
		/** The tool's name for people, where it had one. */
		title: z.string().optional(),
		args: Json,
		effect: EffectClass,
		label: Label,
		rule: z.string(),
		reason: z.string(),
		/** What it will touch: the whole command, the whole address, the folder. */
		touches: z.array(Touch).default([]),
		/** What the step that made the call had read. */
		sources: z.array(ContextSource).default([]),
		/** What the detectors say of the arguments as JSON, and how serious that is. */
		flags: z.array(Flag).default([]),
		risk: Risk.default('none'),
		/** What may be granted beyond this one call; an answer names one by its place. */
		offers: z.array(PermissionOffer).default([]),
		/** Of a call that would make a task: all that the owner says yes to. */
		card: TaskCard.optional(),
	}),
	z.object({ kind: z.literal('question'), question: z.string(), choices: z.array(z.string()).optional() }),
	z.object({
		kind: z.literal('did_it_happen'),
		tool: z.string(),
		title: z.string().optional(),
		args: Json,
		startedAt: Timestamp,
		/** What the tool itself could find out, in one sentence. */
		found: z.string().optional(),
	}),
	z.object({ kind: z.literal('timer'), dueAt: Timestamp, note: z.string() }),
	/** `until`: when it gives up waiting. */
	z.object({ kind: z.literal('event'), name: EventName, note: z.string(), until: Timestamp.optional() }),
	z.object({ kind: z.literal('child'), childRunId: RunId, task: z.string() }),
]);
export type InterruptDetail = z.infer<typeof InterruptDetail>;

export const Interrupt = z.object({
	id: InterruptId,
	runId: RunId,
	sessionId: SessionId,
	step: z.number().int().nonnegative(),
	callId: z.string(),
	detail: InterruptDetail,
	/** SHA-256 of exactly what is shown to the owner; an answer must name it (B3). */
	shownHash: z.string().length(64),
	status: z.enum(['open', 'answered', 'expired']),
	createdAt: Timestamp,
	answeredAt: Timestamp.optional(),
});
export type Interrupt = z.infer<typeof Interrupt>;

/** The owner's word. Which answers fit is decided by the interrupt's kind. */
export const InterruptAnswer = z.discriminatedUnion('type', [
	/** `offer`: also grants that one of the offers that were shown; `until`: not for longer. */
	z.object({ type: z.literal('approve'), offer: z.number().int().nonnegative().optional(), until: Timestamp.optional() }),
	z.object({ type: z.literal('reject'), reason: z.string().max(2000).optional() }),
	z.object({ type: z.literal('reply'), text: z.string().min(1).max(20_000) }),
	/** It happened; `result` is what the owner pasted of its outcome, may be empty. */
	z.object({ type: z.literal('happened'), result: z.string().max(100_000) }),
	z.object({ type: z.literal('run_again') }),
	/** Also: do not wait any longer. */
	z.object({ type: z.literal('skip') }),
	z.object({ type: z.literal('stop') }),
]);
export type InterruptAnswer = z.infer<typeof InterruptAnswer>;

/** What ends a wait that is not the owner's. It never comes from a view or a tool. */
export const WaitOutcome = z.discriminatedUnion('type', [
	z.object({ type: z.literal('time_came') }),
	/** `label`: of the payload. */
	z.object({ type: z.literal('event_came'), payload: Json, label: Label, sources: z.array(ContextSource).optional() }),
	z.object({ type: z.literal('timed_out') }),
	z.object({
		type: z.literal('child_ended'),
		text: z.string(),
		isError: z.boolean(),
		label: Label,
		sources: z.array(ContextSource).optional(),
	}),
]);
export type WaitOutcome = z.infer<typeof WaitOutcome>;
