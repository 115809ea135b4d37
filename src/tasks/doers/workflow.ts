import type { Logger } from '../../base/logger.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { type ErrorShape, terminal } from '../../domain/errors.ts';
import type { SessionId, WorkflowInstanceId } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import type { Label } from '../../domain/label.ts';
import type { TaskWork } from '../../domain/task.ts';
import type { WorkflowInstance } from '../../domain/workflow.ts';
import { usedByInstance } from '../../run/run-use.ts';
import type { Standing, TaskDoer } from '../ports.ts';

/** A task that starts a workflow: each of its runs is an instance, with its own journal. */

/** The reach of workflows that a task needs; they are siblings. */
export interface WorkflowPort {
	/** In the caller's transaction. Throws a HearthError. The same `requestId` starts one. */
	startIn(
		tx: WriteDb,
		input: {
			readonly name: string;
			readonly title: string;
			readonly data: Readonly<Record<string, Json>>;
			readonly label: Label;
			/** What fired the task, for a workflow that asks for it. */
			readonly event: { readonly value: Json; readonly label: Label } | undefined;
			readonly requestId: string;
		},
	): { instanceId: WorkflowInstanceId; sessionId: SessionId };
	/** After the commit: it goes on. Never rejects. */
	look(id: WorkflowInstanceId): Promise<void>;
	/** Enters the state that failed again. */
	retry(id: WorkflowInstanceId): Promise<unknown>;
	/** Does nothing where it is over. */
	stop(id: WorkflowInstanceId): Promise<unknown>;
	/** Undefined where it was deleted. */
	find(id: WorkflowInstanceId): WorkflowInstance | undefined;
}

export interface WorkflowDoerDeps {
	readonly db: ReadDb;
	readonly logger: Logger;
	readonly workflows: WorkflowPort;
}

export function createWorkflowDoer({ db, logger, workflows }: WorkflowDoerDeps): TaskDoer {
	return {
		begin: (tx, { draft, label }, occurrence) => {
			const { name, input } = workflowOf(draft.work);
			const { cause, payload } = occurrence;
			return workflows.startIn(tx, {
				name,
				title: draft.title,
				data: input,
				label,
				event: cause && { value: payload ?? null, label: cause.label },
				requestId: `task:${occurrence.id}`,
			});
		},
		start: ({ instanceId }) => {
			if (instanceId !== undefined) void workflows.look(instanceId);
		},
		retry: (_task, { instanceId }) => {
			if (instanceId === undefined) return;
			workflows.retry(instanceId).catch((error: unknown) => logger.warn('task_workflow_not_retried', { instanceId, error }));
		},
		stop: async ({ instanceId }) => {
			if (instanceId !== undefined && workflows.find(instanceId)) await workflows.stop(instanceId);
		},
		standing: ({ instanceId }) => standingOf(instanceId === undefined ? undefined : workflows.find(instanceId)),
		used: ({ instanceId }) => (instanceId === undefined ? { tokens: 0, costUsd: 0 } : usedByInstance(db, instanceId)),
	};
}

function workflowOf(work: TaskWork): Extract<TaskWork, { kind: 'workflow' }> {
	if (work.kind === 'workflow') return work;
	throw terminal('internal', 'A task of another kind was given to what starts workflows.');
}

/** What it says are words of the owner's own file: what its states read is in its record. */
function standingOf(instance: WorkflowInstance | undefined): Standing {
	switch (instance?.status) {
		case 'running':
			return { kind: 'going_on' };
		case 'waiting':
		case 'sleeping':
			return { kind: 'waiting' };
		case 'done':
			return { kind: 'done', text: `The workflow ${instance.workflow} came to its end, ${titleOf(instance)}.`, label: 'owner' };
		case 'failed':
			return { kind: 'failed', error: retriedByItself(instance.error), text: '', label: 'owner' };
		case 'stopped':
		case undefined:
			return { kind: 'stopped' };
	}
}

function titleOf({ state, diagram }: WorkflowInstance): string {
	return diagram.states.find(({ name }) => name === state)?.title ?? state;
}

/** Its states say themselves how often they are tried. Once more by itself would do again what a state had done before it failed (sch-5). */
function retriedByItself(error: ErrorShape | undefined): ErrorShape {
	const given = error ?? terminal('internal', 'The workflow failed.').shape;
	return given.kind === 'retryable' ? { ...given, kind: 'terminal' } : given;
}
