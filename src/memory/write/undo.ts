import { isDeepStrictEqual } from 'node:util';
import { type HearthError, terminal } from '../../domain/errors.ts';
import type { EntryVersion, Provenance } from '../../domain/memory.ts';
import { getChange, laterChanges, type MemoryChange } from '../change-store.ts';
import type { MemoryCore } from '../core.ts';
import { applyHunks, type Hunk, insertedRanges, mapRange, type Range } from '../hunks.ts';
import { findEntry, marksOf } from '../ledger-store.ts';
import { removeEntry, replaceEntry } from '../markdown/edit.ts';
import { dayOfFile } from '../paths.ts';
import type { MarkChange, Pin } from '../plan.ts';
import { versionBefore, versionsOfChange } from '../version-store.ts';
import { type Composed, groupOf, type Part, type WriteOrder } from './commit.ts';
import { putBack } from './compose.ts';
import { locate, pinTo, pinWithin } from './locate.ts';

/** Taking a change back on the text as it is today, whatever else was changed since (M4). */

/** Throws `conflict` where there is nothing that could be undone. */
export function undoParts(core: MemoryCore, change: MemoryChange): { parts: WriteOrder['parts']; undoes: MemoryChange[] } {
	// Of two files that were one write, one may have got no further than its intent.
	const group = groupOf(core, change).filter(({ id, status }) => id === change.id || status === 'done');
	checkUndoable(group);
	const versions = group.flatMap(({ id }) => versionsOfChange(core.db.read, id));
	if (versions.some(({ forgotten }) => forgotten)) throw forgotten();
	const [first, ...rest] = group.map((one): Part => ({ file: one.file, compose: (text) => takeBack(core, one, versions, text) }));
	if (!first) throw new Error('a change without a file');
	return { parts: [first, ...rest], undoes: group };
}

function checkUndoable(group: readonly MemoryChange[]): void {
	for (const { status, kind, hunks, plan, undoneBy } of group) {
		if (kind === 'forget' || plan.forgets || hunks.some((hunk) => hunk.forgotten)) throw forgotten();
		if (undoneBy !== undefined) throw terminal('conflict', 'That change was undone already.', { safe: 'Nothing was changed.' });
		if (status !== 'done') throw terminal('conflict', 'That change was never made.', { safe: 'Nothing was changed.' });
	}
}

function takeBack(core: MemoryCore, change: MemoryChange, versions: readonly EntryVersion[], text: string): Composed {
	const marks = change.plan.marks.flatMap((mark) => reverseMark(core, mark));
	// In the file's turn: another undo of it may have been quicker.
	checkUndoable([getChange(core.db.read, change.id)]);
	const composed = reverseHunks(core, change, versions, text) ?? reverseEntry(core, change, text);
	const entryId = change.plan.entryId ?? versions[0]?.entryId;
	return { ...composed, marks, entryId };
}

/** A change of one file taken back as far as its text goes; undefined where a place of it was touched, or forgotten. */
export function takeBackAlone(core: MemoryCore, change: MemoryChange, text: string): Composed | undefined {
	if (change.plan.group !== undefined || change.hunks.some((hunk) => hunk.forgotten)) return undefined;
	const composed = reverseHunks(core, change, versionsOfChange(core.db.read, change.id), text);
	return composed && { ...composed, entryId: change.plan.entryId };
}

/** Each place is found again through all that was changed since; undefined where one of them was touched. */
function reverseHunks(core: MemoryCore, change: MemoryChange, versions: readonly EntryVersion[], text: string): Composed | undefined {
	const later = withoutDetours(laterChanges(core.db.read, change));
	const hunks: Hunk[] = [];
	const ranges = insertedRanges(change.hunks);
	for (const [index, hunk] of change.hunks.entries()) {
		let range: Range | undefined = ranges[index];
		for (const { hunks: since } of later) range &&= mapRange(range, since);
		if (!range || text.slice(range.start, range.end) !== hunk.inserted) return undefined;
		hunks.push({ at: range.start, removed: hunk.inserted, inserted: hunk.removed });
	}
	const kept = keepDay(change, text, hunks);
	const after = applyHunks(text, kept);
	const pins = versions.flatMap((version): Pin[] => {
		const pin = version.before !== null && pinWithin(version.entryId, version.before, after, insertedRanges(kept), formerly(core, version));
		return pin ? [pin] : [];
	});
	return { text: after, hunks: kept, pins };
}

/** Where the file was again, byte for byte, what it had been, all in between counts for nothing: a change and its undo above all. */
function withoutDetours(changes: readonly MemoryChange[]): MemoryChange[] {
	const direct: MemoryChange[] = [];
	for (let index = 0; index < changes.length; index++) {
		const change = changes[index];
		if (!change) break;
		const back = changes.findLastIndex(({ afterHash }, later) => later >= index && afterHash === change.beforeHash);
		if (back < 0) direct.push(change);
		else index = back;
	}
	return direct;
}

/** The first note of a day made the file, and with it the heading; while there are others, that stays. */
function keepDay({ file }: MemoryChange, text: string, hunks: readonly Hunk[]): Hunk[] {
	const day = dayOfFile(file);
	const [first, ...rest] = hunks;
	if (day === undefined || first?.at !== 0 || first.inserted !== '' || first.removed.length === text.length) return [...hunks];
	const heading = /^\uFEFF?# \d{4}-\d{2}-\d{2}\r?\n(?:\r?\n)?/.exec(first.removed)?.[0] ?? '';
	return [{ at: heading.length, removed: first.removed.slice(heading.length), inserted: '' }, ...rest];
}

/** Where the place was touched, but the one entry that was changed says again what it said right after. Throws `stale`. */
function reverseEntry(core: MemoryCore, change: MemoryChange, text: string): Composed {
	const marked = new Set(change.plan.marks.map((mark) => mark.entryId));
	const versions = versionsOfChange(core.db.read, change.id);
	const [version, ...more] = versions.filter(({ entryId, before, after }) => before !== after || !marked.has(entryId));
	const row = version && findEntry(core.db.read, version.entryId);
	if (!row || version.before === version.after || more.length > 0) throw touched();
	const { before, after } = version;
	let current: string;
	if (after === null) {
		if (row.live === 1) throw touched();
		current = putBack(text, row, before ?? '');
	} else {
		if (row.live === 0 || row.file !== change.file || row.text !== after) throw touched();
		const { entry } = locate(core, change.file, text, { entryId: row.id });
		current = before === null ? removeEntry(text, entry, { withChildren: false }).source : replaceEntry(text, entry, before).source;
	}
	const pin = before !== null && pinTo(row.id, before, text, current, formerly(core, version));
	return { text: current, ...(pin && { pins: [pin] }) };
}

/** The text that comes back is where it was from when it was there. */
function formerly(core: MemoryCore, version: EntryVersion): Provenance | undefined {
	if (version.before === version.after) return undefined;
	return versionBefore(core.db.read, version.entryId, version.changeId)?.provenance;
}

function reverseMark(core: MemoryCore, mark: MarkChange): MarkChange[] {
	const row = findEntry(core.db.read, mark.entryId);
	if (!row) return [];
	if (!isDeepStrictEqual(marksOf(row), mark.after)) throw touched();
	const { before, after, provenance } = mark;
	return [
		{
			entryId: mark.entryId,
			before: after,
			after: before,
			...(provenance && { provenance: { before: provenance.after, after: provenance.before } }),
		},
	];
}

function touched(): HearthError {
	return terminal('stale', 'What that change wrote has been changed again since, so it can’t be undone by itself.', {
		safe: 'Nothing was changed.',
		action: 'Undo the later change first, or bring back a former text from the history of the entry.',
	});
}

function forgotten(): HearthError {
	return terminal('conflict', 'Some of the text of that change was forgotten, so it can’t be undone.', {
		safe: 'Nothing was changed.',
	});
}
