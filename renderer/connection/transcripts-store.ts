import { create } from 'zustand';
import type { LiveEvent } from '../../src/contract/events.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { MessageId, SessionId } from '../../src/domain/ids.ts';
import { call } from './calls.ts';
import { shapeOf } from './errors.ts';
import { applyEvent, emptyTranscript, type Transcript, withNewestPage, withOlderPage } from './transcript.ts';

const PAGE = 60;
const BIG_PAGE = 500;
/** Sessions whose messages are kept in memory; the least recently opened leave first. */
const KEPT = 8;

export interface TranscriptEntry {
	readonly transcript: Transcript;
	/** `loading` only before the first page. */
	readonly status: 'loading' | 'ready' | 'failed';
	readonly error?: ErrorShape;
	readonly loadingOlder: boolean;
}

export const useTranscripts = create<{ readonly bySession: Readonly<Record<string, TranscriptEntry>> }>()(() => ({ bySession: {} }));

/** Events that arrive while a snapshot is on its way wait here: those after its position are applied to it. */
const held = new Map<string, { seq: number; event: LiveEvent }[]>();
const opened: string[] = [];

function put(sessionId: string, next: Partial<TranscriptEntry>): void {
	useTranscripts.setState((state) => {
		const before = state.bySession[sessionId] ?? { transcript: emptyTranscript, status: 'loading' as const, loadingOlder: false };
		return { bySession: { ...state.bySession, [sessionId]: { ...before, ...next } } };
	});
}

/** Changes an entry that is still there: what arrives for a chat that was deleted or left memory meanwhile brings nothing back. */
function change(sessionId: string, next: Partial<TranscriptEntry>): void {
	if (sessionId in useTranscripts.getState().bySession) put(sessionId, next);
}

/** Loads the newest page of a session unless it is loaded. Never rejects: failure is in the entry's state. */
export async function openTranscript(sessionId: SessionId): Promise<void> {
	const at = opened.indexOf(sessionId);
	if (at >= 0) opened.splice(at, 1);
	opened.push(sessionId);
	while (opened.length > KEPT) forgetTranscript(opened[0] ?? '');
	if (useTranscripts.getState().bySession[sessionId]?.status === 'ready') return;
	put(sessionId, { status: 'loading', error: undefined });
	await refreshTranscript(sessionId);
}

export function forgetTranscript(sessionId: string): void {
	const at = opened.indexOf(sessionId);
	if (at >= 0) opened.splice(at, 1);
	useTranscripts.setState((state) => {
		const { [sessionId]: _gone, ...bySession } = state.bySession;
		return { bySession };
	});
}

/** Takes the newest page anew and puts the events that came meanwhile on top of it. Resolves when what was asked for before is shown. */
export function refreshTranscript(sessionId: SessionId): Promise<void> {
	const running = refreshing.get(sessionId);
	if (running !== undefined) {
		wanted.add(sessionId);
		return running;
	}
	const refresh = refreshUntilCurrent(sessionId);
	refreshing.set(sessionId, refresh);
	return refresh;
}
const refreshing = new Map<string, Promise<void>>();
const wanted = new Set<string>();

async function refreshUntilCurrent(sessionId: SessionId): Promise<void> {
	do await takeNewestPage(sessionId);
	while (wanted.delete(sessionId));
	refreshing.delete(sessionId);
}

async function takeNewestPage(sessionId: SessionId): Promise<void> {
	held.set(sessionId, []);
	const known = useTranscripts.getState().bySession[sessionId];
	const loaded = known?.transcript.order.length ?? 0;
	try {
		const page = await call((client) => client.sessions.messages({ sessionId, limit: Math.min(BIG_PAGE, Math.max(PAGE, loaded)) }), {
			repeatable: true,
		});
		let transcript = withNewestPage(useTranscripts.getState().bySession[sessionId]?.transcript, page);
		for (const { seq, event } of held.get(sessionId) ?? []) {
			const applied = applyEvent(transcript, seq, event);
			transcript = applied.transcript;
			if (applied.stale) wanted.add(sessionId);
		}
		change(sessionId, { transcript, status: 'ready', error: undefined });
	} catch (error) {
		if (known?.status !== 'ready') change(sessionId, { status: 'failed', error: shapeOf(error) });
	} finally {
		held.delete(sessionId);
	}
}

/** After a reconnect with a gap: everything that is shown is taken anew. */
export async function refreshAllTranscripts(): Promise<void> {
	const sessionIds = Object.keys(useTranscripts.getState().bySession) as SessionId[];
	// A new epoch counts from the start again: positions of the old one mean nothing.
	for (const sessionId of sessionIds) {
		const entry = useTranscripts.getState().bySession[sessionId];
		if (entry) put(sessionId, { transcript: { ...entry.transcript, seq: 0 } });
	}
	await Promise.all(sessionIds.map((sessionId) => refreshTranscript(sessionId)));
}

const loadingOlder = new Map<string, Promise<boolean>>();

/** Loads the page before the oldest loaded message; one at a time. Resolves to false where there is none. */
export function loadOlder(sessionId: SessionId, limit: number = PAGE): Promise<boolean> {
	const underway = loadingOlder.get(sessionId);
	if (underway !== undefined) return underway;
	const loading = takeOlder(sessionId, limit).finally(() => loadingOlder.delete(sessionId));
	loadingOlder.set(sessionId, loading);
	return loading;
}

async function takeOlder(sessionId: SessionId, limit: number): Promise<boolean> {
	const entry = useTranscripts.getState().bySession[sessionId];
	const before = entry?.transcript.order[0];
	if (!entry?.transcript.hasOlder || !before) return false;
	put(sessionId, { loadingOlder: true });
	try {
		const page = await call((client) => client.sessions.messages({ sessionId, before, limit }), { repeatable: true });
		const now = useTranscripts.getState().bySession[sessionId];
		if (now && now.transcript.order[0] === before) put(sessionId, { transcript: withOlderPage(now.transcript, page) });
		return true;
	} finally {
		change(sessionId, { loadingOlder: false });
	}
}

/** Loads older pages until the message is there. Resolves to false where the branch does not hold it. */
export async function loadUntil(sessionId: SessionId, messageId: MessageId): Promise<boolean> {
	for (;;) {
		const entry = useTranscripts.getState().bySession[sessionId];
		if (entry?.transcript.byId[messageId]) return true;
		if (!(await loadOlder(sessionId, BIG_PAGE))) return false;
	}
}

/** Applies a batch of live events in one change of the store. Returns the sessions whose newest page must be taken again. */
export function applyEvents(events: readonly { seq: number; sessionId: SessionId; event: LiveEvent }[]): SessionId[] {
	const stale = new Set<SessionId>();
	const before = useTranscripts.getState().bySession;
	const changed: Record<string, TranscriptEntry> = {};
	for (const { seq, sessionId, event } of events) {
		held.get(sessionId)?.push({ seq, event });
		const entry = changed[sessionId] ?? before[sessionId];
		if (entry?.status !== 'ready') continue;
		const applied = applyEvent(entry.transcript, seq, event);
		if (applied.stale) stale.add(sessionId);
		if (applied.transcript !== entry.transcript) changed[sessionId] = { ...entry, transcript: applied.transcript };
	}
	if (Object.keys(changed).length > 0) useTranscripts.setState({ bySession: { ...before, ...changed } });
	return [...stale];
}
