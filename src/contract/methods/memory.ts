import { z } from 'zod';
import { ErrorShape } from '../../domain/errors.ts';
import { SendQuestion } from '../../domain/heartbeat.ts';
import { SessionId, Timestamp } from '../../domain/ids.ts';
import { Inspection } from '../../domain/inspection.ts';
import {
	ChangeId,
	EmbeddingChoice,
	EntryFilter,
	EntryId,
	EntryVersion,
	LocalDay,
	MemoryEntry,
	MemoryHit,
	MemoryPath,
	MemoryReceipt,
	ProposalId,
	SearchMode,
	Source,
} from '../../domain/memory.ts';
import { Proposal } from '../../domain/proposal.ts';
import { method } from './base.ts';
import { SourceText } from './heartbeat.ts';

/** How the index stands. `done` of `total` entries can be found; `embedded` of them also by meaning. */
export const IndexStatus = z.object({
	state: z.enum(['ready', 'indexing', 'rebuilding']),
	total: z.number().int().nonnegative(),
	done: z.number().int().nonnegative(),
	embedded: z.number().int().nonnegative(),
	/** Identity of the embedding model; null where search is by words only. */
	model: z.string().nullable(),
	/** Why vectors are not being made now, and when that is tried again. */
	problem: ErrorShape.optional(),
});
export type IndexStatus = z.infer<typeof IndexStatus>;

export const MemoryFile = z.object({
	path: MemoryPath,
	kind: z.enum(['long_term', 'daily', 'note']),
	/** Of a daily file. */
	day: LocalDay.optional(),
	entries: z.number().int().nonnegative(),
	bytes: z.number().int().nonnegative(),
	/** Headings in the order of the file, with the entries under each (those of deeper headings included). */
	headings: z.array(z.object({ path: z.array(z.string()), line: z.number().int().positive(), entries: z.number().int().nonnegative() })),
	/** Why it is not read: too large, not text, not readable. */
	problem: ErrorShape.optional(),
});
export type MemoryFile = z.infer<typeof MemoryFile>;

/** Two texts of one place that could not be merged: what lies in the file, and what Hearth meant to write. Both are kept (mem-10). */
export const MemoryConflict = z.object({
	id: z.string(),
	file: MemoryPath,
	/** What Hearth meant to write; null where it meant to remove. */
	ours: z.string().nullable(),
	/** What lies in the file; null where it was removed there. */
	theirs: z.string().nullable(),
	at: Timestamp,
});
export type MemoryConflict = z.infer<typeof MemoryConflict>;

/** One link of “Why is this here?”, newest first: how the entry came to say what it says. */
export const WhyStep = z.object({ version: EntryVersion, sources: z.array(Source), heldBy: z.string().optional() });
export type WhyStep = z.infer<typeof WhyStep>;

export const ForgetPlace = z.object({
	where: z.enum(['memory', 'history', 'chats', 'runs', 'proposals', 'attachments', 'audit', 'index', 'logs', 'backups', 'other']),
	count: z.number().int().nonnegative(),
});
export const ForgetReport = z.object({
	places: z.array(ForgetPlace),
	/** The owner's own files that hold the text; they are not touched. */
	kept: z.array(z.object({ path: z.string(), line: z.number().int().positive() })),
	/** Files of the profile that were read after it, none of which but the kept ones holds the text; or an error names those that do. */
	scannedFiles: z.number().int().nonnegative(),
	/** `entry`: too short or too common to be looked for elsewhere, so that only entries that say exactly this are removed. */
	scope: z.enum(['everywhere', 'entry']),
});
export type ForgetReport = z.infer<typeof ForgetReport>;

export const VerifyProblem = z.object({
	kind: z.enum(['disk_differs', 'missing_file', 'new_file', 'ledger_differs', 'index_missing', 'index_ghost', 'intent_open', 'conflict']),
	file: z.string(),
	detail: z.string(),
});
export type VerifyProblem = z.infer<typeof VerifyProblem>;

const Entry = z.object({ entryId: EntryId });
/** `baseHash`: hash of the text the owner saw; another one now means `stale`, and nothing changes. */
const Seen = Entry.extend({ baseHash: z.string() });
const Text = z.string().trim().min(1).max(20_000);
const Place = { file: MemoryPath.optional(), headingPath: z.array(z.string().max(500)).max(8).optional() };

export const memory = {
	/** `seq`: the live position it was taken at. */
	files: method.output(
		z.object({ files: z.array(MemoryFile), conflicts: z.array(MemoryConflict), index: IndexStatus, seq: z.number().int() }),
	),
	/** In the order of the files: MEMORY.md, newest day first, other notes; within a file by line. */
	entries: method
		.input(
			z.object({
				filter: EntryFilter.default({}),
				offset: z.number().int().nonnegative().default(0),
				limit: z.number().int().min(1).max(1000).default(200),
			}),
		)
		.output(z.object({ entries: z.array(MemoryEntry), total: z.number().int(), seq: z.number().int() })),
	entry: method.input(Entry).output(MemoryEntry),
	search: method
		.input(
			z.object({
				query: z.string().max(2_000),
				mode: SearchMode.default('hybrid'),
				filter: EntryFilter.default({}),
				limit: z.number().int().min(1).max(200).default(20),
			}),
		)
		.output(z.object({ hits: z.array(MemoryHit), index: IndexStatus, /** What was really searched. */ mode: SearchMode })),
	/** The whole chain, newest first. */
	why: method.input(Entry).output(z.object({ entry: MemoryEntry, chain: z.array(WhyStep) })),
	/** Of an entry, of a file, of one change, or of what fits all that is given; newest first. */
	history: method
		.input(
			z.object({
				entryId: EntryId.optional(),
				file: MemoryPath.optional(),
				changeId: ChangeId.optional(),
				limit: z.number().int().min(1).max(500).default(100),
			}),
		)
		.output(z.array(EntryVersion)),
	/** Without a file: today's daily file of the owner's local day. */
	add: method.input(z.object({ text: Text, requestId: z.uuid(), ...Place })).output(MemoryReceipt),
	edit: method.input(Seen.extend({ text: Text })).output(MemoryReceipt),
	/** The old entry stays as it was until now; the new text is what holds (mem-8). */
	supersede: method.input(Seen.extend({ text: Text })).output(MemoryReceipt),
	move: method.input(Seen.extend({ file: MemoryPath, headingPath: z.array(z.string()).max(8) })).output(MemoryReceipt),
	/** Null: no such limit. */
	setValidity: method.input(Seen.extend({ validFrom: Timestamp.nullable(), validUntil: Timestamp.nullable() })).output(MemoryReceipt),
	/** Takes an entry out of the file; it stays in the history and can be brought back. */
	remove: method.input(Seen).output(MemoryReceipt),
	/** Where the text lies and what would be left, before anything is done. */
	forgetPreview: method.input(Entry).output(ForgetReport),
	/** Removes the text everywhere (M4). There is no way back. */
	forget: method.input(Seen).output(ForgetReport),
	undo: method.input(z.object({ changeId: ChangeId })).output(MemoryReceipt),
	/** Brings back the text that the entry had after this change. */
	restore: method.input(Entry.extend({ changeId: ChangeId })).output(MemoryReceipt),
	resolveConflict: method.input(z.object({ conflictId: z.string(), take: z.enum(['ours', 'theirs', 'both']) })).output(z.void()),
	reindex: method.output(z.void()),
	verify: method.output(z.object({ files: z.number().int(), entries: z.number().int(), problems: z.array(VerifyProblem) })),
	embedding: method.output(EmbeddingChoice),
	chooseEmbedding: method.input(EmbeddingChoice).output(IndexStatus),
};

/**
 * What the owner chose with their yes. `target`: another place in memory, for what is to be remembered. `replaces`: an entry that it contradicts,
 * which it then supersedes; `baseHash` of what they saw. `dueAt`: of a task.
 */
export const ApproveChoices = z.object({
	target: z.object({ file: MemoryPath, headingPath: z.array(z.string().max(500)).max(8) }).optional(),
	replaces: Seen.optional(),
	validFrom: Timestamp.nullable().optional(),
	validUntil: Timestamp.nullable().optional(),
	dueAt: Timestamp.optional(),
});
export type ApproveChoices = z.infer<typeof ApproveChoices>;

const Decided = z.object({ proposalId: ProposalId, shownHash: z.string() });

/** `proposals`: those that wait, without what is snoozed and what folds under another one. `findings`: those of them that background work found. */
export const InboxCounts = z.object({ actions: z.number().int(), proposals: z.number().int(), findings: z.number().int() });
export type InboxCounts = z.infer<typeof InboxCounts>;

export const inbox = {
	counts: method.output(InboxCounts),
	list: method
		.input(
			z.object({
				/** `pending`: without those that are snoozed. `findings`: only what background work found. */
				status: z.enum(['pending', 'snoozed', 'decided']).default('pending'),
				findings: z.boolean().default(false),
				limit: z.number().int().min(1).max(1000).default(500),
			}),
		)
		.output(z.object({ proposals: z.array(Proposal), seq: z.number().int() })),
	get: method.input(z.object({ proposalId: ProposalId })).output(Proposal),
	/** What the detectors say of the words of each of its sources, in their order. */
	inspected: method
		.input(z.object({ proposalId: ProposalId }))
		.output(z.object({ sources: z.array(Inspection), text: Inspection.nullable() })),
	/** Bound to what was shown; `stale` where proposal or target changed. `text`: as the owner edited it. */
	approve: method.input(Decided.extend({ text: Text.optional(), choices: ApproveChoices.optional() })).output(Proposal),
	/** Of a finding: its source's trust falls, and what waits from there and says nearly the same folds under it. */
	reject: method.input(Decided.extend({ reason: z.string().max(2000).optional() })).output(Proposal),
	/** The owner has exactly this open now. */
	opened: method.input(Decided).output(Proposal),
	/** Null: it waits again now. */
	snooze: method.input(z.object({ proposalId: ProposalId, until: Timestamp.nullable() })).output(Proposal),
	/**
	 * One decision on several, each bound to what was shown; each is decided or refused by itself. Approving refuses text from outside that was not
	 * opened, what is stale, and what asks for forgetting.
	 */
	decideAll: method
		.input(
			z.object({
				proposals: z.array(Decided).min(1).max(500),
				decision: z.enum(['approve', 'reject']),
				reason: z.string().max(2000).optional(),
			}),
		)
		.output(z.object({ decided: z.array(Proposal), refused: z.array(z.object({ proposalId: ProposalId, error: ErrorShape })) })),
	/** The quarantined texts that a finding rests on, for the owner's eyes. */
	sourceTexts: method.input(z.object({ proposalId: ProposalId })).output(z.array(SourceText)),
	/**
	 * A new chat about it, marked external from its first message. The same request begins one. Where the model for chats is elsewhere or costs
	 * money and text of others may not go there yet, the owner is asked instead; `allow` names the question that they said yes to, and throws
	 * `stale` where something else is asked by now.
	 */
	discuss: method
		.input(z.object({ proposalId: ProposalId, requestId: z.uuid(), allow: z.string().length(64).optional() }))
		.output(z.union([z.object({ sessionId: SessionId }), z.object({ asks: SendQuestion })])),
	/** Points a stale proposal at the target as it is now; what is shown, and its hash, are new. */
	rebase: method.input(z.object({ proposalId: ProposalId })).output(Proposal),
	/** Takes a decision back: the proposal waits again, and what it wrote is undone. */
	undo: method.input(z.object({ proposalId: ProposalId })).output(Proposal),
};

export const BackupInfo = z.object({
	name: z.string(),
	path: z.string(),
	bytes: z.number().int().nonnegative(),
	madeAt: Timestamp,
	schemaVersion: z.number().int(),
	files: z.number().int().nonnegative(),
	/** Files that are not in it, with why: too large, links, not readable. */
	leftOut: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type BackupInfo = z.infer<typeof BackupInfo>;

export const backup = {
	list: method.output(z.array(BackupInfo)),
	create: method.output(BackupInfo),
	/** Reads all of it and checks each hash; problems in words, none when it is whole. */
	verify: method.input(z.object({ path: z.string().max(4_000) })).output(z.object({ backup: BackupInfo, problems: z.array(z.string()) })),
	/** Into a new profile of this name, which must not exist. */
	restore: method
		.input(z.object({ path: z.string().max(4_000), profile: z.string().max(64) }))
		.output(z.object({ profileFolder: z.string() })),
	/** The whole profile as one archive at this path, without secrets. */
	export: method
		.input(z.object({ path: z.string().max(4_000) }))
		.output(z.object({ path: z.string(), bytes: z.number().int(), files: z.number().int() })),
};
