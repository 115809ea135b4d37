import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { systemCode } from '../../base/system-code.ts';
import { type HearthError, terminal } from '../../domain/errors.ts';

/**
 * Folders by handle: what is done through one is done in that very folder, whatever other programs put in the way of its path meanwhile.
 * Linux names handles as paths; elsewhere the path itself is used, and is looked at again before each use.
 */

const HAS_HANDLE_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `root` and `folder`: absolute, without links; `folder` is the root or lies in it. `make`: with this mode, where it is missing. */
export async function withFolder<T>(
	{ root, folder, make }: { root: string; folder: string; make?: number | undefined },
	use: (path: string) => Promise<T>,
): Promise<T> {
	if (!HAS_HANDLE_PATHS) {
		if (make !== undefined) await mkdir(folder, { recursive: true, mode: make });
		return use(folder);
	}
	let handle = await opened(root);
	try {
		if ((await pathOf(handle)) !== root) throw movedAway();
		for (const name of relative(root, folder).split(sep)) {
			if (name === '') continue;
			const at = join(handlePath(handle), name);
			if (make !== undefined) await makeOne(at, make);
			const next = await opened(at);
			await handle.close();
			handle = next;
		}
		return await use(handlePath(handle));
	} finally {
		await handle.close();
	}
}

/** The path of an open folder as the system has it now; undefined where the system does not tell. */
async function pathOf(handle: FileHandle): Promise<string | undefined> {
	return HAS_HANDLE_PATHS ? readlink(handlePath(handle)) : undefined;
}

function handlePath(handle: FileHandle): string {
	return `/proc/self/fd/${handle.fd}`;
}

async function opened(path: string): Promise<FileHandle> {
	try {
		return await open(path, FOLDER);
	} catch (error) {
		// What was a folder is a link now, or a file.
		if (['ELOOP', 'ENOTDIR'].includes(systemCode(error))) throw movedAway();
		throw error;
	}
}

async function makeOne(path: string, mode: number): Promise<void> {
	try {
		await mkdir(path, { mode });
	} catch (error) {
		if (systemCode(error) !== 'EEXIST') throw error;
	}
}

function movedAway(): HearthError {
	return terminal('invalid_input', 'A folder on the way was moved behind a link at this moment.', { safe: 'Nothing was changed.' });
}
