import { DRAFT_LIMIT } from '../../../src/contract/methods/sessions.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import { call } from '../../connection/index.ts';
import { changeComposer, composerOf } from './composer-store.ts';

const WAIT_MS = 400;

/** What was typed in this window: newer than what the runtime has until it is saved. */
const texts = new Map<string, string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function typedText(sessionId: string): string | undefined {
	return texts.get(sessionId);
}

/** Remembers what is typed and saves it a moment later. A text over the limit is not saved (chat-1); the composer says so. */
export function keepDraft(sessionId: SessionId, text: string): void {
	texts.set(sessionId, text);
	clearTimeout(timers.get(sessionId));
	timers.set(
		sessionId,
		setTimeout(() => saveNow(sessionId), WAIT_MS),
	);
}

export function saveNow(sessionId: SessionId): void {
	clearTimeout(timers.get(sessionId));
	timers.delete(sessionId);
	const text = texts.get(sessionId);
	if (text === undefined || text.length > DRAFT_LIMIT) return;
	const attachmentIds = composerOf(sessionId).attachments.map(({ id }) => id);
	call((client) => client.sessions.saveDraft({ sessionId, text, attachmentIds }), { repeatable: true }).catch(() => {
		// Kept in this window; the next key saves it again. A lost connection or a deleted chat is said elsewhere.
	});
}

/** Saves everything that waits: the window is about to go. */
export function saveAllDrafts(): void {
	for (const sessionId of [...timers.keys()]) saveNow(sessionId as SessionId);
}

/** The stored draft's text; its attachments go into the composer. Empty where there is none, or where it can't be had. */
export async function restoreDraft(sessionId: SessionId): Promise<string> {
	try {
		const draft = await call((client) => client.sessions.draft({ sessionId }), { repeatable: true });
		changeComposer(sessionId, ({ attachments }) => (attachments.length === 0 ? { attachments: draft.attachments } : {}));
		// An oversized draft of another version is not put back into the field (chat-1).
		return draft.text.length > DRAFT_LIMIT ? '' : draft.text;
	} catch {
		return '';
	}
}
