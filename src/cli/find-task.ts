import type { HearthClient } from '../contract/contract.ts';
import { type HearthError, terminal } from '../domain/errors.ts';
import type { Occurrence, Task } from '../domain/task.ts';

/** How far back a run is looked for by the beginning of its id. */
const MOST_RUNS = 500;

/** A task by its title, its id or the unique beginning of that. */
export async function findTask(rpc: HearthClient, given: string): Promise<Task> {
	const { tasks } = await rpc.tasks.list();
	const exact = tasks.filter(({ id }) => id === given);
	const matches =
		exact.length > 0 ? exact : tasks.filter(({ id, draft }) => draft.title === given || (given !== '' && id.startsWith(given)));
	const [only] = matches;
	if (only && matches.length === 1) return only;
	throw notFound(given, matches.length, 'task', 'hearth tasks list');
}

/** A run of a task by its id or the unique beginning of that. */
export async function findOccurrence(rpc: HearthClient, given: string): Promise<Occurrence> {
	const { occurrences } = await rpc.tasks.history({ limit: MOST_RUNS });
	const matches = given === '' ? [] : occurrences.filter(({ id }) => id.startsWith(given));
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
