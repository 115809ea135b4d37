import { z } from 'zod';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, run, sql, value } from '../../db/sql.ts';
import type { TaskId } from '../../domain/task.ts';
import { fileKey } from './file-names.ts';

/**
 * Rows of `task_files`: what a trigger's folder held when it was last looked at, by the hashes of paths: a name may hold what is to be forgotten (M4).
 * One row without a path says which folder that was.
 */

const Looked = z.object({
	path: z.string(),
	names: z.string().optional(),
	folder: z.string(),
	folderId: z.string(),
	isFile: z.boolean(),
});
/** What was looked at: as the owner wrote it, and what was there. */
export type Looked = z.infer<typeof Looked>;

/** Undefined before the first look. */
export function lastLook(db: ReadDb, taskId: TaskId): Looked | undefined {
	const found = value<string>(db, sql`SELECT version FROM task_files WHERE task_id = ${taskId} AND path_hash = ''`);
	return found === undefined ? undefined : Looked.parse(JSON.parse(found));
}

export function setLook(tx: WriteDb, taskId: TaskId, looked: Looked): void {
	setRow(tx, taskId, '', JSON.stringify(looked));
}

/** Versions by `fileKey`. */
export function knownFiles(db: ReadDb, taskId: TaskId): Map<string, string> {
	const rows = all<{ key: string; version: string }>(
		db,
		sql`SELECT path_hash AS key, version FROM task_files WHERE task_id = ${taskId} AND path_hash <> '' ORDER BY path_hash`,
	);
	return new Map(rows.map(({ key, version }) => [key, version]));
}

export function setFile(tx: WriteDb, taskId: TaskId, path: string, version: string): void {
	setRow(tx, taskId, fileKey(path), version);
}

function setRow(tx: WriteDb, taskId: TaskId, key: string, version: string): void {
	run(
		tx,
		sql`INSERT INTO task_files (task_id, path_hash, version) VALUES (${taskId}, ${key}, ${version})
			ON CONFLICT (task_id, path_hash) DO UPDATE SET version = excluded.version`,
	);
}

export function dropFiles(tx: WriteDb, taskId: TaskId, keys: readonly string[]): void {
	run(tx, sql`DELETE FROM task_files WHERE task_id = ${taskId} AND path_hash IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}

export function forgetLooks(tx: WriteDb, taskId: TaskId): void {
	run(tx, sql`DELETE FROM task_files WHERE task_id = ${taskId}`);
}
