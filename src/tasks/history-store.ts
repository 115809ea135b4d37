import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, runOne, sql } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { OccurrenceId, TaskId } from '../domain/task.ts';
import { many, one, type StoredOccurrence } from './occurrence-row.ts';
import { getOccurrence } from './occurrence-store.ts';

/** Of `task_occurrences` what was: which slots have rows, what was missed, the history and how long it is kept. */

/** Slots from `first` to `last` that have rows, as ranges: missed ones that stand as one row say from where to where. */
export function claimedSlots(
	db: ReadDb,
	taskId: TaskId,
	first: Timestamp,
	last: Timestamp,
): { readonly slot: Timestamp; readonly lastSlot: Timestamp }[] {
	return all(
		db,
		sql`SELECT slot, coalesce(last_slot, slot) AS lastSlot FROM task_occurrences
			WHERE task_id = ${taskId} AND by = 'schedule' AND slot <= ${last} AND (slot >= ${first} OR last_slot >= ${first})`,
	);
}

/** Rows that the owner has not seen to, and tasks that need them. */
export function countMissed(db: ReadDb): { readonly missed: number; readonly needOwner: number } {
	const row = get<{ missed: number; need_owner: number }>(
		db,
		sql`SELECT (SELECT count(*) FROM task_occurrences WHERE state IN ('missed', 'asks') AND seen = 0) AS missed,
			(SELECT count(*) FROM (SELECT task_id FROM task_occurrences WHERE state IN ('missed', 'asks') AND seen = 0
				UNION SELECT id FROM tasks WHERE status = 'blocked')) AS need_owner`,
	);
	return { missed: row?.missed ?? 0, needOwner: row?.need_owner ?? 0 };
}

/** The newest that is over. */
export function lastOver(db: ReadDb, taskId: TaskId): StoredOccurrence | undefined {
	return one(
		db,
		sql`WHERE o.task_id = ${taskId} AND o.state NOT IN ('queued', 'running', 'asks') ORDER BY o.slot DESC, o.rowid DESC LIMIT 1`,
	);
}

/** Newest first, of all tasks where none is named. */
export function listOccurrences(
	db: ReadDb,
	{ taskId, before, limit }: { taskId?: TaskId | undefined; before?: OccurrenceId | undefined; limit: number },
): StoredOccurrence[] {
	const only = taskId === undefined ? sql`` : sql`AND o.task_id = ${taskId}`;
	const last = before === undefined ? undefined : getOccurrence(db, before);
	const page = last === undefined ? sql`` : sql`AND (o.slot, o.id) < (${last.slot}, ${last.id})`;
	return many(db, sql`WHERE 1 ${only} ${page} ORDER BY o.slot DESC, o.id DESC LIMIT ${limit}`);
}

/**
 * Of rows that are over since before `before`, all but the newest `keep` of each task; `most` at a time. Their task remembers up to where, so that
 * no clock that is set back brings them again. Returns how many are gone.
 */
export function deleteOldOccurrences(tx: WriteDb, { before, keep, most }: { before: Timestamp; keep: number; most: number }): number {
	const gone = all<{ task_id: string; by: string; slot: number; last_slot: number | null }>(
		tx,
		sql`DELETE FROM task_occurrences WHERE id IN (
				SELECT id FROM task_occurrences AS o WHERE ended_at < ${before} AND state NOT IN ('queued', 'running', 'asks')
					AND (state NOT IN ('done', 'failed') OR delivered = 1)
					AND slot < (SELECT slot FROM task_occurrences n WHERE n.task_id = o.task_id ORDER BY slot DESC LIMIT 1 OFFSET ${keep - 1})
				LIMIT ${most})
			RETURNING task_id, by, slot, last_slot`,
	);
	const upTo = new Map<string, Timestamp>();
	for (const row of gone.filter(({ by }) => by === 'schedule'))
		upTo.set(row.task_id, Math.max(upTo.get(row.task_id) ?? 0, row.last_slot ?? row.slot));
	for (const [id, slot] of upTo) runOne(tx, sql`UPDATE tasks SET collected_to = max(collected_to, ${slot}) WHERE id = ${id}`);
	return gone.length;
}
