import type { ReadDb } from '../db/brands.ts';
import { terminal } from '../domain/errors.ts';
import type { MessageId, SessionId } from '../domain/ids.ts';
import type { Message } from '../domain/message.ts';
import { branchLength, branchTo, getMessage, lastShared, messageAtDepth } from './message-store.ts';
import { getSession } from './session-store.ts';

export interface PageInput {
	readonly sessionId: SessionId;
	/** The page ends before this message. */
	readonly before?: MessageId | undefined;
	/** The page lies around this message, or, where it is in another version, around the place where the versions part. */
	readonly around?: MessageId | undefined;
	readonly limit: number;
}

export interface Page {
	/** Of the chosen branch, oldest first. */
	readonly messages: Message[];
	readonly hasOlder: boolean;
	/** Messages of the whole branch. */
	readonly total: number;
}

/** Throws `not_found` for a session or message that is not there. */
export function readPage(db: ReadDb, input: PageInput): Page {
	const { headId } = getSession(db, input.sessionId);
	if (headId === null) return { messages: [], hasOlder: false, total: 0 };
	const total = branchLength(db, headId);
	const lastId = lastOfPage(db, headId, total, input);
	const messages = lastId === null ? [] : branchTo(db, lastId, input.limit);
	return { messages, hasOlder: (messages[0]?.parentId ?? null) !== null, total };
}

function lastOfPage(db: ReadDb, headId: MessageId, total: number, input: PageInput): MessageId | null {
	if (input.around !== undefined) return lastAround(db, headId, total, ofSession(db, input.around, input.sessionId).id, input.limit);
	if (input.before !== undefined) return ofSession(db, input.before, input.sessionId).parentId;
	return headId;
}

function lastAround(db: ReadDb, headId: MessageId, total: number, around: MessageId, limit: number): MessageId {
	let depth = branchLength(db, around) - 1;
	if (messageAtDepth(db, headId, depth) !== around) {
		const shared = lastShared(db, headId, around);
		depth = shared === undefined ? 0 : branchLength(db, shared) - 1;
	}
	const last = Math.min(total - 1, Math.max(depth + Math.floor(limit / 2), limit - 1));
	return messageAtDepth(db, headId, last) ?? headId;
}

function ofSession(db: ReadDb, id: MessageId, sessionId: SessionId): Message {
	const message = getMessage(db, id);
	if (message.sessionId !== sessionId) throw terminal('not_found', 'That message is not in this chat.');
	return message;
}
