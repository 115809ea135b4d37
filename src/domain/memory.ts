import { z } from 'zod';
import { ContextSourceKind } from './context-source.ts';
import { MessageId, RunId, SessionId, Timestamp } from './ids.ts';
import { Label } from './label.ts';

/** The words of memory: entries, where they came from, what changed them (product.md, M1–M6). */

/** One lineage of an entry: it stays through edits and moves, and outlives the text. */
export const EntryId = z.string().min(1).brand<'EntryId'>();
export type EntryId = z.infer<typeof EntryId>;
export const ChangeId = z.string().min(1).brand<'ChangeId'>();
export type ChangeId = z.infer<typeof ChangeId>;
export const ProposalId = z.string().min(1).brand<'ProposalId'>();
export type ProposalId = z.infer<typeof ProposalId>;

export const LONG_TERM_FILE = 'MEMORY.md';
/** `MEMORY.md` or a Markdown file at any depth under `memory/`, with forward slashes, relative to the profile, on one line. */
export const MemoryPath = z
	.string()
	.max(500)
	.regex(/^(?:MEMORY\.md|memory\/(?:[^/\\\0]+\/)*[^/\\\0]+\.md)$/)
	.refine((path) => !path.split('/').some((part) => part === '..' || part === '.'))
	// A prompt names files, one a line: no name may look like another line of it.
	.refine((path) => !/[\p{Cc}\u2028\u2029]/u.test(path))
	.brand<'MemoryPath'>();
export type MemoryPath = z.infer<typeof MemoryPath>;
/** A day as the owner's clock has it: `2026-11-29`. */
export const LocalDay = z
	.string()
	.regex(/^\d{4}-\d{2}-\d{2}$/)
	.refine((day) => {
		const time = Date.parse(`${day}T00:00:00Z`);
		return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
	}, 'There is no such day.');

export const EntryKind = z.enum(['item', 'paragraph', 'heading', 'table', 'code', 'quote']);
export type EntryKind = z.infer<typeof EntryKind>;

/** Who wrote the text. `file_edit`: the owner, in another editor. `tool`: a program that a tool ran (bg-2). `unknown`: the ledger was lost. */
export const Author = z.enum(['owner', 'agent', 'heartbeat', 'import', 'file_edit', 'tool', 'unknown']);
export type Author = z.infer<typeof Author>;

/** What an entry was made from. `quote` is the exact text it rests on. No source is said, never left blank (M2). */
export const Source = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('message'),
		sessionId: SessionId,
		messageId: MessageId,
		sessionTitle: z.string(),
		/** Who said it. */
		role: z.enum(['user', 'assistant']),
		quote: z.string(),
		/** The conversation was deleted; the quote stays. */
		deleted: z.boolean().default(false),
	}),
	z.object({ kind: z.literal('finding'), findingId: z.string(), title: z.string(), quote: z.string() }),
	z.object({
		kind: z.literal('url'),
		url: z.string(),
		fetchedAt: Timestamp,
		/** SHA-256 of what was fetched. */
		fetchedHash: z.string(),
		quote: z.string(),
		start: z.number().int().nonnegative(),
		end: z.number().int().nonnegative(),
	}),
	/** An attachment or another file; `path` as the owner knows it. */
	z.object({ kind: z.literal('file'), path: z.string(), hash: z.string().optional(), quote: z.string() }),
	/**
	 * What a tool brought in that is no page and no file: the answer of a tool server, a command's output, delegated work, a mail. `hash`: of all of it.
	 * `address`: where it lies there, where that has one.
	 */
	z.object({
		kind: z.literal('tool'),
		of: ContextSourceKind,
		name: z.string(),
		address: z.string().optional(),
		at: Timestamp,
		hash: z.string().optional(),
		quote: z.string(),
	}),
	/** An entry that this one was made from. */
	z.object({ kind: z.literal('entry'), entryId: EntryId, quote: z.string() }),
]);
export type Source = z.infer<typeof Source>;
export const SourceKind = z.enum(['message', 'finding', 'url', 'file', 'tool', 'entry', 'none']);
export type SourceKind = z.infer<typeof SourceKind>;

export const Approval = z.object({
	at: Timestamp,
	/** SHA-256 of exactly what the owner was shown (B3). */
	shownHash: z.string(),
	proposalId: ProposalId,
	/** The owner changed the text before approving: what was proposed. */
	proposedText: z.string().optional(),
});

export const Provenance = z.object({
	author: Author,
	/** As it counts now: `approved` where the owner approved outside text. */
	label: Label,
	/** As it was before the owner's approval (B4); shown as “External, approved”. */
	origin: Label,
	sources: z.array(Source),
	runId: RunId.optional(),
	step: z.number().int().nonnegative().optional(),
	modelName: z.string().optional(),
	/** Why, in the writer's words. */
	reason: z.string().optional(),
	/** When it was written, by the wall clock. */
	at: Timestamp,
	approval: Approval.optional(),
});
export type Provenance = z.infer<typeof Provenance>;

/** `quarantined`: in the file, but neither recalled nor shown to a model until the owner decides (bg-2). */
export const EntryState = z.enum(['current', 'superseded', 'expired', 'not_yet', 'quarantined', 'gone']);
export type EntryState = z.infer<typeof EntryState>;

export const MemoryEntry = z.object({
	id: EntryId,
	file: MemoryPath,
	headingPath: z.array(z.string()),
	kind: EntryKind,
	/** What it says, whole, without list marker and other agents' comments. */
	text: z.string(),
	/** SHA-256 of the normalised text; a change names it, so that it changes what was seen. */
	hash: z.string(),
	/** From 1, both included. */
	lineStart: z.number().int().positive(),
	lineEnd: z.number().int().positive(),
	state: EntryState,
	provenance: Provenance,
	/** The first instant at which it holds, and the first at which it no longer does. */
	validFrom: Timestamp.optional(),
	validUntil: Timestamp.optional(),
	supersedes: EntryId.optional(),
	supersededBy: EntryId.optional(),
	lastUsedAt: Timestamp.optional(),
	useCount: z.number().int().nonnegative(),
	/** How many texts it has had, this one included. */
	versions: z.number().int().positive(),
	createdAt: Timestamp,
	updatedAt: Timestamp,
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const ChangeKind = z.enum([
	'append',
	'patch',
	'supersede',
	'move',
	'remove',
	'validity',
	'forget',
	'undo',
	'restore',
	'file_edit',
	'drift',
	'approve_drift',
]);
export type ChangeKind = z.infer<typeof ChangeKind>;

/** What a write did, or that it waits. A claim of saving needs one (mem-9). Holds no text, so that it may be stored anywhere. */
export const MemoryReceipt = z.discriminatedUnion('outcome', [
	z.object({
		outcome: z.literal('written'),
		changeId: ChangeId,
		kind: ChangeKind,
		file: MemoryPath,
		entryId: EntryId.optional(),
		/** The same write was made before; nothing was written twice (mem-5). */
		repeated: z.boolean().default(false),
	}),
	z.object({ outcome: z.literal('held'), proposalId: ProposalId, reason: z.string() }),
]);
export type MemoryReceipt = z.infer<typeof MemoryReceipt>;

/** A text that an entry had. `before` null: it was added; `after` null: it was removed. `forgotten`: neither is kept any more. */
export const EntryVersion = z.object({
	changeId: ChangeId,
	entryId: EntryId,
	kind: ChangeKind,
	file: MemoryPath,
	at: Timestamp,
	before: z.string().nullable(),
	after: z.string().nullable(),
	forgotten: z.boolean(),
	provenance: Provenance,
	/** Set once it was taken back. */
	undoneBy: ChangeId.optional(),
});
export type EntryVersion = z.infer<typeof EntryVersion>;

export const EntryFilter = z.object({
	file: MemoryPath.optional(),
	/** Entries under this heading of the file. */
	headingPath: z.array(z.string()).optional(),
	authors: z.array(Author).optional(),
	labels: z.array(Label).optional(),
	/** By origin: outside text that the owner approved. */
	origins: z.array(Label).optional(),
	sources: z.array(SourceKind).optional(),
	/** Written at or after, and before. For entries of a daily file its day counts. */
	from: Timestamp.optional(),
	until: Timestamp.optional(),
	neverUsed: z.boolean().optional(),
	states: z.array(EntryState).optional(),
});
export type EntryFilter = z.infer<typeof EntryFilter>;

/** What made up a hit’s score, which is their sum; what speaks against it is negative (docs/retrieval.md). */
export const ScoreParts = z.record(z.string(), z.number());

/** Scores compare the hits of one search. `similarity` and `coverage` say more: whether the best of them is any good. */
export const MemoryHit = z.object({
	entry: MemoryEntry,
	score: z.number(),
	parts: ScoreParts,
	/** Cosine with what was asked; absent where there are no vectors. */
	similarity: z.number().optional(),
	/** From 0 to 1: how much of what was asked the entry or its headings hold, rare words counting more. */
	coverage: z.number().optional(),
});
export type MemoryHit = z.infer<typeof MemoryHit>;

export const SearchMode = z.enum(['hybrid', 'keyword', 'vector']);
export type SearchMode = z.infer<typeof SearchMode>;

/** Which model turns text into vectors. `off`: keyword search only. */
export const EmbeddingChoice = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('embedded') }),
	z.object({ kind: z.literal('ollama'), baseUrl: z.url({ protocol: /^https?$/ }), modelId: z.string().min(1).max(200) }),
	z.object({
		kind: z.literal('openai-compatible'),
		baseUrl: z.url({ protocol: /^https?$/ }),
		modelId: z.string().min(1).max(200),
		/** Name of the key in the secret store, where it needs one. */
		secretName: z.string().min(1).max(120).optional(),
	}),
	z.object({ kind: z.literal('off') }),
]);
export type EmbeddingChoice = z.infer<typeof EmbeddingChoice>;
