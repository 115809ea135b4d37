import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, runOne, sql, value } from '../db/sql.ts';
import { ErrorShape, terminal } from '../domain/errors.ts';
import { SessionId, type Timestamp } from '../domain/ids.ts';
import { Label } from '../domain/label.ts';
import { TaskDraft, TaskId } from '../domain/task.ts';
import type { TaskForWork } from './ports.ts';

/** Rows of `tasks`. */

export const TASK_STATUS = ['on', 'paused', 'blocked', 'ended'] as const;
/** `paused`: by the owner, until `pausedUntil` where that is set. `ended`: no slot comes any more. */
export type TaskStatus = (typeof TASK_STATUS)[number];

export interface StoredTask extends TaskForWork {
	/** The chat that it was said in. */
	readonly proposedIn?: SessionId;
	readonly status: TaskStatus;
	readonly pausedUntil?: Timestamp;
	readonly problem?: ErrorShape;
	/** In a row. */
	readonly failures: number;
	/** Slots up to here have their rows. */
	readonly claimedTo: Timestamp;
	readonly collectedTo: Timestamp;
	/** The owner's zone that its next slot was found in, where its times name none. */
	readonly zone?: string;
	readonly createdAt: Timestamp;
	readonly updatedAt: Timestamp;
}

interface Row {
	id: string;
	draft: string;
	label: string;
	proposed_in: string | null;
	status: TaskStatus;
	paused_until: number | null;
	problem: string | null;
	failures: number;
	session_id: string | null;
	chat_id: string | null;
	claimed_to: number;
	collected_to: number;
	zone: string | null;
	created_at: number;
	updated_at: number;
}

export interface NewTask extends Pick<StoredTask, 'id' | 'draft' | 'label' | 'claimedTo' | 'createdAt'> {
	readonly proposedIn?: SessionId | undefined;
	/** The same makes one. */
	readonly makeKey: string;
}

export function insertTask(tx: WriteDb, { id, draft, label, proposedIn, makeKey, claimedTo, createdAt }: NewTask): void {
	runOne(
		tx,
		sql`INSERT INTO tasks (id, title, draft, label, proposed_in, make_key, status, trigger, claimed_to, created_at, updated_at)
			VALUES (${id}, ${draft.title}, ${JSON.stringify(draft)}, ${label}, ${proposedIn ?? null}, ${makeKey}, 'on', ${triggerOf(draft)},
				${claimedTo}, ${createdAt}, ${createdAt})`,
	);
}

export function taskMadeFor(db: ReadDb, makeKey: string): TaskId | undefined {
	const id = value<string>(db, sql`SELECT id FROM tasks WHERE make_key = ${makeKey}`);
	return id === undefined ? undefined : TaskId.parse(id);
}

export function findTask(db: ReadDb, id: TaskId): StoredTask | undefined {
	const row = get<Row>(db, sql`SELECT * FROM tasks WHERE id = ${id}`);
	return row && taskOf(row);
}

/** Throws `not_found`. */
export function getTask(db: ReadDb, id: TaskId): StoredTask {
	const task = findTask(db, id);
	if (!task) throw terminal('not_found', 'That task no longer exists.', { safe: 'Nothing was changed.' });
	return task;
}

/** By title. */
export function listTasks(db: ReadDb): StoredTask[] {
	return select(db, sql`ORDER BY title COLLATE NOCASE, rowid`);
}

/** In no order. */
export function tasksIn(db: ReadDb, ids: readonly TaskId[]): StoredTask[] {
	return select(db, sql`WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** Whose times name no zone, and whose next slot was found in another than this. */
export function tasksInOtherZones(db: ReadDb, zone: string): StoredTask[] {
	return select(db, sql`WHERE zone <> ${zone} ORDER BY rowid`);
}

/** Which say that times have their rows that are still to come: the clock was set back. */
export function tasksClaimedAfter(db: ReadDb, at: Timestamp): StoredTask[] {
	return select(db, sql`WHERE claimed_to > ${at} AND trigger IS NULL ORDER BY rowid`);
}

/** Whose triggers listen again at `at`: their pause is over by then. */
export function tasksPausedUntil(db: ReadDb, at: Timestamp): StoredTask[] {
	return select(db, sql`WHERE trigger IS NOT NULL AND status = 'paused' AND paused_until <= ${at} ORDER BY rowid`);
}

export function setDraft(tx: WriteDb, id: TaskId, draft: TaskDraft, now: Timestamp): void {
	runOne(
		tx,
		sql`UPDATE tasks SET title = ${draft.title}, draft = ${JSON.stringify(draft)}, trigger = ${triggerOf(draft)}, updated_at = ${now} WHERE id = ${id}`,
	);
}

/** `problem` and `pausedUntil` go with the status that they are of. */
export function setStatus(
	tx: WriteDb,
	id: TaskId,
	status: TaskStatus,
	more: { readonly problem?: ErrorShape | undefined; readonly pausedUntil?: Timestamp | undefined } = {},
): void {
	const problem = more.problem === undefined ? null : JSON.stringify(more.problem);
	runOne(tx, sql`UPDATE tasks SET status = ${status}, problem = ${problem}, paused_until = ${more.pausedUntil ?? null} WHERE id = ${id}`);
}

export function setClaimed(tx: WriteDb, id: TaskId, claimedTo: Timestamp): void {
	runOne(tx, sql`UPDATE tasks SET claimed_to = ${claimedTo} WHERE id = ${id}`);
}

export function setZone(tx: WriteDb, id: TaskId, zone: string | undefined): void {
	runOne(tx, sql`UPDATE tasks SET zone = ${zone ?? null} WHERE id = ${id}`);
}

export function setFailures(tx: WriteDb, id: TaskId, failures: number): void {
	runOne(tx, sql`UPDATE tasks SET failures = ${failures} WHERE id = ${id}`);
}

/** The one session that goes on from run to run. */
export function setTaskSession(tx: WriteDb, id: TaskId, sessionId: SessionId): void {
	runOne(tx, sql`UPDATE tasks SET session_id = ${sessionId} WHERE id = ${id}`);
}

/** The chat that its results go to. */
export function setTaskChat(tx: WriteDb, id: TaskId, chatId: SessionId): void {
	runOne(tx, sql`UPDATE tasks SET chat_id = ${chatId} WHERE id = ${id}`);
}

/** With its occurrences, events and what its trigger knew. */
export function deleteTask(tx: WriteDb, id: TaskId): void {
	runOne(tx, sql`DELETE FROM tasks WHERE id = ${id}`);
}

export function countTasks(db: ReadDb): Readonly<Record<TaskStatus, number>> {
	const rows = all<{ status: TaskStatus; tasks: number }>(db, sql`SELECT status, count(*) AS tasks FROM tasks GROUP BY status`);
	return { on: 0, paused: 0, blocked: 0, ended: 0, ...Object.fromEntries(rows.map(({ status, tasks }) => [status, tasks])) };
}

/** Whose next slot is due after `after`, and not after `before`; the earliest first. Those that are blocked have none that comes. */
export function tasksByNextSlot(
	db: ReadDb,
	{ after, before, limit }: { after: Timestamp; before?: Timestamp; limit?: number },
): { readonly id: TaskId; readonly title: string; readonly dueAt: Timestamp }[] {
	return all(
		db,
		sql`SELECT t.id, t.title, m.due_at AS dueAt FROM timers m JOIN tasks t ON t.id = m.ref
			WHERE m.kind = 'task' AND m.due_at > ${after} AND m.due_at <= ${before ?? Number.MAX_SAFE_INTEGER} AND t.status IN ('on', 'paused')
			ORDER BY m.due_at LIMIT ${limit ?? -1}`,
	);
}

function select(db: ReadDb, where: Query): StoredTask[] {
	return all<Row>(db, sql`SELECT * FROM tasks ${where}`).map(taskOf);
}

function triggerOf({ when }: TaskDraft): string | null {
	return when.kind === 'trigger' ? when.trigger.kind : null;
}

function taskOf(row: Row): StoredTask {
	return {
		id: TaskId.parse(row.id),
		draft: TaskDraft.parse(JSON.parse(row.draft)),
		label: Label.parse(row.label),
		...(row.proposed_in !== null && { proposedIn: SessionId.parse(row.proposed_in) }),
		status: row.status,
		...(row.paused_until !== null && { pausedUntil: row.paused_until }),
		...(row.problem !== null && { problem: ErrorShape.parse(JSON.parse(row.problem)) }),
		failures: row.failures,
		sessionId: row.session_id === null ? undefined : SessionId.parse(row.session_id),
		chatId: row.chat_id === null ? undefined : SessionId.parse(row.chat_id),
		claimedTo: row.claimed_to,
		collectedTo: row.collected_to,
		...(row.zone !== null && { zone: row.zone }),
		createdAt: row.created_at,
		updatedAt: row.updated_at,
	};
}
