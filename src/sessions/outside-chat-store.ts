import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, sql, value } from '../db/sql.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { SessionId } from '../domain/ids.ts';
import type { ProposalId } from '../domain/memory.ts';
import type { TaskId } from '../domain/task.ts';

/**
 * Chats into which text of others came without being asked for in them: those that the owner began about a finding, and those of tasks. It is in
 * them, and in no other chat for that (B1).
 */

/** About a finding where `proposalId` is given, which is a source's or a task's; else a task's own: the record of its run, or where its results go. */
export interface OutsideChat {
	readonly sessionId: SessionId;
	readonly proposalId?: ProposalId | undefined;
	readonly sourceId?: WatchedSourceId | undefined;
	readonly taskId?: TaskId | undefined;
}

export function insertOutsideChat(db: WriteDb, { sessionId, proposalId, sourceId, taskId }: OutsideChat): void {
	run(
		db,
		sql`INSERT INTO outside_chats (session_id, proposal_id, source_id, task_id)
			VALUES (${sessionId}, ${proposalId ?? null}, ${sourceId ?? null}, ${taskId ?? null}) ON CONFLICT DO NOTHING`,
	);
}

/** What is copied of such a chat is as much one. */
export function copyOutsideChat(db: WriteDb, from: SessionId, to: SessionId): void {
	run(
		db,
		sql`INSERT INTO outside_chats (session_id, proposal_id, source_id, task_id)
			SELECT ${to}, proposal_id, source_id, task_id FROM outside_chats WHERE session_id = ${from}`,
	);
}

/** `whole`: nothing in them is for other chats. Of the others what is labelled external is not. */
export function outsideChats(db: ReadDb): { readonly whole: ReadonlySet<SessionId>; readonly tasks: ReadonlySet<SessionId> } {
	const rows = all<{ id: SessionId; finding: number }>(
		db,
		sql`SELECT session_id AS id, proposal_id IS NOT NULL AS finding FROM outside_chats`,
	);
	const ids = (finding: number) => new Set(rows.flatMap((row) => (row.finding === finding ? [row.id] : [])));
	return { whole: ids(1), tasks: ids(0) };
}

export function isFindingChat(db: ReadDb, id: SessionId): boolean {
	return value(db, sql`SELECT 1 FROM outside_chats WHERE session_id = ${id} AND proposal_id IS NOT NULL`) !== undefined;
}

/** Those about findings of this source, oldest first. */
export function chatsOfSource(db: ReadDb, id: WatchedSourceId): { sessionId: SessionId; title: string }[] {
	return all<{ sessionId: SessionId; title: string }>(
		db,
		sql`SELECT s.id AS sessionId, s.title FROM outside_chats c JOIN sessions s ON s.id = c.session_id WHERE c.source_id = ${id} ORDER BY s.created_at`,
	);
}
