import { z } from 'zod';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, runOne, sql, value } from '../db/sql.ts';
import { retryable, terminal } from '../domain/errors.ts';
import { MessageId, type RestoreId, type RunId, type SessionId, type Timestamp } from '../domain/ids.ts';
import { ChangeId } from '../domain/memory.ts';
import type { RunPlace } from '../domain/run.ts';

/** Rows of `restores`: what the owner put back, in order; an intended one is under way and goes on after a crash (R1, R4). */

export const Ticked = z.object({ chat: z.boolean(), files: z.enum(['no', 'safe', 'all']), memory: z.boolean() });
export type Ticked = z.infer<typeof Ticked>;

/** Null: no file. */
const Content = z.string().nullable();

/** What could not be put back, and why, in words for the owner. */
const Left = z.object({ what: z.string(), why: z.string() });
export type Left = z.infer<typeof Left>;

export const RestorePlan = z.object({
	files: z.array(z.object({ path: z.string(), hash: Content })),
	/** To be taken back, the newest first. */
	memory: z.array(ChangeId),
	/** What the chat showed when it was restored. */
	headBefore: MessageId.optional(),
	/** What really was put back: what an undo takes back. */
	done: z
		.object({
			files: z.array(z.object({ path: z.string(), before: Content, after: Content })),
			/** The changes of memory that took others back, in their order. */
			memory: z.array(ChangeId),
		})
		.optional(),
	left: z.array(Left).default([]),
});
export type RestorePlan = z.infer<typeof RestorePlan>;

export interface Restore {
	readonly id: RestoreId;
	readonly place: RunPlace;
	readonly ticked: Ticked;
	readonly status: 'intended' | 'done' | 'undoing' | 'undone';
	readonly plan: RestorePlan;
	readonly newRunId?: RunId;
	readonly at: Timestamp;
	readonly undoneAt?: Timestamp;
}

interface RestoreRow {
	id: RestoreId;
	run_id: RunId;
	step: number;
	asked: string;
	status: Restore['status'];
	plan: string;
	new_run_id: RunId | null;
	at: number;
	undone_at: number | null;
}

export function insertRestore(db: WriteDb, restore: Pick<Restore, 'id' | 'place' | 'ticked' | 'plan' | 'at'>, requestId: string): void {
	const { id, place, ticked, plan, at } = restore;
	runOne(
		db,
		sql`INSERT INTO restores (id, run_id, step, asked, request_id, status, plan, at)
		VALUES (${id}, ${place.runId}, ${place.step}, ${JSON.stringify(ticked)}, ${requestId}, 'intended', ${JSON.stringify(plan)}, ${at})`,
	);
}

export function findRestoreByRequest(db: ReadDb, requestId: string): Restore | undefined {
	const row = get<RestoreRow>(db, sql`SELECT * FROM restores WHERE request_id = ${requestId}`);
	return row && restoreOf(row);
}

/** Throws `not_found`. */
export function getRestore(db: ReadDb, id: RestoreId): Restore {
	const row = get<RestoreRow>(db, sql`SELECT * FROM restores WHERE id = ${id}`);
	if (!row) throw terminal('not_found', 'That restore no longer exists.', { safe: 'Nothing was changed.' });
	return restoreOf(row);
}

/** Of a run, or those that it came from; newest first. */
export function restoresOf(db: ReadDb, runIds: readonly RunId[]): Restore[] {
	const ids = JSON.stringify(runIds);
	return all<RestoreRow>(
		db,
		sql`SELECT * FROM restores WHERE run_id IN (SELECT value FROM json_each(${ids}))
			OR new_run_id IN (SELECT value FROM json_each(${ids})) ORDER BY rowid DESC`,
	).map(restoreOf);
}

/** Under way, oldest first. */
export function unfinishedRestores(db: ReadDb): Restore[] {
	return all<RestoreRow>(db, sql`SELECT * FROM restores WHERE status IN ('intended', 'undoing') ORDER BY rowid`).map(restoreOf);
}

export function finishRestore(db: WriteDb, id: RestoreId, change: { plan: RestorePlan; newRunId: RunId | undefined }): void {
	runOne(
		db,
		sql`UPDATE restores SET status = 'done', plan = ${JSON.stringify(change.plan)}, new_run_id = ${change.newRunId ?? null}
		WHERE id = ${id} AND status = 'intended'`,
	);
}

export function beginUndo(db: WriteDb, id: RestoreId): void {
	runOne(db, sql`UPDATE restores SET status = 'undoing' WHERE id = ${id} AND status = 'done'`);
}

export function finishUndo(db: WriteDb, id: RestoreId, change: { left: readonly Left[]; undoneAt: Timestamp }): void {
	runOne(
		db,
		sql`UPDATE restores SET status = 'undone', undone_at = ${change.undoneAt}, plan = json_set(plan, '$.left', json(${JSON.stringify(change.left)}))
		WHERE id = ${id} AND status = 'undoing'`,
	);
}

/** A run that began now would work on what is half put back. Throws `conflict`. */
export function refuseWhileRestoring(db: ReadDb, sessionId: SessionId): void {
	const found = sql`SELECT 1 FROM restores t JOIN runs r ON r.id = t.run_id WHERE r.session_id = ${sessionId} AND t.status IN ('intended', 'undoing')`;
	if (value<number>(db, found) === undefined) return;
	throw retryable('conflict', 'A restore in this chat is not finished yet.', {
		safe: 'Your text is kept.',
		action: 'Try again in a moment: it goes on by itself.',
	});
}

function restoreOf(row: RestoreRow): Restore {
	return {
		id: row.id,
		place: { runId: row.run_id, step: row.step },
		ticked: Ticked.parse(JSON.parse(row.asked)),
		status: row.status,
		plan: RestorePlan.parse(JSON.parse(row.plan)),
		...(row.new_run_id !== null && { newRunId: row.new_run_id }),
		at: row.at,
		...(row.undone_at !== null && { undoneAt: row.undone_at }),
	};
}
