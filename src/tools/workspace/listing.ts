import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinishedWrite } from '../../base/atomic-file.ts';
import { systemCode } from '../../base/system-code.ts';
import type { ReadDb } from '../../db/brands.ts';
import { terminal } from '../../domain/errors.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import { labelsOfNames } from './change-store.ts';
import { fileError } from './disk.ts';
import type { Place } from './place.ts';
import type { WorkspaceEntry, WorkspaceListing } from './port.ts';

/** What lies below a folder, each folder's entries by name, its own before those of the folders in it. Links are named and not followed. */
export async function listFolder(
	db: ReadDb,
	place: Place,
	{ depth, limit, signal }: { depth: number; limit: number; signal?: AbortSignal },
): Promise<WorkspaceListing> {
	if (!place.exists) throw terminal('not_found', `There is no folder ${place.path} in the workspace.`);
	const entries: WorkspaceEntry[] = [];
	const folders = [{ path: place.path, level: 1 }];
	let more = false;
	for (let folder = folders.shift(); folder && !more; folder = folders.shift()) {
		const absolute = join(place.absolute, folder.path.slice(place.path.length));
		for (const name of await namesIn(absolute, folder.path, folder.path === place.path)) {
			signal?.throwIfAborted();
			if (entries.length >= limit) {
				more = true;
				break;
			}
			const path = folder.path === '' ? name : `${folder.path}/${name}`;
			const entry = await entryOf(join(absolute, name), path);
			if (!entry) continue;
			entries.push(entry);
			if (entry.kind === 'folder' && folder.level < depth) folders.push({ path, level: folder.level + 1 });
		}
	}
	const named = [place.path, ...entries.map(({ path }) => path)].filter((path) => path !== '');
	return { entries, more, label: labelOfNames(db, named) };
}

export function labelOfNames(db: ReadDb, paths: readonly string[]): Label {
	return joinLabels('workspace', ...labelsOfNames(db, paths));
}

async function namesIn(absolute: string, path: string, mustExist: boolean): Promise<string[]> {
	try {
		const names = await readdir(absolute);
		return names.filter((name) => !name.startsWith('.') && !isUnfinishedWrite(name)).sort();
	} catch (error) {
		// A folder below may be gone, or closed to us, since it was named.
		if (!mustExist && ['ENOENT', 'EACCES', 'EPERM'].includes(systemCode(error))) return [];
		throw fileError({ path: path || 'The workspace' }, error);
	}
}

async function entryOf(absolute: string, path: string): Promise<WorkspaceEntry | undefined> {
	try {
		const found = await lstat(absolute);
		const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
		return { path, kind, bytes: kind === 'file' ? found.size : 0, modifiedAt: Math.round(found.mtimeMs) };
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw fileError({ path }, error);
	}
}
