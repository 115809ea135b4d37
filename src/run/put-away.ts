import type { ReadDb } from '../db/brands.ts';
import { terminal } from '../domain/errors.ts';
import type { RunSummary } from '../domain/run.ts';
import { branchLength, messageAtDepth } from '../sessions/message-store.ts';
import { getSession } from '../sessions/session-store.ts';
import { restoresOf } from './restore-store.ts';

/** It came from a restore that was taken back, and the owner did not choose its version of the chat since (R4). */
export function isPutAway(db: ReadDb, { id, from, sessionId, messageId }: RunSummary): boolean {
	if (from?.how !== 'restore') return false;
	if (!restoresOf(db, [id]).some(({ newRunId, status }) => newRunId === id && status === 'undone')) return false;
	const { headId } = getSession(db, sessionId);
	return headId === null || messageAtDepth(db, headId, branchLength(db, messageId) - 1) !== messageId;
}

/** It would go on where nobody looks. */
export function putAway() {
	return terminal('conflict', 'This version of the chat was put away when its restore was taken back.', {
		safe: 'All of it is kept.',
		action: 'Choose that version in the chat, and continue it there.',
	});
}
