import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { connect } from './driver.ts';
import { asStorageError } from './errors.ts';
import { findDamage } from './integrity.ts';

const NAME = /^state-v(\d+)-(\d{8}T\d{9}Z)\.db$/;
/** Older ones are removed when a new one is complete. */
const KEPT = 5;

export interface BackupFile {
	path: string;
	name: string;
	schemaVersion: number;
	bytes: number;
}

/** Complete back-ups, newest first by the date in their names. */
export function listBackups(folder: string): BackupFile[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder)
		.map((name) => ({ name, match: NAME.exec(name) }))
		.filter((entry) => entry.match !== null)
		.sort((a, b) => (b.match?.[2] ?? '').localeCompare(a.match?.[2] ?? ''))
		.map(({ name, match }) => {
			const path = join(folder, name);
			return { path, name, schemaVersion: Number(match?.[1]), bytes: statSync(path).size };
		});
}

/**
 * Writes a whole, checked copy of the database as `state-v<schema>-<date>.db` and removes the oldest beyond the limit.
 * Not inside a transaction. Throws and leaves no part behind when it fails; older back-ups are then untouched.
 */
export function backUp(db: Database.Database, folder: string, now: number): BackupFile {
	const version = db.pragma('user_version', { simple: true }) as number;
	const name = `state-v${version}-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}.db`;
	const path = join(folder, name);
	const unfinished = `${path}.tmp`;
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		for (const left of readdirSync(folder)) if (left.endsWith('.db.tmp')) rmSync(join(folder, left));
		db.prepare('VACUUM INTO ?').run(unfinished);
		verify(unfinished);
		// VACUUM INTO does not sync what it wrote.
		const descriptor = openSync(unfinished, 'r+');
		try {
			fsyncSync(descriptor);
		} finally {
			closeSync(descriptor);
		}
		renameSync(unfinished, path);
	} catch (error) {
		rmSync(unfinished, { force: true });
		throw asStorageError(error);
	}
	for (const old of listBackups(folder).slice(KEPT)) rmSync(old.path, { force: true });
	return { path, name, schemaVersion: version, bytes: statSync(path).size };
}

function verify(file: string): void {
	const copy = connect(file, { readonly: true, mustExist: true });
	try {
		const damage = findDamage(copy, 'quick');
		if (damage.length > 0) throw new Error(`the back-up is damaged: ${damage[0]}`);
	} finally {
		copy.close();
	}
}
