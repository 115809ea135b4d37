import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { type FileHandle, open, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoint } from './crash-point.ts';
import { systemCode } from './system-code.ts';

/** For a program that writes the old file while it is replaced. */
const LOOK_AGAIN_MS = 30;
const MOST_LOOKS = 20;

export interface AtomicWriteOptions {
	readonly mode?: number;
	/** A last look at the old file, undefined where there is none, right before the rename; what it throws is thrown, and the old file stays. */
	readonly lastLook?: (old: Buffer | undefined) => void;
	/** A link at the path is replaced itself, not what it leads to. */
	readonly throughNoLink?: boolean;
}

export interface WrittenFile {
	/** As the file system tells it of the new file. */
	readonly modifiedMs: number;
	/** What the old file holds now, where a program that had it open wrote to it after the last look. */
	readonly late?: Buffer;
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
	const target = options.throughNoLink ? path : await behindLinks(path);
	const temporary = `${target}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
	let renamed = false;
	let modifiedMs: number;
	let late: Buffer | undefined;
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
		late = await actAfterLook(target, options.lastLook, () => renameSync(temporary, target));
		renamed = true;
	} finally {
		if (!renamed) await rm(temporary, { force: true });
	}
	crashPoint('file.renamed');
	await syncFolder(dirname(target));
	return { modifiedMs, ...(late && { late }) };
}

/** Removes a file after a last look at it, for good when it resolves. Gives what a program that had it open wrote to it after that. */
export async function removeFile(
	path: string,
	lastLook: Exclude<AtomicWriteOptions['lastLook'], undefined>,
): Promise<Pick<WrittenFile, 'late'>> {
	const late = await actAfterLook(path, lastLook, () => unlinkSync(path));
	crashPoint('file.removed');
	await syncFolder(dirname(path));
	return late ? { late } : {};
}

/**
 * Without a turn of the event loop between look and rename: other programs have some microseconds. Gives what they wrote to the old file
 * in these.
 */
async function actAfterLook(target: string, lastLook: AtomicWriteOptions['lastLook'], act: () => void): Promise<Buffer | undefined> {
	const old = lastLook && openOld(target);
	let isOpen = old !== undefined;
	try {
		const before = old === undefined ? undefined : readWhole(old);
		lastLook?.(before);
		if (lastLook && !isStill(target, old)) lastLook(readIfThere(target));
		crashPoint('file.looked');
		// Windows replaces and removes no file that is open.
		if (old !== undefined && process.platform === 'win32') {
			closeSync(old);
			isOpen = false;
		}
		act();
		if (old === undefined || before === undefined || !isOpen) return undefined;
		const after = readWhole(old);
		return after.equals(before) ? undefined : await readRested(old, after);
	} finally {
		if (old !== undefined && isOpen) closeSync(old);
	}
}

/** Once the program that writes it is through, which first empties it as a rule. */
async function readRested(descriptor: number, first: Buffer): Promise<Buffer> {
	let bytes = first;
	for (let looks = 0; looks < MOST_LOOKS; looks++) {
		await sleep(LOOK_AGAIN_MS);
		const now = readWhole(descriptor);
		if (now.equals(bytes) && now.length > 0) break;
		bytes = now;
	}
	return bytes;
}

/** Not blocking: whatever else stands there under this name, such as a pipe, must not hold it up. */
function openOld(target: string): number | undefined {
	return unlessMissing(() => openSync(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
}

function readWhole(descriptor: number): Buffer {
	const bytes = Buffer.alloc(fstatSync(descriptor).size);
	return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
}

function isStill(target: string, old: number | undefined): boolean {
	const now = statSync(target, { bigint: true, throwIfNoEntry: false });
	const was = old === undefined ? undefined : fstatSync(old, { bigint: true });
	return now?.ino === was?.ino && now?.dev === was?.dev;
}

function readIfThere(file: string): Buffer | undefined {
	const descriptor = openOld(file);
	if (descriptor === undefined) return undefined;
	try {
		return readWhole(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

function unlessMissing<T>(act: () => T): T | undefined {
	try {
		return act();
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw error;
	}
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
