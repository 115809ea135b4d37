import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, runOne, sql, value } from '../db/sql.ts';
import { type ErrorShape, terminal } from '../domain/errors.ts';
import type { RunId, Timestamp, WorkflowInstanceId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { MissedWhy, Occurrence, OccurrenceId, OccurrenceState, TaskId } from '../domain/task.ts';
import { one, type StoredOccurrence } from './occurrence-row.ts';
import type { Begun } from './ports.ts';

/** Rows of `task_occurrences`: each time that a task was to run. A slot is claimed by its row: `UNIQUE (task_id, by, slot)` (R5). */

export type Cause = NonNullable<Occurrence['cause']>;

export interface NewOccurrence {
	readonly id: OccurrenceId;
	readonly taskId: TaskId;
	readonly by: Occurrence['by'];
	readonly slot: Timestamp;
	readonly count?: number | undefined;
	readonly lastSlot?: Timestamp | undefined;
	readonly state: OccurrenceState;
	readonly why?: MissedWhy | undefined;
	readonly note?: string | undefined;
	readonly cause?: Cause | undefined;
	readonly payload?: Json | undefined;
	/** There is nothing that the owner has to see to. */
	readonly seen?: boolean | undefined;
}

/** False: this slot has its row already. */
export function insertOccurrence(tx: WriteDb, given: NewOccurrence, now: Timestamp): boolean {
	const { id, taskId, by, slot, count = 1, lastSlot, state, why, note, cause, payload, seen = false } = given;
	const over = state === 'missed' || state === 'skipped' ? now : null;
	return (
		run(
			tx,
			sql`INSERT INTO task_occurrences (id, task_id, by, slot, count, last_slot, state, why, note, cause, payload, seen, created_at, ended_at)
				VALUES (${id}, ${taskId}, ${by}, ${slot}, ${count}, ${lastSlot ?? null}, ${state}, ${why ?? null}, ${note ?? null},
					${cause === undefined ? null : JSON.stringify(cause)}, ${payload === undefined ? null : JSON.stringify(payload)}, ${seen},
					${now}, ${over})
				ON CONFLICT (task_id, by, slot) DO NOTHING`,
		) === 1
	);
}

/** A slot for what no schedule asked for: after all of its kind, should the clock stand still or go back (dur-6). */
export function freeSlot(db: ReadDb, taskId: TaskId, by: 'trigger' | 'owner', from: Timestamp): Timestamp {
	const last = value<number | null>(db, sql`SELECT max(slot) FROM task_occurrences WHERE task_id = ${taskId} AND by = ${by}`);
	return Math.max(from, (last ?? -1) + 1);
}

export function findOccurrence(db: ReadDb, id: OccurrenceId): StoredOccurrence | undefined {
	return one(db, sql`WHERE o.id = ${id}`);
}

/** Throws `not_found`. */
export function getOccurrence(db: ReadDb, id: OccurrenceId): StoredOccurrence {
	const found = findOccurrence(db, id);
	if (!found) throw terminal('not_found', 'That run of a task is no longer kept.', { safe: 'Nothing was changed.' });
	return found;
}

export function occurrenceOfRun(db: ReadDb, runId: RunId): StoredOccurrence | undefined {
	return one(db, sql`WHERE o.run_id = ${runId}`);
}

export function occurrenceOfInstance(db: ReadDb, instanceId: WorkflowInstanceId): StoredOccurrence | undefined {
	return one(db, sql`WHERE o.instance_id = ${instanceId}`);
}

/** False: it does not wait for its turn any more. */
export function setRunning(tx: WriteDb, id: OccurrenceId, begun: Begun, now: Timestamp): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET state = 'running', attempt = attempt + 1, next_try_at = NULL, error = NULL,
				started_at = coalesce(started_at, ${now}), run_id = coalesce(${begun.runId ?? null}, run_id),
				session_id = coalesce(${begun.sessionId ?? null}, session_id), instance_id = coalesce(${begun.instanceId ?? null}, instance_id),
				reminder_id = coalesce(${begun.reminderId ?? null}, reminder_id)
				WHERE id = ${id} AND state = 'queued'`,
		) === 1
	);
}

/** Waits for its turn, from a time on where that is given. */
export function setQueued(
	tx: WriteDb,
	id: OccurrenceId,
	how: { readonly nextTryAt?: Timestamp; readonly error?: ErrorShape; readonly byOwner?: true; readonly note?: string | undefined },
): void {
	runOne(
		tx,
		sql`UPDATE task_occurrences SET state = 'queued', next_try_at = ${how.nextTryAt ?? null}, error = ${jsonOf(how.error)}, why = NULL,
			ended_at = NULL, delivered = 0, result = NULL, seen = CASE WHEN ${how.byOwner ?? false} THEN 1 ELSE seen END,
			note = coalesce(${how.note ?? null}, note) WHERE id = ${id}`,
	);
}

export interface End {
	readonly state: 'done' | 'failed' | 'stopped' | 'missed' | 'skipped' | 'asks';
	readonly why?: MissedWhy | undefined;
	readonly note?: string | undefined;
	readonly error?: ErrorShape | undefined;
	readonly tokens?: number;
	readonly costUsd?: number;
	/** Nothing of it is to be put anywhere. */
	readonly nothingToDeliver?: boolean;
	readonly seen?: boolean;
}

/** False: it was over before, or is gone. */
export function endOccurrence(tx: WriteDb, id: OccurrenceId, end: End, now: Timestamp): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET state = ${end.state}, why = coalesce(${end.why ?? null}, why), note = coalesce(${end.note ?? null}, note),
				error = ${jsonOf(end.error)}, tokens = ${end.tokens ?? 0}, cost_usd = ${end.costUsd ?? 0}, next_try_at = NULL,
				delivered = ${end.nothingToDeliver ?? false}, seen = CASE WHEN ${end.seen ?? false} THEN 1 ELSE seen END,
				ended_at = ${end.state === 'asks' ? null : now} WHERE id = ${id} AND state IN ('queued', 'running', 'asks')`,
		) === 1
	);
}

/** What runs is to be stopped, and says then why. */
export function setWhy(tx: WriteDb, id: OccurrenceId, why: MissedWhy): void {
	runOne(tx, sql`UPDATE task_occurrences SET why = ${why} WHERE id = ${id}`);
}

export function setSeen(tx: WriteDb, id: OccurrenceId): void {
	runOne(tx, sql`UPDATE task_occurrences SET seen = 1 WHERE id = ${id}`);
}

/** False: somebody else was first. `refused`: why it could not be put there. */
export function setDelivered(tx: WriteDb, id: OccurrenceId, result: Occurrence['result'], refused?: ErrorShape): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET delivered = 1, result = ${jsonOf(result)}, error = coalesce(${jsonOf(refused)}, error)
				WHERE id = ${id} AND delivered = 0`,
		) === 1
	);
}

/** One more slot of the same kind, right after it: the newest row says it for both. False where there is no such row. */
export function joinMissed(
	tx: WriteDb,
	{ taskId, by, why, slot }: { taskId: TaskId; by: Occurrence['by']; why: MissedWhy; slot: Timestamp },
): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET count = count + 1, last_slot = ${slot} WHERE state = 'missed' AND why = ${why} AND seen = 0 AND slot < ${slot}
				AND id = (SELECT id FROM task_occurrences WHERE task_id = ${taskId} AND by = ${by} ORDER BY slot DESC LIMIT 1)`,
		) === 1
	);
}

/**
 * Of slots that are still to come and did not run, since a clock was wrong when they were passed over, whatever they say was in the way: gone, so
 * that they are claimed when they come. Returns the first.
 */
export function unclaimAhead(tx: WriteDb, taskId: TaskId, now: Timestamp): Timestamp | undefined {
	const ahead = all<{ slot: number }>(
		tx,
		sql`DELETE FROM task_occurrences WHERE task_id = ${taskId} AND by = 'schedule' AND state IN ('missed', 'asks')
			AND coalesce(last_slot, slot) > ${now} RETURNING slot`,
	);
	return ahead.length === 0 ? undefined : Math.min(...ahead.map(({ slot }) => slot));
}

function jsonOf(given: object | undefined): string | null {
	return given === undefined ? null : JSON.stringify(given);
}
