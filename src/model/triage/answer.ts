import { z } from 'zod';
import { FindingKind, Urgency } from '../../domain/heartbeat.ts';

/** What a look is answered with, by a model or by the built-in responder: findings that nothing has checked yet. */

export const MOST_DRAFTS = 50;

export const FindingDraft = z.object({
	kind: FindingKind,
	/** Number of the item that it rests on, from 1, as the request counts them. */
	item: z.number().int().positive(),
	/** What to tell the owner or to remember: one or two plain sentences. */
	text: z.string().trim().min(1).max(2_000),
	/** Which interest of the owner's it serves, and how. */
	why: z.string().trim().min(1).max(500),
	/** Exact words of the item that it rests on. */
	quotes: z.array(z.string().trim().min(1).max(2_000)).min(1).max(5),
	urgency: Urgency.default('normal'),
	/** Of a task that has a time: ISO 8601 with offset. */
	dueAt: z.iso.datetime({ offset: true }).nullish(),
});
export type FindingDraft = z.infer<typeof FindingDraft>;

export const TriageAnswer = z.object({ findings: z.array(FindingDraft).max(MOST_DRAFTS) });
export type TriageAnswer = z.infer<typeof TriageAnswer>;
