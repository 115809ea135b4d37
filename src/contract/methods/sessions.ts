import { z } from 'zod';
import { MessageId, SessionId, Timestamp } from '../../domain/ids.ts';
import { AttachmentInfo, Message } from '../../domain/message.ts';
import { Interrupt } from '../../domain/run.ts';
import { ExportedFile, SessionIdInput, SessionSummary } from '../shapes.ts';
import { method } from './base.ts';

export const SearchHit = z.object({
	sessionId: SessionId,
	sessionTitle: z.string(),
	/** Null where the title matched. */
	messageId: MessageId.nullable(),
	role: z.enum(['user', 'assistant']).nullable(),
	/** Text around the match; matches lie between U+E000 and U+E001. */
	snippet: z.string(),
	createdAt: Timestamp,
	/** It lies in a version of the chat that is not the chosen one: `chat.chooseVersion` with its id shows it. */
	inOtherVersion: z.boolean().default(false),
});
export type SearchHit = z.infer<typeof SearchHit>;
export const MATCH_START = '\uE000';
export const MATCH_END = '\uE001';

export const Draft = z.object({ text: z.string(), attachmentIds: z.array(z.string()) });
export type Draft = z.infer<typeof Draft>;
/** UTF-16 units; a longer draft is not stored (chat-1): the view turns it into an attachment first. */
export const DRAFT_LIMIT = 20_000;

export const sessions = {
	list: method.output(z.object({ sessions: z.array(SessionSummary), seq: z.number().int() })),
	create: method.input(z.object({ title: z.string().max(200).optional() })).output(SessionSummary),
	get: method.input(SessionIdInput).output(SessionSummary),
	rename: method.input(z.object({ sessionId: SessionId, title: z.string().trim().min(1).max(200) })).output(SessionSummary),
	pin: method.input(z.object({ sessionId: SessionId, pinned: z.boolean() })).output(SessionSummary),
	/** Removes the session, its messages, runs and attachments. */
	delete: method.input(SessionIdInput).output(z.void()),
	/** A new session that holds a copy of the branch up to and including the message. */
	branch: method.input(z.object({ messageId: MessageId })).output(SessionSummary),
	export: method.input(z.object({ sessionId: SessionId, format: z.enum(['markdown', 'json']) })).output(ExportedFile),
	/**
	 * Full-text search over titles and messages, also CJK and substrings of three or more characters (one for CJK).
	 * With `sessionId`: over what that chat shows, which is its chosen branch.
	 */
	search: method
		.input(z.object({ query: z.string().max(500), sessionId: SessionId.optional(), limit: z.number().int().min(1).max(200).default(50) }))
		.output(z.array(SearchHit)),
	/**
	 * A page of the chosen branch, oldest first: the newest page, or the one that ends before `before`, or the one around `around`.
	 * `seq` is the live position the page was taken at: events at or before it are already in it.
	 */
	messages: method
		.input(
			z.object({
				sessionId: SessionId,
				before: MessageId.optional(),
				around: MessageId.optional(),
				limit: z.number().int().min(1).max(500).default(100),
			}),
		)
		.output(
			z.object({
				messages: z.array(Message),
				hasOlder: z.boolean(),
				total: z.number().int(),
				interrupts: z.array(Interrupt),
				seq: z.number().int(),
			}),
		),
	/** `attachments`: what the ids stand for; an attachment that is gone is left out of both. */
	draft: method.input(SessionIdInput).output(Draft.extend({ attachments: z.array(AttachmentInfo) })),
	saveDraft: method
		.input(z.object({ sessionId: SessionId, text: z.string().max(DRAFT_LIMIT), attachmentIds: z.array(z.string()).max(50) }))
		.output(z.void()),
};
