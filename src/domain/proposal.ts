import { z } from 'zod';
import { FindingQuote, TickId, Urgency, WatchedSourceId } from './heartbeat.ts';
import { RunId, SessionId, Timestamp } from './ids.ts';
import { Label } from './label.ts';
import { ChangeId, EntryId, MemoryPath, MemoryReceipt, ProposalId, Provenance } from './memory.ts';
import { ReminderId } from './reminder.ts';
import { SkillName, SkillReceipt } from './skill.ts';
import { OccurrenceId, TaskId } from './task.ts';

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
	/** For the owner to know; approving keeps it among the decided and changes nothing else. */
	z.object({ kind: z.literal('notice'), text: z.string() }),
	/** For the owner to do; approving sets a reminder at `dueAt`, or at the time that the owner chooses. */
	z.object({ kind: z.literal('task'), text: z.string(), dueAt: Timestamp.nullable() }),
]);
export type ProposalOperation = z.infer<typeof ProposalOperation>;

/** What a decision did. */
export const ProposalReceipt = z.discriminatedUnion('outcome', [
	...MemoryReceipt.options,
	SkillReceipt,
	/** Of a notice. */
	z.object({ outcome: z.literal('noted') }),
	/** Of a task. */
	z.object({ outcome: z.literal('reminder_set'), reminderId: ReminderId, dueAt: Timestamp }),
]);
export type ProposalReceipt = z.infer<typeof ProposalReceipt>;

export const ProposalStatus = z.enum(['pending', 'approved', 'rejected']);
export type ProposalStatus = z.infer<typeof ProposalStatus>;

/** Of what background work found: where in the quarantined text it stands, and what it meets. */
const FindingShape = z.object({
	/** The source that a look found it in. */
	sourceId: WatchedSourceId.optional(),
	/** The title then, of the source, or of the task. */
	sourceTitle: z.string(),
	tickId: TickId.optional(),
	/** It is the result of this run of a task. */
	task: z.object({ taskId: TaskId, occurrenceId: OccurrenceId }).optional(),
	urgency: Urgency,
	quotes: z.array(FindingQuote),
	/** Entries of memory that it contradicts, as far as that can be told. */
	conflicts: z.array(EntryId),
	/** Findings that waited when it was held and say otherwise. */
	conflictsWith: z.array(ProposalId).default([]),
	/** What those said when it was shown, as hashes; the inbox fills it in. Another one now makes it stale. */
	against: z.string().optional(),
	/** Spans of the texts it rests on that detectors flagged when it was held; what is merely private does not count. */
	flagged: z.number().int().nonnegative().default(0),
});
export const FindingInfo = FindingShape.refine(({ sourceId, task }) => (sourceId === undefined) !== (task === undefined), {
	error: 'A finding is of a source or of a task.',
});
export type FindingInfo = z.infer<typeof FindingInfo>;

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
	/** Of a finding. */
	finding: FindingInfo.optional(),
	/** It comes back then. */
	snoozedUntil: Timestamp.optional(),
	/** The owner had exactly this open: only then a batch may approve text from outside. */
	opened: z.boolean(),
	/** It says nearly the same as this one, or the owner rejected that one: shown under it. */
	foldedInto: ProposalId.optional(),
	createdAt: Timestamp,
	decidedAt: Timestamp.optional(),
	/** What approving did. */
	receipt: ProposalReceipt.optional(),
	/** The owner's words with a rejection. */
	rejection: z.string().optional(),
});
export type Proposal = z.infer<typeof Proposal>;
