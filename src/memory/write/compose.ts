import { isDeepStrictEqual } from 'node:util';
import { newId } from '../../base/ids.ts';
import { terminal } from '../../domain/errors.ts';
import type { EntryId, MemoryPath } from '../../domain/memory.ts';
import type { MemoryCore } from '../core.ts';
import { entriesOf } from '../entries.ts';
import { type EntryMarks, type EntryRow, marksOf } from '../ledger-store.ts';
import { appendEntry, insertEntryAfter, moveEntry, removeEntry, replaceEntry } from '../markdown/edit.ts';
import { dayOfFile } from '../paths.ts';
import type { MarkChange, Pin } from '../plan.ts';
import type { Holds } from '../port.ts';
import type { Composed, Part } from './commit.ts';
import { locate, pinTo, seenRow } from './locate.ts';

/** What each kind of write makes of a file's text, and of the ledger beside it. */

interface Seen {
	readonly entryId: EntryId;
	readonly baseHash: string;
}

const FRESH: EntryMarks = { validFrom: null, validUntil: null, supersedes: null, supersededBy: null, quarantined: false };

export function appendPart(file: MemoryPath, headingPath: readonly string[] | undefined, text: string, { validity }: Holds = {}): Part {
	return {
		file,
		compose: (current) => {
			const after = appendEntry(begun(file, current), { text, heading: headingPath ?? [] }).source;
			const made = written(newId<EntryId>(), text, current, after);
			const holds = marksWith(FRESH, validity);
			if (!holds || made.entryId === undefined) return made;
			return { ...made, marks: [{ entryId: made.entryId, before: FRESH, after: holds }] };
		},
	};
}

/** Undefined where nothing is said of when it holds. Throws `invalid_input` where it would end before it begins. */
function marksWith(marks: EntryMarks, { validFrom, validUntil }: Holds['validity'] = {}): EntryMarks | undefined {
	if (validFrom === undefined && validUntil === undefined) return undefined;
	const after = {
		...marks,
		...(validFrom !== undefined && { validFrom }),
		...(validUntil !== undefined && { validUntil }),
	};
	if (after.validFrom !== null && after.validUntil !== null && after.validUntil <= after.validFrom) throw endsBeforeItBegins();
	return after;
}

/** A daily file begins with its day. */
export function begun(file: MemoryPath, text: string): string {
	const day = dayOfFile(file);
	return day !== undefined && text.trim() === '' ? `# ${day}\n` : text;
}

/** A text that was taken out, at the end of the section it was in; where a new one goes, if there is no such section any more. */
export function putBack(text: string, row: EntryRow, said: string): string {
	const headingPath = JSON.parse(row.heading_path) as string[];
	const isThere = entriesOf(text).some(
		(entry) => entry.kind === 'heading' && isDeepStrictEqual([...entry.headingPath, entry.text], headingPath),
	);
	return appendEntry(text, { text: said, heading: isThere ? headingPath : [] }).source;
}

export function patchPart(core: MemoryCore, file: MemoryPath, seen: Seen, text: string, { validity }: Holds = {}): Part {
	return {
		file,
		compose: (current) => {
			const { row, entry } = locate(core, file, current, seen);
			const after = replaceEntry(current, entry, text).source;
			if (after === current) throw unchanged();
			const before = marksOf(row);
			const holds = marksWith(before, validity);
			return { ...written(row.id, text, current, after), ...(holds && { marks: [{ entryId: row.id, before, after: holds }] }) };
		},
	};
}

/** Files stay clean: the old entry stays as it is written, and the ledger says until when it held (mem-8). */
export function supersedePart(
	core: MemoryCore,
	file: MemoryPath,
	seen: Seen,
	text: string,
	{ now, validity }: Holds & { now: number },
): Part {
	return {
		file,
		compose: (current) => {
			const { row, entry } = locate(core, file, current, seen);
			if (row.superseded_by !== null)
				throw terminal('stale', 'Another entry has taken the place of that one already.', {
					safe: 'Nothing was changed.',
					action: 'Replace the newer entry.',
				});
			const made = written(newId<EntryId>(), text, current, insertEntryAfter(current, entry, text).source);
			if (made.entryId === undefined) throw new Error('the new entry is not in the file');
			const follows = { ...FRESH, validFrom: now, supersedes: row.id };
			const marks: MarkChange[] = [
				markChange(row, { validUntil: Math.min(row.valid_until ?? now, now), supersededBy: made.entryId }),
				{ entryId: made.entryId, before: FRESH, after: marksWith(follows, validity) ?? follows },
			];
			return { ...made, marks };
		},
	};
}

export function removePart(core: MemoryCore, file: MemoryPath, seen: Seen): Part {
	return {
		file,
		compose: (current) => {
			const { row, entry } = locate(core, file, current, seen);
			return { text: removeEntry(current, entry, { withChildren: false }).source, entryId: row.id };
		},
	};
}

export function validityPart(core: MemoryCore, file: MemoryPath, seen: Seen, validity: Pick<EntryMarks, 'validFrom' | 'validUntil'>): Part {
	const { validFrom, validUntil } = validity;
	if (validFrom !== null && validUntil !== null && validUntil <= validFrom) throw endsBeforeItBegins();
	return {
		file,
		compose: (current) => {
			const { row } = locate(core, file, current, seen);
			return { text: current, entryId: row.id, marks: [markChange(row, { validFrom, validUntil })] };
		},
	};
}

/** Within one file one part; to another file two: it is there before it leaves here, so that a crash loses nothing. */
export function moveParts(
	core: MemoryCore,
	from: MemoryPath,
	seen: Seen,
	to: MemoryPath,
	headingPath: readonly string[],
): [Part, ...Part[]] {
	if (from === to)
		return [
			{
				file: from,
				compose: (current) => {
					const { row, entry } = locate(core, from, current, seen);
					const after = moveEntry(current, entry, { heading: headingPath }).source;
					if (after === current) throw unchanged();
					const pin = pinTo(row.id, row.text, current, after);
					return { text: after, entryId: row.id, ...(pin && { pins: [pin] }) };
				},
			},
		];
	const arrive = (current: string): Composed => {
		const { text } = seenRow(core, from, seen);
		const after = appendEntry(begun(to, current), { text, heading: headingPath }).source;
		return written(seen.entryId, text, current, after);
	};
	return [{ file: to, compose: arrive }, removePart(core, from, seen)];
}

export function markChange(row: EntryRow, changed: Partial<EntryMarks>): MarkChange {
	const before = marksOf(row);
	return { entryId: row.id, before, after: { ...before, ...changed } };
}

/** The lineage `entryId` says `said` from now on, where the two texts differ. */
export function written(entryId: EntryId, said: string, before: string, after: string): Composed & { pins: Pin[] } {
	const pin = pinTo(entryId, said, before, after);
	return { text: after, pins: pin ? [pin] : [], ...(pin && { entryId }) };
}

function endsBeforeItBegins(): Error {
	return terminal('invalid_input', 'An entry can’t end to be valid before it begins.', { safe: 'Nothing was changed.' });
}

function unchanged(): Error {
	return terminal('invalid_input', 'The entry says that already.', { safe: 'Nothing was changed.' });
}
