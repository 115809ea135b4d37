import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../base/system-code.ts';
import { LONG_TERM_FILE, MemoryPath } from '../../domain/memory.ts';

/** What the file system tells of a file without reading it. No program can set all of it. */
export interface Stamp {
	readonly bytes: number;
	readonly modifiedMs: number;
	readonly changedMs: number;
	readonly inode: number;
}

export interface FileList {
	readonly files: ReadonlyMap<MemoryPath, Stamp>;
	/** Whether it lies in a folder that could not be looked into, so that nothing can be said of it. */
	isHidden(path: MemoryPath): boolean;
}

const MEMORY_FOLDER = 'memory';

/**
 * `MEMORY.md` and every Markdown file below `memory/`. Links are followed; what two names lead to counts once, under the first name.
 * Names that begin with a dot are none of ours: editors and sync programs keep their own things there.
 */
export async function listMemoryFiles(folder: string): Promise<FileList> {
	const files = new Map<MemoryPath, Stamp>();
	const seen = new Set<string>();
	const hidden: string[] = [];

	async function addFile(path: string): Promise<void> {
		const checked = MemoryPath.safeParse(path);
		const file = join(folder, path);
		const found = await orMissing(stat(file).catch((error: unknown) => hide(path, error)));
		if (!checked.success || found === undefined || found.isDirectory()) return;
		const real = await orMissing(realpath(file));
		if (real === undefined || seen.has(real)) return;
		seen.add(real);
		files.set(checked.data, stampOf(found));
	}

	/** One that may not be followed tells nothing of what is behind it. */
	function hide(path: string, error: unknown): undefined {
		if (!['EACCES', 'EPERM'].includes(systemCode(error))) throw error;
		hidden.push(path);
	}

	async function addFolder(path: string): Promise<void> {
		const real = await orMissing(realpath(join(folder, path)));
		if (real === undefined || seen.has(real)) return;
		seen.add(real);
		let entries: Dirent[];
		try {
			entries = await readdir(real, { withFileTypes: true });
		} catch (error) {
			if (!isMissing(error)) hide(`${path}/`, error);
			return;
		}
		for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
			if (entry.name.startsWith('.')) continue;
			const inside = `${path}/${entry.name}`;
			if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(join(folder, inside))))) await addFolder(inside);
			else if (entry.name.endsWith('.md')) await addFile(inside);
		}
	}

	await addFile(LONG_TERM_FILE);
	await addFolder(MEMORY_FOLDER);
	return { files, isHidden: (path) => hidden.some((start) => path.startsWith(start)) };
}

export function sameStamp(a: Stamp, b: Stamp): boolean {
	return a.bytes === b.bytes && a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs && a.inode === b.inode;
}

function stampOf(found: Stats): Stamp {
	return { bytes: found.size, modifiedMs: found.mtimeMs, changedMs: found.ctimeMs, inode: found.ino };
}

async function isFolder(path: string): Promise<boolean> {
	return (await orMissing(stat(path)))?.isDirectory() ?? false;
}

async function orMissing<T>(act: Promise<T>): Promise<T | undefined> {
	try {
		return await act;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** A link that leads nowhere or in a circle is no file either. */
function isMissing(error: unknown): boolean {
	return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error));
}
