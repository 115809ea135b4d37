import { z } from 'zod';
import { ErrorShape } from '../../domain/errors.ts';
import { WorkflowInstanceId } from '../../domain/ids.ts';
import { Json } from '../../domain/json.ts';
import { EventName, EventPayload, PayloadLabel } from '../../domain/run.ts';
import { WorkflowInstance, WorkflowName, WorkflowProblem, WorkflowSummary } from '../../domain/workflow.ts';
import { method } from './base.ts';

const Instance = z.object({ instanceId: WorkflowInstanceId });

export const workflows = {
	/** The files of `workflows/`, also those with problems. */
	list: method.output(z.array(WorkflowSummary)),
	/** Files there that are not taken as workflows, and why, in words. */
	ignored: method.output(z.array(z.object({ file: z.string(), why: z.string() }))),
	/** `hindrance`: why it can't be started now, although its file is right: it needs a model, and none is chosen. */
	get: method
		.input(z.object({ name: WorkflowName }))
		.output(WorkflowSummary.extend({ text: z.string(), hindrance: ErrorShape.optional() })),
	/** Of a text that is not saved. */
	validate: method.input(z.object({ text: z.string().max(1_000_000) })).output(z.object({ problems: z.array(WorkflowProblem) })),
	/** Throws `invalid_input` where the workflow has problems or an input is missing, `model_not_configured` where a state needs a model. */
	start: method
		.input(
			z.object({
				name: WorkflowName,
				title: z.string().trim().max(200).optional(),
				data: z.record(z.string(), Json).default({}),
				requestId: z.uuid(),
			}),
		)
		.output(WorkflowInstance),
	/**
	 * An event for this instance only. One that comes early is kept for the state that waits for it. Throws `conflict` where the instance is over,
	 * `invalid_input` where no state of it waits for such an event.
	 */
	signal: method.input(Instance.extend({ name: EventName, payload: EventPayload, label: PayloadLabel })).output(WorkflowInstance),
	/** Newest first. */
	instances: method
		.input(z.object({ limit: z.number().int().min(1).max(1000).default(200) }))
		.output(z.object({ instances: z.array(WorkflowInstance), seq: z.number().int() })),
	instance: method.input(Instance).output(WorkflowInstance),
	/** Enters the state of a failed or stopped instance again. */
	retry: method.input(Instance).output(WorkflowInstance),
	stop: method.input(Instance).output(WorkflowInstance),
};
