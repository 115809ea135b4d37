import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { systemCode } from '../../base/system-code.ts';
import type { BackupInfo } from '../../contract/methods/memory.ts';
import { connect } from '../../db/driver.ts';
import { asStorageError } from '../../db/errors.ts';
import { findDamage } from '../../db/integrity.ts';
import { schemaVersion } from '../../db/migrate.ts';
import { HearthError, terminal } from '../../domain/errors.ts';
import { type Manifest, STATE_DB_NAME } from './manifest.ts';
import { type Archive, openArchive } from './read-archive.ts';

/** Reads all of an archive and checks each hash and the database in it. Rejects with `not_found`; whatever else is wrong is said. */
export async function checkArchive(path: string): Promise<{ backup: BackupInfo; problems: string[] }> {
	const found = await archiveFile(path);
	const problems: string[] = [];
	let archive: Archive;
	try {
		archive = await openArchive(path, found.bytes);
	} catch (error) {
		if (!(error instanceof HearthError) || error.code !== 'invalid_input') throw error;
		return { backup: { ...nothingKnown(path, found), bytes: found.bytes }, problems: [error.message] };
	}
	// The person's own place for such things: the archive may lie where nothing can be written.
	const room = await mkdtemp(join(tmpdir(), 'hearth-verify-'));
	try {
		for (const file of archive.manifest.files) {
			const isDatabase = file.path === STATE_DB_NAME;
			const target = isDatabase ? join(room, randomUUID()) : undefined;
			const problem = await problemIn(async () => {
				await archive.extract(file, target);
				if (target) checkDatabase(target, archive.manifest);
			});
			if (problem !== undefined) problems.push(problem);
		}
		return { backup: infoOf(path, found.bytes, archive.manifest), problems };
	} finally {
		archive.close();
		await rm(room, { recursive: true, force: true });
	}
}

async function problemIn(look: () => Promise<void>): Promise<string | undefined> {
	try {
		await look();
		return undefined;
	} catch (error) {
		if (error instanceof HearthError && error.code === 'invalid_input') return error.message;
		throw asStorageError(error);
	}
}

/** Throws `invalid_input` in words: damage that was packed in, or a database that is not the manifest's. */
export function checkDatabase(file: string, manifest: Manifest): void {
	const damage = damageOf(file, manifest);
	if (damage !== undefined)
		throw terminal('invalid_input', `The database in the back-up is damaged: ${damage}.`, { action: 'Use another back-up.' });
}

function damageOf(file: string, manifest: Manifest): string | undefined {
	try {
		const db = connect(file, { readonly: true, mustExist: true });
		try {
			const version = schemaVersion(db);
			if (version !== manifest.schemaVersion) return `it is of schema ${version}, not ${manifest.schemaVersion}`;
			return findDamage(db, 'full')[0];
		} finally {
			db.close();
			for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
		}
	} catch (error) {
		const known = asStorageError(error);
		if (known instanceof HearthError && known.code === 'database_corrupt') return 'SQLite can’t read it';
		throw known;
	}
}

/** Rejects with `not_found` where there is no such file. */
export async function archiveFile(path: string): Promise<{ bytes: number; madeAt: number }> {
	const found = await stat(path).catch((error: unknown) => {
		if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return undefined;
		throw asStorageError(error);
	});
	if (!found?.isFile()) throw terminal('not_found', `There is no back-up file ${path}.`, { action: 'List them with: hearth backup list' });
	return { bytes: found.size, madeAt: Math.round(found.mtimeMs) };
}

function nothingKnown(path: string, { madeAt }: { madeAt: number }): Omit<BackupInfo, 'bytes'> {
	return { name: basename(path), path, madeAt, schemaVersion: 0, files: 0, leftOut: [] };
}

export function infoOf(path: string, bytes: number, { madeAt, schemaVersion, files, leftOut }: Manifest): BackupInfo {
	return { name: basename(path), path, bytes, madeAt, schemaVersion, files: files.length, leftOut };
}
