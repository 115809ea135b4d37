import type { ComingDay, ComingRun } from '../contract/methods/tasks.ts';
import type { Timestamp } from '../domain/ids.ts';
import { MOST_JITTER_SECONDS, type Schedule } from '../domain/schedule.ts';
import type { TaskId } from '../domain/task.ts';
import { nextSlot } from '../schedule/slots.ts';
import { isPaused, scheduleOf } from './claims.ts';
import { getTask, type StoredTask, tasksByNextSlot } from './task-store.ts';
import type { ViewDeps } from './view.ts';

/** What comes, for lists and a calendar. Nothing is written here. */

type Deps = Pick<ViewDeps, 'db' | 'now' | 'zone' | 'allPaused'>;

/** So many tasks are looked at before others have their turn. */
const AT_ONCE = 200;

/** Tasks whose next run may come by `before()`, the next ones first. */
async function* comingTasks(
	{ db, now }: Pick<Deps, 'db' | 'now'>,
	{ to, taskId, before }: { to: Timestamp; taskId?: TaskId | undefined; before: () => Timestamp },
): AsyncGenerator<{ task: StoredTask; schedule: Schedule }> {
	const waiting = taskId === undefined ? tasksByNextSlot(db, { after: 0, before: to }) : [{ id: taskId, dueAt: 0 }];
	let found = 0;
	for (const { id, dueAt } of waiting) {
		// The others come later still.
		if (dueAt - MOST_JITTER_SECONDS * 1000 > before()) return;
		if (++found % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
		const task = getTask(db, id);
		const schedule = scheduleOf(task);
		if (schedule && task.status !== 'blocked' && !(isPaused(task, now) && task.pausedUntil === undefined)) yield { task, schedule };
	}
}

/** What comes from `from` to `to`, by time; of one task where it is named. `eachMost`: of each; its last one says so where it has more. */
export async function comingRuns(
	deps: Deps,
	{
		from,
		to,
		taskId,
		limit,
		eachMost = limit + 1,
	}: { from: Timestamp; to: Timestamp; taskId?: TaskId | undefined; limit: number; eachMost?: number | undefined },
): Promise<{ runs: ComingRun[]; more: boolean }> {
	const { now, zone, allPaused } = deps;
	const runs: ComingRun[] = [];
	if (allPaused) return { runs, more: false };
	const after = Math.max(from, now + 1) - 1;
	let latest = to;
	for await (const { task, schedule } of comingTasks(deps, { to, taskId, before: () => latest })) {
		const { id } = task;
		let slot = nextSlot(schedule, Math.max(task.claimedTo, after - schedule.jitterSeconds * 1000), { zone, seed: id });
		let last: ComingRun | undefined;
		for (let taken = 0; slot && slot.at <= latest; slot = nextSlot(schedule, slot.at, { zone, seed: id })) {
			if (slot.dueAt <= after) continue;
			if (taken >= eachMost) {
				if (last) last.goesOn = true;
				break;
			}
			last = { taskId: id, title: task.draft.title, slot };
			runs.push(last);
			taken += 1;
		}
		// No more than that many are wanted: what comes after them need not be looked for.
		if (runs.length > 4 * (limit + 1)) {
			runs.sort(byTime);
			runs.length = limit + 1;
			latest = runs[limit]?.slot.at ?? to;
		}
	}
	runs.sort(byTime);
	return { runs: runs.slice(0, limit), more: runs.length > limit };
}

/** Runs of a day that are counted, of each task and in all: whatever is more than that is merely much. */
const MOST_OF_TASK = 24;
const MOST_OF_DAY = 200;

/** How much comes from each of these moments to the next. `starts`: ascending. A task each minute hides nothing of what the days after it hold. */
export async function comingDays(deps: Deps, starts: readonly Timestamp[]): Promise<ComingDay[]> {
	const { now, zone, allPaused } = deps;
	const days = starts.slice(0, -1).map((from, index) => ({ from, to: starts[index + 1] ?? from, runs: 0, more: false }));
	const counted = () => days.map(({ runs, more }) => ({ runs, more }));
	const last = days.at(-1);
	if (allPaused || !last) return counted();
	for await (const { task, schedule } of comingTasks(deps, { to: last.to, before: () => last.to })) {
		const jitter = schedule.jitterSeconds * 1000;
		const options = { zone, seed: task.id };
		const open = days.filter(({ to, runs }) => to > now && runs < MOST_OF_DAY);
		if (open.length === 0) break;
		for (const day of open) {
			const from = Math.max(day.from, now + 1);
			let slot = nextSlot(schedule, Math.max(task.claimedTo, from - 1 - jitter), options);
			for (let taken = 0; slot && slot.at < day.to; slot = nextSlot(schedule, slot.at, options)) {
				if (slot.dueAt < from || slot.dueAt >= day.to) continue;
				if (taken >= MOST_OF_TASK || day.runs >= MOST_OF_DAY) {
					day.more = true;
					break;
				}
				day.runs += 1;
				taken += 1;
			}
		}
	}
	return counted();
}

function byTime(a: ComingRun, b: ComingRun): number {
	return a.slot.at - b.slot.at || (a.taskId < b.taskId ? -1 : 1);
}
