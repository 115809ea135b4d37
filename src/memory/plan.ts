import { z } from 'zod';
import { Timestamp } from '../domain/ids.ts';
import { ChangeId, EntryId, Provenance } from '../domain/memory.ts';

/** What a write does to the ledger once its file is written: kept with the intent, so that a crash loses none of it (R1). */

/** The entry with this hash and ordinal in the new text is this lineage, however different from its former text it is. */
export const Pin = z.object({
	entryId: EntryId,
	hash: z.string(),
	ordinal: z.number().int().nonnegative(),
	/** Of a text that comes back: as it was then. Without it: the change's own for a new text, its former one for an old text. */
	provenance: Provenance.optional(),
});
export type Pin = z.infer<typeof Pin>;

const Marks = z.object({
	validFrom: Timestamp.nullable(),
	validUntil: Timestamp.nullable(),
	supersedes: EntryId.nullable(),
	supersededBy: EntryId.nullable(),
	quarantined: z.boolean(),
});

/** What the ledger says beside the text, before and after. Undo swaps them. `provenance`: only where that changes too. */
export const MarkChange = z.object({
	entryId: EntryId,
	before: Marks,
	after: Marks,
	provenance: z.object({ before: Provenance, after: Provenance }).optional(),
});
export type MarkChange = z.infer<typeof MarkChange>;

export const Plan = z.object({
	/** What the receipt names. */
	entryId: EntryId.optional(),
	pins: z.array(Pin),
	marks: z.array(MarkChange),
	/** Changes of several files that are one: all are written, then all reach the ledger at once. The first one's id. */
	group: ChangeId.optional(),
	/** The removed text must not be kept (M4). */
	forgets: z.boolean().default(false),
	/** Changes that this one takes back. */
	undoes: z.array(ChangeId).default([]),
});
export type Plan = z.infer<typeof Plan>;

export const EMPTY_PLAN: Plan = { pins: [], marks: [], forgets: false, undoes: [] };
