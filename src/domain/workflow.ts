import { z } from 'zod';
import { ErrorShape } from './errors.ts';
import { RunId, SessionId, Timestamp, WorkflowInstanceId } from './ids.ts';
import { Json } from './json.ts';
import { EventName } from './run.ts';
import { TextProblem } from './text-problem.ts';

/** Workflows as they are shown and told of; how they work is `src/workflows`. */

/** File name without `.yaml`. */
export const WorkflowName = z
	.string()
	.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'Use small letters, digits and -, starting with a letter or digit.');
export type WorkflowName = z.infer<typeof WorkflowName>;
export const WorkflowStateName = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Use capital letters, digits and _, starting with a letter.');
export type WorkflowStateName = z.infer<typeof WorkflowStateName>;

/** What is wrong with a workflow file, and where. Lines and columns count from 1. */
export const WorkflowProblem = TextProblem;
export type WorkflowProblem = TextProblem;

/** What a state does when it is entered; `none`: nothing, as in a final state. */
export const WorkflowActionKind = z.enum(['agent', 'tool', 'wait', 'event', 'ask', 'none']);
export type WorkflowActionKind = z.infer<typeof WorkflowActionKind>;

/** The diagram of a workflow. `when`: the guard or time-out in words. */
export const WorkflowDiagram = z.object({
	start: WorkflowStateName,
	states: z.array(z.object({ name: WorkflowStateName, action: WorkflowActionKind, title: z.string(), final: z.boolean() })),
	transitions: z.array(z.object({ from: WorkflowStateName, to: WorkflowStateName, when: z.string() })),
});
export type WorkflowDiagram = z.infer<typeof WorkflowDiagram>;

export const WorkflowSummary = z.object({
	name: WorkflowName,
	title: z.string(),
	description: z.string(),
	/** Path in the profile's folder. */
	file: z.string(),
	/** SHA-256 of the file: the version that a new instance would have. */
	version: z.string(),
	/** Empty where it can be started. */
	problems: z.array(WorkflowProblem),
	/** Absent where the file can't be read so far. */
	diagram: WorkflowDiagram.optional(),
	/** What has to be given at the start. `default`: of one that may be left out. */
	inputs: z.array(z.object({ name: z.string(), title: z.string(), required: z.boolean(), default: Json.optional() })),
});
export type WorkflowSummary = z.infer<typeof WorkflowSummary>;

/** One entry of an instance's history: how it came into a state, or what the owner did while it was there. */
export const WorkflowMove = z.object({
	seq: z.number().int().positive(),
	at: Timestamp,
	from: WorkflowStateName.nullable(),
	to: WorkflowStateName,
	/** In words: an outcome, a guard, a time-out, an event, the owner. */
	why: z.string(),
	/** It stayed where it was: the owner stopped it, or had it enter its state again. */
	stayed: z.enum(['stopped', 'retried']).optional(),
	/** The run of the state that was entered, where it does something. */
	runId: RunId.optional(),
});
export type WorkflowMove = z.infer<typeof WorkflowMove>;

export const WorkflowInstance = z.object({
	id: WorkflowInstanceId,
	workflow: WorkflowName,
	/** What the owner named it, or the workflow's title. */
	title: z.string(),
	/** Of the definition that it started with and keeps. */
	version: z.string(),
	sessionId: SessionId,
	state: WorkflowStateName,
	/** As of a run. `waiting`: for the owner; `sleeping`: for a time or an event. */
	status: z.enum(['running', 'waiting', 'sleeping', 'done', 'failed', 'stopped']),
	error: ErrorShape.optional(),
	startedAt: Timestamp,
	enteredAt: Timestamp,
	/** When the state's time-out or wait ends. */
	dueAt: Timestamp.optional(),
	/** The event it waits for. */
	waitsFor: EventName.optional(),
	/** Events that came early and wait for a state that takes them; absent where none does. */
	kept: z.array(EventName).optional(),
	runId: RunId.optional(),
	data: z.record(z.string(), Json),
	history: z.array(WorkflowMove),
	diagram: WorkflowDiagram,
});
export type WorkflowInstance = z.infer<typeof WorkflowInstance>;
