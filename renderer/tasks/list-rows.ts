import type { Task } from '../../src/domain/task.ts';

/** Parts of the list, in its order. `you`: what needs the owner. */
export const GROUPS = ['you', 'now', 'coming', 'events', 'off'] as const;
export type TaskGroup = (typeof GROUPS)[number];

export type TaskRow =
	| { readonly kind: 'group'; readonly key: string; readonly group: TaskGroup; readonly count: number }
	| { readonly kind: 'task'; readonly key: string; readonly task: Task };

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

/** All tasks under the headings of their groups; within one by what comes first. An empty group has no heading. */
export function taskRows(tasks: readonly Task[], asking: Asking): TaskRow[] {
	const groups = new Map<TaskGroup, Task[]>(GROUPS.map((group) => [group, []]));
	for (const task of tasks) groups.get(groupOf(task, asking))?.push(task);
	return [...groups].flatMap(([group, members]): TaskRow[] => {
		if (members.length === 0) return [];
		return [
			{ kind: 'group', key: `group:${group}`, group, count: members.length },
			...members.toSorted(byTime).map((task): TaskRow => ({ kind: 'task', key: task.id, task })),
		];
	});
}

/** How many are on, and how many are not and why; those of which there are none are left out, but for the first. */
export function countsOf(tasks: readonly Task[]): { readonly kind: 'on' | 'blocked' | 'paused' | 'ended'; readonly count: number }[] {
	const counts = { on: 0, blocked: 0, paused: 0, ended: 0 };
	for (const { state } of tasks) counts[state === 'blocked' || state === 'paused' || state === 'ended' ? state : 'on'] += 1;
	return (['on', 'paused', 'blocked', 'ended'] as const).flatMap((kind) =>
		kind === 'on' || counts[kind] > 0 ? [{ kind, count: counts[kind] }] : [],
	);
}

function byTime(one: Task, other: Task): number {
	const soon = (task: Task): number => task.next?.dueAt ?? Number.MAX_SAFE_INTEGER;
	return soon(one) - soon(other) || one.draft.title.localeCompare(other.draft.title) || (one.id < other.id ? -1 : 1);
}
