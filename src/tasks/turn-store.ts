import type { ReadDb } from '../db/brands.ts';
import { type Query, sql, value } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { TaskId } from '../domain/task.ts';
import { many, one, type StoredOccurrence } from './occurrence-row.ts';

/** Of `task_occurrences` what is not over: what runs, asks, waits for its turn or to be delivered. */

/** In the very words of the index, which is of no use without them: else each look would read all of the history. */
const OPEN = sql`o.state IN ('queued', 'running', 'asks')`;

const UNDELIVERED = sql`SELECT id FROM task_occurrences WHERE delivered = 0 AND state IN ('done', 'failed', 'stopped')`;

/** What runs, waits for its turn or asks; of all tasks where none is named. In order of time. */
export function openOccurrences(db: ReadDb, state: 'queued' | 'running' | 'asks', taskId?: TaskId): StoredOccurrence[] {
	const only = taskId === undefined ? sql`` : sql`AND o.task_id = ${taskId}`;
	return many(db, sql`WHERE ${OPEN} AND o.state = ${state} ${only} ORDER BY o.rowid`);
}

/** The owner's wish that waits for its turn, or that began after `since`. */
export function askedBefore(db: ReadDb, taskId: TaskId, since: Timestamp): StoredOccurrence | undefined {
	return (
		openOccurrences(db, 'queued', taskId).find(({ by, attempt }) => by === 'owner' && attempt === 0) ??
		openOccurrences(db, 'running', taskId).find(({ by, createdAt }) => by === 'owner' && createdAt > since)
	);
}

export function countOpen(db: ReadDb, state: 'queued' | 'running' | 'asks', taskId?: TaskId): number {
	const only = taskId === undefined ? sql`` : sql`AND task_id = ${taskId}`;
	return value<number>(db, sql`SELECT count(*) FROM task_occurrences o WHERE ${OPEN} AND o.state = ${state} ${only}`) ?? 0;
}

/** Of what waits for its turn, and may have it now: the owner's wishes in the order in which they came. Of a task that is at work none. */
export function nextOwners(db: ReadDb, now: Timestamp): StoredOccurrence | undefined {
	return one(
		db,
		sql`WHERE o.state = 'queued' AND (o.by = 'owner' OR o.seen = 1) AND ${isReady(now)} ORDER BY o.created_at, o.rowid LIMIT 1`,
	);
}

/** The same of all others. Of one task they keep their order, also where the first of them waits for its next try. */
export function nextInLine(db: ReadDb, now: Timestamp): StoredOccurrence | undefined {
	return one(
		db,
		sql`WHERE o.state = 'queued' AND ${isReady(now)} AND NOT EXISTS (SELECT 1 FROM task_occurrences e
				WHERE e.state IN ('queued', 'running', 'asks') AND e.state = 'queued' AND e.task_id = o.task_id AND e.rowid < o.rowid)
			ORDER BY o.created_at, o.rowid LIMIT 1`,
	);
}

function isReady(now: Timestamp): Query {
	return sql`(o.next_try_at IS NULL OR o.next_try_at <= ${now})
		AND NOT EXISTS (SELECT 1 FROM task_occurrences r WHERE r.state IN ('queued', 'running', 'asks') AND r.state = 'running' AND r.task_id = o.task_id)`;
}

/** Others of the same task run, or wait for longer. */
export function isBehindOthers(db: ReadDb, { id, taskId }: Pick<StoredOccurrence, 'id' | 'taskId'>): boolean {
	return (
		value(
			db,
			sql`SELECT 1 FROM task_occurrences o WHERE ${OPEN} AND o.task_id = ${taskId} AND (o.state = 'running' OR (o.state = 'queued'
				AND o.rowid < (SELECT rowid FROM task_occurrences WHERE id = ${id}))) LIMIT 1`,
		) !== undefined
	);
}

/** Over, with a result that is not where it belongs. */
export function undelivered(db: ReadDb): StoredOccurrence[] {
	return many(db, sql`WHERE o.id IN (${UNDELIVERED}) AND o.state <> 'stopped' ORDER BY o.rowid`);
}
