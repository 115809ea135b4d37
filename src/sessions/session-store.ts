import { z } from 'zod';
import { newId } from '../base/ids.ts';
import type { SessionSummary } from '../contract/shapes.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { MessageId, SessionId, Timestamp } from '../domain/ids.ts';
import { messageText } from '../domain/message.ts';
import { OWNERS_INTERRUPTS } from '../domain/run.ts';
import { deleteMessages } from './message-store.ts';
import { readParts } from './part-store.ts';
import { titleFromText, UNTITLED } from './title.ts';

/** `work`: of a run that is no chat turn. Neither the list of chats nor search shows it. */
export type SessionKind = 'chat' | 'work';

export interface Session {
	readonly id: SessionId;
	readonly kind: SessionKind;
	readonly title: string;
	/** `owner`: given by the owner, never replaced by an automatic one. */
	readonly titleBy: 'auto' | 'owner';
	readonly pinned: boolean;
	/** The newest message of the chosen branch; null while there is none. */
	readonly headId: MessageId | null;
	readonly createdAt: Timestamp;
	readonly updatedAt: Timestamp;
}

interface SessionRow {
	id: SessionId;
	kind: SessionKind;
	title: string;
	title_by: 'auto' | 'owner';
	pinned: number;
	head_id: MessageId | null;
	created_at: number;
	updated_at: number;
}

interface SummaryRow extends SessionRow {
	message_count: number;
	activity: SessionSummary['activity'];
}

/** `interrupted` counts for the chosen branch only: an old version that was cut off asks for nothing. */
const SUMMARY = sql`SELECT s.*, coalesce(head.depth + 1, 0) AS message_count,
		CASE
			WHEN EXISTS (SELECT 1 FROM interrupts i WHERE i.session_id = s.id AND i.status = 'open'
				AND i.kind IN (SELECT value FROM json_each(${JSON.stringify(OWNERS_INTERRUPTS)}))) THEN 'needs_owner'
			WHEN EXISTS (SELECT 1 FROM runs r WHERE r.session_id = s.id AND r.status = 'running') THEN 'running'
			WHEN head.status = 'interrupted' THEN 'interrupted'
			ELSE 'idle'
		END AS activity
	FROM sessions s LEFT JOIN messages head ON head.id = s.head_id`;

export function insertSession(db: WriteDb, session: Session): void {
	runOne(
		db,
		sql`INSERT INTO sessions (id, kind, title, title_by, pinned, head_id, created_at, updated_at)
		VALUES (${session.id}, ${session.kind}, ${session.title}, ${session.titleBy}, ${session.pinned}, ${session.headId}, ${session.createdAt}, ${session.updatedAt})`,
	);
}

/** An empty session, named by the owner, or by its first message. */
export function beginSession(db: WriteDb, givenTitle: string | undefined, now: Timestamp, kind: SessionKind = 'chat'): SessionId {
	const id = newId<SessionId>();
	const named =
		givenTitle === undefined ? ({ title: UNTITLED, titleBy: 'auto' } as const) : ({ title: givenTitle, titleBy: 'owner' } as const);
	insertSession(db, { id, kind, ...named, pinned: false, headId: null, createdAt: now, updatedAt: now });
	return id;
}

export function findSession(db: ReadDb, id: SessionId): Session | undefined {
	const row = get<SessionRow>(db, sql`SELECT * FROM sessions WHERE id = ${id}`);
	return row && sessionOf(row);
}

/** Throws `not_found`. */
export function getSession(db: ReadDb, id: SessionId): Session {
	const session = findSession(db, id);
	if (!session) throw sessionGone();
	return session;
}

/** What lists show of a session. Throws `not_found`. */
export function summarise(db: ReadDb, id: SessionId): SessionSummary {
	const row = get<SummaryRow>(db, sql`${SUMMARY} WHERE s.id = ${id}`);
	if (!row) throw sessionGone();
	return summaryOf(row);
}

/** All chats: pinned ones first, then by when they last changed. */
export function listSessions(db: ReadDb): SessionSummary[] {
	return all<SummaryRow>(db, sql`${SUMMARY} WHERE s.kind = 'chat' ORDER BY s.pinned DESC, s.updated_at DESC, s.id DESC`).map(summaryOf);
}

export function listTitles(db: ReadDb): { id: SessionId; title: string; updatedAt: Timestamp }[] {
	return all(db, sql`SELECT id, title, updated_at AS updatedAt FROM sessions WHERE kind = 'chat' ORDER BY updated_at DESC, id DESC`);
}

/** The owner's own title; it stays whatever is written later. */
export function renameSession(db: WriteDb, id: SessionId, title: string): void {
	mustExist(run(db, sql`UPDATE sessions SET title = ${title}, title_by = 'owner' WHERE id = ${id}`));
}

/**
 * Names a session after the owner's first message. Does nothing once it has a name, by the owner or by an earlier message,
 * or where the text holds no words. Returns whether the title changed.
 */
export function autoTitle(db: WriteDb, id: SessionId, firstText: string): boolean {
	const title = titleFromText(firstText);
	if (title === undefined) return false;
	return (
		run(db, sql`UPDATE sessions SET title = ${title} WHERE id = ${id} AND kind = 'chat' AND title_by = 'auto' AND title = ${UNTITLED}`) ===
		1
	);
}

export function pinSession(db: WriteDb, id: SessionId, pinned: boolean): void {
	mustExist(run(db, sql`UPDATE sessions SET pinned = ${pinned} WHERE id = ${id}`));
}

/** Chooses the branch: `headId` becomes its newest message. The message must be one of the session's. */
export function setHead(db: WriteDb, id: SessionId, headId: MessageId): void {
	runOne(
		db,
		sql`UPDATE sessions SET head_id = ${headId}
		WHERE id = ${id} AND EXISTS (SELECT 1 FROM messages WHERE id = ${headId} AND session_id = ${id})`,
	);
}

/** Something was said: the session moves to the top. Never backwards, should the clock jump (dur-6). */
export function touchSession(db: WriteDb, id: SessionId, now: Timestamp): void {
	runOne(db, sql`UPDATE sessions SET updated_at = max(updated_at, ${now}) WHERE id = ${id}`);
}

/** Names that were made of one of these messages, given by rowid, are made anew: those say something else now. */
export function retitleSessions(db: WriteDb, messageRowids: readonly number[]): void {
	const rows = all<{ id: SessionId; messageId: MessageId }>(
		db,
		sql`SELECT s.id, m.id AS messageId FROM messages m JOIN sessions s ON s.id = m.session_id
		WHERE s.kind = 'chat' AND s.title_by = 'auto' AND m.rowid IN (SELECT value FROM json_each(${JSON.stringify(messageRowids)}))
			AND m.rowid = (SELECT min(rowid) FROM messages f WHERE f.session_id = s.id)`,
	);
	for (const { id, messageId } of rows) {
		const title = titleFromText(messageText({ parts: readParts(db, messageId) })) ?? UNTITLED;
		runOne(db, sql`UPDATE sessions SET title = ${title} WHERE id = ${id}`);
	}
}

/** The session and, however deep, those of the work that its runs delegated. */
export function sessionsBelow(db: ReadDb, id: SessionId): SessionId[] {
	return all<{ id: SessionId }>(
		db,
		sql`WITH RECURSIVE below (id) AS (
				SELECT ${id}
				UNION
				SELECT child.session_id FROM below JOIN runs parent ON parent.session_id = below.id JOIN runs child ON child.parent_run_id = parent.id
					JOIN sessions s ON s.id = child.session_id AND s.kind = 'work'
			)
			SELECT id FROM below`,
	).map((row) => row.id);
}

/**
 * Removes the session with all it owns in the database, the sessions below it too. Files of attachments and blobs are the caller's to
 * collect afterwards.
 */
export function deleteSession(db: WriteDb, id: SessionId): void {
	for (const each of sessionsBelow(db, id)) {
		deleteMessages(db, each);
		mustExist(run(db, sql`DELETE FROM sessions WHERE id = ${each}`));
	}
}

const PartIds = z.array(z.string());

/** Ids of the prompt parts that the owner took out of this session's prompts (M6). */
export function excludedParts(db: ReadDb, id: SessionId): string[] {
	const row = get<{ excluded_parts: string }>(db, sql`SELECT excluded_parts FROM sessions WHERE id = ${id}`);
	if (!row) throw sessionGone();
	return PartIds.parse(JSON.parse(row.excluded_parts));
}

export function setExcludedParts(db: WriteDb, id: SessionId, partIds: readonly string[]): void {
	const unique = [...new Set(partIds)];
	mustExist(run(db, sql`UPDATE sessions SET excluded_parts = ${JSON.stringify(unique)} WHERE id = ${id}`));
}

function sessionOf(row: SessionRow): Session {
	return {
		id: row.id,
		kind: row.kind,
		title: row.title,
		titleBy: row.title_by,
		pinned: row.pinned === 1,
		headId: row.head_id,
		createdAt: row.created_at,
		updatedAt: row.updated_at,
	};
}

function summaryOf(row: SummaryRow): SessionSummary {
	return {
		id: row.id,
		title: row.title,
		pinned: row.pinned === 1,
		createdAt: row.created_at,
		updatedAt: row.updated_at,
		messageCount: row.message_count,
		activity: row.activity,
	};
}

function mustExist(changes: number): void {
	if (changes === 0) throw sessionGone();
	if (changes !== 1) throw new Error(`expected to change 1 session, changed ${changes}`);
}

function sessionGone() {
	return terminal('not_found', 'That chat no longer exists.', { action: 'Choose another chat from the list.' });
}
