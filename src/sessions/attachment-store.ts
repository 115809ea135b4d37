import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { AttachmentId, SessionId, Timestamp } from '../domain/ids.ts';
import type { AttachmentInfo, MessagePart } from '../domain/message.ts';

/** An attachment with what a model can read of it. Its bytes are the file `attachmentPath(folder, hash)`. */
export interface StoredAttachment {
	readonly info: AttachmentInfo;
	readonly sessionId: SessionId;
	/** SHA-256 of the bytes, in hexadecimal. */
	readonly hash: string;
	/** Empty for images. */
	readonly text: string;
	readonly createdAt: Timestamp;
}

interface AttachmentRow {
	id: AttachmentId;
	session_id: SessionId;
	name: string;
	mime: string;
	bytes: number;
	kind: AttachmentInfo['kind'];
	hash: string;
	text: string;
	created_at: number;
}

export function insertAttachment(db: WriteDb, attachment: StoredAttachment): void {
	const { info } = attachment;
	runOne(
		db,
		sql`INSERT INTO attachments (id, session_id, name, mime, bytes, kind, hash, text, created_at)
		VALUES (${info.id}, ${attachment.sessionId}, ${info.name}, ${info.mime}, ${info.bytes}, ${info.kind}, ${attachment.hash},
			${attachment.text}, ${attachment.createdAt})`,
	);
}

export function findAttachment(db: ReadDb, id: AttachmentId): StoredAttachment | undefined {
	const row = get<AttachmentRow>(db, sql`SELECT * FROM attachments WHERE id = ${id}`);
	return row && attachmentOf(row);
}

/** Throws `not_found`. */
export function getAttachment(db: ReadDb, id: AttachmentId): StoredAttachment {
	const attachment = findAttachment(db, id);
	if (!attachment) throw attachmentGone();
	return attachment;
}

/** The attachments with these ids, in this order. All must belong to the session; throws `not_found` otherwise. */
export function getAttachments(db: ReadDb, sessionId: SessionId, ids: readonly AttachmentId[]): StoredAttachment[] {
	return ids.map((id) => {
		const attachment = getAttachment(db, id);
		if (attachment.sessionId !== sessionId) throw attachmentGone();
		return attachment;
	});
}

/** The stored attachments that a message's parts name, in their order. One that is gone is left out. */
export function attachmentsOf(db: ReadDb, parts: readonly MessagePart[]): StoredAttachment[] {
	return parts.flatMap((part) => {
		if (part.type !== 'attachment') return [];
		return findAttachment(db, part.attachment.id) ?? [];
	});
}

/** The hashes of a session's files, each once. */
export function hashesOf(db: ReadDb, sessionId: SessionId): string[] {
	return all<{ hash: string }>(db, sql`SELECT DISTINCT hash FROM attachments WHERE session_id = ${sessionId}`).map((row) => row.hash);
}

/** One file, by what was read out of it. */
export interface AttachmentContent {
	readonly hash: string;
	readonly kind: AttachmentInfo['kind'];
	readonly text: string;
}

/** What was read out of the file with this hash: the same for all attachments that share it, unless it was read by different versions. */
export function attachmentContents(db: ReadDb, hash: string): AttachmentContent[] {
	return all(db, sql`SELECT DISTINCT hash, kind, text FROM attachments WHERE hash = ${hash}`);
}

/** The attachments of one file have another one now. */
export function moveAttachments(db: WriteDb, hash: string, to: string, bytes: number): void {
	run(db, sql`UPDATE attachments SET hash = ${to}, bytes = ${bytes} WHERE hash = ${hash}`);
}

/** Which of these files no attachment names any more. */
export function unreferencedHashes(db: ReadDb, hashes: readonly string[]): string[] {
	return all<{ hash: string }>(
		db,
		sql`SELECT value AS hash FROM json_each(${JSON.stringify(hashes)}) WHERE value NOT IN (SELECT hash FROM attachments)`,
	).map((row) => row.hash);
}

/** Gives another session a copy that shares the file. */
export function copyAttachment(db: WriteDb, id: AttachmentId, copyId: AttachmentId, sessionId: SessionId): void {
	runOne(
		db,
		sql`INSERT INTO attachments (id, session_id, name, mime, bytes, kind, hash, text, created_at)
		SELECT ${copyId}, ${sessionId}, name, mime, bytes, kind, hash, text, created_at FROM attachments WHERE id = ${id}`,
	);
}

function attachmentOf(row: AttachmentRow): StoredAttachment {
	return {
		info: { id: row.id, name: row.name, mime: row.mime, bytes: row.bytes, kind: row.kind, textChars: row.text.length },
		sessionId: row.session_id,
		hash: row.hash,
		text: row.text,
		createdAt: row.created_at,
	};
}

function attachmentGone() {
	return terminal('not_found', 'That attachment no longer exists.', { action: 'Attach the file again.' });
}
