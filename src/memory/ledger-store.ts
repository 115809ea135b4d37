import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, run, runOne, sql, value } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import { type EntryId, type EntryState, MemoryEntry, type MemoryPath, Provenance } from '../domain/memory.ts';
import { fileRank } from './paths.ts';

/** Rows of `memory_entries`: one a lineage (M2). Live ones are what the files say now; gone ones keep their history. */

export interface EntryRow {
	rowid: number;
	id: EntryId;
	file: MemoryPath;
	rank: string;
	hash: string;
	ordinal: number;
	position: number;
	kind: MemoryEntry['kind'];
	heading_path: string;
	text: string;
	line_start: number;
	line_end: number;
	live: number;
	quarantined: number;
	provenance: string;
	author: string;
	label: string;
	origin: string;
	source: string;
	valid_from: number | null;
	valid_until: number | null;
	supersedes: EntryId | null;
	superseded_by: EntryId | null;
	use_count: number;
	last_used_at: number | null;
	versions: number;
	dated: number;
	created_at: number;
	updated_at: number;
}

/** Where an entry stands in its file, and what it says there. */
export interface EntryPlace {
	readonly file: MemoryPath;
	readonly hash: string;
	readonly ordinal: number;
	readonly position: number;
	readonly kind: MemoryEntry['kind'];
	readonly headingPath: readonly string[];
	readonly text: string;
	readonly lineStart: number;
	readonly lineEnd: number;
}

export function findEntry(db: ReadDb, id: EntryId): EntryRow | undefined {
	return get<EntryRow>(db, sql`SELECT * FROM memory_entries WHERE id = ${id}`);
}

/** Throws `not_found`. */
export function getEntry(db: ReadDb, id: EntryId): EntryRow {
	const row = findEntry(db, id);
	if (!row) throw terminal('not_found', 'That memory entry does not exist.', { safe: 'Nothing was changed.' });
	return row;
}

/** In the order of the file. */
export function liveEntries(db: ReadDb, file: MemoryPath): EntryRow[] {
	return all<EntryRow>(db, sql`SELECT * FROM memory_entries WHERE live = 1 AND rank = ${fileRank(file)} ORDER BY position`);
}

/** The entry that last said this and was taken out of a file. */
export function lastGone(db: ReadDb, hash: string): EntryRow | undefined {
	return get<EntryRow>(
		db,
		sql`SELECT * FROM memory_entries WHERE hash = ${hash} AND live = 0 AND text <> '' ORDER BY updated_at DESC, rowid DESC LIMIT 1`,
	);
}

/** A live entry that says this, and is of that origin; the oldest. */
export function liveFrom(db: ReadDb, hash: string, origin: Label): EntryRow | undefined {
	return get<EntryRow>(
		db,
		sql`SELECT * FROM memory_entries WHERE hash = ${hash} AND live = 1 AND origin = ${origin} ORDER BY rowid LIMIT 1`,
	);
}

/** Entries by their rowid, in no order; unknown ones are left out. */
export function entriesByRowid(db: ReadDb, rowids: readonly number[]): EntryRow[] {
	return all<EntryRow>(db, sql`SELECT * FROM memory_entries WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`);
}

export function entryPage(db: ReadDb, conditions: Query, page: { offset: number; limit: number }): { rows: EntryRow[]; total: number } {
	const total = value<number>(db, sql`SELECT count(*) FROM memory_entries WHERE ${conditions}`) ?? 0;
	const rows = all<EntryRow>(
		db,
		sql`SELECT * FROM memory_entries WHERE ${conditions} ORDER BY rank, position, rowid LIMIT ${page.limit} OFFSET ${page.offset}`,
	);
	return { rows, total };
}

/** Returns its rowid. */
export function insertEntry(
	db: WriteDb,
	id: EntryId,
	place: EntryPlace,
	made: { provenance: Provenance; quarantined: boolean; dated: Timestamp; now: Timestamp },
): number {
	const { provenance, now } = made;
	const rowid = value<number>(
		db,
		sql`INSERT INTO memory_entries (id, file, rank, hash, ordinal, position, kind, heading_path, text, line_start, line_end, live, quarantined,
			provenance, author, label, origin, source, dated, created_at, updated_at)
		VALUES (${id}, ${place.file}, ${fileRank(place.file)}, ${place.hash}, ${place.ordinal}, ${place.position}, ${place.kind},
			${JSON.stringify(place.headingPath)}, ${place.text}, ${place.lineStart}, ${place.lineEnd}, 1, ${made.quarantined},
			${JSON.stringify(provenance)}, ${provenance.author}, ${provenance.label}, ${provenance.origin}, ${sourceOf(provenance)},
			${made.dated}, ${now}, ${now})
		RETURNING rowid`,
	);
	if (rowid === undefined) throw new Error(`entry ${id} was not inserted`);
	return rowid;
}

/** The entry says the same as before, elsewhere in its file or under another heading. */
export function placeEntry(db: WriteDb, rowid: number, place: EntryPlace): void {
	runOne(
		db,
		sql`UPDATE memory_entries SET ordinal = ${place.ordinal}, position = ${place.position}, kind = ${place.kind},
			heading_path = ${JSON.stringify(place.headingPath)}, line_start = ${place.lineStart}, line_end = ${place.lineEnd}, live = 1
		WHERE rowid = ${rowid}`,
	);
}

/** The entry says something else, is in another file, or is back. */
export function rewriteEntry(
	db: WriteDb,
	rowid: number,
	place: EntryPlace,
	made: { provenance: Provenance; quarantined: boolean; dated: Timestamp; now: Timestamp },
): void {
	const { provenance } = made;
	runOne(
		db,
		sql`UPDATE memory_entries SET file = ${place.file}, rank = ${fileRank(place.file)}, hash = ${place.hash}, ordinal = ${place.ordinal},
			position = ${place.position}, kind = ${place.kind}, heading_path = ${JSON.stringify(place.headingPath)}, text = ${place.text},
			line_start = ${place.lineStart}, line_end = ${place.lineEnd}, live = 1, quarantined = ${made.quarantined},
			provenance = ${JSON.stringify(provenance)}, author = ${provenance.author}, label = ${provenance.label},
			origin = ${provenance.origin}, source = ${sourceOf(provenance)}, versions = versions + 1, dated = ${made.dated},
			updated_at = ${made.now}
		WHERE rowid = ${rowid}`,
	);
}

/** Out of its file; row, provenance and history stay. */
export function retireEntry(db: WriteDb, rowid: number, now: Timestamp): void {
	runOne(db, sql`UPDATE memory_entries SET live = 0, updated_at = ${now} WHERE rowid = ${rowid}`);
}

/** Makes room for new identities in one file: until they are placed, these rows count for nothing. */
export function liftEntries(db: WriteDb, rowids: readonly number[]): void {
	if (rowids.length === 0) return;
	run(db, sql`UPDATE memory_entries SET live = 0 WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`);
}

/** What the ledger says of an entry beside its text. */
export interface EntryMarks {
	readonly validFrom: Timestamp | null;
	readonly validUntil: Timestamp | null;
	readonly supersedes: EntryId | null;
	readonly supersededBy: EntryId | null;
	readonly quarantined: boolean;
}

export function marksOf(row: EntryRow): EntryMarks {
	return {
		validFrom: row.valid_from,
		validUntil: row.valid_until,
		supersedes: row.supersedes,
		supersededBy: row.superseded_by,
		quarantined: row.quarantined === 1,
	};
}

export function markEntry(db: WriteDb, id: EntryId, marks: EntryMarks): void {
	runOne(
		db,
		sql`UPDATE memory_entries SET valid_from = ${marks.validFrom}, valid_until = ${marks.validUntil}, supersedes = ${marks.supersedes},
			superseded_by = ${marks.supersededBy}, quarantined = ${marks.quarantined}
		WHERE id = ${id}`,
	);
}

/** Another word on where an entry comes from: the owner's approval of it, or that its conversation is gone. */
export function setProvenance(db: WriteDb, id: EntryId, provenance: Provenance): void {
	runOne(
		db,
		sql`UPDATE memory_entries SET provenance = ${JSON.stringify(provenance)}, author = ${provenance.author}, label = ${provenance.label},
			origin = ${provenance.origin}, source = ${sourceOf(provenance)}
		WHERE id = ${id}`,
	);
}

export function countUse(db: WriteDb, ids: readonly EntryId[], now: Timestamp): void {
	run(
		db,
		sql`UPDATE memory_entries SET use_count = use_count + 1, last_used_at = ${now}
		WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
	);
}

function sourceOf(provenance: Provenance): string {
	return provenance.sources[0]?.kind ?? 'none';
}

/** `now` decides about validity. */
export function stateOf(row: EntryRow, now: Timestamp): EntryState {
	if (row.live === 0) return 'gone';
	if (row.quarantined === 1) return 'quarantined';
	if (row.superseded_by !== null) return 'superseded';
	if (row.valid_until !== null && row.valid_until <= now) return 'expired';
	if (row.valid_from !== null && row.valid_from > now) return 'not_yet';
	return 'current';
}

/** A row as the layers above see it. */
export function entryFromRow(row: EntryRow, now: Timestamp): MemoryEntry {
	return MemoryEntry.parse({
		id: row.id,
		file: row.file,
		headingPath: JSON.parse(row.heading_path),
		kind: row.kind,
		text: row.text,
		hash: row.hash,
		lineStart: row.line_start,
		lineEnd: row.line_end,
		state: stateOf(row, now),
		provenance: provenanceOf(row),
		...(row.valid_from !== null && { validFrom: row.valid_from }),
		...(row.valid_until !== null && { validUntil: row.valid_until }),
		...(row.supersedes !== null && { supersedes: row.supersedes }),
		...(row.superseded_by !== null && { supersededBy: row.superseded_by }),
		...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
		useCount: row.use_count,
		versions: row.versions,
		createdAt: row.created_at,
		updatedAt: row.updated_at,
	});
}

export function provenanceOf(row: { provenance: string }): Provenance {
	return Provenance.parse(JSON.parse(row.provenance));
}
