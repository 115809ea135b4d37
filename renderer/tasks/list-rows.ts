import type { TaskParts, TasksStatus } from '../../src/contract/methods/tasks.ts';
import type { Task } from '../../src/domain/task.ts';

/** Parts of the list, in its order. `you`: what needs the owner. */
export const GROUPS = ['you', 'now', 'coming', 'events', 'off'] as const;
export type TaskGroup = (typeof GROUPS)[number];

export type TaskRow =
	| { readonly kind: 'group'; readonly key: string; readonly group: TaskGroup; readonly count: number }
	| { readonly kind: 'task'; readonly key: string; readonly task: Task }
	/** There are more than are known: what shows it asks for them. */
	| { readonly kind: 'more'; readonly key: string };

/** Runs that wait for the owner's answer, by their ids. */
export type Asking = ReadonlySet<string>;

export function groupOf(task: Task, asking: Asking): TaskGroup {
	if (needsOwner(task, asking)) return 'you';
	switch (task.state) {
		case 'running':
		case 'waiting':
		case 'overdue':
			return 'now';
		case 'paused':
		case 'ended':
			return 'off';
		default:
			return task.draft.when.kind === 'trigger' ? 'events' : 'coming';
	}
}

/** It asks, was missed, has failed or stopped by itself. A task that the owner paused needs nobody. */
export function needsOwner(task: Task, asking: Asking): boolean {
	if (task.state === 'paused') return false;
	if (task.state === 'blocked' || task.state === 'failed' || task.missed.length > 0) return true;
	const runId = task.current?.runId;
	return runId !== undefined && asking.has(runId);
}

/** Which group the tasks of a part that are not known yet are counted to: none of what may need the owner is where they need not look. */
const GROUP_OF_PART = { now: 'you', coming: 'coming', events: 'events', off: 'off' } as const satisfies Record<keyof TaskParts, TaskGroup>;

/**
 * The tasks under the headings of their groups; within one by what comes first. An empty group has no heading. `parts`: how many there are of each,
 * where not all of them are known; those that are known are the first of them.
 */
export function taskRows(tasks: readonly Task[], asking: Asking, parts?: TaskParts): TaskRow[] {
	const groups = new Map<TaskGroup, Task[]>(GROUPS.map((group) => [group, []]));
	for (const task of tasks) groups.get(groupOf(task, asking))?.push(task);
	const unknown = parts ? unknownOf(parts, tasks.length) : undefined;
	const rows = [...groups].flatMap(([group, members]): TaskRow[] => {
		if (members.length === 0) return [];
		return [
			{ kind: 'group', key: `group:${group}`, group, count: members.length + (unknown?.get(group) ?? 0) },
			...members.toSorted(byTime).map((task): TaskRow => ({ kind: 'task', key: task.id, task })),
		];
	});
	return unknown && unknown.size > 0 ? [...rows, { kind: 'more', key: 'more' }] : rows;
}

export function countOfParts({ now, coming, events, off }: TaskParts): number {
	return now + coming + events + off;
}

function unknownOf(parts: TaskParts, known: number): Map<TaskGroup, number> {
	const unknown = new Map<TaskGroup, number>();
	let left = known;
	for (const part of ['now', 'coming', 'events', 'off'] as const) {
		const seen = Math.min(left, parts[part]);
		left -= seen;
		if (seen < parts[part]) unknown.set(GROUP_OF_PART[part], parts[part] - seen);
	}
	return unknown;
}

/** How many are on, and how many are not and why; those of which there are none are left out, but for the first. */
export function countsOf(status: TasksStatus): { readonly kind: 'on' | 'blocked' | 'paused' | 'ended'; readonly count: number }[] {
	return (['on', 'paused', 'blocked', 'ended'] as const).flatMap((kind) =>
		kind === 'on' || status[kind] > 0 ? [{ kind, count: status[kind] }] : [],
	);
}

function byTime(one: Task, other: Task): number {
	const soon = (task: Task): number => task.next?.dueAt ?? Number.MAX_SAFE_INTEGER;
	return soon(one) - soon(other) || one.draft.title.localeCompare(other.draft.title) || (one.id < other.id ? -1 : 1);
}
