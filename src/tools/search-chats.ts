import { z } from 'zod';
import { MATCH_END, MATCH_START } from '../contract/methods/sessions.ts';
import type { ReadDb } from '../db/brands.ts';
import type { MessageId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import { localDay } from '../domain/local-day.ts';
import { type Message, messageText } from '../domain/message.ts';
import { BUILTIN_PROVIDER_ID } from '../domain/model.ts';
import { findMessage } from '../sessions/message-store.ts';
import { outsideChats } from '../sessions/outside-chat-store.ts';
import { searchSessions } from '../sessions/search-store.ts';
import type { Tool } from './port.ts';

export interface ChatHit {
	readonly sessionId: SessionId;
	readonly sessionTitle: string;
	/** Undefined where the title matched. */
	readonly messageId: MessageId | undefined;
	readonly role: 'user' | 'assistant' | undefined;
	/** Of an agent's passage, where it is known. */
	readonly modelName?: string | undefined;
	/** On one line, without marks. */
	readonly snippet: string;
	readonly createdAt: Timestamp;
	/** The label of the message; it goes on with its words. */
	readonly label: Label;
}

/** Finds passages in the owner's chats, best first, other than in the message that the run answers. */
export type ChatSearch = (query: string, limit: number, runId: RunId) => ChatHit[];

const Arguments = z.object({
	query: z.string().trim().min(1).max(500).describe('Words to look for. Every word must occur.'),
	limit: z.number().int().min(1).max(30).default(8).describe('Most passages to return.'),
});

/** How many times as many passages to look for as are wanted: some are left out. */
const SPARE = 3;

const MARKS = new RegExp(`[${MATCH_START}${MATCH_END}]`, 'g');

/**
 * Search over the sessions of this profile. Left out: what the built-in responder said, which only quotes others, and titles of
 * chats that have a passage of their own. `questionOf`: the owner's message that a run answers.
 */
export function chatSearch(db: ReadDb, questionOf: (runId: RunId) => MessageId | undefined): ChatSearch {
	return (query, limit, runId) => {
		const question = questionOf(runId);
		const asked = question === undefined ? undefined : findMessage(db, question)?.sessionId;
		const apart = outsideChats(db);
		const found = searchSessions(db, query, { limit: limit * SPARE })
			.map((hit) => ({ hit, message: hit.messageId === null ? undefined : findMessage(db, hit.messageId) }))
			.filter(
				({ hit, message }) => message?.model?.providerId !== BUILTIN_PROVIDER_ID && (hit.messageId === null || hit.messageId !== question),
			)
			// What waits in quarantine is spoken of in the chats that the owner began about it, what a task read in those of the task, and nowhere else (B1).
			.filter(({ hit, message }) => {
				if (hit.sessionId === asked) return true;
				return !apart.whole.has(hit.sessionId) && !(message?.label === 'external' && apart.tasks.has(hit.sessionId));
			});
		const named = new Set(found.flatMap(({ hit, message }) => (message ? [hit.sessionId] : [])));
		return found
			.filter(({ hit, message }) => message || !(named.has(hit.sessionId) || hit.sessionId === asked))
			.slice(0, limit)
			.map(({ hit, message }) => ({ hit, message, snippet: hit.snippet.replace(MARKS, '') }))
			.map(({ hit, message, snippet }) => ({
				sessionId: hit.sessionId,
				sessionTitle: hit.sessionTitle,
				messageId: hit.messageId ?? undefined,
				role: hit.role ?? undefined,
				modelName: message?.modelName,
				snippet,
				createdAt: hit.createdAt,
				label: labelOf(message, snippet),
			}));
	};
}

/** The name of an attachment is found with the message that it hangs on, and somebody else may have given it. */
function labelOf(message: Message | undefined, snippet: string): Label {
	if (!message?.parts.some(({ type }) => type === 'attachment')) return message?.label ?? 'owner';
	const isTyped = onOneLine(messageText(message)).includes(onOneLine(snippet.replace(/^…|…$/g, '')));
	return isTyped ? message.label : 'external';
}

function onOneLine(text: string): string {
	return text.replace(/\s+/gu, ' ').trim();
}

/**
 * The answer is one passage a paragraph: `n. "Title" · owner · 2026-11-29` or `… · agent (model) · …`, then the passage. It quotes what is stored, so a
 * model, or the built-in responder, can pass it on word for word.
 */
export function searchChatsTool(search: ChatSearch): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'search_chats',
		title: 'Search chats',
		description:
			"Searches all of the owner's earlier chats with you and returns the passages that hold the words. Use it when the owner refers to something said before.",
		schema: Arguments,
		effect: 'pure',
		timeoutMs: 10_000,
		outputCap: 20_000,
		run: async ({ query, limit }, { runId }) => {
			const hits = search(query, limit, runId);
			if (hits.length === 0) return { text: `Nothing in the chats holds “${query}”.`, isError: false, summary: '0 passages' };
			return {
				text: hits.map(passage).join('\n\n'),
				isError: false,
				summary: hits.length === 1 ? '1 passage' : `${hits.length} passages`,
				label: joinLabels('agent', ...hits.map((hit) => hit.label)),
			};
		},
	};
}

function passage(hit: ChatHit, index: number): string {
	const agent = hit.modelName === undefined ? 'agent' : `agent (${hit.modelName.replace(/\s+/g, ' ')})`;
	const who = hit.role === undefined ? 'title' : hit.role === 'user' ? 'owner' : agent;
	const day = localDay(hit.createdAt);
	return `${index + 1}. “${hit.sessionTitle}” · ${who} · ${day}\n${hit.snippet}`;
}
