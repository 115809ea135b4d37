import { z } from 'zod';
import { MATCH_END, MATCH_START } from '../contract/methods/sessions.ts';
import type { ReadDb } from '../db/brands.ts';
import type { MessageId, SessionId, Timestamp } from '../domain/ids.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import { findMessage } from '../sessions/message-store.ts';
import { searchSessions } from '../sessions/search-store.ts';
import type { Tool } from './port.ts';

export interface ChatHit {
	readonly sessionId: SessionId;
	readonly sessionTitle: string;
	/** Undefined where the title matched. */
	readonly messageId: MessageId | undefined;
	readonly role: 'user' | 'assistant' | undefined;
	/** On one line, without marks. */
	readonly snippet: string;
	readonly createdAt: Timestamp;
	/** The label of the message; it goes on with its words. */
	readonly label: Label;
}

/** Finds passages in the owner's chats, best first. */
export type ChatSearch = (query: string, limit: number) => ChatHit[];

const Arguments = z.object({
	query: z.string().trim().min(1).max(500).describe('Words to look for. Every word must occur.'),
	limit: z.number().int().min(1).max(30).default(8).describe('Most passages to return.'),
});

const MARKS = new RegExp(`[${MATCH_START}${MATCH_END}]`, 'g');

/** Search over the sessions of this profile. */
export function chatSearch(db: ReadDb): ChatSearch {
	return (query, limit) =>
		searchSessions(db, query, { limit }).map((hit) => ({
			sessionId: hit.sessionId,
			sessionTitle: hit.sessionTitle,
			messageId: hit.messageId ?? undefined,
			role: hit.role ?? undefined,
			snippet: hit.snippet.replace(MARKS, ''),
			createdAt: hit.createdAt,
			label: (hit.messageId === null ? undefined : findMessage(db, hit.messageId)?.label) ?? 'owner',
		}));
}

/**
 * The answer is one passage a paragraph: `n. "Title" · owner · 2026-11-29`, then the passage. It quotes what is stored, so a
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
		run: async ({ query, limit }) => {
			const hits = search(query, limit);
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
	const who = hit.role === undefined ? 'title' : hit.role === 'user' ? 'owner' : 'agent';
	const day = new Date(hit.createdAt).toISOString().slice(0, 10);
	return `${index + 1}. “${hit.sessionTitle}” · ${who} · ${day}\n${hit.snippet}`;
}
