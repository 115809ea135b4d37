import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinishedWrite } from '../../base/atomic-file.ts';
import { systemCode } from '../../base/system-code.ts';
import type { ReadDb } from '../../db/brands.ts';
import { terminal } from '../../domain/errors.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import { labelsOfNames } from './change-store.ts';
import { fileError } from './disk.ts';
import { withFolder } from './handle.ts';
import { inWords, type Place, sourceName } from './place.ts';
import type { FolderOfFile, WorkspaceEntry, WorkspaceListing } from './port.ts';

interface How {
	readonly depth: number;
	readonly limit: number;
	readonly signal?: AbortSignal;
	/** Of an absolute path: what is shut whatever was granted is not named either. */
	readonly isShut: (absolute: string) => boolean;
}

/** What lies below a folder, each folder's entries by name, its own before those of the folders in it. Links are named and not followed. */
export async function listFolder(db: ReadDb, place: Place, how: How): Promise<WorkspaceListing> {
	const { entries, more } = await walkFolder(place, how);
	const label = joinLabels(
		labelOfNames(
			db,
			place.root,
			entries.map(({ path }) => path),
		),
		// Whoever asked knows its name; where somebody else gave it, that is known.
		...(labelsOfNames(db, [place.path]).get(place.path) ?? []),
	);
	return { entries, more, label, sources: [{ kind: 'file', name: sourceName(place), label }], folder: place.root };
}

/** As `listFolder` finds it, whoever gave the names. */
export async function walkFolder(place: Place, { depth, limit, signal, isShut }: How): Promise<Pick<WorkspaceListing, 'entries' | 'more'>> {
	if (!place.exists) throw terminal('not_found', `There is no folder ${place.path} in ${inWords(place.root)}.`);
	const entries: WorkspaceEntry[] = [];
	const folders = [{ path: place.path, absolute: place.absolute, level: 1 }];
	let more = false;
	for (let folder = folders.shift(); folder && !more; folder = folders.shift()) {
		signal?.throwIfAborted();
		for (const entry of await entriesIn(place, folder, limit - entries.length + 1, isShut)) {
			if (entries.length >= limit) {
				more = true;
				break;
			}
			entries.push(entry);
			const absolute = join(folder.absolute, nameOf(entry));
			if (entry.kind === 'folder' && folder.level < depth) folders.push({ path: entry.path, absolute, level: folder.level + 1 });
		}
	}
	return { entries, more };
}

/** Of names in a folder. What the root itself is called is the owner's word. */
export function labelOfNames(db: ReadDb, { name, mine }: FolderOfFile, paths: readonly string[]): Label {
	const given = paths.filter((path) => path !== '' && path !== name);
	const known = labelsOfNames(db, given);
	const unknown: Label = mine ? 'workspace' : 'external';
	return joinLabels('workspace', ...given.flatMap((path) => known.get(path) ?? [unknown]));
}

async function entriesIn(
	{ root, path: listed }: Place,
	{ path, absolute }: { path: string; absolute: string },
	most: number,
	isShut: How['isShut'],
): Promise<WorkspaceEntry[]> {
	try {
		return await withFolder({ root: root.absolute, folder: absolute }, async (folder) => {
			const names = (await readdir(folder)).filter((name) => !name.startsWith('.') && !isUnfinishedWrite(name)).sort();
			const entries: WorkspaceEntry[] = [];
			for (const name of names) {
				if (entries.length >= most) break;
				if (isShut(join(absolute, name))) continue;
				const entry = await entryOf(join(folder, name), path === '' ? name : `${path}/${name}`);
				if (entry) entries.push(entry);
			}
			return entries;
		});
	} catch (error) {
		// A folder below may be gone, or closed to us, since it was named.
		if (path !== listed && ['ENOENT', 'EACCES', 'EPERM'].includes(systemCode(error))) return [];
		throw fileError({ path: path || 'The workspace' }, error);
	}
}

function nameOf({ path }: WorkspaceEntry): string {
	return path.slice(path.lastIndexOf('/') + 1);
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
