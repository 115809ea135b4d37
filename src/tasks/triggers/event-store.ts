import { newId } from '../../base/ids.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, get, run, sql, value } from '../../db/sql.ts';
import type { Timestamp, WorkflowInstanceId } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import { Label } from '../../domain/label.ts';
import { TaskDraft, type TaskId, type Trigger } from '../../domain/task.ts';
import type { TriggerEvent, WaitingTask } from './ports.ts';

/** Rows of `task_events`: what happened and no occurrence stands for yet; and tasks by their trigger. */

interface WaitingRow {
	id: TaskId;
	draft: string;
}

/** Those that listen for this kind of event. */
export function waitingTasks(db: ReadDb, kind: Trigger['kind']): WaitingTask[] {
	return all<WaitingRow>(
		db,
		sql`SELECT id, draft FROM tasks WHERE trigger = ${kind} AND status IN ('on', 'blocked') ORDER BY created_at, rowid`,
	).flatMap((row) => waitingOf(row) ?? []);
}

/** Undefined where it does not listen. */
export function findWaitingTask(db: ReadDb, id: TaskId): WaitingTask | undefined {
	const row = get<WaitingRow>(
		db,
		sql`SELECT id, draft FROM tasks WHERE id = ${id} AND trigger IS NOT NULL AND status IN ('on', 'blocked')`,
	);
	return row && waitingOf(row);
}

function waitingOf({ id, draft }: WaitingRow): WaitingTask | undefined {
	const { when, work } = TaskDraft.parse(JSON.parse(draft));
	if (when.kind !== 'trigger') return undefined;
	const { trigger, quietSeconds } = when;
	// The owner's own wish: no active hours hold a reminder.
	return { id, trigger, quietSeconds, work: work.kind === 'reminder' ? 'chat' : 'task' };
}

/** The task itself began this instance: what it does is no news to it. */
export function beganInstance(db: ReadDb, id: TaskId, instanceId: WorkflowInstanceId): boolean {
	return value(db, sql`SELECT 1 FROM task_occurrences WHERE instance_id = ${instanceId} AND task_id = ${id}`) !== undefined;
}

/** UTF-16 units of the payloads that wait. */
export function waitingChars(db: ReadDb, taskId: TaskId): number {
	return value<number>(db, sql`SELECT COALESCE(SUM(LENGTH(payload)), 0) FROM task_events WHERE task_id = ${taskId}`) ?? 0;
}

/** False: the same is there already. `leavesOut`: it is counted, and what came with it is not kept. */
export function insertEvent(
	tx: WriteDb,
	taskId: TaskId,
	{ key, name, label, payload, item, leavesOut }: TriggerEvent & { readonly leavesOut: boolean },
	at: Timestamp,
): boolean {
	const cause = { name, label, ...(item !== undefined && { item }), ...(leavesOut && { leavesOut }) };
	return (
		run(
			tx,
			sql`INSERT INTO task_events (id, task_id, event_key, cause, payload, at)
			VALUES (${newId()}, ${taskId}, ${key ?? null}, ${JSON.stringify(cause)}, ${payload === undefined ? null : JSON.stringify(payload)}, ${at})
			ON CONFLICT (task_id, event_key) DO NOTHING`,
		) === 1
	);
}

/** When the first one and the last one of those that wait came; undefined where none does. */
export function eventTimes(db: ReadDb, taskId: TaskId): { first: Timestamp; last: Timestamp } | undefined {
	const row = get<{ first: number | null; last: number }>(
		db,
		sql`SELECT MIN(at) AS first, MAX(at) AS last FROM task_events WHERE task_id = ${taskId}`,
	);
	return row?.first == null ? undefined : { first: row.first, last: row.last };
}

export interface StoredEvent {
	readonly name: string;
	readonly label: Label;
	readonly payload: Json | undefined;
	readonly item?: string | undefined;
	/** Something came with it that there was no room for. */
	readonly leavesOut: boolean;
}

/** In the order in which they came. */
export function readEvents(db: ReadDb, taskId: TaskId): StoredEvent[] {
	return all<{ cause: string; payload: string | null }>(
		db,
		sql`SELECT cause, payload FROM task_events WHERE task_id = ${taskId} ORDER BY at, rowid`,
	).map(({ cause, payload }) => {
		const {
			name,
			label,
			item,
			leavesOut = false,
		} = JSON.parse(cause) as {
			name: string;
			label: string;
			item?: string;
			leavesOut?: boolean;
		};
		return { name, label: Label.parse(label), item, leavesOut, payload: payload === null ? undefined : (JSON.parse(payload) as Json) };
	});
}

export function deleteEvents(tx: WriteDb, taskId: TaskId): void {
	run(tx, sql`DELETE FROM task_events WHERE task_id = ${taskId}`);
}
