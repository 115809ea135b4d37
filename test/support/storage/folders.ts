import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { type OpenOptions, openStateDb, type StateDb } from '../../../src/db/open.ts';
import { runOne, sql, value } from '../../../src/db/sql.ts';
import { HearthError } from '../../../src/domain/errors.ts';

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'hearth-storage-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Opens the folder's state.db; closed with the test where it is still open. */
export function openIn(folder: string, more: Partial<OpenOptions> = {}): StateDb {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger, ...more });
	onTestFinished(() => db.close());
	return db;
}

export function addSession(db: StateDb, id: string, title = 'a title'): void {
	db.write((tx) =>
		runOne(tx, sql`INSERT INTO sessions (id, title, title_by, created_at, updated_at) VALUES (${id}, ${title}, 'auto', 0, 0)`),
	);
}

export function countSessions(db: StateDb): number {
	return value<number>(db.read, sql`SELECT count(*) FROM sessions`) ?? -1;
}

/** The HearthError that the act ends in. */
export async function failureOf(act: () => unknown): Promise<HearthError> {
	try {
		await act();
	} catch (error) {
		if (error instanceof HearthError) return error;
		throw error;
	}
	throw new Error('expected a HearthError, but nothing was thrown');
}

/** A fingerprint of each file's bytes; `none` where there is no such file. */
export function hashFiles(...files: string[]): string[] {
	return files.map((file) => (existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'none'));
}
