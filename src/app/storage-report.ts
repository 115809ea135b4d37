import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../base/system-code.ts';
import { asStorageError } from '../db/errors.ts';
import { findDamage, type IntegrityMode } from '../db/integrity.ts';
import type { StateDb } from '../db/open.ts';
import { auditBytes } from '../firewall/audit-store.ts';
import { freeBytesOf } from './health.ts';
import type { ProfilePaths } from './profile-folder.ts';

export interface StorageReport {
	/** Bytes by part: state_db, wal, audit (within state_db), attachments, blobs, workspace, logs, backups. */
	sizes: Record<string, number>;
	freeBytes: number;
	/** What SQLite finds wrong in state.db, in its words; empty when it is whole. */
	damage: string[];
	/** File names of the back-ups, newest first. */
	backups: string[];
	schemaVersion: number;
}

/** What `doctor` and Diagnostics show of a profile's storage. Files are only measured here, never opened (see `lock.ts`). */
export async function storageReport(paths: ProfilePaths, db: StateDb, mode: IntegrityMode): Promise<StorageReport> {
	return {
		sizes: {
			state_db: await bytesOf(paths.stateDb),
			wal: await bytesOf(`${paths.stateDb}-wal`),
			audit: auditBytes(db.read),
			attachments: await bytesOf(paths.attachments),
			blobs: await bytesOf(paths.blobs),
			workspace: await bytesOf(paths.workspace),
			logs: await bytesOf(paths.logs),
			backups: await bytesOf(paths.backups),
		},
		freeBytes: await freeBytesOf(paths.folder),
		damage: damageOf(db, mode),
		backups: db.backups().map((backup) => backup.name),
		schemaVersion: db.schemaVersion,
	};
}

function damageOf(db: StateDb, mode: IntegrityMode): string[] {
	try {
		return findDamage(db.read, mode);
	} catch (error) {
		const known = asStorageError(error);
		return [known instanceof Error ? known.message : 'state.db cannot be read'];
	}
}

/** Bytes of all files in a folder and below it. Links are not followed; what vanishes meanwhile does not count. */
export function folderBytes(folder: string): Promise<number> {
	return bytesOf(folder);
}

async function bytesOf(path: string): Promise<number> {
	try {
		const found = await lstat(path);
		if (!found.isDirectory()) return found.isFile() ? found.size : 0;
		let total = 0;
		for (const name of await readdir(path)) total += await bytesOf(join(path, name));
		return total;
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return 0;
		throw error;
	}
}
