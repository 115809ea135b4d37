import type { HearthClient } from '../contract/contract.ts';
import type { TasksStatus } from '../contract/methods/tasks.ts';
import { type HearthError, terminal } from '../domain/errors.ts';
import type { Occurrence, Task, TaskId } from '../domain/task.ts';

/** How far back a run is looked for by the beginning of its id. */
const MOST_RUNS = 500;

/** All of them, by title, and how they stand as a whole. */
export async function everyTask(rpc: HearthClient): Promise<{ tasks: Task[]; status: TasksStatus }> {
	const found = new Map<TaskId, Task>();
	for (let offset = 0; ; ) {
		const { tasks, parts, status } = await rpc.tasks.list({ offset });
		for (const task of tasks) found.set(task.id, task);
		offset += tasks.length;
		if (tasks.length === 0 || offset >= parts.now + parts.coming + parts.events + parts.off)
			return { tasks: [...found.values()].sort((one, other) => one.draft.title.localeCompare(other.draft.title)), status };
	}
}

/** A task by its title, its id or the unique beginning of that. */
export async function findTask(rpc: HearthClient, given: string): Promise<Task> {
	const { tasks } = await everyTask(rpc);
	const exact = tasks.filter(({ id }) => id === given);
	const matches =
		exact.length > 0 ? exact : tasks.filter(({ id, draft }) => draft.title === given || (given !== '' && id.startsWith(given)));
	const [only] = matches;
	if (only && matches.length === 1) return only;
	throw notFound(given, matches.length, 'task', 'hearth tasks list');
}

/** A run of a task by its id or the unique beginning of that: the run's own in the timeline, or that of its row. */
export async function findOccurrence(rpc: HearthClient, given: string): Promise<Occurrence> {
	const { occurrences } = await rpc.tasks.history({ limit: MOST_RUNS });
	const matches = given === '' ? [] : occurrences.filter(({ id, runId }) => id.startsWith(given) || runId?.startsWith(given));
	const [only] = matches;
	if (only && matches.length === 1) return only;
	throw notFound(given, matches.length, 'run', 'hearth tasks history');
}

function notFound(given: string, fits: number, noun: string, list: string): HearthError {
	const name = given.slice(0, 80);
	return terminal('not_found', fits > 1 ? `“${name}” fits ${fits} ${noun}s.` : `There is no ${noun} “${name}”.`, {
		action: `List them with: ${list}`,
	});
}
