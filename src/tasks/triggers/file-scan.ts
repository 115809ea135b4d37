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
const MOST_ENTRIES = 20_000;
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
	/** One file in that folder was looked for. */
	readonly isFile: boolean;
}

export interface Where {
	/** As the owner wrote it: a folder, or a file, which need not be there. */
	readonly path: string;
	readonly names?: string | undefined;
}

export interface How {
	/** What was there when it was last looked at was a file, so a missing one is one that was taken away. */
	readonly wasFile: boolean;
	readonly most?: number;
}

/** Rejects with a HearthError: `source_missing`, `source_refused`, `invalid_input` for what is shut, `file_too_large` for what holds too much. */
export async function lookAt(where: Where, own: OwnPlaces, { wasFile, most = MOST_ENTRIES }: How): Promise<Found> {
	const { real, only, isShut } = await placeOf(where.path, own, wasFile);
	try {
		const { dev, ino } = await lstat(real);
		const walk = new Walk({ root: real, names: where.names, only, isShut, most });
		return { ...(await walk.walk()), folder: real, folderId: `${dev}:${ino}`, isFile: only !== undefined };
	} catch (error) {
		if (error instanceof HearthError) throw error;
		throw cannotLook(where.path, error);
	}
}

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

interface WalkDeps {
	/** Absolute, without links. */
	readonly root: string;
	readonly names: string | undefined;
	/** This one name in it, and nothing below. */
	readonly only: string | undefined;
	readonly isShut: OwnersPath['isShut'];
	readonly most: number;
}

class TooMuch extends Error {}

class Walk {
	readonly #deps: WalkDeps;
	readonly #files = new Map<string, FoundFile>();
	readonly #hidden: string[] = [];
	#entries = 0;

	constructor(deps: WalkDeps) {
		this.#deps = deps;
	}

	async walk(): Promise<Pick<Found, 'files' | 'hidden'>> {
		const { root, only, most } = this.#deps;
		try {
			let level = [root];
			for (let depth = 1; level.length > 0 && depth <= DEEPEST; depth += 1) {
				const next: string[] = [];
				for (const folder of level) next.push(...(await this.#lookInto(folder)));
				level = only === undefined ? next : [];
			}
		} catch (error) {
			throw error instanceof TooMuch ? tooMuch(root, most) : error;
		}
		return { files: this.#files, hidden: this.#hidden };
	}

	/** The folders in it. */
	async #lookInto(folder: string): Promise<string[]> {
		const { root } = this.#deps;
		try {
			return await withFolder({ root, folder }, (inside) => this.#entriesOf(folder, inside));
		} catch (error) {
			if (folder === root || error instanceof TooMuch) throw error;
			// It is gone, or closed to us, or a link by now.
			this.#hidden.push(folder);
			return [];
		}
	}

	/** `inside`: the folder by its handle. */
	async #entriesOf(folder: string, inside: string): Promise<string[]> {
		const { only, most } = this.#deps;
		const all = await readdir(inside);
		const shown = all.filter((name) => !isLeftOut(name) && (only === undefined || name === only));
		this.#entries += shown.length;
		if (this.#entries > most) throw new TooMuch();
		const names = new Set(all);
		const folders: string[] = [];
		for (let at = 0; at < shown.length; at += AT_A_TIME) {
			const some = shown.slice(at, at + AT_A_TIME);
			folders.push(...(await Promise.all(some.map((name) => this.#entry(folder, inside, name, names)))).flat());
		}
		return folders;
	}

	async #entry(folder: string, inside: string, name: string, names: ReadonlySet<string>): Promise<string[]> {
		const path = join(folder, name);
		const found = await lstat(join(inside, name)).catch((error: unknown) => {
			// It was taken away meanwhile.
			if (systemCode(error) === 'ENOENT') return undefined;
			throw error;
		});
		if (found?.isDirectory()) return this.#deps.isShut(path) ? [] : [path];
		if (!found?.isFile() || !fits(name, this.#deps.names)) return [];
		const version = `${found.size}:${Math.floor(found.mtimeMs)}:${found.ino}`;
		this.#files.set(path, { bytes: found.size, version, isUnfinished: isBeingLoaded(name, names) });
		return [];
	}
}

function tooMuch(folder: string, most: number): HearthError {
	const count = most.toLocaleString('en');
	return terminal('file_too_large', `More than ${count} files and folders lie in ${folder}, too many to watch.`, {
		action: 'Choose a folder in it, or move what need not be watched elsewhere.',
	});
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
