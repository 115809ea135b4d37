import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, runOne, sql, value } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';
import { type ChangeId, type EntryId, EntryVersion, type MemoryPath, type Provenance } from '../domain/memory.ts';
import type { VersionsOf } from './port.ts';

/** Rows of `memory_versions`: the texts that each entry has had, by the change that gave them. */

export interface NewVersion {
	readonly changeId: ChangeId;
	readonly entryId: EntryId;
	readonly file: MemoryPath;
	/** Null: the entry was not in a file before, or is in none after. Both null: forgotten. */
	readonly before: string | null;
	readonly after: string | null;
	readonly forgotten: boolean;
	/** Of `after`; of the change where there is none. */
	readonly provenance: Provenance;
}

interface VersionRow {
	change_id: ChangeId;
	entry_id: EntryId;
	file: MemoryPath;
	before: string | null;
	after: string | null;
	forgotten: number;
	provenance: string;
	kind: string;
	at: Timestamp;
	undone_by: ChangeId | null;
}

export function insertVersion(db: WriteDb, version: NewVersion): void {
	runOne(
		db,
		sql`INSERT INTO memory_versions (change_id, entry_id, file, before, after, forgotten, provenance)
		VALUES (${version.changeId}, ${version.entryId}, ${version.file}, ${version.before}, ${version.after}, ${version.forgotten},
			${JSON.stringify(version.provenance)})`,
	);
}

export function hasVersion(db: ReadDb, changeId: ChangeId, entryId: EntryId): boolean {
	return value<number>(db, sql`SELECT 1 FROM memory_versions WHERE change_id = ${changeId} AND entry_id = ${entryId}`) !== undefined;
}

const VERSIONS = sql`SELECT v.*, c.kind, c.at, c.undone_by FROM memory_versions v JOIN memory_changes c ON c.id = v.change_id`;

/** Newest first. Of an entry, of what was changed in a file, of one change, or of all that is given. */
export function listVersions(db: ReadDb, of: VersionsOf, limit: number): EntryVersion[] {
	let conditions: Query = sql`c.status = 'done'`;
	if (of.entryId !== undefined) conditions = sql`${conditions} AND v.entry_id = ${of.entryId}`;
	if (of.file !== undefined) conditions = sql`${conditions} AND c.file = ${of.file}`;
	if (of.changeId !== undefined) conditions = sql`${conditions} AND c.id = ${of.changeId}`;
	return all<VersionRow>(db, sql`${VERSIONS} WHERE ${conditions} ORDER BY c.seq DESC, v.entry_id DESC LIMIT ${limit}`).map(versionOf);
}

/** What one change did to which entries. */
export function versionsOfChange(db: ReadDb, changeId: ChangeId): EntryVersion[] {
	return all<VersionRow>(db, sql`${VERSIONS} WHERE v.change_id = ${changeId} ORDER BY v.entry_id`).map(versionOf);
}

/** The version of an entry before this change: what an undo brings back. */
export function versionBefore(db: ReadDb, entryId: EntryId, changeId: ChangeId): EntryVersion | undefined {
	const row = get<VersionRow>(
		db,
		sql`${VERSIONS} WHERE v.entry_id = ${entryId} AND c.status = 'done' AND v.after IS NOT NULL
			AND c.seq < (SELECT seq FROM memory_changes WHERE id = ${changeId}) ORDER BY c.seq DESC LIMIT 1`,
	);
	return row && versionOf(row);
}

function versionOf(row: VersionRow): EntryVersion {
	return EntryVersion.parse({
		changeId: row.change_id,
		entryId: row.entry_id,
		kind: row.kind,
		file: row.file,
		at: row.at,
		before: row.before,
		after: row.after,
		forgotten: row.forgotten === 1,
		provenance: JSON.parse(row.provenance),
		...(row.undone_by !== null && { undoneBy: row.undone_by }),
	});
}
