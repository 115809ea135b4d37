import { systemCode } from '../base/system-code.ts';
import { HearthError, needsOwner, terminal } from '../domain/errors.ts';

const KEPT = 'Everything that was saved before is kept and can be read.';

/**
 * What a failed write or read means for the owner (S5): a HearthError for a full disk, a file that cannot be written or opened
 * and a damaged database; any other value comes back as it is.
 */
export function asStorageError(error: unknown): unknown {
	if (error instanceof HearthError) return error;
	const code = systemCode(error);
	if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return diskFull(error);
	if (code.startsWith('SQLITE_READONLY') || code === 'EROFS') return notWritable(error);
	if (['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_TRUNCATE', 'EFBIG'].includes(code)) return notWritable(error);
	if (code.startsWith('SQLITE_CANTOPEN') || ['EISDIR', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return notOpenable(error);
	if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') return damaged(error);
	return error;
}

/** Nothing can be written now, and the same write may go through later. */
export function isFullDisk(error: unknown): error is HearthError {
	return error instanceof HearthError && (error.code === 'disk_full' || error.code === 'read_only');
}

/** The shared-memory file of a write-ahead log could not be made: the disk has no room for it. A connection of its own needs none. */
export function needsNoSharedMemory(error: unknown): boolean {
	const code = systemCode(error);
	return /^SQLITE_(IOERR_SHM|FULL|CANTOPEN)/.test(code);
}

export function diskFull(cause?: unknown): HearthError {
	return needsOwner('disk_full', 'The disk is full, so Hearth cannot save anything new.', {
		safe: KEPT,
		action: 'Free some space. Hearth goes on by itself as soon as there is room.',
		cause,
	});
}

function notWritable(cause: unknown): HearthError {
	return needsOwner('read_only', 'The profile folder cannot be written to.', {
		safe: KEPT,
		action: 'Check the disk and the permissions of the profile folder. Hearth goes on by itself as soon as writing works.',
		cause,
	});
}

function notOpenable(cause: unknown): HearthError {
	return needsOwner('read_only', 'A file that Hearth needs in the profile folder cannot be opened.', {
		safe: 'Nothing was changed.',
		action: 'Look whether a folder or a broken link has the name of one of its files, and whether the path is longer than 400 characters.',
		cause,
	});
}

function damaged(cause: unknown): HearthError {
	return terminal('database_corrupt', 'The database state.db is damaged.', {
		safe: 'Hearth has stopped changing it.',
		action: 'Close Hearth and run `npm run hearth -- doctor`: it names the newest back-up.',
		cause,
	});
}
