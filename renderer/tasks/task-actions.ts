import type { HearthClient } from '../../src/contract/contract.ts';
import { createStrings, type StringId } from '../../src/contract/strings/index.ts';
import type { Occurrence, OccurrenceId, Task, TaskId } from '../../src/domain/task.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { call } from '../connection/index.ts';
import { queryClient } from '../shell/queries.ts';
import { showToast } from '../ui/toast.tsx';

const strings = createStrings();

/** Done by the runtime; what the screen shows is asked for again, however it ended. False where it was not done: the owner has been told. */
async function act(work: (client: HearthClient) => Promise<unknown>, done?: string): Promise<boolean> {
	try {
		await call(work);
		if (done !== undefined) showToast(done);
		return true;
	} catch (error) {
		sayProblem(error);
		return false;
	} finally {
		void queryClient.invalidateQueries({ queryKey: ['tasks'] });
	}
}

const said = (id: StringId, task: Task): string => strings(id, { title: task.draft.title });

export const runTask = (task: Task): Promise<boolean> =>
	act((client) => client.tasks.run({ taskId: task.id }), said('tasks.done.run', task));

export function pauseTask(task: Task, until?: number): Promise<boolean> {
	return act((client) => client.tasks.pause({ taskId: task.id, ...(until !== undefined && { until }) }), said('tasks.done.pause', task));
}

/** Also of one that stopped by itself. */
export const resumeTask = (task: Task): Promise<boolean> =>
	act((client) => client.tasks.resume({ taskId: task.id }), said('tasks.done.resume', task));

export const removeTask = (taskId: TaskId): Promise<boolean> => act((client) => client.tasks.remove({ taskId }));

/** A run that was missed, asks, or failed: it runs now, or is done with. */
export const decide = (occurrenceId: OccurrenceId, how: 'run' | 'skip'): Promise<boolean> =>
	act((client) => client.tasks.decide({ occurrenceId, how }));

/** All of several missed ones; they are few: the runtime folds what is more. */
export async function decideAll(occurrences: readonly Occurrence[], how: 'run' | 'skip'): Promise<void> {
	for (const { id } of occurrences) if (!(await decide(id, how))) return;
}

export const stopRun = (occurrenceId: OccurrenceId): Promise<boolean> => act((client) => client.tasks.stop({ occurrenceId }));
