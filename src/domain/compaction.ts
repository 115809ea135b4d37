import { z } from 'zod';
import { ContextSource } from './context-source.ts';
import { CompactionId, MessageId, RunId, SessionId, Timestamp } from './ids.ts';
import { Label } from './label.ts';
import { ModelRef } from './model.ts';

/** A summary that stands for the older part of a conversation, or of a long reply, in prompts. The originals stay. */

/** `note`: to be remembered, or how the owner wants things done. `number`: amounts, days, ids with their sentence. `name`: files, paths, addresses. */
export const KeptKind = z.enum(['decision', 'commitment', 'question', 'note', 'number', 'name']);
export type KeptKind = z.infer<typeof KeptKind>;

/** Words of the original, unchanged, and where they stand. */
export const KeptItem = z.object({
	kind: KeptKind,
	text: z.string().min(1),
	/** Whoever wrote it says what it is: `Decision: …`. It goes into every later summary. */
	marked: z.boolean(),
	/** Marked as models mark things in every second reply: it gives way to other marked items where they do not all fit. */
	weak: z.boolean().optional(),
	by: z.enum(['owner', 'agent', 'tool']),
	messageId: MessageId,
	/** Number of the part in that message. */
	part: z.number().int().nonnegative(),
	/** Number of the message in its chat; the first is 1. */
	number: z.number().int().positive(),
	label: Label,
	at: Timestamp,
});
export type KeptItem = z.infer<typeof KeptItem>;

export const Compaction = z.object({
	id: CompactionId,
	sessionId: SessionId,
	/** The last message that it stands for; where it stands for a part of a reply, that reply. */
	upTo: MessageId,
	/** Set: it stands for the parts before this number of that run's own reply. */
	within: z.object({ runId: RunId, upToPart: z.number().int().positive() }).optional(),
	/** Messages, or parts of the reply, that it stands for. */
	covers: z.number().int().nonnegative(),
	/** What a model wrote; empty without one. */
	text: z.string(),
	/** In the order of the conversation. */
	items: z.array(KeptItem),
	/** The join over everything that it stands for (B2). */
	label: Label,
	/** Of what it stands for, by name; absent in those from before sources were kept. */
	sources: z.array(ContextSource).optional(),
	method: z.enum(['model', 'extract']),
	model: ModelRef.optional(),
	/** Of what it stands for, and of itself as it was first used. Estimates. */
	tokensBefore: z.number().int().nonnegative(),
	tokensAfter: z.number().int().nonnegative(),
	createdAt: Timestamp,
});
export type Compaction = z.infer<typeof Compaction>;
