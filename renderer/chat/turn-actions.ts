import { createStrings } from '../../src/contract/strings/index.ts';
import type { AttachmentId, MessageId, RunId, SessionId } from '../../src/domain/ids.ts';
import type { AttachmentInfo } from '../../src/domain/message.ts';
import type { Interrupt, InterruptAnswer } from '../../src/domain/run.ts';
import { call, shapeOf } from '../connection/index.ts';
import { loadUntil, refreshTranscript } from '../connection/transcripts-store.ts';
import { changeComposer } from './composer/composer-store.ts';
import { sayProblem } from './session-actions.ts';

const strings = createStrings();

/** Sends a message. The same request id makes a repeat after a broken connection harmless. False where it was not sent. */
export async function sendMessage(sessionId: SessionId, text: string, attachments: readonly AttachmentInfo[]): Promise<boolean> {
	const requestId = crypto.randomUUID();
	const attachmentIds = attachments.map(({ id }) => id);
	changeComposer(sessionId, () => ({ sending: true, problem: null, attachments: [] }));
	try {
		await call((client) => client.chat.send({ sessionId, requestId, text, attachmentIds }), { repeatable: true });
		return true;
	} catch (error) {
		const { message, safe, action } = shapeOf(error);
		const problem = strings('compose.failed', { problem: [message, safe, action].filter(Boolean).join(' ') });
		changeComposer(sessionId, (now) => ({ problem, attachments: [...attachments, ...now.attachments] }));
		return false;
	} finally {
		changeComposer(sessionId, () => ({ sending: false }));
	}
}

export async function editMessage(messageId: MessageId, text: string, attachmentIds: AttachmentId[]): Promise<boolean> {
	const requestId = crypto.randomUUID();
	return attempt(() => call((client) => client.chat.editAndResend({ messageId, requestId, text, attachmentIds }), { repeatable: true }));
}

export function answerAgain(messageId: MessageId): Promise<boolean> {
	const requestId = crypto.randomUUID();
	return attempt(() => call((client) => client.chat.regenerate({ messageId, requestId }), { repeatable: true }));
}

export function continueReply(messageId: MessageId): Promise<boolean> {
	return attempt(() => call((client) => client.chat.continue({ messageId })));
}

export function retryReply(messageId: MessageId): Promise<boolean> {
	return attempt(() => call((client) => client.chat.retry({ messageId })));
}

/** Ends one command; the reply goes on. */
export function stopCall(runId: RunId, callId: string): Promise<boolean> {
	return attempt(() => call((client) => client.runs.stopCall({ runId, callId })));
}

export function chooseVersion(messageId: MessageId): Promise<boolean> {
	return attempt(() => call((client) => client.chat.chooseVersion({ messageId }), { repeatable: true }));
}

/** Chooses the version that a message lies in, and loads as far back as the message. False where it no longer exists. */
export async function showVersionOf(sessionId: SessionId, messageId: MessageId): Promise<boolean> {
	try {
		await call((client) => client.chat.chooseVersion({ messageId }), { repeatable: true });
	} catch (error) {
		if (shapeOf(error).code === 'not_found') return false;
		throw error;
	}
	await refreshTranscript(sessionId);
	return loadUntil(sessionId, messageId);
}

export function stopRun(runId: RunId): Promise<boolean> {
	return attempt(() => call((client) => client.chat.stop({ runId }), { repeatable: true }));
}

/** The owner's word on what a run waits for. `stale`: what was shown is no longer what waits; the new state is taken and said. */
export async function answerInterrupt(interrupt: Interrupt, answer: InterruptAnswer): Promise<'done' | 'stale' | 'failed'> {
	try {
		await call((client) => client.chat.answer({ interruptId: interrupt.id, shownHash: interrupt.shownHash, answer }));
		// That a message could not be sent while it waited is past.
		changeComposer(interrupt.sessionId, () => ({ problem: null }));
		return 'done';
	} catch (error) {
		if (shapeOf(error).code !== 'stale') {
			sayProblem(error);
			return 'failed';
		}
		await refreshTranscript(interrupt.sessionId);
		return 'stale';
	}
}

async function attempt(work: () => Promise<unknown>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		sayProblem(error);
		return false;
	}
}
