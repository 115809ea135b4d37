import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { moveSync } from '../base/move.ts';
import type { ReadDb, WriteDb } from './brands.ts';
import { connect } from './driver.ts';
import { asStorageError } from './errors.ts';
import { findDamage } from './integrity.ts';
import { schemaVersion } from './migrate.ts';

const NAME = /^state-v(\d+)-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.db$/;
/** Older ones are removed when a new one is complete. */
const KEPT = 5;
/** Pages copied between two turns of the event loop: a few milliseconds. */
const PAGES_A_STEP = 200;

export interface BackupFile {
	path: string;
	name: string;
	schemaVersion: number;
	bytes: number;
	/** When it was made, by the clock of then; milliseconds since the Unix epoch. */
	madeAt: number;
}

/** Complete back-ups, newest first. */
export function listBackups(folder: string): BackupFile[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.flatMap((name) => describe(folder, name) ?? [])
		.sort((a, b) => b.madeAt - a.madeAt);
}

function describe(folder: string, name: string): BackupFile | undefined {
	const match = NAME.exec(name);
	if (!match) return undefined;
	const [, version, year, month, day, hour, minute, second, milli] = match;
	const path = join(folder, name);
	return {
		path,
		name,
		schemaVersion: Number(version),
		bytes: statSync(path).size,
		madeAt: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`),
	};
}

/**
 * Writes a whole, checked copy named `state-v<schema>-<date>.db` at once, and removes the oldest beyond the limit. Not inside a
 * transaction. When it fails it leaves nothing behind and older back-ups stay.
 */
export function backUpNow(db: Database.Database, folder: string, now: number): BackupFile {
	const draft = begin(db, folder, now);
	try {
		db.prepare('VACUUM INTO ?').run(draft.unfinished);
		return finish(draft, folder);
	} catch (error) {
		throw abandoned(draft, error);
	}
}

/** The same, page by page between other work. Writes through the same connection meanwhile are part of the copy. */
export async function backUpGently(db: Database.Database, folder: string, now: number): Promise<BackupFile> {
	const draft = begin(db, folder, now);
	try {
		await db.backup(draft.unfinished, { progress: () => PAGES_A_STEP });
		return finish(draft, folder);
	} catch (error) {
		throw abandoned(draft, error);
	}
}

/** A whole, checked copy at a path of the caller's, where no file may be yet; made page by page. When it fails it leaves nothing behind. */
export async function copyGently(db: Database.Database, file: string): Promise<void> {
	try {
		await db.backup(file, { progress: () => PAGES_A_STEP });
		if (process.platform !== 'win32') chmodSync(file, 0o600);
		markAsCopy(file);
		verify(file);
	} catch (error) {
		throw abandoned({ unfinished: file }, error);
	}
}

interface Draft {
	name: string;
	unfinished: string;
}

function begin(db: Database.Database, folder: string, now: number): Draft {
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		for (const left of readdirSync(folder)) if (left.includes('.db.tmp')) rmSync(join(folder, left), { force: true });
		// Later than the newest there is, so that the order stays right when the clock jumped back (dur-6).
		const madeAt = Math.max(now, (listBackups(folder)[0]?.madeAt ?? 0) + 1);
		const name = `state-v${schemaVersion(db)}-${new Date(madeAt).toISOString().replaceAll(/[-:.]/g, '')}.db`;
		return { name, unfinished: join(folder, `${name}.tmp`) };
	} catch (error) {
		throw asStorageError(error);
	}
}

function finish(draft: Draft, folder: string): BackupFile {
	if (process.platform !== 'win32') chmodSync(draft.unfinished, 0o600);
	markAsCopy(draft.unfinished);
	verify(draft.unfinished);
	const descriptor = openSync(draft.unfinished, 'r+');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
	const path = join(folder, draft.name);
	moveSync(draft.unfinished, path);
	for (const old of listBackups(folder).slice(KEPT)) rmSync(old.path, { force: true });
	const made = describe(folder, draft.name);
	if (!made) throw new Error(`the back-up ${draft.name} is gone`);
	return made;
}

/** In the header, where SQLite keeps room for it: `HCOP`. */
const COPY = 0x48434f50;

/**
 * Whether the database is a back-up that was put back: then files that lie beside it may be newer than it. Until that is taken in and
 * `noCopyAnyMore` is called.
 */
export function isCopy(db: ReadDb): boolean {
	return db.pragma('application_id', { simple: true }) === COPY;
}

export function noCopyAnyMore(tx: WriteDb): void {
	tx.pragma('application_id = 0');
}

function markAsCopy(file: string): void {
	const copy = connect(file, { mustExist: true });
	try {
		copy.pragma('synchronous = FULL');
		copy.pragma(`application_id = ${COPY}`);
	} finally {
		copy.close();
		removeSideFiles(file);
	}
}

function verify(file: string): void {
	const copy = connect(file, { readonly: true, mustExist: true });
	try {
		const [damage] = findDamage(copy, 'quick');
		if (damage) throw new Error(`the back-up is damaged: ${damage}`);
	} finally {
		copy.close();
		removeSideFiles(file);
	}
}

function abandoned(draft: Pick<Draft, 'unfinished'>, error: unknown): unknown {
	rmSync(draft.unfinished, { force: true });
	removeSideFiles(draft.unfinished);
	return asStorageError(error);
}

function removeSideFiles(file: string): void {
	for (const ending of ['-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true });
}
