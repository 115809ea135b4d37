import { DRAFT_LIMIT } from '../../../src/contract/methods/sessions.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import { call } from '../../connection/index.ts';
import { changeComposer, composerOf, useComposers } from './composer-store.ts';

const WAIT_MS = 400;

/** What was typed in this window: newer than what the runtime has until it is saved. */
const texts = new Map<string, string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function typedText(sessionId: string): string | undefined {
	return texts.get(sessionId);
}

/** Remembers what is typed and saves it a moment later: its beginning, where it is over the limit (chat-1); the composer says so. */
export function keepDraft(sessionId: SessionId, text: string): void {
	texts.set(sessionId, text);
	saveSoon(sessionId);
}

function saveSoon(sessionId: SessionId): void {
	clearTimeout(timers.get(sessionId));
	timers.set(
		sessionId,
		setTimeout(() => saveNow(sessionId), WAIT_MS),
	);
}

/**
 * A file is attached when it has been read and sent, which may be long after the last key, or in a chat that is no longer in view: what goes
 * with the text is saved whenever it changes.
 */
useComposers.subscribe((now, before) => {
	if (restoring) return;
	for (const [sessionId, { attachments }] of Object.entries(now.bySession)) {
		const old = before.bySession[sessionId]?.attachments;
		if (attachments !== old && attachments.length + (old?.length ?? 0) > 0) saveSoon(sessionId as SessionId);
	}
});

export function saveNow(sessionId: SessionId): void {
	const waits = timers.has(sessionId);
	clearTimeout(timers.get(sessionId));
	timers.delete(sessionId);
	// Attached where nothing was typed: there is no text, unless a stored one is still on its way.
	const text = texts.get(sessionId) ?? (waits && known.has(sessionId) ? '' : undefined);
	if (text === undefined) return;
	const attachmentIds = composerOf(sessionId).attachments.map(({ id }) => id);
	call((client) => client.sessions.saveDraft({ sessionId, text: beginning(text), attachmentIds }), { repeatable: true }).catch(() => {
		// Kept in this window; the next key saves it again. A lost connection or a deleted chat is said elsewhere.
	});
}

/** As much of a draft as is stored; no character is cut in two. */
function beginning(text: string): string {
	return text.length > DRAFT_LIMIT ? text.slice(0, DRAFT_LIMIT).replace(/[\uD800-\uDBFF]$/, '') : text;
}

/** Saves everything that waits: the window is about to go. */
export function saveAllDrafts(): void {
	for (const sessionId of [...timers.keys()]) saveNow(sessionId as SessionId);
}

const restored = new Set<string>();
/** Those of them whose stored draft has come. */
const known = new Set<string>();
/** The composer is being given what is stored already. */
let restoring = false;

/**
 * Brings the stored draft back, once for each session of this window: its attachments go into the composer, its text to
 * `put`, in front of what was typed meanwhile. Never rejects.
 */
export async function restoreDraft(sessionId: SessionId, put: (text: string) => void): Promise<void> {
	if (restored.has(sessionId)) return;
	restored.add(sessionId);
	try {
		const draft = await call((client) => client.sessions.draft({ sessionId }), { repeatable: true });
		known.add(sessionId);
		// What was attached meanwhile could not be saved before.
		if (composerOf(sessionId).attachments.length > 0) saveSoon(sessionId);
		restoring = true;
		changeComposer(sessionId, ({ attachments }) => ({ attachments: [...draft.attachments, ...attachments] }));
		restoring = false;
		// An oversized draft of another version is not put back into the field (chat-1).
		if (draft.text === '' || draft.text.length > DRAFT_LIMIT) return;
		const typed = texts.get(sessionId) ?? '';
		const text = typed === '' ? draft.text : `${draft.text}\n${typed}`;
		texts.set(sessionId, text);
		put(text);
	} catch {
		// The chat is gone or the runtime is away, which is said elsewhere; it is asked for again when the chat opens.
		restored.delete(sessionId);
	}
}

let early = '';

/** What was typed before the runtime had answered, so that a cold start costs no key. */
export function earlyText(): string {
	return early;
}

export function keepEarly(text: string): void {
	early = text;
}

/** Gives the early text to the session that opened. */
export function adoptEarly(sessionId: SessionId): void {
	if (early === '') return;
	keepDraft(sessionId, [texts.get(sessionId) ?? '', early].filter(Boolean).join('\n'));
	early = '';
}
