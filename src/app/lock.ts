import { closeSync, existsSync, openSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { systemCode } from '../base/system-code.ts';
import { connect } from '../db/driver.ts';
import { asStorageError } from '../db/errors.ts';
import { needsOwner } from '../domain/errors.ts';

/**
 * One owner per profile folder (dur-1). The lock is an operating-system lock that SQLite holds on the file `lock`: it ends with
 * the process, however that ends, and the file itself is never removed, so that no process can take away another's lock.
 * Never open that file in any other way: on POSIX systems closing any handle to it would drop this process's lock.
 */
export interface ProfileLock {
	release(): void;
}

/** How long to wait for a former owner that is just going away. */
const PATIENCE_MS = 500;

/** Takes the lock, or throws `profile_locked` naming the process that holds it. */
export function acquireLock(file: string, options: { pid?: number; patienceMs?: number } = {}): ProfileLock {
	const pid = options.pid ?? process.pid;
	let db: Database.Database;
	try {
		db = openLockFile(file, options.patienceMs ?? PATIENCE_MS);
	} catch (error) {
		throw lockError(file, error);
	}
	try {
		takeNamed(db, pid);
	} catch (error) {
		const holder = isBusy(error) ? readHolder(db) : undefined;
		db.close();
		throw lockError(file, error, holder);
	}
	return { release: () => db.close() };
}

/** Whether another process owns the folder. Waits for nothing and creates nothing. */
export function isLocked(file: string): boolean {
	if (!existsSync(file)) return false;
	const db = openLockFile(file, 0);
	try {
		db.exec('BEGIN IMMEDIATE');
		return false;
	} catch (error) {
		if (isBusy(error)) return true;
		throw lockError(file, error);
	} finally {
		db.close();
	}
}

function openLockFile(file: string, patienceMs: number): Database.Database {
	const db = connect(file, { timeoutMs: patienceMs });
	try {
		// The content is only a name tag: nothing to sync, nothing to roll back.
		db.pragma('journal_mode = MEMORY');
		db.pragma('synchronous = OFF');
		return db;
	} catch (error) {
		db.close();
		if (!isDamaged(error)) throw error;
		// Emptied in place: a holder's lock is on the file and stays.
		closeSync(openSync(file, 'w'));
		return connect(file, { timeoutMs: patienceMs });
	}
}

/**
 * An open write transaction is the lock; others can still read the last committed row, the holder's name tag. To commit the tag
 * the transaction must end for a moment, in which another process may slip in; whoever holds the lock at the end has its tag in.
 */
function takeNamed(db: Database.Database, pid: number): void {
	db.exec('BEGIN IMMEDIATE');
	for (let attempt = 0; attempt < 5 && readHolder(db) !== pid; attempt++) {
		try {
			db.exec('CREATE TABLE IF NOT EXISTS holder (id INTEGER PRIMARY KEY CHECK (id = 1), pid INTEGER NOT NULL)');
			db.prepare('INSERT INTO holder VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET pid = excluded.pid').run(pid);
			db.exec('COMMIT');
		} catch (error) {
			// A full disk has no room for the tag. The lock matters, the tag does not.
			if (isBusy(error)) throw error;
			if (db.inTransaction) db.exec('ROLLBACK');
			attempt = 5;
		}
		db.exec('BEGIN IMMEDIATE');
	}
}

function readHolder(db: Database.Database): number | undefined {
	try {
		return db.prepare<[], number>('SELECT pid FROM holder').pluck().get();
	} catch {
		// No table yet, or it is being written: the holder stays unnamed.
		return undefined;
	}
}

function isBusy(error: unknown): boolean {
	return systemCode(error).startsWith('SQLITE_BUSY');
}

function isDamaged(error: unknown): boolean {
	return systemCode(error) === 'SQLITE_NOTADB' || systemCode(error).startsWith('SQLITE_CORRUPT');
}

function lockError(file: string, error: unknown, holder?: number): unknown {
	if (isBusy(error)) {
		const who = holder === undefined ? 'Another Hearth' : `Another Hearth (process ${holder})`;
		return needsOwner('profile_locked', `${who} has this profile open.`, {
			safe: 'Nothing was changed.',
			action: 'Use the window that is already open, close it first, or start with another --profile.',
			cause: error,
		});
	}
	if (systemCode(error).startsWith('SQLITE_IOERR')) {
		return needsOwner('profile_locked', `The file system does not let Hearth lock ${file}.`, {
			safe: 'Nothing was changed.',
			action: 'Move the profile to a local disk: without a lock, two programs could change it at once.',
			cause: error,
		});
	}
	return asStorageError(error);
}
