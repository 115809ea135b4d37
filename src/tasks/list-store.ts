import type { ReadDb } from '../db/brands.ts';
import { all, sql } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';
import { TaskId } from '../domain/task.ts';
import { many, type StoredOccurrence } from './occurrence-row.ts';
import { type StoredTask, tasksIn } from './task-store.ts';

/** The order in which tasks are listed, found without reading what they are for: there may be thousands. */

/** `now`: at work, or it may need the owner. `coming`: a schedule's. `events`: a trigger's. `off`: paused, ended. */
export const TASK_PARTS = ['now', 'coming', 'events', 'off'] as const;
export type TaskPart = (typeof TASK_PARTS)[number];

export interface ListedTask {
	readonly id: TaskId;
	readonly part: TaskPart;
}

/** Part by part; within one by when it is due next, then by title. */
export function listedTasks(db: ReadDb, now: Timestamp): ListedTask[] {
	// Its first half is the condition of the index over open rows, word for word: without it all history is read.
	const atWork = sql`SELECT task_id FROM task_occurrences WHERE state IN ('queued', 'running', 'asks') AND state <> 'asks'`;
	const missed = sql`SELECT task_id FROM task_occurrences WHERE state IN ('missed', 'asks') AND seen = 0`;
	return all<{ id: string; part: number }>(
		db,
		sql`SELECT t.id, CASE
				WHEN t.status = 'blocked' OR t.id IN (${atWork}) THEN 0
				WHEN t.status = 'paused' AND (t.paused_until IS NULL OR t.paused_until > ${now}) THEN 3
				WHEN t.failures > 0 OR t.id IN (${missed}) THEN 0
				WHEN t.status = 'ended' THEN 3
				WHEN t.trigger IS NOT NULL THEN 2
				ELSE 1 END AS part
			FROM tasks t LEFT JOIN timers m ON m.kind = 'task' AND m.ref = t.id
			ORDER BY part, m.due_at NULLS LAST, t.title COLLATE NOCASE, t.id`,
	).map(({ id, part }) => ({ id: TaskId.parse(id), part: TASK_PARTS[part] ?? 'off' }));
}

/** In the order of the ids; one that is gone is left out. */
export function tasksOf(db: ReadDb, ids: readonly TaskId[]): StoredTask[] {
	const found = new Map(tasksIn(db, ids).map((task) => [task.id, task]));
	return ids.flatMap((id) => found.get(id) ?? []);
}

/** Of one task. */
export interface RunsShown {
	/** What runs, waits for its turn, asks: in this order, of each the oldest first. */
	readonly open: readonly StoredOccurrence[];
	/** What the owner has not seen to; the newest, newest first. */
	readonly missed: readonly StoredOccurrence[];
	/** All that there ever were, of those that are kept. */
	readonly occurrences: number;
}

export const NO_RUNS: RunsShown = { open: [], missed: [], occurrences: 0 };

const MOST_MISSED_SHOWN = 50;

/** Few questions for however many tasks. One without runs has no entry. */
export function runsShown(db: ReadDb, ids: readonly TaskId[]): ReadonlyMap<TaskId, RunsShown> {
	const among = sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
	const counted = all<{ task_id: string; runs: number }>(
		db,
		sql`SELECT task_id, count(*) AS runs FROM task_occurrences WHERE task_id ${among} GROUP BY task_id`,
	);
	const open = many(
		db,
		sql`WHERE o.state IN ('queued', 'running', 'asks') AND o.task_id ${among} ORDER BY o.state <> 'running', o.state = 'asks', o.rowid`,
	);
	const missed = many(
		db,
		sql`WHERE o.id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY task_id ORDER BY slot DESC) AS nth FROM task_occurrences
			WHERE state IN ('missed', 'asks') AND seen = 0 AND task_id ${among}) WHERE nth <= ${MOST_MISSED_SHOWN}) ORDER BY o.slot DESC`,
	);
	const [openOf, missedOf] = [byTask(open), byTask(missed)];
	return new Map(
		counted.map(({ task_id, runs }) => {
			const id = TaskId.parse(task_id);
			return [id, { open: openOf.get(id) ?? [], missed: missedOf.get(id) ?? [], occurrences: runs }];
		}),
	);
}

function byTask(runs: readonly StoredOccurrence[]): Map<TaskId, StoredOccurrence[]> {
	const found = new Map<TaskId, StoredOccurrence[]>();
	for (const run of runs) {
		const before = found.get(run.taskId);
		if (before) before.push(run);
		else found.set(run.taskId, [run]);
	}
	return found;
}
