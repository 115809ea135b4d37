import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../base/system-code.ts';
import { HearthError, needsOwner, terminal } from '../../domain/errors.ts';
import type { OwnPlaces } from '../../tools/workspace/denied.ts';
import { withFolder } from '../../tools/workspace/handle.ts';
import { type OwnersPath, ownersPath } from '../../tools/workspace/owners-path.ts';
import { fits, isBeingLoaded, isLeftOut } from './file-names.ts';

/** Looks at what a trigger waits for: names, sizes and times, never a content. Links are not followed, and what is shut to tools is not looked into. */

/** Files and folders. */
export const MOST_ENTRIES = 20_000;
const DEEPEST = 20;
const AT_A_TIME = 50;

export interface FoundFile {
	readonly bytes: number;
	/** What a file keeps as long as nobody writes to it: size and time of change; with the inode behind it, which a rename keeps, too. */
	readonly version: string;
	/** Another program still loads it. */
	readonly isUnfinished: boolean;
}

/** What there is. */
export interface Found {
	/** The folder that was looked at, without links. */
	readonly folder: string;
	/** What the disk knows it by: another one may lie in its place, as where a drive is not connected. */
	readonly folderId: string;
	/** By absolute path. */
	readonly files: ReadonlyMap<string, FoundFile>;
	/** Folders that could not be looked into, so that nothing can be said of what lies below them. */
	readonly hidden: readonly string[];
}

export interface Where {
	/** As the owner wrote it: a folder, or a file, which need not be there. */
	readonly path: string;
	readonly names?: string | undefined;
}

/** Rejects with a HearthError: `source_missing`, `source_refused`, `invalid_input` for what is shut or holds too much. */
export async function lookAt(where: Where, own: OwnPlaces, wasFile: boolean): Promise<Found & { readonly isFile: boolean }> {
	const { real, only, isShut } = await placeOf(where.path, own, wasFile);
	try {
		const { dev, ino } = await lstat(real);
		const found = await walk(
			real,
			only === undefined ? (name) => fits(name, where.names) : (name) => name === only,
			only !== undefined,
			isShut,
		);
		return { ...found, folder: real, folderId: `${dev}:${ino}`, isFile: only !== undefined };
	} catch (error) {
		if (error instanceof HearthError) throw error;
		throw cannotLook(where.path, error);
	}
}

/** `wasFile`: what was there when it was last looked at was a file, so a missing one is one that was taken away. */
async function placeOf(path: string, own: OwnPlaces, wasFile: boolean): Promise<OwnersPath & { only?: string }> {
	try {
		const there = await ownersPath(path, own);
		if ((await lstat(there.real)).isDirectory()) return there;
		return { ...there, real: dirname(there.real), only: basename(there.real) };
	} catch (error) {
		if (!wasFile || !(error instanceof HearthError) || error.code !== 'source_missing') throw error;
		return { ...(await ownersPath(dirname(path), own)), only: basename(path) };
	}
}

async function walk(
	root: string,
	isWanted: (name: string) => boolean,
	isFlat: boolean,
	isShut: OwnersPath['isShut'],
): Promise<Pick<Found, 'files' | 'hidden'>> {
	const files = new Map<string, FoundFile>();
	const hidden: string[] = [];
	let entries = 0;

	async function lookInto(folder: string, inside: string, level: number): Promise<string[]> {
		const all = await readdir(inside);
		const names = new Set(all);
		const folders: string[] = [];
		const shown = all.filter((name) => !isLeftOut(name) && (!isFlat || isWanted(name)));
		entries += shown.length;
		if (entries > MOST_ENTRIES) throw tooMuch(root);
		for (let at = 0; at < shown.length; at += AT_A_TIME) {
			await Promise.all(
				shown.slice(at, at + AT_A_TIME).map(async (name) => {
					const found = await lstat(join(inside, name)).catch((error: unknown) => {
						// It was taken away meanwhile.
						if (systemCode(error) === 'ENOENT') return undefined;
						throw error;
					});
					const path = join(folder, name);
					if (found?.isDirectory()) {
						if (!isFlat && level < DEEPEST && !isShut(path)) folders.push(path);
					} else if (found?.isFile() && isWanted(name)) {
						const version = `${found.size}:${Math.floor(found.mtimeMs)}:${found.ino}`;
						files.set(path, { bytes: found.size, version, isUnfinished: isBeingLoaded(name, names) });
					}
				}),
			);
		}
		return folders;
	}

	let level = [root];
	for (let depth = 1; level.length > 0; depth += 1) {
		const next: string[] = [];
		for (const folder of level) {
			try {
				next.push(...(await withFolder({ root, folder }, (inside) => lookInto(folder, inside, depth))));
			} catch (error) {
				// A folder below may be gone, or closed to us, or a link by now.
				if (folder === root || (error instanceof HearthError && error.shape.message === tooMuch(root).shape.message)) throw error;
				hidden.push(folder);
			}
		}
		level = next;
	}
	return { files, hidden };
}

function tooMuch(folder: string): HearthError {
	return terminal(
		'file_too_large',
		`More than ${MOST_ENTRIES.toLocaleString('en')} files and folders lie in ${folder}, too many to watch.`,
		{
			action: 'Choose a folder in it, or move what need not be watched elsewhere.',
		},
	);
}

function cannotLook(path: string, error: unknown): unknown {
	const code = systemCode(error);
	if (['EACCES', 'EPERM'].includes(code))
		return needsOwner('source_refused', `${path} may not be opened: its permissions keep it.`, {
			action: 'Check its permissions.',
			cause: error,
		});
	if (code === '') return error;
	return terminal('source_missing', `${path} can’t be looked at just now (${code}).`, {
		action: 'Check whether its drive is connected.',
		cause: error,
	});
}
