import { type HearthError, terminal } from '../../domain/errors.ts';
import type { EntryId, MemoryPath } from '../../domain/memory.ts';
import type { MemoryCore } from '../core.ts';
import { entriesOf } from '../entries.ts';
import { diffOnce, insertedRanges, type Range } from '../hunks.ts';
import { entryHash, type IdentifiedEntry } from '../identity.ts';
import { type EntryRow, getEntry } from '../ledger-store.ts';
import type { Pin } from '../plan.ts';

/** From the ledger's entries to their places in a file's text, and back. */

export interface Located {
	readonly row: EntryRow;
	readonly entry: IdentifiedEntry;
}

/**
 * The entry's row. Throws `not_found`, and `stale` where the entry is gone, was moved to another file, or does not say any more what
 * was seen.
 */
export function seenRow(core: MemoryCore, file: MemoryPath, seen: { entryId: EntryId; baseHash?: string }): EntryRow {
	const row = getEntry(core.db.read, seen.entryId);
	if (row.live === 0) throw staleEntry('was taken out of its file meanwhile');
	if (row.file !== file) throw staleEntry('was moved to another file meanwhile');
	if (seen.baseHash !== undefined && seen.baseHash !== row.hash) throw staleEntry('was changed meanwhile');
	return row;
}

/** The same with its place in the text of its file, which the ledger knows as it is. */
export function locate(core: MemoryCore, file: MemoryPath, text: string, seen: { entryId: EntryId; baseHash?: string }): Located {
	const row = seenRow(core, file, seen);
	const entry = entriesOf(text).find(({ hash, ordinal }) => hash === row.hash && ordinal === row.ordinal);
	if (!entry) throw new Error(`entry ${row.id} is in the ledger and not in ${file}`);
	return { row, entry };
}

export function staleEntry(what: string): HearthError {
	return terminal('stale', `That entry ${what}.`, {
		safe: 'Nothing was changed.',
		action: 'Look at it as it is now and try again.',
	});
}

/** Ties a lineage to the entry that says `said` where the two texts differ; undefined where none does. */
export function pinTo(entryId: EntryId, said: string, before: string, after: string, provenance?: Pin['provenance']): Pin | undefined {
	return pinWithin(entryId, said, after, insertedRanges(diffOnce(before, after)), provenance);
}

/** Ties a lineage to the entry of `text` that says `said` in one of the ranges, or right beside one. */
export function pinWithin(
	entryId: EntryId,
	said: string,
	text: string,
	ranges: readonly Range[],
	provenance?: Pin['provenance'],
): Pin | undefined {
	const wanted = entryHash(said);
	const same = entriesOf(text).filter(({ hash }) => hash === wanted);
	const found =
		same.find((entry) => ranges.some(({ start, end }) => entry.start < end && entry.end > start)) ??
		same.find((entry) => ranges.some(({ start, end }) => entry.start <= end && entry.end >= start));
	return found && { entryId, hash: found.hash, ordinal: found.ordinal, ...(provenance && { provenance }) };
}
