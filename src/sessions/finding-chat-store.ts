import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, runOne, sql, value } from '../db/sql.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { SessionId } from '../domain/ids.ts';
import type { ProposalId } from '../domain/memory.ts';

/** Chats that the owner began about a finding. What is quarantined is in them because the owner asked for it, and in no other chat for that (B1). */

export function insertFindingChat(db: WriteDb, chat: { sessionId: SessionId; proposalId: ProposalId; sourceId: WatchedSourceId }): void {
	const { sessionId, proposalId, sourceId } = chat;
	runOne(db, sql`INSERT INTO finding_chats (session_id, proposal_id, source_id) VALUES (${sessionId}, ${proposalId}, ${sourceId})`);
}

/** What is copied of such a chat is as much about the finding. */
export function copyFindingChat(db: WriteDb, from: SessionId, to: SessionId): void {
	run(
		db,
		sql`INSERT INTO finding_chats (session_id, proposal_id, source_id) SELECT ${to}, proposal_id, source_id FROM finding_chats WHERE session_id = ${from}`,
	);
}

export function findingChats(db: ReadDb): Set<SessionId> {
	return new Set(all<{ id: SessionId }>(db, sql`SELECT session_id AS id FROM finding_chats`).map(({ id }) => id));
}

export function isFindingChat(db: ReadDb, id: SessionId): boolean {
	return value(db, sql`SELECT 1 FROM finding_chats WHERE session_id = ${id}`) !== undefined;
}

/** Those about findings of this source, oldest first. */
export function chatsOfSource(db: ReadDb, id: WatchedSourceId): { sessionId: SessionId; title: string }[] {
	return all<{ sessionId: SessionId; title: string }>(
		db,
		sql`SELECT s.id AS sessionId, s.title FROM finding_chats c JOIN sessions s ON s.id = c.session_id WHERE c.source_id = ${id} ORDER BY s.created_at`,
	);
}
