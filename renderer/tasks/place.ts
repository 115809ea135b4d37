import { TaskId } from '../../src/domain/task.ts';

export const TASKS = '/tasks';
export const NEW_TASK = `${TASKS}/new`;
export const ALL_TASK_RUNS = `${TASKS}/runs`;

/** What stands beside the list, as the address after `#` says it. `list`: nothing was chosen. `open`: a card of the list is open. */
export type TasksPlace =
	| { readonly kind: 'list' | 'new' | 'runs' }
	| { readonly kind: 'day'; readonly day: string }
	| { readonly kind: 'open' | 'runs_of' | 'edit'; readonly taskId: TaskId };

export function taskPlace(taskId: string, what?: 'runs' | 'edit'): string {
	const task = `${TASKS}/${encodeURIComponent(taskId)}`;
	return what === undefined ? task : `${task}/${what}`;
}

/** `day`: such as 2026-12-03. */
export function dayPlace(day: string): string {
	return `${TASKS}/day/${day}`;
}

/** The list for an address that names nothing. */
export function parsePlace(location: string): TasksPlace {
	const [, , first, second] = location.split('/');
	if (first === 'new' || first === 'runs') return { kind: first };
	if (first === 'day') return second && /^\d{4}-\d{2}-\d{2}$/.test(second) ? { kind: 'day', day: second } : { kind: 'list' };
	const task = TaskId.safeParse(decoded(first));
	if (!task.success) return { kind: 'list' };
	const kind = second === 'edit' ? 'edit' : second === 'runs' ? 'runs_of' : 'open';
	return { kind, taskId: task.data };
}

function decoded(part: string | undefined): string | undefined {
	try {
		return part === undefined ? undefined : decodeURIComponent(part);
	} catch {
		return undefined;
	}
}

export function taskOf(place: TasksPlace): TaskId | undefined {
	return 'taskId' in place ? place.taskId : undefined;
}
