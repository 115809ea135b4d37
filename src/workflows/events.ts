import { z } from 'zod';
import { ContextSource } from '../domain/context-source.ts';
import { ErrorShape } from '../domain/errors.ts';
import { RunId, Timestamp } from '../domain/ids.ts';
import { Json } from '../domain/json.ts';
import { Label } from '../domain/label.ts';
import { EventName } from '../domain/run.ts';
import { WorkflowStateName } from '../domain/workflow.ts';

/**
 * What can happen to an instance. Its state is the fold of these over the definition that it started with, and nothing else. They are kept
 * for ever, so a shape is only ever extended by optional fields, and `started` carries the version of the set.
 */
export const WORKFLOW_JOURNAL_VERSION = 1;

const sources = z.array(ContextSource).optional();

/** A value of the instance's data, its trust, and what it was made from. */
export const Datum = z.object({ value: Json, label: Label, sources });
export type Datum = z.infer<typeof Datum>;

/** How the action of a state ended. `value`: what `save` takes from: a result's text, a payload, an answer. */
export const Outcome = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('done'), value: Json, label: Label, sources }),
	/** The owner did not want to wait or answer. */
	z.object({ kind: z.literal('skipped') }),
	z.object({ kind: z.literal('failed'), error: ErrorShape }),
	/** The owner stopped its run. */
	z.object({ kind: z.literal('stopped') }),
]);
export type Outcome = z.infer<typeof Outcome>;

const at = Timestamp;

export const WorkflowEvent = z.discriminatedUnion('type', [
	z.object({ type: z.literal('started'), version: z.literal(WORKFLOW_JOURNAL_VERSION), data: z.record(z.string(), Datum), at }),
	z.object({ type: z.literal('entered'), to: WorkflowStateName, at }),
	/** In the transaction that begins the run. */
	z.object({ type: z.literal('action_began'), runId: RunId, at }),
	/** The agent's choice; it holds once its run ends. */
	z.object({ type: z.literal('chosen'), runId: RunId, to: WorkflowStateName, data: z.record(z.string(), Json), label: Label, sources, at }),
	z.object({ type: z.literal('action_ended'), runId: RunId, outcome: Outcome, at }),
	z.object({ type: z.literal('timed_out'), at }),
	z.object({ type: z.literal('signalled'), name: EventName, payload: Json, label: Label, at }),
	/** `owner`: of a failed or stopped instance. `time`: the wait before another try is over. */
	z.object({ type: z.literal('retried'), by: z.enum(['owner', 'time']), at }),
	/** The owner's Stop; `stopped` follows when nothing of it runs any more. */
	z.object({ type: z.literal('stop_asked'), at }),
	z.object({ type: z.literal('stopped'), at }),
	/** The action could not be begun. */
	z.object({ type: z.literal('failed'), error: ErrorShape, at }),
]);
export type WorkflowEvent = z.infer<typeof WorkflowEvent>;
export type WorkflowEventOf<Type extends WorkflowEvent['type']> = Extract<WorkflowEvent, { type: Type }>;
