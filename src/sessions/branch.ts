import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import type { AttachmentId, MessageId, SessionId, Timestamp } from '../domain/ids.ts';
import type { Message, MessagePart, MessageStatus } from '../domain/message.ts';
import { cutCodePoints } from '../domain/text.ts';
import { copyAttachment, findAttachment } from './attachment-store.ts';
import { type CopiedIds, copyCompactions, withCopiedSummary } from './compaction-store.ts';
import { branchTo, getMessage, insertMessage } from './message-store.ts';
import { copyOutsideChat } from './outside-chat-store.ts';
import { excludedParts, getSession, insertSession, setExcludedParts, setHead } from './session-store.ts';
import { UNTITLED } from './title.ts';

const TITLE_LIMIT = 200;

export interface BranchOf {
	/** Of the title: `Branch of `. */
	readonly prefix: string;
	/** In place of the words of the last message; what is attached to it stays, and its label: what was reworded may hold much of it (B2). */
	readonly lastText?: string;
}

/**
 * A new session with copies of the messages up to and including `lastId` and of their attachments. Runs stay behind: a
 * reply that is not complete is copied as stopped. `asShown` gives a message with the text it has at this moment.
 */
export function copyBranch(
	tx: WriteDb,
	lastId: MessageId,
	now: Timestamp,
	asShown: (message: Message) => Message,
	{ prefix, lastText }: BranchOf = { prefix: 'Branch of ' },
): SessionId {
	const source = getSession(tx, getMessage(tx, lastId).sessionId);
	const messages = branchTo(tx, lastId).map(asShown);
	const id = newId<SessionId>();
	insertSession(tx, {
		...source,
		id,
		kind: 'chat',
		title: branchTitle(prefix, source.title),
		pinned: false,
		headId: null,
		createdAt: now,
		updatedAt: now,
	});
	setExcludedParts(tx, id, excludedParts(tx, source.id));
	copyOutsideChat(tx, source.id, id);
	const copies = new Map<AttachmentId, AttachmentId>();
	const messageCopies = new Map<MessageId, MessageId>();
	const summaries: CopiedIds = new Map();
	let parentId: MessageId | null = null;
	for (const message of messages) {
		const copyId = newId<MessageId>();
		const edited = lastText !== undefined && message.id === lastId;
		const given = edited ? withText(message.parts, lastText) : message.parts;
		const parts = given.map((part) => copyPart(tx, withCopiedSummary(part, summaries), id, copies));
		insertMessage(tx, { ...message, id: copyId, sessionId: id, parentId, parts, status: settled(message.status), runId: null });
		messageCopies.set(message.id, copyId);
		parentId = copyId;
	}
	copyCompactions(tx, source.id, id, { copies: messageCopies, ids: summaries });
	if (parentId !== null) setHead(tx, id, parentId);
	return id;
}

function withText(parts: readonly MessagePart[], text: string): MessagePart[] {
	return [{ type: 'text', text }, ...parts.filter((part) => part.type !== 'text')];
}

function branchTitle(prefix: string, title: string): string {
	if (title === UNTITLED) return title;
	const whole = title.startsWith(prefix) ? title : prefix + title;
	return whole.length <= TITLE_LIMIT ? whole : `${cutCodePoints(whole, TITLE_LIMIT - 1)}…`;
}

function copyPart(tx: WriteDb, part: MessagePart, sessionId: SessionId, copies: Map<AttachmentId, AttachmentId>): MessagePart {
	if (part.type === 'tool' && !['done', 'failed', 'denied', 'skipped'].includes(part.status)) return { ...part, status: 'stopped' };
	if (part.type !== 'attachment') return part;
	const { id } = part.attachment;
	let copyId = copies.get(id);
	if (copyId === undefined) {
		copyId = newId<AttachmentId>();
		copies.set(id, copyId);
		if (findAttachment(tx, id)) copyAttachment(tx, id, copyId, sessionId);
	}
	return { ...part, attachment: { ...part.attachment, id: copyId } };
}

/** The status of a message whose run is not there. */
function settled(status: MessageStatus): MessageStatus {
	return status === 'streaming' || status === 'waiting' || status === 'interrupted' ? 'stopped' : status;
}
