import type Database from 'better-sqlite3';
import { fullTextIndexes, quoted } from './scrub.ts';

/**
 * `quick` reads every page of every table (about 0.6 s per gigabyte); `full` also compares indexes and full-text indexes with
 * their tables and looks at the references between tables (about 10 s per gigabyte). Both block.
 */
export type IntegrityMode = 'quick' | 'full';

/** What SQLite finds wrong, in its words; empty when the database is whole. */
export function findDamage(db: Database.Database, mode: IntegrityMode): string[] {
	return mode === 'quick' ? tables(db).flatMap((table) => said(db, `quick_check('${table.replaceAll("'", "''")}')`)) : everything(db);
}

/** Table by table, because SQLite's check of the whole also walks the full-text indexes word by word. Their storage is among the tables. */
function tables(db: Database.Database): string[] {
	return db.prepare<[], string>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')").pluck().all();
}

function everything(db: Database.Database): string[] {
	db.exec('SAVEPOINT whole');
	try {
		renewOutlines(db);
		return everythingNow(db);
	} finally {
		if (db.inTransaction) db.exec('RELEASE whole');
	}
}

/**
 * A connection keeps the outline of a full-text index in memory, and SQLite's check, unlike a query, does not read it anew: on a
 * connection that only reads, what was written since its last search would look like damage.
 */
function renewOutlines(db: Database.Database): void {
	for (const index of fullTextIndexes(db)) db.prepare(`SELECT rowid FROM ${quoted(index)} LIMIT 1`).get();
}

function everythingNow(db: Database.Database): string[] {
	const broken = db.pragma('foreign_key_check') as { table: string }[];
	const unmatched = [...new Set(broken.map((row) => row.table))].map((table) => `rows in ${table} refer to rows that do not exist`);
	return [...said(db, 'integrity_check(10)'), ...unmatched];
}

function said(db: Database.Database, check: string): string[] {
	const rows = db.pragma(check) as Record<string, string>[];
	return rows.map((row) => Object.values(row)[0] ?? '').filter((text) => text !== 'ok');
}
