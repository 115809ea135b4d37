import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, run, runOne, sql, value } from '../db/sql.ts';
import type { ContextSource } from '../domain/context-source.ts';
import { type ErrorShape, terminal } from '../domain/errors.ts';
import type { MessageId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import type { Message, MessagePart, MessageStatus } from '../domain/message.ts';
import type { ModelRef, Usage } from '../domain/model.ts';
import { headOf, type MessageHead, type MessageRow, messageOf, searchText } from './message-row.ts';
import { changeParts, partsChange } from './part-store.ts';

export interface NewMessage {
	readonly id: MessageId;
	readonly sessionId: SessionId;
	/** The message it follows, in the same session; null for a first message. */
	readonly parentId: MessageId | null;
	readonly role: Message['role'];
	readonly parts: readonly MessagePart[];
	readonly status: MessageStatus;
	readonly label: Label;
	/** What it was made from. */
	readonly sources?: readonly ContextSource[] | undefined;
	readonly createdAt: Timestamp;
	readonly runId?: RunId | null;
	readonly model?: ModelRef;
	readonly modelName?: string;
	readonly usage?: Usage;
	readonly error?: ErrorShape;
}

/** What changes; what is left out stays. `null` removes. */
export interface MessageChange {
	readonly parts?: readonly MessagePart[];
	readonly status?: MessageStatus;
	readonly error?: ErrorShape | null;
	readonly runId?: RunId | null;
	readonly model?: ModelRef | null;
	readonly modelName?: string | null;
	readonly usage?: Usage | null;
	readonly label?: Label;
	readonly sources?: readonly ContextSource[] | undefined;
}

/** The columns of a message with the versions at its place; `m` is the message's row. `HEAD`: without its parts. */
const HEAD = sql`m.id, m.session_id, m.parent_id, m.role, m.status, m.error, m.run_id, m.model, m.model_name, m.usage, m.label,
	m.sources, m.created_at, (SELECT json_group_array(s.id ORDER BY s.rowid) FROM messages s
		WHERE s.session_id = m.session_id AND s.parent_id IS m.parent_id AND s.role = m.role) AS versions`;
const COLUMNS = sql`${HEAD}, (SELECT json_group_array(json(p.part) ORDER BY p.position) FROM message_parts p WHERE p.message_id = m.id) AS parts`;

export function insertMessage(db: WriteDb, message: NewMessage): void {
	const depth = message.parentId === null ? 0 : childDepth(db, message.sessionId, message.parentId);
	runOne(
		db,
		sql`INSERT INTO messages (id, session_id, parent_id, depth, role, status, error, run_id, model, model_name, usage, label, sources, text, created_at)
		VALUES (${message.id}, ${message.sessionId}, ${message.parentId}, ${depth}, ${message.role}, ${message.status},
			${json(message.error)}, ${message.runId ?? null}, ${json(message.model)}, ${message.modelName ?? null}, ${json(message.usage)},
			${message.label}, ${json(message.sources)}, ${seen(searchText(message.parts), sql`${message.sessionId}`)}, ${message.createdAt})`,
	);
	changeParts(db, message.id, partsChange([], message.parts));
}

/** A reply that says nothing yet, for a run to write. */
export function insertReply(db: WriteDb, reply: Pick<NewMessage, 'id' | 'sessionId' | 'parentId' | 'createdAt'> & { runId: RunId }): void {
	insertMessage(db, { ...reply, role: 'assistant', parts: [], status: 'streaming', label: 'agent' });
}

/** Changes what is named. New `parts` also renew what full-text search sees. */
export function updateMessage(db: WriteDb, id: MessageId, change: MessageChange): void {
	const { parts } = change;
	if (parts) {
		changeParts(db, id, partsChange([], parts));
		renewText(db, id, parts);
	}
	runOne(
		db,
		sql`UPDATE messages SET
			status = coalesce(${change.status ?? null}, status),
			label = coalesce(${change.label ?? null}, label),
			sources = coalesce(${json(change.sources)}, sources),
			error = iif(${change.error !== undefined}, ${json(change.error)}, error),
			run_id = iif(${change.runId !== undefined}, ${change.runId ?? null}, run_id),
			model = iif(${change.model !== undefined}, ${json(change.model)}, model),
			model_name = iif(${change.modelName !== undefined}, ${change.modelName ?? null}, model_name),
			usage = iif(${change.usage !== undefined}, ${json(change.usage)}, usage)
		WHERE id = ${id}`,
	);
}

/** What full-text search sees of a message, once its parts are as given: costs their length, and is not part of `changeParts` for that reason. */
export function renewText(db: WriteDb, id: MessageId, parts: readonly MessagePart[]): void {
	runOne(db, sql`UPDATE messages SET text = ${seen(searchText(parts), sql`session_id`)} WHERE id = ${id}`);
}

/** Search sees nothing of work sessions. */
function seen(text: string, sessionId: Query): Query {
	return sql`iif((SELECT kind FROM sessions WHERE id = ${sessionId}) = 'chat', ${text}, '')`;
}

export function findMessage(db: ReadDb, id: MessageId): Message | undefined {
	const row = get<MessageRow>(db, sql`SELECT ${COLUMNS} FROM messages m WHERE m.id = ${id}`);
	return row && messageOf(row);
}

/** A message without its parts, however many those are. Throws `not_found`. */
export function getMessageHead(db: ReadDb, id: MessageId): MessageHead {
	const row = get<Omit<MessageRow, 'parts'>>(db, sql`SELECT ${HEAD} FROM messages m WHERE m.id = ${id}`);
	if (!row) throw messageGone();
	return headOf(row);
}

/** The stored message. Throws `not_found`. */
export function getMessage(db: ReadDb, id: MessageId): Message {
	const message = findMessage(db, id);
	if (!message) throw messageGone();
	return message;
}

/**
 * The messages from the root (or the `limit` newest of them) to `headId`, oldest first. The cost is that of the messages
 * returned, however long the branch is. Empty where there is no such message.
 */
export function branchTo(db: ReadDb, headId: MessageId, limit = -1): Message[] {
	const rows = all<MessageRow>(
		db,
		sql`WITH RECURSIVE branch (row, parent) AS (
				SELECT rowid, parent_id FROM messages WHERE id = ${headId}
				UNION ALL
				SELECT p.rowid, p.parent_id FROM branch JOIN messages p ON p.id = branch.parent
				LIMIT ${limit}
			)
			SELECT ${COLUMNS} FROM branch CROSS JOIN messages m ON m.rowid = branch.row ORDER BY m.depth`,
	);
	return rows.map(messageOf);
}

/** Every message of a session, all versions, in the order they were added. */
export function allMessages(db: ReadDb, sessionId: SessionId): Message[] {
	return all<MessageRow>(db, sql`SELECT ${COLUMNS} FROM messages m WHERE m.session_id = ${sessionId} ORDER BY m.rowid`).map(messageOf);
}

/** How many messages lead to this one, itself included. Throws `not_found`. */
export function branchLength(db: ReadDb, id: MessageId): number {
	const depth = value<number>(db, sql`SELECT depth FROM messages WHERE id = ${id}`);
	if (depth === undefined) throw messageGone();
	return depth + 1;
}

/** The message of the branch that ends in `headId` which stands at `depth` (0 is the first). */
export function messageAtDepth(db: ReadDb, headId: MessageId, depth: number): MessageId | undefined {
	return value<MessageId>(
		db,
		sql`WITH RECURSIVE branch (id, parent, depth) AS (
				SELECT id, parent_id, depth FROM messages WHERE id = ${headId}
				UNION ALL
				SELECT p.id, p.parent_id, p.depth FROM branch JOIN messages p ON p.id = branch.parent WHERE branch.depth > ${depth}
			)
			SELECT id FROM branch WHERE depth = ${depth}`,
	);
}

/** The newest message that both branches share; `undefined` where they share none. */
export function lastShared(db: ReadDb, headId: MessageId, otherId: MessageId): MessageId | undefined {
	return value<MessageId>(
		db,
		sql`WITH RECURSIVE one (id, parent) AS (
				SELECT id, parent_id FROM messages WHERE id = ${headId}
				UNION ALL
				SELECT p.id, p.parent_id FROM one JOIN messages p ON p.id = one.parent
			), other (id, parent, depth) AS (
				SELECT id, parent_id, depth FROM messages WHERE id = ${otherId}
				UNION ALL
				SELECT p.id, p.parent_id, p.depth FROM other JOIN messages p ON p.id = other.parent
			)
			SELECT id FROM other WHERE id IN (SELECT id FROM one) ORDER BY depth DESC LIMIT 1`,
	);
}

/** The end of the branch below a version: at each place the newest version is followed. The message itself where nothing follows it. */
export function newestLeafBelow(db: ReadDb, id: MessageId): MessageId {
	const leaf = value<MessageId>(
		db,
		sql`WITH RECURSIVE below (row, id, depth) AS (
				SELECT rowid, id, depth FROM messages WHERE id = ${id}
				UNION ALL
				SELECT c.rowid, c.id, c.depth FROM below JOIN messages c
					ON c.rowid = (SELECT max(rowid) FROM messages WHERE parent_id = below.id)
			)
			SELECT id FROM below ORDER BY depth DESC LIMIT 1`,
	);
	if (leaf === undefined) throw messageGone();
	return leaf;
}

/** Removes all messages of a session. Their runs go with them. */
export function deleteMessages(db: WriteDb, sessionId: SessionId): void {
	// A chain of thousands of cascades from parent to child is deeper than SQLite allows: the tree is taken apart first.
	run(db, sql`UPDATE messages SET parent_id = NULL WHERE session_id = ${sessionId}`);
	run(db, sql`DELETE FROM messages WHERE session_id = ${sessionId}`);
}

function childDepth(db: ReadDb, sessionId: SessionId, parentId: MessageId): number {
	const depth = value<number>(db, sql`SELECT depth FROM messages WHERE id = ${parentId} AND session_id = ${sessionId}`);
	if (depth === undefined) throw messageGone();
	return depth + 1;
}

function messageGone() {
	return terminal('not_found', 'That message no longer exists.', { action: 'Open the chat anew to see what it holds now.' });
}

function json(given: unknown): string | null {
	return given === undefined || given === null ? null : JSON.stringify(given);
}
