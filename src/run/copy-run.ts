import type { WriteDb } from '../db/brands.ts';
import type { MessageId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import type { RunSummary } from '../domain/run.ts';
import { copyReplyCompactions } from '../sessions/compaction-store.ts';
import { insertReply, updateMessage } from '../sessions/message-store.ts';
import type { Checkpoint } from './checkpoint-store.ts';
import type { RunEvent, RunEventOf } from './events.ts';
import { insertRun, readEvents, setRunStatus } from './journal-store.ts';
import { reduce, replay } from './reduce.ts';
import { messageOf, statusOf } from './state.ts';
import { copyJournal } from './state-at.ts';

export interface Copy {
	readonly runId: RunId;
	readonly messageId: MessageId;
	readonly sessionId: SessionId;
	/** What it is a reply to. */
	readonly parentId: MessageId;
	readonly title: string;
	readonly event: RunEventOf<'restored'> | RunEventOf<'forked'>;
	/** What is different in how it was begun. */
	readonly started: Partial<RunEventOf<'run_started'>>;
}

/**
 * A run with the past of another one up to a checkpoint, and its reply as far as it was then. Throws IllegalEvent where there is nothing to go
 * on with; the caller's transaction is then given up.
 */
export function copyRun(
	tx: WriteDb,
	source: RunSummary,
	checkpoint: Checkpoint,
	copy: Copy,
	now: Timestamp,
	append: (runId: RunId, seq: number, event: RunEvent) => void,
): void {
	const { runId, messageId, sessionId, parentId, title, event, started } = copy;
	const how = event.type === 'forked' ? 'fork' : 'restore';
	insertReply(tx, { id: messageId, sessionId, parentId, runId, createdAt: now });
	insertRun(tx, { id: runId, sessionId, messageId, kind: 'chat', title, from: { ...event.from, how }, createdAt: now });
	copyJournal(tx, source.id, checkpoint.seq, { runId, sessionId, messageId }, started);
	const { state } = reduce(replay(readEvents(tx, runId)), event);
	append(runId, checkpoint.seq + 1, event);
	setRunStatus(tx, runId, { ...statusOf(state), updatedAt: now });
	const { parts, status, error, label, sources, usage, model, modelName } = messageOf(state);
	updateMessage(tx, messageId, { parts, status, error: error ?? null, label, sources, usage, model, modelName });
	copyReplyCompactions(tx, source.id, { runId, messageId, sessionId, parts: parts.length });
}
