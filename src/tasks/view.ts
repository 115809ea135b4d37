import { remembered } from '../base/remembered.ts';
import type { TaskParts, TasksStatus } from '../contract/methods/tasks.ts';
import type { ReadDb } from '../db/brands.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Slot } from '../domain/schedule.ts';
import { type Occurrence, Task, type TaskDraft, type TaskId, type TaskState } from '../domain/task.ts';
import { whenInWords } from '../schedule/card.ts';
import { nextSlot, zoneOf } from '../schedule/slots.ts';
import { isPaused, scheduleOf } from './claims.ts';
import { countMissed, lastOver } from './history-store.ts';
import { listedTasks, NO_RUNS, type RunsShown, runsShown, tasksOf } from './list-store.ts';
import { LATE_MS } from './missed.ts';
import { shownOf } from './occurrence-row.ts';
import { countTasks, getTask, type StoredTask, tasksByNextSlot } from './task-store.ts';
import { countOpen } from './turn-store.ts';
import { type Doers, doerOf } from './work-kind.ts';

/** Tasks as their owner sees them. Nothing is written here. */

export interface ViewDeps {
	readonly db: ReadDb;
	readonly now: Timestamp;
	/** The owner's. */
	readonly zone: string;
	readonly allPaused: boolean;
	readonly doers: Doers;
	/** What keeps its trigger from listening. */
	readonly triggerProblem: (id: TaskId) => Task['problem'];
}

/** Throws `not_found`. */
export function viewTask(deps: ViewDeps, id: TaskId): Task {
	return view(deps, getTask(deps.db, id), runsShown(deps.db, [id]).get(id));
}

/** Some of them in the order of the list, and how many there are in each part of it. */
export function viewTasks(deps: ViewDeps, { offset, limit }: { offset: number; limit: number }): { tasks: Task[]; parts: TaskParts } {
	const listed = listedTasks(deps.db, deps.now);
	const parts: TaskParts = { now: 0, coming: 0, events: 0, off: 0 };
	for (const { part } of listed) parts[part] += 1;
	const ids = listed.slice(offset, offset + limit).map(({ id }) => id);
	const runs = runsShown(deps.db, ids);
	return { tasks: tasksOf(deps.db, ids).map((task) => view(deps, task, runs.get(task.id))), parts };
}

export function tasksStatus({ db, now, allPaused }: Pick<ViewDeps, 'db' | 'now' | 'allPaused'>): TasksStatus {
	const { missed, needOwner } = countMissed(db);
	const [next] = allPaused ? [] : tasksByNextSlot(db, { after: now, limit: 1 });
	return {
		...countTasks(db),
		running: countOpen(db, 'running'),
		queued: countOpen(db, 'queued'),
		missed,
		needOwner,
		...(next && { next: { taskId: next.id, title: next.title, at: next.dueAt } }),
	};
}

/** The state that the owner is told, of all that is true of it. Pure. */
export function stateOf(
	task: Pick<StoredTask, 'status' | 'pausedUntil' | 'failures'>,
	{
		running,
		queued,
		asks,
		missed,
		last,
		waits,
		overdue,
		now,
	}: {
		readonly running: Occurrence | undefined;
		readonly queued: Occurrence | undefined;
		readonly asks: Occurrence | undefined;
		/** The newest that the owner has not seen to. */
		readonly missed: Occurrence | undefined;
		readonly last: Occurrence | undefined;
		/** Its run waits for the owner, a time, an event. */
		readonly waits: boolean;
		readonly overdue: boolean;
		readonly now: Timestamp;
	},
): TaskState {
	if (running) return waits ? 'waiting' : 'running';
	if (task.status === 'blocked') return 'blocked';
	if (queued) return queued.attempt > 0 ? 'waiting' : 'overdue';
	if (isPaused(task, now)) return 'paused';
	if (asks || (missed && missed.slot >= (last?.slot ?? 0))) return 'missed';
	if (overdue) return 'overdue';
	if (last?.state === 'failed') return 'failed';
	return task.status === 'ended' ? 'ended' : 'scheduled';
}

function view(deps: ViewDeps, task: StoredTask, { open, missed, occurrences }: RunsShown = NO_RUNS): Task {
	const { db, now, zone, allPaused, doers } = deps;
	const { draft, failures, createdAt, pausedUntil } = task;
	const first = (state: Occurrence['state']) => open.find((each) => each.state === state);
	const [running, queued, asks] = [first('running'), first('queued'), first('asks')];
	const last = failures > 0 || missed.length > 0 ? lastOver(db, task.id) : undefined;
	const waits = running !== undefined && doerOf(doers, draft, running).standing(running).kind === 'waiting';
	const { next, overdue } = comesNext(task, { now, zone });
	const state = stateOf(task, { running, queued, asks, missed: missed[0], last, waits, overdue, now });
	const current = running ?? queued ?? asks ?? (last?.state === 'failed' ? last : undefined);
	const quiet = allPaused || isPaused(task, now) || task.status === 'blocked' || task.status === 'ended';
	const problem = task.problem ?? deps.triggerProblem(task.id);
	return Task.parse({
		id: task.id,
		draft,
		state,
		label: task.label,
		...(task.proposedIn !== undefined && { sessionId: task.proposedIn }),
		restated: inWords(draft.when),
		zone: draft.when.kind === 'schedule' ? zoneOf(draft.when.schedule.timing, zone) : zone,
		...(next && !quiet && { next }),
		...(current && { current: shownOf(current) }),
		missed: missed.map(shownOf),
		occurrences,
		failures,
		...(problem && { problem }),
		...(isPaused(task, now) && pausedUntil !== undefined && { pausedUntil }),
		createdAt,
	});
}

/** A time that is past is never next; where one is that has no row yet, it is overdue. */
function comesNext(task: StoredTask, { now, zone }: Pick<ViewDeps, 'now' | 'zone'>): { next?: Slot | undefined; overdue: boolean } {
	const schedule = scheduleOf(task);
	if (!schedule || task.status === 'ended' || (task.status === 'paused' && task.pausedUntil === undefined)) return { overdue: false };
	const options = { zone, seed: task.id };
	const unclaimed = firstUnclaimed(schedule, task.claimedTo, options);
	if (!unclaimed || unclaimed.dueAt > now) return { next: unclaimed, overdue: false };
	let next = nextSlot(schedule, Math.max(unclaimed.at, now - schedule.jitterSeconds * 1000), options);
	while (next && next.dueAt <= now) next = nextSlot(schedule, next.at, options);
	return { next, overdue: now - unclaimed.dueAt > LATE_MS };
}

/** What a list asks for each time anything changes, and what seldom does. Keyed by what is given, as JSON. */
const MOST_REMEMBERED = 1_000;
const knownSlot = remembered(MOST_REMEMBERED, (given) => nextSlot(...(JSON.parse(given) as Parameters<typeof nextSlot>)));
const firstUnclaimed = (...given: Parameters<typeof nextSlot>): Slot | undefined => knownSlot(JSON.stringify(given));
const knownWords = remembered(MOST_REMEMBERED, (when) => whenInWords(JSON.parse(when) as TaskDraft['when']));
const inWords = (when: TaskDraft['when']): string => knownWords(JSON.stringify(when));
