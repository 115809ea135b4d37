import type { SessionSummary } from '../../src/contract/shapes.ts';
import { createStrings } from '../../src/contract/strings/index.ts';
import type { MessageId, SessionId } from '../../src/domain/ids.ts';
import { call, shapeOf } from '../connection/index.ts';
import { dropSession, putSession, useSessions } from '../connection/sessions-store.ts';
import { forgetTranscript } from '../connection/transcripts-store.ts';
import { saveFile } from '../shell/save-file.ts';
import { showToast } from '../ui/toast.tsx';

const strings = createStrings();

/** Says what went wrong with an action of the owner, where no place on the screen is made for it. */
export function sayProblem(error: unknown): void {
	const shape = shapeOf(error);
	showToast([shape.message, shape.action].filter(Boolean).join(' '));
}

/** An empty chat that is there already, else a new one: pressing New chat twice leaves one. */
export async function newSession(): Promise<SessionSummary> {
	const empty = Object.values(useSessions.getState().byId).find((session) => session.messageCount === 0 && !session.pinned);
	const session = empty ?? (await call((client) => client.sessions.create({})));
	putSession(session);
	return session;
}

export async function renameSession(sessionId: SessionId, title: string): Promise<void> {
	try {
		putSession(await call((client) => client.sessions.rename({ sessionId, title }), { repeatable: true }));
	} catch (error) {
		sayProblem(error);
	}
}

export async function pinSession(sessionId: SessionId, pinned: boolean): Promise<void> {
	try {
		putSession(await call((client) => client.sessions.pin({ sessionId, pinned }), { repeatable: true }));
	} catch (error) {
		sayProblem(error);
	}
}

/** False where it could not be deleted. */
export async function deleteSession(sessionId: SessionId): Promise<boolean> {
	try {
		await call((client) => client.sessions.delete({ sessionId }));
		dropSession(sessionId);
		forgetTranscript(sessionId);
		return true;
	} catch (error) {
		sayProblem(error);
		return false;
	}
}

export async function exportSession(sessionId: SessionId, format: 'markdown' | 'json'): Promise<void> {
	try {
		const file = await call((client) => client.sessions.export({ sessionId, format }), { repeatable: true });
		if (await saveFile(file)) showToast(strings('chat.exported', { filename: file.filename }));
	} catch (error) {
		sayProblem(error);
	}
}

/** A copy of the chat up to the message; undefined where it failed. */
export async function branchSession(messageId: MessageId): Promise<SessionSummary | undefined> {
	try {
		const session = await call((client) => client.sessions.branch({ messageId }));
		putSession(session);
		showToast(strings('chat.branched'));
		return session;
	} catch (error) {
		sayProblem(error);
		return undefined;
	}
}
