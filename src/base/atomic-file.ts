import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crashPoint } from './crash-point.ts';

/**
 * Replaces a file whole or not at all: temporary file in the same folder, fsync, rename, fsync of the folder (M3, dur-2).
 * Throws the system's error (`ENOSPC`, `EACCES` …) and leaves the old file as it was.
 *
 * Own code on purpose: on a disk that is nearly full a write may take only part of the bytes and report no error, and
 * write-file-atomic 8 then renames the cut file into place. `FileHandle.writeFile` goes on until all is written or it fails.
 */
export async function writeFileAtomic(path: string, data: string | Uint8Array, options: { mode?: number } = {}): Promise<void> {
	const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
	let renamed = false;
	const file = await open(temporary, 'wx', options.mode ?? 0o600);
	try {
		try {
			await file.writeFile(data);
			await file.sync();
		} finally {
			await file.close();
		}
		crashPoint('file.written');
		await rename(temporary, path);
		renamed = true;
	} finally {
		if (!renamed) await rm(temporary, { force: true });
	}
	crashPoint('file.renamed');
	await syncFolder(dirname(path));
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
