import { randomBytes } from 'node:crypto';
import { type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crashPoint } from './crash-point.ts';
import { systemCode } from './system-code.ts';

export interface AtomicWriteOptions {
	readonly mode?: number;
	/** A last look at the old file; what it throws is thrown, and the old file stays. */
	readonly beforeRename?: () => Promise<void>;
}

export interface WrittenFile {
	/** As the file system tells it of the new file. */
	readonly modifiedMs: number;
}

/**
 * Replaces a file whole or not at all: temporary file in the same folder, fsync, rename, fsync of the folder (M3, dur-2).
 * Throws the system's error (`ENOSPC`, `EACCES` …) and leaves the old file as it was.
 * Where the path is a symbolic link, as in an owner's dotfiles, the file it leads to is replaced and the link stays.
 *
 * Own code on purpose: on a disk that is nearly full a write may take only part of the bytes and report no error, and
 * write-file-atomic 8 then renames the cut file into place. `FileHandle.writeFile` goes on until all is written or it fails.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array, options: AtomicWriteOptions = {}): Promise<WrittenFile> {
	const target = await behindLinks(path);
	const temporary = `${target}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
	let renamed = false;
	let modifiedMs: number;
	const file = await open(temporary, 'wx', options.mode ?? 0o600);
	try {
		try {
			await file.writeFile(data);
			await file.sync();
			modifiedMs = (await file.stat()).mtimeMs;
		} finally {
			await file.close();
		}
		crashPoint('file.written');
		await options.beforeRename?.();
		await rename(temporary, target);
		renamed = true;
	} finally {
		if (!renamed) await rm(temporary, { force: true });
	}
	crashPoint('file.renamed');
	await syncFolder(dirname(target));
	return { modifiedMs };
}

/** Whether a file of this name is one that `writeFileAtomic` had not finished when its process died. */
export function isUnfinishedWrite(name: string): boolean {
	return /.\.\d+-[0-9a-f]{8}\.tmp$/.test(name);
}

/** A link to nowhere counts as no file: a new one takes its place. */
async function behindLinks(path: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return path;
		throw error;
	}
}

/** Makes a rename or a new name in the folder outlive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
	let handle: FileHandle;
	try {
		handle = await open(folder, 'r');
	} catch (error) {
		// Windows gives no handle to a folder; there the rename itself is journaled.
		if (process.platform === 'win32') return;
		throw error;
	}
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}
