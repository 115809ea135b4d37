import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isUnfinishedWrite, removeFile, writeFileAtomic } from '../../base/atomic-file.ts';
import { sha256 } from '../../base/sha256.ts';
import { systemCode } from '../../base/system-code.ts';
import { asStorageError } from '../../db/errors.ts';
import { HearthError, needsOwner, retryable, terminal } from '../../domain/errors.ts';
import { withFolder } from './handle.ts';
import { checkPlace, type Place, WORKSPACE } from './place.ts';

/** Files that tools may work on as they lie on the disk. */

/** Bytes that are read of one file at most. */
export const LARGEST_READ = 50_000_000;
/** Bytes of a version that can be kept: larger files are not changed, since they could not be put back. */
export const LARGEST_KEPT = 10_000_000;

export interface DiskFile {
	readonly bytes: Buffer;
	readonly hash: string;
	/** Permission bits. */
	readonly mode: number;
	readonly modifiedMs: number;
	/** It has another name, which may lie anywhere (a hard link). */
	readonly hasOtherNames: boolean;
}

/** The file is no longer what it was when it was read. */
export class FileMoved extends Error {}

/** Undefined where there is none. Never waits for a pipe or a device, and reads through no link that was put there after the look. */
export async function readDiskFile(place: Place, most = LARGEST_READ): Promise<DiskFile | undefined> {
	if (!place.exists) return undefined;
	if (place.absolute === place.root.absolute) throw terminal('invalid_input', `${place.path || 'The workspace'} is a folder, not a file.`);
	let file: FileHandle;
	try {
		file = await inItsFolder(place, (folder) =>
			open(join(folder, basename(place.absolute)), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)),
		);
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw fileError(place, error);
	}
	try {
		const found = await file.stat({ bigint: true });
		if (found.isDirectory()) throw terminal('invalid_input', `${place.path || 'The workspace'} is a folder, not a file.`);
		if (!found.isFile()) throw terminal('read_only', `${place.path} is neither a file nor a folder, so it is left alone.`);
		const there = await stat(await realpath(place.absolute), { bigint: true });
		if (there.ino !== found.ino || there.dev !== found.dev || (await realpath(place.absolute)) !== place.absolute) throw changing(place);
		if (found.size > most) throw tooLarge(place, most, 'read');
		const bytes = await file.readFile();
		if (bytes.length > most) throw tooLarge(place, most, 'read');
		return {
			bytes,
			hash: sha256(bytes),
			mode: Number(found.mode & 0o777n),
			modifiedMs: Number(found.mtimeMs),
			hasOtherNames: found.nlink > 1n,
		};
	} catch (error) {
		if (systemCode(error) === 'ENOENT') throw changing(place);
		throw fileError(place, error);
	} finally {
		await file.close();
	}
}

/**
 * Replaces, makes or, where `bytes` is null, removes the file, which must still be as `before`. Throws `FileMoved` where it is not. Gives what
 * another program wrote to the old one at that very moment.
 */
export async function replaceDiskFile(place: Place, before: DiskFile | undefined, bytes: Uint8Array | null): Promise<Buffer | undefined> {
	const lastLook = (old: Buffer | undefined): void => {
		checkPlace(place);
		if (before ? !old?.equals(before.bytes) : old !== undefined) throw new FileMoved();
	};
	const name = basename(place.absolute);
	if (bytes === null) return inItsFolder(place, async (folder) => (await removeFile(join(folder, name), lastLook)).late);
	// Other programs of the owner's work in a granted folder, too; the profile is closed to other users.
	const [fileMode, folderMode] = place.root.name === WORKSPACE ? [0o600, 0o700] : [0o644, 0o755];
	return inItsFolder(
		place,
		async (folder) => {
			checkPlace(place);
			return (await writeFileAtomic(join(folder, name), bytes, { mode: before?.mode ?? fileMode, lastLook, throughNoLink: true })).late;
		},
		folderMode,
	);
}

/** Removes what a process that died had begun to write of this file. */
export async function sweepUnfinished(place: Place): Promise<void> {
	const begun = `${basename(place.absolute)}.`;
	try {
		await inItsFolder(place, async (folder) => {
			for (const name of await readdir(folder))
				if (name.startsWith(begun) && isUnfinishedWrite(name)) await rm(join(folder, name), { force: true });
		});
	} catch (error) {
		if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error))) throw error;
	}
}

/** Through no link that was put in the way after the look. `make`: the mode of folders that are missing. */
function inItsFolder<T>({ root, absolute }: Place, use: (folder: string) => Promise<T>, make?: number): Promise<T> {
	return withFolder({ root: root.absolute, folder: dirname(absolute), make }, use);
}

/** Throws `file_too_large` where this version of a file could not be kept. */
export function checkKept(place: Place, bytes: Uint8Array | null | undefined): void {
	if ((bytes?.length ?? 0) > LARGEST_KEPT) throw tooLarge(place, LARGEST_KEPT, 'changed: it could not be put back afterwards');
}

/** What a failed access means, in words that name the file. */
export function fileError({ path }: Pick<Place, 'path'>, error: unknown): unknown {
	if (error instanceof HearthError) return error;
	const code = systemCode(error);
	if (['EACCES', 'EPERM', 'EBUSY', 'EROFS'].includes(code))
		return needsOwner('read_only', `${path} may not be opened or changed: its permissions or another program keep it.`, {
			safe: 'Nothing was changed.',
			action: 'Check its permissions and whether another program holds it open, then try again.',
			cause: error,
		});
	if (['ELOOP', 'ENXIO', 'ENODEV', 'EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ENAMETOOLONG'].includes(code))
		return terminal('invalid_input', `${path} can’t be opened as a file: a folder, a link or something else has its name.`, {
			safe: 'Nothing was changed.',
			cause: error,
		});
	return asStorageError(error);
}

function changing({ path }: Place): HearthError {
	return retryable('conflict', `${path} is being moved or replaced at this moment. Try again.`, { safe: 'Nothing was changed.' });
}

function tooLarge({ path }: Place, most: number, what: string): HearthError {
	return terminal('file_too_large', `${path} is larger than ${most / 1_000_000} MB, so it can’t be ${what}.`, {
		safe: 'Nothing was changed.',
	});
}
