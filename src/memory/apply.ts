import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import type { Timestamp } from '../domain/ids.ts';
import { joinLabels } from '../domain/label.ts';
import type { ChangeId, ChangeKind, EntryId, MemoryPath, Provenance } from '../domain/memory.ts';
import { entriesOf } from './entries.ts';
import { dropFile, saveFile } from './file-store.ts';
import type { IdentifiedEntry } from './identity.ts';
import {
	type EntryPlace,
	type EntryRow,
	findEntry,
	insertEntry,
	lastGone,
	liftEntries,
	liveEntries,
	liveFrom,
	placeEntry,
	provenanceOf,
	retireEntry,
	rewriteEntry,
} from './ledger-store.ts';
import { matchEntries, matchMoves } from './lineage.ts';
import { dayOfFile, noonOf } from './paths.ts';
import type { Pin } from './plan.ts';
import { featuresOf, SAME_ENTRY, similarity } from './similarity.ts';
import { insertVersion } from './version-store.ts';

/** The one way in which the text of files reaches the ledger, whoever wrote it (M2). */

export interface FileContent {
	readonly file: MemoryPath;
	/** Null: the file is gone. */
	readonly content: string | null;
	readonly hash: string;
	readonly bytes: number;
	readonly modifiedMs: number;
	readonly changeId: ChangeId;
	/** Which entries of the new text are which lineages; the others are found by what they say. */
	readonly pins: readonly Pin[];
}

export interface ApplyOptions {
	/** Of every text that is new. */
	readonly provenance: Provenance;
	/** New and changed texts are not recalled until the owner decides (bg-2). */
	readonly quarantined: boolean;
	/** A text that was taken out before and is here again, as when the owner cuts and pastes, is the entry it was (M2). */
	readonly revives: boolean;
	/** Neither the texts before nor those after are kept in the history (M4). */
	readonly forgets: boolean;
	readonly at: Timestamp;
	readonly timeZone: string;
}

export interface Applied {
	/** Of `memory_entries`: what the index must look at again. */
	readonly rowids: number[];
	readonly files: MemoryPath[];
	/** The changes that were recorded. */
	readonly changes: { readonly id: ChangeId; readonly file: MemoryPath; readonly kind: ChangeKind }[];
}

/** What an entry of the new text was before. */
interface Lineage {
	readonly row: EntryRow | undefined;
	readonly pin?: Pin;
}

interface FileWork {
	readonly content: FileContent;
	readonly before: readonly EntryRow[];
	readonly after: readonly IdentifiedEntry[];
	/** By position in `after`. */
	readonly lineages: (Lineage | undefined)[];
}

/** Makes the ledger say what these files say now. Each change has its row already. Returns the rowids of what changed. */
export function applyContents(tx: WriteDb, contents: readonly FileContent[], options: ApplyOptions): number[] {
	const works = contents.map(
		(content): FileWork => ({
			content,
			before: liveEntries(tx, content.file),
			after: content.content === null ? [] : entriesOf(content.content),
			lineages: [],
		}),
	);
	const claimed = new Set<number>();
	for (const work of works) pinEntries(tx, work, works, claimed);
	// Word for word first, wherever it was: only then may an entry be one that merely resembles it.
	matchCarried(works, claimed);
	for (const work of works) matchWithin(work, claimed);
	matchAcross(works, claimed);
	if (options.revives) for (const work of works) revive(tx, work, claimed);

	for (const work of works) liftEntries(tx, movedRows(work));
	const touched: number[] = [];
	for (const work of works) touched.push(...retireRest(tx, work, claimed, options));
	for (const work of works) touched.push(...placeAll(tx, work, options));
	for (const { content } of works) saveContent(tx, content, options.at);
	return touched;
}

function pinEntries(tx: WriteDb, work: FileWork, works: readonly FileWork[], claimed: Set<number>): void {
	for (const pin of work.content.pins) {
		const free = (entry: IdentifiedEntry, index: number) => entry.hash === pin.hash && work.lineages[index] === undefined;
		let index = work.after.findIndex((entry, place) => free(entry, place) && entry.ordinal === pin.ordinal);
		// After a merge with an edit from outside there may be more or fewer of the same before it.
		if (index < 0) index = work.after.findIndex(free);
		if (index < 0) continue;
		const row = findEntry(tx, pin.entryId);
		// It lives in a file that is not being changed: what came here is a copy, with a life of its own.
		const elsewhere = row?.live === 1 && !works.some(({ content }) => content.file === row.file);
		if (elsewhere || (row && claimed.has(row.rowid))) {
			work.lineages[index] = { row: undefined };
			continue;
		}
		if (row) claimed.add(row.rowid);
		work.lineages[index] = { row, pin };
	}
}

function matchWithin(work: FileWork, claimed: Set<number>): void {
	const before = work.before.filter((row) => !claimed.has(row.rowid)).map(asLineage);
	const places = work.after.flatMap((_, index) => (work.lineages[index] === undefined ? [index] : []));
	const after = places.flatMap((place) => work.after[place] ?? []);
	for (const { before: from, after: to } of matchEntries(before, after)) {
		const row = before[from]?.row;
		const place = places[to];
		if (row === undefined || place === undefined) continue;
		claimed.add(row.rowid);
		work.lineages[place] = { row };
	}
}

/** Texts that no longer stand at all in one file, and now stand in another where they did not, word for word. */
function matchCarried(works: readonly FileWork[], claimed: Set<number>): void {
	if (works.length < 2) return;
	const left = new Map<string, EntryRow[]>();
	for (const { before, after } of works) {
		const stays = new Set(after.map(({ hash }) => hash));
		for (const row of before) if (!claimed.has(row.rowid) && !stays.has(row.hash)) left.set(row.hash, [...(left.get(row.hash) ?? []), row]);
	}
	for (const { before, after, lineages } of works) {
		const was = new Set(before.map(({ hash }) => hash));
		after.forEach(({ hash }, index) => {
			if (lineages[index] !== undefined || was.has(hash)) return;
			const row = left.get(hash)?.shift();
			if (!row) return;
			claimed.add(row.rowid);
			lineages[index] = { row };
		});
	}
}

/** Entries that left one file and came to another one. */
function matchAcross(works: readonly FileWork[], claimed: Set<number>): void {
	if (works.length < 2) return;
	const removed = works.flatMap(({ before }) => before.filter((row) => !claimed.has(row.rowid)).map(asLineage));
	const added = works.flatMap((work) =>
		work.after.flatMap((entry, index) => (work.lineages[index] === undefined ? [{ ...entry, file: work.content.file, work, index }] : [])),
	);
	for (const { before, after } of matchMoves(removed, added)) {
		const row = removed[before]?.row;
		const to = added[after];
		if (row === undefined || to === undefined) continue;
		claimed.add(row.rowid);
		to.work.lineages[to.index] = { row };
	}
}

function asLineage(row: EntryRow) {
	return { row, file: row.file, hash: row.hash, text: row.text, headingPath: JSON.parse(row.heading_path) as string[] };
}

function revive(tx: WriteDb, work: FileWork, claimed: Set<number>): void {
	work.after.forEach((entry, index) => {
		if (work.lineages[index] !== undefined) return;
		const row = lastGone(tx, entry.hash);
		if (!row || claimed.has(row.rowid)) return;
		claimed.add(row.rowid);
		work.lineages[index] = { row };
	});
}

/** Live rows of the file that take another identity, or none: the new ones may be those that others of them have now. */
function movedRows(work: FileWork): number[] {
	const kept = new Set<number>();
	work.lineages.forEach((lineage, index) => {
		const row = lineage?.row;
		const entry = work.after[index];
		if (row && entry && row.file === work.content.file && row.hash === entry.hash && row.ordinal === entry.ordinal) kept.add(row.rowid);
	});
	return work.before.filter((row) => !kept.has(row.rowid)).map((row) => row.rowid);
}

function retireRest(tx: WriteDb, work: FileWork, claimed: ReadonlySet<number>, options: ApplyOptions): number[] {
	const { changeId, file } = work.content;
	const gone = work.before.filter((row) => !claimed.has(row.rowid));
	for (const row of gone) {
		retireEntry(tx, row.rowid, options.at);
		const { forgets, provenance } = options;
		insertVersion(tx, { changeId, entryId: row.id, file, before: forgets ? null : row.text, after: null, forgotten: forgets, provenance });
	}
	return gone.map((row) => row.rowid);
}

function placeAll(tx: WriteDb, work: FileWork, options: ApplyOptions): number[] {
	const { content } = work;
	return work.after.flatMap((entry, position): number[] => {
		const { row, pin } = work.lineages[position] ?? { row: undefined, pin: undefined };
		const place: EntryPlace = { ...entry, file: content.file, position };
		if (row?.live === 1 && row.file === content.file && row.text === entry.text && !pin?.provenance) {
			if (isAt(row, place)) return [];
			placeEntry(tx, row.rowid, place);
			return row.heading_path === JSON.stringify(place.headingPath) ? [] : [row.rowid];
		}
		return [write(tx, row, pin, place, content.changeId, options)];
	});
}

/** A text that is new, changed, moved to this file, or back. */
function write(
	tx: WriteDb,
	row: EntryRow | undefined,
	pin: Pin | undefined,
	place: EntryPlace,
	changeId: ChangeId,
	options: ApplyOptions,
): number {
	const same = row !== undefined && row.hash === place.hash;
	const provenance =
		pin?.provenance ?? (same ? provenanceOf(row) : editedFrom(row ?? copied(tx, place.hash), place.text, options.provenance));
	const day = dayOfFile(place.file);
	const dated = day === undefined ? (same ? row.dated : options.at) : noonOf(day, options.timeZone);
	const quarantined = options.quarantined ? !same || row.quarantined === 1 : row?.quarantined === 1 && !isOwners(provenance);
	const made = { provenance, quarantined, dated, now: options.at };
	const id = row?.id ?? pin?.entryId ?? newId<EntryId>();
	const rowid = row?.rowid ?? insertEntry(tx, id, place, made);
	if (row) rewriteEntry(tx, rowid, place, made);
	const before = row?.live === 1 && !options.forgets ? row.text : null;
	const after = options.forgets ? null : place.text;
	insertVersion(tx, { changeId, entryId: id, file: place.file, before, after, forgotten: options.forgets, provenance });
	return rowid;
}

/**
 * Outside text stays outside text however often it is edited: as long as it is still alike, it keeps its origin, and the owner's own edit
 * makes it approved, never the owner's words (B4). They know no other sources than it had.
 */
function editedFrom(row: EntryRow | undefined, text: string, edit: Provenance): Provenance {
	const former = row && provenanceOf(row);
	if (former?.origin !== 'external' || similarity(featuresOf(row?.text ?? ''), featuresOf(text)) < SAME_ENTRY) return edit;
	if (!isOwners(edit)) return { ...edit, label: joinLabels(former.label, edit.label), origin: 'external' };
	const { sources, approval } = former;
	return { ...edit, label: 'approved', origin: 'external', sources, ...(approval && { approval }) };
}

/** Outside text that stands in memory already, word for word: who copies it has not written it (B4). */
function copied(tx: WriteDb, hash: string): EntryRow | undefined {
	return liveFrom(tx, hash, 'external');
}

/** What the owner wrote needs no decision of the owner's. */
function isOwners({ author }: Provenance): boolean {
	return author === 'owner' || author === 'file_edit';
}

function isAt(row: EntryRow, place: EntryPlace): boolean {
	return (
		row.hash === place.hash &&
		row.ordinal === place.ordinal &&
		row.position === place.position &&
		row.kind === place.kind &&
		row.line_start === place.lineStart &&
		row.line_end === place.lineEnd &&
		row.heading_path === JSON.stringify(place.headingPath)
	);
}

function saveContent(tx: WriteDb, { file, content, hash, bytes, modifiedMs }: FileContent, now: Timestamp): void {
	if (content === null) dropFile(tx, file);
	else saveFile(tx, { path: file, content, hash, bytes, modifiedMs }, now);
}
