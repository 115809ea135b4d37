import { MemoryConflict } from '../contract/methods/memory.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { ChangeId, MemoryPath } from '../domain/memory.ts';

/** Rows of `memory_conflicts`: two texts for one place, both kept until the owner chooses (mem-10). */

interface ConflictRow {
	id: string;
	file: MemoryPath;
	change_id: ChangeId;
	ours: string | null;
	theirs: string | null;
	at: number;
}

export function insertConflict(db: WriteDb, conflict: MemoryConflict & { changeId: ChangeId }): void {
	const { id, file, changeId, ours, theirs, at } = conflict;
	runOne(
		db,
		sql`INSERT INTO memory_conflicts (id, file, change_id, ours, theirs, at) VALUES (${id}, ${file}, ${changeId}, ${ours}, ${theirs}, ${at})`,
	);
}

/** Those that are not resolved, oldest first. */
export function openConflicts(db: ReadDb): MemoryConflict[] {
	return all<ConflictRow>(db, sql`SELECT * FROM memory_conflicts WHERE resolved_at IS NULL ORDER BY rowid`).map(conflictOf);
}

/** Throws `not_found` where there is none, or it is resolved. */
export function getConflict(db: ReadDb, id: string): MemoryConflict & { changeId: ChangeId } {
	const row = get<ConflictRow>(db, sql`SELECT * FROM memory_conflicts WHERE id = ${id} AND resolved_at IS NULL`);
	if (!row) throw terminal('not_found', 'That conflict is already resolved.', { safe: 'Nothing was changed.' });
	return { ...conflictOf(row), changeId: row.change_id };
}

export function resolveConflictRow(db: WriteDb, id: string, now: Timestamp): void {
	runOne(db, sql`UPDATE memory_conflicts SET resolved_at = ${now} WHERE id = ${id} AND resolved_at IS NULL`);
}

function conflictOf(row: ConflictRow): MemoryConflict {
	return MemoryConflict.parse({ id: row.id, file: row.file, ours: row.ours, theirs: row.theirs, at: row.at });
}
