import { existsSync, rmSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import * as sqliteVec from 'sqlite-vec';
import { moveSync } from '../../base/move.ts';
import { systemCode } from '../../base/system-code.ts';
import type { WriteDb } from '../../db/brands.ts';
import { connect } from '../../db/driver.ts';
import { transact } from '../../db/transact.ts';
import { HearthError } from '../../domain/errors.ts';
import { INDEX_SCHEMA, INDEX_VERSION } from './schema.ts';

export const IN_MEMORY = ':memory:';

/** Opens index.db; undefined where there is none that can be used: missing, cut, damaged, or of another version. It is then left as it is. */
export function openIndexFile(file: string): WriteDb | undefined {
	if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
	let db: Database.Database | undefined;
	try {
		db = configure(connect(file, { mustExist: true }));
		if (db.pragma('user_version', { simple: true }) !== INDEX_VERSION) throw new NotUsable();
		// Reads the root of each table: finds a file that was cut or overwritten, in a millisecond.
		for (const table of ['units', 'words_data', 'trigrams_data', 'windows', 'vectors', 'sign_blocks'])
			db.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
		return db as WriteDb;
	} catch (error) {
		db?.close();
		if (error instanceof NotUsable || isDamage(error)) return undefined;
		throw error;
	}
}

/** An empty index in place of whatever lies there. */
export function createIndexFile(file: string): WriteDb {
	if (file !== IN_MEMORY) removeIndexFile(file);
	const db = configure(connect(file));
	db.pragma('journal_mode = WAL');
	transact(db, () => {
		db.exec(INDEX_SCHEMA);
		db.pragma(`user_version = ${INDEX_VERSION}`);
	});
	return db as WriteDb;
}

export function removeIndexFile(file: string): void {
	for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true });
}

/** Puts a whole, closed index in the place of another. A crash in between leaves the one or the other, or none, which means: build anew. */
export function replaceIndexFile(from: string, to: string): void {
	removeIndexFile(to);
	moveSync(from, to);
	for (const ending of ['-wal', '-shm']) if (existsSync(`${from}${ending}`)) rmSync(`${from}${ending}`);
}

/** Whether SQLite says that the file itself is broken: then it is built anew. */
export function isDamage(error: unknown): boolean {
	if (error instanceof HearthError && error.code === 'database_corrupt') return true;
	const code = systemCode(error);
	return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

function configure(db: Database.Database): Database.Database {
	sqliteVec.load(db);
	db.pragma('trusted_schema = OFF');
	// It can be built anew at any time: what a power cut takes back is noticed at the next start.
	db.pragma('synchronous = NORMAL');
	db.pragma('secure_delete = ON');
	db.pragma('temp_store = MEMORY');
	db.pragma('journal_size_limit = 4194304');
	db.pragma('cache_size = -32768');
	db.pragma('busy_timeout = 5000');
	return db;
}

class NotUsable extends Error {}
