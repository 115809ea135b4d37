import { z } from 'zod';
import { ownersInterrupts } from '../../approvals/approval-store.ts';
import type { Clock } from '../../base/clock.ts';
import { crashPoint } from '../../base/crash-point.ts';
import { newId } from '../../base/ids.ts';
import type { Announce } from '../../contract/announce.ts';
import type { PromptPart } from '../../contract/methods/chat.ts';
import type { WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import type { Compaction } from '../../domain/compaction.ts';
import { terminal } from '../../domain/errors.ts';
import { type AttachmentId, type CompactionId, type InterruptId, MessageId, RunId, SessionId } from '../../domain/ids.ts';
import { type Message, type MessagePart, messageText } from '../../domain/message.ts';
import type { Interrupt, InterruptAnswer } from '../../domain/run.ts';
import type { RunEngine } from '../../run/engine.ts';
import { getRun } from '../../run/journal-store.ts';
import type { ModelSource } from '../../run/models.ts';
import { ownerParts, promptForDraft } from '../../run/prompt.ts';
import { belongsToTask, belongsToWorkflow, noChat } from '../../run/refusals.ts';
import { findCompaction } from '../../sessions/compaction-store.ts';
import { deleteDraft } from '../../sessions/draft-store.ts';
import { getMessage, insertMessage, insertReply, newestLeafBelow } from '../../sessions/message-store.ts';
import {
	autoTitle,
	beginSession,
	excludedParts,
	getSession,
	setExcludedParts,
	setHead,
	summarise,
	touchSession,
} from '../../sessions/session-store.ts';
import { doOnce } from './once.ts';

export interface ChatDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
	readonly engine: RunEngine;
	readonly models: ModelSource;
}

const Started = z.object({ sessionId: SessionId, userMessageId: MessageId.nullable(), messageId: MessageId, runId: RunId });
type Started = z.infer<typeof Started>;

interface Content {
	text: string;
	attachmentIds: AttachmentId[];
}

export interface Preview {
	parts: PromptPart[];
	usedTokens: number;
	windowTokens: number;
	modelName: string;
}

export function createChatHandlers(deps: ChatDeps) {
	const { db, clock, announce, engine } = deps;

	/** The same request again gets what the first one began. */
	function once(input: { requestId: string }, begin: (tx: WriteDb) => Started, headChanged: boolean): Started {
		const { result: started, fresh } = doOnce(deps, Started, input, begin);
		if (!fresh) return started;
		crashPoint('chat.accepted');
		for (const id of [started.userMessageId, started.messageId])
			if (id !== null) announce({ type: 'message_changed', message: getMessage(db.read, id), headChanged });
		engine.start(started.runId);
		return started;
	}

	/** `of`: the message that it is another version of. What others wrote in that stays theirs: nobody can tell which words the owner looked at. */
	function addOwnerMessage(
		tx: WriteDb,
		sessionId: SessionId,
		parentId: MessageId | null,
		parts: MessagePart[],
		of?: Pick<Message, 'label' | 'sources'>,
	): MessageId {
		if (parts.length === 0) throw terminal('invalid_input', 'There is nothing to send.', { action: 'Write something or attach a file.' });
		const id = newId<MessageId>();
		const { label = 'owner', sources } = of ?? {};
		const message = { id, sessionId, parentId, role: 'user' as const, parts, status: 'complete' as const, createdAt: clock.now() };
		insertMessage(tx, { ...message, label, ...(sources && { sources }) });
		autoTitle(tx, sessionId, messageText({ parts }));
		return id;
	}

	/** An empty reply with its run. Throws `conflict` while another run of the session is open, and where it is no chat. */
	function addReply(tx: WriteDb, sessionId: SessionId, parentId: MessageId): { messageId: MessageId; runId: RunId } {
		if (getSession(tx, sessionId).kind === 'work') throw noChat();
		const messageId = newId<MessageId>();
		const runId = newId<RunId>();
		const now = clock.now();
		insertReply(tx, { id: messageId, sessionId, parentId, runId, createdAt: now });
		engine.begin(tx, { id: runId, sessionId, messageId });
		setHead(tx, sessionId, messageId);
		touchSession(tx, sessionId, now);
		return { messageId, runId };
	}

	/** Continue and Retry: in the same run, so that what finished stays finished. */
	function resume(messageId: MessageId, how: 'continued' | 'retried'): Started {
		const message = replyOf(getMessage(db.read, messageId));
		const runId = runOf(message);
		const run = getRun(db.read, runId);
		if (run.instanceId !== undefined) throw belongsToWorkflow();
		if (run.kind === 'task') throw belongsToTask();
		engine.resume(runId, how);
		return { sessionId: message.sessionId, userMessageId: message.parentId, messageId, runId };
	}

	return {
		send: async (input: Content & { sessionId?: SessionId | undefined; requestId: string }): Promise<Started> =>
			once(
				input,
				(tx) => {
					const sessionId = input.sessionId ?? beginSession(tx, undefined, clock.now());
					const { headId } = getSession(tx, sessionId);
					const userMessageId = addOwnerMessage(tx, sessionId, headId, ownerParts(tx, { ...input, sessionId }));
					deleteDraft(tx, sessionId);
					return { sessionId, userMessageId, ...addReply(tx, sessionId, userMessageId) };
				},
				false,
			),

		editAndResend: async (input: Content & { messageId: MessageId; requestId: string }): Promise<Started> =>
			once(
				input,
				(tx) => {
					const edited = getMessage(tx, input.messageId);
					if (edited.role !== 'user') throw terminal('invalid_input', 'Only your own messages can be edited.');
					const { sessionId, parentId } = edited;
					const userMessageId = addOwnerMessage(tx, sessionId, parentId, ownerParts(tx, { ...input, sessionId }), edited);
					return { sessionId, userMessageId, ...addReply(tx, sessionId, userMessageId) };
				},
				true,
			),

		regenerate: async (input: { messageId: MessageId; requestId: string }): Promise<Started> =>
			once(
				input,
				(tx) => {
					const { sessionId, parentId } = replyOf(getMessage(tx, input.messageId));
					return { sessionId, userMessageId: parentId, ...addReply(tx, sessionId, parentId) };
				},
				true,
			),

		continue: async (input: { messageId: MessageId }): Promise<Started> => resume(input.messageId, 'continued'),
		retry: async (input: { messageId: MessageId }): Promise<Started> => resume(input.messageId, 'retried'),

		chooseVersion: async (input: { messageId: MessageId }): Promise<void> => {
			const { sessionId } = getMessage(db.read, input.messageId);
			const headId = db.write((tx) => {
				const leaf = newestLeafBelow(tx, input.messageId);
				setHead(tx, sessionId, leaf);
				return leaf;
			});
			announce({ type: 'message_changed', message: engine.withLiveText(getMessage(db.read, headId)), headChanged: true });
			announce({ type: 'session_changed', session: summarise(db.read, sessionId) });
		},

		stop: async (input: { runId: RunId }): Promise<void> => engine.stop(input.runId),

		preview: async (input: Content & { sessionId: SessionId }): Promise<Preview> => {
			const { model } = await deps.models.chosen();
			const prompt = await promptForDraft(engine.promptSources, input, model);
			return {
				parts: [...prompt.parts],
				usedTokens: prompt.usedTokens,
				windowTokens: model.info.contextTokens,
				modelName: model.info.name,
			};
		},

		summary: async ({ compactionId }: { compactionId: CompactionId }): Promise<Compaction> => {
			const found = findCompaction(db.read, compactionId);
			if (found) return found;
			throw terminal('not_found', 'That summary is no longer kept.', {
				safe: 'The messages it stood for are all in the chat.',
				action: 'Read them there. A new summary is made when one is needed.',
			});
		},

		includePart: async (input: { sessionId: SessionId; partId: string; included: boolean }): Promise<void> => {
			db.write((tx) => {
				const others = excludedParts(tx, input.sessionId).filter((id) => id !== input.partId);
				setExcludedParts(tx, input.sessionId, input.included ? others : [...others, input.partId]);
			});
		},

		interrupts: async (input: { sessionId?: SessionId }): Promise<Interrupt[]> => ownersInterrupts(db.read, input.sessionId),

		answer: async (input: { interruptId: InterruptId; shownHash: string; answer: InterruptAnswer }): Promise<Interrupt> =>
			engine.answer(input.interruptId, input.shownHash, input.answer),
	};
}

function replyOf(message: Message): Message & { parentId: MessageId } {
	const { parentId } = message;
	if (message.role !== 'assistant' || parentId === null)
		throw terminal('invalid_input', 'That is not a reply of Hearth.', { action: 'Choose one of its replies.' });
	return { ...message, parentId };
}

/** The run of a reply. A reply in a branch is a copy, and its run stayed with the original. */
function runOf(message: Message): RunId {
	if (message.runId === null)
		throw terminal('conflict', 'This reply is a copy from another chat, so it can’t go on here.', {
			safe: 'What it says is kept.',
			action: 'Use Regenerate for a new version of it, or go on in the chat it came from.',
		});
	return message.runId;
}
