import { newId } from '../base/ids.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { MessageId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import { messageText } from '../domain/message.ts';
import { findMessage, insertMessage, insertReply } from '../sessions/message-store.ts';
import { beginSession, getSession, setHead, touchSession } from '../sessions/session-store.ts';
import { titleFromText } from '../sessions/title.ts';
import type { RunTerms } from './events.ts';
import { findRunByKey, type NewRun } from './journal-store.ts';

/** What a run is begun with. What is left out is as in a chat turn. */
export interface RunBeginning extends RunTerms, Pick<NewRun, 'beginKey' | 'parentRunId' | 'instanceId' | 'from'> {
	readonly id: RunId;
	readonly sessionId: SessionId;
	/** Its reply, which the caller has added already. */
	readonly messageId: MessageId;
	/** What it is about, in one line; of the message that it replies to where left out. */
	readonly title?: string | undefined;
	/** The owner's limit where left out. */
	readonly maxModelCalls?: number | undefined;
}

/** A run with its place, for work that is no chat turn. */
export interface WorkBeginning
	extends Omit<RunBeginning, 'id' | 'sessionId' | 'messageId' | 'title' | 'kind' | 'beginKey' | 'label' | 'sources'> {
	readonly kind: 'child' | 'workflow' | 'heartbeat' | 'task';
	/** Begun once for this key (R2). */
	readonly beginKey: string;
	readonly title: string;
	/** What it is told to do, and how far that is to be trusted. */
	readonly task: string;
	readonly label: Label;
	/** What the task was made from. */
	readonly sources?: ContextSource[] | undefined;
	/** Goes on in this session; in one of its own where left out. */
	readonly sessionId?: SessionId | undefined;
	readonly id?: RunId | undefined;
}

export interface BegunWork {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly messageId: MessageId;
	/** False: it was begun before, and nothing was added. */
	readonly fresh: boolean;
}

/** The message with the task, an empty reply and its run, in the caller's transaction. */
export function beginWork(tx: WriteDb, work: WorkBeginning, now: Timestamp, begin: (run: RunBeginning) => void): BegunWork {
	const before = findRunByKey(tx, work.beginKey);
	if (before) return { runId: before.id, sessionId: before.sessionId, messageId: before.messageId, fresh: false };
	const { task, label, sources, id: runId = newId<RunId>(), ...terms } = work;
	const sessionId = work.sessionId ?? beginSession(tx, work.title, now, 'work');
	const taskId = newId<MessageId>();
	const messageId = newId<MessageId>();
	const { headId } = getSession(tx, sessionId);
	const message = { sessionId, createdAt: now };
	const parts = [{ type: 'text' as const, text: task }];
	insertMessage(tx, { ...message, id: taskId, parentId: headId, role: 'user', parts, status: 'complete', label, sources });
	insertReply(tx, { ...message, id: messageId, parentId: taskId, runId });
	begin({ unattended: true, ...terms, ...(terms.script && { label, sources }), id: runId, sessionId, messageId });
	setHead(tx, sessionId, messageId);
	touchSession(tx, sessionId, now);
	return { runId, sessionId, messageId, fresh: true };
}

/** Of what it replies to. */
export function titleOfReply(db: ReadDb, messageId: MessageId): string {
	const asked = findMessage(db, messageId)?.parentId;
	const message = asked ? findMessage(db, asked) : undefined;
	return (message && titleFromText(messageText(message))) ?? '';
}
