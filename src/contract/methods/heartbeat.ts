import { z } from 'zod';
import {
	HeartbeatTick,
	SendQuestion,
	TickId,
	Urgency,
	WatchedBudget,
	WatchedItem,
	WatchedPlace,
	WatchedSource,
	WatchedSourceId,
} from '../../domain/heartbeat.ts';
import { ProviderId, SessionId, Timestamp } from '../../domain/ids.ts';
import { Inspection } from '../../domain/inspection.ts';
import { EntryId, MemoryPath, ProposalId } from '../../domain/memory.ts';
import { ReminderId } from '../../domain/reminder.ts';
import { method } from './base.ts';

/** A password, a token, or a whole secret address. Goes into the secret store and never comes back. */
const Secret = z.string().max(10_000).optional();
const One = z.object({ sourceId: WatchedSourceId });

/** What was found at a link or place before it is added: nothing of it is kept. */
export const SourcePreview = z.object({
	/** What it would be added as; absent where there is a choice among `found` first. */
	place: WatchedPlace.optional(),
	title: z.string(),
	/** Feeds and calendars that a page names. */
	found: z.array(z.object({ title: z.string(), place: WatchedPlace })),
	/** The newest ones, as plain text. */
	items: z.array(z.object({ title: z.string(), publishedAt: Timestamp.optional(), text: z.string().max(500) })),
	total: z.number().int().nonnegative(),
	/** What could not be read of it, in one sentence. */
	note: z.string().optional(),
});
export type SourcePreview = z.infer<typeof SourcePreview>;

/** What came from a source, before it is withdrawn. */
export const SourceTraces = z.object({
	items: z.number().int(),
	pending: z.number().int(),
	/** Entries of memory that rest on it, with the way they came. */
	entries: z.array(z.object({ entryId: EntryId, file: MemoryPath, text: z.string(), approvedAt: Timestamp.optional() })),
	/** Reminders that were approved of it, and findings that were noted. */
	reminders: z.array(z.object({ reminderId: ReminderId, text: z.string() })),
	noted: z.array(z.object({ proposalId: ProposalId, text: z.string() })),
	/** Chats that were begun with a finding of it. */
	chats: z.array(z.object({ sessionId: SessionId, title: z.string() })),
});
export type SourceTraces = z.infer<typeof SourceTraces>;

/** What background work reads. Changed only by the owner's own doors; views learn of it by `sources_changed`. */
export const sources = {
	list: method.output(z.object({ sources: z.array(WatchedSource), seq: z.number().int() })),
	/**
	 * Looks at a pasted link (`link`: an address, an absolute path, `owner/name`) or at a whole place, and keeps nothing. Rejects with what is
	 * wrong, in words.
	 */
	preview: method
		.input(
			z.union([z.object({ link: z.string().trim().min(1).max(4_000), secret: Secret }), z.object({ place: WatchedPlace, secret: Secret })]),
		)
		.output(SourcePreview),
	/** `fromNow`: what is there already counts as read. Throws `conflict` where there is one of this place. */
	add: method
		.input(
			z.object({
				title: WatchedSource.shape.title,
				place: WatchedPlace,
				budget: WatchedBudget.prefault({}),
				secret: Secret,
				fromNow: z.boolean().default(false),
			}),
		)
		.output(WatchedSource),
	/** Another place needs its secret again. An empty secret removes it. */
	update: method
		.input(
			One.extend({
				title: WatchedSource.shape.title.optional(),
				budget: WatchedBudget.optional(),
				place: WatchedPlace.optional(),
				secret: Secret,
			}),
		)
		.output(WatchedSource),
	pause: method.input(One.extend({ paused: z.boolean() })).output(WatchedSource),
	/** Really reads it now, and keeps what is new: the next look considers it. */
	test: method.input(One).output(z.object({ items: z.number().int(), bytes: z.number().int(), ms: z.number(), source: WatchedSource })),
	/** The owner's own reading of the quarantine, newest first. */
	items: method.input(One.extend({ limit: z.number().int().min(1).max(200).default(50) })).output(z.array(WatchedItem)),
	traces: method.input(One).output(SourceTraces),
	/**
	 * Ends the source: its items and pending findings go. `forget`: also removes from memory, everywhere, what was approved of it (M4); what the
	 * owner was shown must be named. `forgetOthers`: its reminders and what was noted of it go, too. `deleteChats`: as `forget`, of chats about it.
	 */
	remove: method
		.input(
			One.extend({
				forget: z.array(EntryId).max(10_000).default([]),
				forgetOthers: z.boolean().default(false),
				deleteChats: z.array(SessionId).max(10_000).default([]),
			}),
		)
		.output(z.object({ items: z.number().int(), pending: z.number().int(), forgotten: z.number().int() })),
};

/** What waits, by source: the digest. */
export const FindingsDigest = z.object({
	waiting: z.number().int(),
	snoozed: z.number().int(),
	urgent: z.number().int(),
	oldestAt: Timestamp.optional(),
	bySource: z.array(
		z.object({ sourceId: WatchedSourceId, title: z.string(), waiting: z.number().int(), oldestAt: Timestamp, urgency: Urgency }),
	),
});
export type FindingsDigest = z.infer<typeof FindingsDigest>;

export const HeartbeatStatus = z.object({
	/** Off until the owner switches it on. */
	on: z.boolean(),
	/** The look under way. */
	current: HeartbeatTick.optional(),
	last: HeartbeatTick.optional(),
	nextAt: Timestamp.optional(),
	/** Why nothing happens now: off, paused, hours, budget, a question, an error that needs the owner; in words of the catalogue by its name. */
	held: z.enum(['paused', 'active_hours', 'budget_used', 'asks', 'stopped', 'no_sources', 'no_interests']).optional(),
	/** Of `stopped`: what went wrong. It goes on when the owner says so. */
	problem: z.object({ message: z.string(), action: z.string().optional(), at: Timestamp }).optional(),
	asks: SendQuestion.optional(),
	consents: z.array(z.object({ providerId: ProviderId, host: z.string(), allowed: z.boolean(), at: Timestamp })),
	/** What looks: the model's name; `builtIn`: by likeness to HEARTBEAT.md, without a model. */
	model: z.object({ name: z.string(), builtIn: z.boolean() }),
	/** Where HEARTBEAT.md lies. */
	file: z.string(),
	/** Its lines. `leavesOut`: it says only what not to look for. */
	interests: z.array(z.object({ text: z.string(), leavesOut: z.boolean() })),
	digest: FindingsDigest,
});
export type HeartbeatStatus = z.infer<typeof HeartbeatStatus>;

/** Looks: what was read and found, when the next one is, and the owner's word on where text of others may go. */
export const heartbeat = {
	status: method.output(HeartbeatStatus),
	ticks: method.input(z.object({ limit: z.number().int().min(1).max(500).default(50) })).output(z.array(HeartbeatTick)),
	/** Looks now, whatever the hour, at all sources, due or not, or at one. Resolves when the look has begun. Throws `conflict` while one is under way. */
	run: method.input(z.object({ sourceId: WatchedSourceId.optional() }).default({})).output(HeartbeatTick),
	tick: method.input(z.object({ tickId: TickId })).output(HeartbeatTick),
	stop: method.output(z.void()),
	/** The owner's answer to `asks`; `stale` where something else is asked by now. */
	answer: method.input(z.object({ shownHash: z.string().length(64), allow: z.boolean() })).output(HeartbeatStatus),
	/** The question is asked anew before the next look. */
	withdrawConsent: method.input(z.object({ providerId: ProviderId, host: z.string() })).output(HeartbeatStatus),
	/** After an error that stopped it. */
	goOn: method.output(HeartbeatStatus),
};

/** A text in quarantine as the owner reads it: plain, with what was quoted and what the detectors say. */
export const SourceText = z.object({
	/** Absent where it was collected, or forgotten. */
	item: WatchedItem.optional(),
	/** All of the item's text; without an item, what was quoted of it. */
	text: z.string(),
	/** Spans of the text that the finding quotes, in the order of the text. */
	quotes: z.array(z.object({ start: z.number().int(), end: z.number().int() })),
	inspection: Inspection,
});
export type SourceText = z.infer<typeof SourceText>;
