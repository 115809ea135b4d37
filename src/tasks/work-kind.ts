import type { Occurrence, TaskDraft, TaskWork } from '../domain/task.ts';
import type { TaskDoer } from './ports.ts';

export type Doers = Readonly<Record<TaskWork['kind'], TaskDoer>>;

/** What an occurrence is: what has begun stays what it was begun as, whatever its task is for by now. */
export function workKindOf(
	{ work }: Pick<TaskDraft, 'work'>,
	{ runId, instanceId, reminderId }: Pick<Occurrence, 'runId' | 'instanceId' | 'reminderId'>,
): TaskWork['kind'] {
	if (runId !== undefined) return 'prompt';
	if (instanceId !== undefined) return 'workflow';
	return reminderId === undefined ? work.kind : 'reminder';
}

export function doerOf(doers: Doers, draft: Pick<TaskDraft, 'work'>, occurrence: Occurrence): TaskDoer {
	return doers[workKindOf(draft, occurrence)];
}
