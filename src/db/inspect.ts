import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import { HearthError, needsOwner } from '../domain/errors.ts';
import { type BackupFile, listBackups } from './backup.ts';
import { connect } from './driver.ts';
import { asStorageError, needsNoSharedMemory } from './errors.ts';
import { findDamage } from './integrity.ts';
import { schemaVersion } from './migrate.ts';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/** Up to this size the pages are checked at every start (some 50 ms); above it only when the last shutdown was not clean. */
const ALWAYS_CHECKED_BYTES = 64 * 1024 * 1024;

export type Inspection = { state: 'missing' } | { state: 'usable'; version: number };

/**
 * Looks at a database before anything may change it (dur-4). Throws `database_corrupt` or `database_newer`, each naming a
 * back-up to go to; neither the database nor its write-ahead log is touched. The caller holds the profile's lock.
 */
export function inspect(file: string, backupsFolder: string, newestVersion: number): Inspection {
	const backups = listBackups(backupsFolder);
	const hasLog = sizeOf(`${file}-wal`) > 0;
	if (!existsSync(file)) {
		if (!hasLog && backups.length === 0) return { state: 'missing' };
		throw corrupt(file, `${basename(file)} is missing, although this profile had one.`, backups);
	}
	const header = readHeader(file);
	if (!header || !isWhole(file, header, hasLog)) throw corrupt(file, `${basename(file)} is not a whole database.`, backups);
	const version = lookInside(file, backups, (db) => {
		const found = schemaVersion(db);
		if (found > newestVersion) return found;
		if (hasLog || sizeOf(file) <= ALWAYS_CHECKED_BYTES) {
			// Each page is looked at once: 16 MB of them in a cache would stay with the process.
			db.pragma('cache_size = -1000');
			const damage = findDamage(db, 'quick');
			if (damage.length > 0) throw corrupt(file, `${basename(file)} is damaged.`, backups, damage[0]);
		}
		return found;
	});
	// A full disk can keep even a reader out; the header then tells the version, and the connection that follows copes.
	const known = version ?? header.readUInt32BE(60);
	if (known > newestVersion) throw newer(file, known, newestVersion, backups);
	return { state: 'usable', version: known };
}

/** Through a read-only connection, which unlike any other does not merge the log when it closes. Undefined: the disk left no room to look. */
function lookInside<T>(file: string, backups: readonly BackupFile[], look: (db: Database.Database) => T): T | undefined {
	const hadLog = existsSync(`${file}-wal`);
	let db: Database.Database | undefined;
	try {
		db = connect(file, { readonly: true, mustExist: true });
		return look(db);
	} catch (error) {
		if (needsNoSharedMemory(error)) return undefined;
		const known = asStorageError(error);
		if (known === error || !(known instanceof HearthError) || known.code !== 'database_corrupt') throw known;
		throw corrupt(file, `${basename(file)} is damaged.`, backups, error);
	} finally {
		db?.close();
		// It leaves its empty side files behind; the folder shall look as it did.
		if (!hadLog) for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
	}
}

function readHeader(file: string): Buffer | undefined {
	const header = Buffer.alloc(HEADER_BYTES);
	const descriptor = openSync(file, 'r');
	try {
		return readSync(descriptor, header, 0, HEADER_BYTES, 0) === HEADER_BYTES ? header : undefined;
	} finally {
		closeSync(descriptor);
	}
}

function isWhole(file: string, header: Buffer, hasLog: boolean): boolean {
	if (header.toString('latin1', 0, 16) !== MAGIC) return false;
	const stored = header.readUInt16BE(16);
	const pageSize = stored === 1 ? 65536 : stored;
	// Offset 28: size in pages. A shorter file was cut, unless the missing pages are still in the log.
	return hasLog || sizeOf(file) >= header.readUInt32BE(28) * pageSize;
}

function sizeOf(file: string): number {
	return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function corrupt(file: string, message: string, backups: readonly BackupFile[], cause?: unknown): HearthError {
	const [newest] = backups;
	const aside = `Move ${basename(file)} (with its -wal and -shm files, where there are any) out of the folder`;
	return needsOwner('database_corrupt', message, {
		safe: 'Hearth has changed nothing: the file and its back-ups are as they were.',
		action: newest
			? `${aside}, copy the newest back-up ${newest.path} to ${file}, and start again.`
			: `There is no back-up yet. ${aside} to start anew, or put a copy of your own in its place.`,
		cause,
	});
}

function newer(file: string, found: number, newestVersion: number, backups: readonly BackupFile[]): HearthError {
	const fitting = backups.find((backup) => backup.schemaVersion <= newestVersion);
	return needsOwner(
		'database_newer',
		`${basename(file)} was written by a newer Hearth (schema ${found}; this one knows ${newestVersion}).`,
		{
			safe: 'Hearth has changed nothing.',
			action: fitting
				? `Start the newer Hearth again. Or go back to the back-up ${fitting.path}, without what was written after it.`
				: 'Start the newer Hearth again. There is no back-up from before it.',
		},
	);
}
