import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../base/sha256.ts';
import { systemCode } from '../base/system-code.ts';
import { asStorageError } from '../db/errors.ts';
import { HearthError, needsOwner } from '../domain/errors.ts';
import type { MemoryPath } from '../domain/memory.ts';

/** A memory file as it lies on the disk. */
export interface DiskFile {
	/** False: there is none; then the text is empty. */
	readonly exists: boolean;
	readonly text: string;
	/** SHA-256 of the bytes. */
	readonly hash: string;
	readonly bytes: number;
	readonly modifiedMs: number;
	/** Permission bits. */
	readonly mode: number | undefined;
}

/** Larger ones are not read: they hold something else than notes, and each change would write all of it anew. */
export const LARGEST_FILE = 2_000_000;

export const NO_FILE: DiskFile = { exists: false, text: '', hash: sha256(''), bytes: 0, modifiedMs: 0, mode: undefined };

/**
 * Reads a memory file whole. Throws `file_too_large`, `invalid_input` (not text in UTF-8) or `read_only` (not a file, or it can't be
 * opened), each in words for the owner.
 */
export async function readMemoryFile(folder: string, path: MemoryPath): Promise<DiskFile> {
	let file: FileHandle;
	try {
		// Not blocking: whatever else stands there under this name, such as a pipe, must not hold memory up.
		file = await open(join(folder, path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	} catch (error) {
		if (['ENOENT', 'ENOTDIR'].includes(systemCode(error))) return NO_FILE;
		throw unreadable(path, error);
	}
	try {
		const stat = await file.stat();
		if (!stat.isFile()) throw unreadable(path);
		if (stat.size > LARGEST_FILE) throw tooLarge(path);
		const content = await file.readFile();
		if (content.length > LARGEST_FILE) throw tooLarge(path);
		return {
			exists: true,
			text: decode(path, content),
			hash: sha256(content),
			bytes: content.length,
			modifiedMs: stat.mtimeMs,
			mode: stat.mode & 0o777,
		};
	} catch (error) {
		if (error instanceof HearthError) throw error;
		throw unreadable(path, error);
	} finally {
		await file.close();
	}
}

/** Throws `file_too_large` where a file of this text would not be read any more. */
export function checkSize(path: MemoryPath, text: string): void {
	if (Buffer.byteLength(text, 'utf8') > LARGEST_FILE) throw tooLarge(path);
}

/** A byte order mark stays in the text, so that the same bytes are written again. */
function decode(path: MemoryPath, content: Buffer): string {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
	} catch (error) {
		throw needsOwner('invalid_input', `${path} is not text in UTF-8, so Hearth does not read it.`, {
			safe: 'The file was not changed.',
			action: 'Open it in an editor and save it as UTF-8.',
			cause: error,
		});
	}
}

function tooLarge(path: MemoryPath): HearthError {
	return needsOwner('file_too_large', `${path} is larger than 2 MB, or would be, so Hearth does not work with it.`, {
		safe: 'The file was not changed.',
		action: 'Split it into several notes under memory/.',
	});
}

function unreadable(path: MemoryPath, cause?: unknown): HearthError {
	const known = asStorageError(cause);
	if (known instanceof HearthError && known.code === 'disk_full') return known;
	return needsOwner('read_only', `${path} cannot be read.`, {
		safe: 'The file was not changed.',
		action: 'Check its permissions, and that it is a file and not a folder or a broken link.',
		cause,
	});
}
