import { z } from 'zod';
import { RunId, SessionId, Timestamp } from './ids.ts';
import { Label } from './label.ts';
import { ChangeId, EntryId, MemoryPath, MemoryReceipt, ProposalId, Provenance } from './memory.ts';
import { SkillName, SkillReceipt } from './skill.ts';

/** What waits for the owner's yes before it changes memory or a skill. It never expires and never approves itself (B2, B3). */

/** `drift`: a program that a tool ran changed a memory file; its text lies there, quarantined (bg-2). */
export const ProposalOperation = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('append'), file: MemoryPath, headingPath: z.array(z.string()), text: z.string() }),
	z.object({ kind: z.literal('patch'), file: MemoryPath, entryId: EntryId, baseHash: z.string(), before: z.string(), text: z.string() }),
	z.object({
		kind: z.literal('supersede'),
		file: MemoryPath,
		entryId: EntryId,
		baseHash: z.string(),
		before: z.string(),
		text: z.string(),
	}),
	z.object({ kind: z.literal('forget'), file: MemoryPath, entryId: EntryId, baseHash: z.string(), before: z.string() }),
	z.object({
		kind: z.literal('drift'),
		file: MemoryPath,
		/** The change that put it there. */
		changeId: ChangeId,
		/** Null where the text was taken out of the file. */
		entryId: EntryId.nullable(),
		before: z.string().nullable(),
		text: z.string().nullable(),
	}),
	/**
	 * A procedure in `skills/<name>/SKILL.md`, whole. `before`: null where there is none yet. `found`: it lies there already, written by
	 * somebody else than Hearth; approving lets the agent use exactly these bytes.
	 */
	z.object({
		kind: z.literal('skill'),
		name: SkillName,
		before: z.string().nullable(),
		text: z.string(),
		found: z.boolean(),
	}),
]);
export type ProposalOperation = z.infer<typeof ProposalOperation>;

/** What a decision did. */
export const ProposalReceipt = z.discriminatedUnion('outcome', [...MemoryReceipt.options, SkillReceipt]);
export type ProposalReceipt = z.infer<typeof ProposalReceipt>;

export const ProposalStatus = z.enum(['pending', 'approved', 'rejected']);
export type ProposalStatus = z.infer<typeof ProposalStatus>;

export const Proposal = z.object({
	id: ProposalId,
	operation: ProposalOperation,
	provenance: Provenance,
	/** The join over everything the step could see. */
	label: Label,
	/** Which rule held it, and why in one sentence. */
	rule: z.string(),
	reason: z.string(),
	sessionId: SessionId.optional(),
	runId: RunId.optional(),
	/** SHA-256 of exactly what is shown: operation, target, text, label, sources. A decision must name it (B3). */
	shownHash: z.string().length(64),
	status: ProposalStatus,
	/** The target changed since: it can't be applied before a rebase. */
	stale: z.boolean(),
	/** Another entry or proposal says the same. */
	duplicates: z.number().int().nonnegative(),
	createdAt: Timestamp,
	decidedAt: Timestamp.optional(),
	/** What approving did. */
	receipt: ProposalReceipt.optional(),
	/** The owner's words with a rejection. */
	rejection: z.string().optional(),
});
export type Proposal = z.infer<typeof Proposal>;
