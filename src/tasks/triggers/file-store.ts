import { z } from 'zod';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, run, sql, value } from '../../db/sql.ts';
import type { TaskId } from '../../domain/task.ts';

/** Rows of `task_files`: what a trigger's folder held when it was last looked at; one row without a path says which folder that was. */

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
	const found = value<string>(db, sql`SELECT version FROM task_files WHERE task_id = ${taskId} AND path = ''`);
	return found === undefined ? undefined : Looked.parse(JSON.parse(found));
}

export function setLook(tx: WriteDb, taskId: TaskId, looked: Looked): void {
	setFile(tx, taskId, '', JSON.stringify(looked));
}

/** Versions by path. */
export function knownFiles(db: ReadDb, taskId: TaskId): Map<string, string> {
	const rows = all<{ path: string; version: string }>(
		db,
		sql`SELECT path, version FROM task_files WHERE task_id = ${taskId} AND path <> '' ORDER BY path`,
	);
	return new Map(rows.map(({ path, version }) => [path, version]));
}

export function setFile(tx: WriteDb, taskId: TaskId, path: string, version: string): void {
	run(
		tx,
		sql`INSERT INTO task_files (task_id, path, version) VALUES (${taskId}, ${path}, ${version})
			ON CONFLICT (task_id, path) DO UPDATE SET version = excluded.version`,
	);
}

export function dropFiles(tx: WriteDb, taskId: TaskId, paths: readonly string[]): void {
	run(tx, sql`DELETE FROM task_files WHERE task_id = ${taskId} AND path IN (SELECT value FROM json_each(${JSON.stringify(paths)}))`);
}

export function forgetLooks(tx: WriteDb, taskId: TaskId): void {
	run(tx, sql`DELETE FROM task_files WHERE task_id = ${taskId}`);
}
