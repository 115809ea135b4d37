import type Database from 'better-sqlite3';

/** `quick` skips the comparison of indexes with their tables; `full` also checks the references between tables. */
export type IntegrityMode = 'quick' | 'full';

/** What SQLite finds wrong, in its words; empty when the database is whole. Blocks for about a second per gigabyte. */
export function findDamage(db: Database.Database, mode: IntegrityMode): string[] {
	const rows = db.pragma(mode === 'quick' ? 'quick_check(10)' : 'integrity_check(10)') as Record<string, string>[];
	const found = rows.map((row) => Object.values(row)[0] ?? '').filter((text) => text !== 'ok');
	if (mode === 'full') {
		const broken = db.pragma('foreign_key_check') as { table: string }[];
		for (const table of new Set(broken.map((row) => row.table))) found.push(`rows in ${table} refer to rows that do not exist`);
	}
	return found;
}
