import { rmSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../base/atomic-file.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { move } from '../../base/move.ts';
import { systemCode } from '../../base/system-code.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { connect } from '../../db/driver.ts';
import { asStorageError } from '../../db/errors.ts';
import { schemaVersion } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { transact } from '../../db/transact.ts';
import { type HearthError, needsOwner, terminal } from '../../domain/errors.ts';
import { writeRestoredHead } from '../../firewall/audit-head.ts';
import { newestLink } from '../../firewall/audit-store.ts';
import { setPausedByRestore } from '../../timer/switch-store.ts';
import { freeBytesOf } from '../health.ts';
import { profileFolderOf, profilePaths, profilesFolder } from '../profile-folder.ts';
import { archiveFile, checkDatabase } from './check-archive.ts';
import { STATE_DB_NAME } from './manifest.ts';
import { type Archive, openArchive } from './read-archive.ts';

const SPARE_BYTES = 100 * 1024 * 1024;
/** A name that no profile can have; the time of its making is in the id. */
const UNFINISHED = /^\.restoring-[a-z0-9-]+$/;
const ABANDONED_MS = 86_400_000;
/** The first with work that goes on by itself. */
const SWITCHES_SCHEMA = 3;
/** The first with an audit log. */
const AUDIT_SCHEMA = 4;

/**
 * Makes a new profile out of an archive, whole or not at all: unpacked beside the profiles, each file checked on its way, the database
 * checked, then moved into its name. Gives the profile's folder. Rejects with `not_found`, `invalid_input` (not a whole archive),
 * `conflict` (there is such a profile), `database_newer`, `disk_full`; then nothing is left behind.
 */
export async function restoreProfile(request: { home: string; path: string; profile: string }): Promise<string> {
	const { home, path, profile } = request;
	const folder = profileFolderOf(home, profile);
	const { bytes } = await archiveFile(path);
	await refuseTaken(profile, folder);
	const archive = await openArchive(path, bytes);
	const unfinished = join(profilesFolder(home), `.restoring-${newId()}`);
	try {
		refuseNewer(archive);
		await mkdir(unfinished, { recursive: true, mode: 0o700 });
		if ((await freeBytesOf(unfinished)) < archive.totalBytes + SPARE_BYTES) throw noRoom();
		await unpack(archive, unfinished);
		checkDatabase(join(unfinished, STATE_DB_NAME), archive.manifest);
		holdItsWork(unfinished, archive.manifest.madeAt);
		knowItsAudit(unfinished, archive.manifest.madeAt);
		await moveInto(unfinished, folder, profile);
		return folder;
	} catch (error) {
		throw asStorageError(error);
	} finally {
		archive.close();
		await rm(unfinished, { recursive: true, force: true });
	}
}

/** Else its tasks, looks and unfinished runs would go on here and in the profile that it is of: the owner says when they do. */
function holdItsWork(folder: string, madeAt: number): void {
	const db = connect(profilePaths(folder).stateDb, { mustExist: true });
	try {
		if (schemaVersion(db) >= SWITCHES_SCHEMA) transact(db, () => setPausedByRestore(db as unknown as WriteDb, madeAt, Date.now()));
	} finally {
		db.close();
	}
}

/** The end of its audit log is another one than that of any other profile: its first start writes down why. */
function knowItsAudit(folder: string, madeAt: number): void {
	const { stateDb, auditHead } = profilePaths(folder);
	const db = connect(stateDb, { mustExist: true, readonly: true });
	try {
		if (schemaVersion(db) >= AUDIT_SCHEMA) writeRestoredHead(auditHead, newestLink(db as unknown as ReadDb), Date.now(), madeAt);
	} finally {
		db.close();
		for (const ending of ['-wal', '-shm']) rmSync(`${stateDb}${ending}`, { force: true });
	}
}

async function unpack(archive: Archive, folder: string): Promise<void> {
	const made = new Set([folder]);
	for (const file of archive.manifest.files) {
		// Names were checked: nothing leads out of the folder, and there is no link in it that could.
		const target = join(folder, ...file.path.split('/'));
		const parent = dirname(target);
		if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
		made.add(parent);
		await archive.extract(file, target);
		if (file.executable) await chmod(target, 0o700);
	}
	for (const parent of made) await syncFolder(parent);
}

/** Never over a profile that is there: a rename only replaces an empty folder. */
async function moveInto(unfinished: string, folder: string, profile: string): Promise<void> {
	await refuseTaken(profile, folder);
	try {
		await move(unfinished, folder);
	} catch (error) {
		if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOTDIR'].includes(systemCode(error))) throw taken(profile, folder);
		throw error;
	}
	await syncFolder(dirname(folder));
}

async function refuseTaken(profile: string, folder: string): Promise<void> {
	const found = await lstat(folder).catch((error: unknown) => {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw asStorageError(error);
	});
	if (found) throw taken(profile, folder);
}

function taken(profile: string, folder: string): HearthError {
	return needsOwner('conflict', `There is already a profile named ${profile}.`, {
		safe: 'It was not touched: a back-up is only restored into a new profile.',
		action: `Choose another name, or first delete or move ${folder}.`,
	});
}

function refuseNewer({ manifest }: Archive): void {
	const newest = migrations.at(-1)?.version ?? 0;
	if (manifest.schemaVersion <= newest) return;
	throw terminal(
		'database_newer',
		`The back-up was made by a newer Hearth (${manifest.hearth}, schema ${manifest.schemaVersion}; this one knows ${newest}).`,
		{ safe: 'Nothing was changed.', action: 'Restore it with that Hearth.' },
	);
}

function noRoom(): HearthError {
	return needsOwner('disk_full', 'There is not enough free space to restore this back-up.', {
		safe: 'Nothing was changed.',
		action: 'Free some space and try again.',
	});
}

/** Removes what a crash left of a restore, once it can no longer be one under way. Never rejects. */
export async function sweepUnfinishedRestores(home: string, now: number, logger: Logger): Promise<void> {
	try {
		for (const name of await readdir(profilesFolder(home))) {
			if (!UNFINISHED.test(name)) continue;
			const folder = join(profilesFolder(home), name);
			if (now - (await lstat(folder)).mtimeMs < ABANDONED_MS) continue;
			await rm(folder, { recursive: true, force: true });
			logger.info('unfinished_restore_swept');
		}
	} catch (error) {
		logger.warn('unfinished_restore_stays', { error });
	}
}
