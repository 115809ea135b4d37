import { sep } from 'node:path';
import type { ReadDb } from '../../db/brands.ts';
import { HearthError } from '../../domain/errors.ts';
import { lastChangeOfPath } from '../../tools/workspace/change-store.ts';
import { readDiskFile } from '../../tools/workspace/disk.ts';

/**
 * Whether what lies there is what a tool wrote there last: a task whose run files something into its own folder must not run for that again.
 * `path`, `folder`: absolute, without links.
 */
export async function isOwnWriting(db: ReadDb, file: { path: string; bytes: number; folder: string }): Promise<boolean> {
	const { path, bytes, folder } = file;
	const last = lastChangeOfPath(db, path.split(sep).join('/'));
	if (last?.after == null || last.bytes !== bytes) return false;
	const place = { path, absolute: path, root: { name: folder, absolute: folder, mine: false }, exists: true };
	const there = await readDiskFile(place).catch((error: unknown) => {
		// It can't be compared: then it counts as news.
		if (error instanceof HearthError) return undefined;
		throw error;
	});
	return there?.hash === last.after;
}
