import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { systemCode } from '../../base/system-code.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import { liesBelow, type OwnPlaces, realPlaces, whyShut } from './denied.ts';

/** A path that the owner named for background work: a source, or what a task waits for. */
export interface OwnersPath {
	/** Absolute, without links. */
	readonly real: string;
	/** Of absolute paths without links: whether background work reads it never. */
	readonly isShut: (absolute: string) => boolean;
}

/**
 * Where a path leads. Its own name may be a link, since the owner wrote it. Hearth's folder is shut as a whole, `workspace/` too: what the agent
 * wrote would come back to it as news. Rejects with a HearthError.
 */
export async function ownersPath(given: string, own: OwnPlaces): Promise<OwnersPath> {
	const plain = given === '~' || given.startsWith('~/') ? join(own.home ?? homedir(), given.slice(1)) : given;
	if (!isAbsolute(plain))
		throw terminal('invalid_input', 'A file or folder is named by its whole path.', { action: 'Write it from its root on.' });
	const real = await realpath(resolve(plain)).catch((error: unknown) => Promise.reject(notThere(given, error)));
	const places = await realPlaces(own);
	const whyNot = (path: string): string | undefined =>
		liesBelow(places.hearth, path) ? 'Hearth does not watch its own folder.' : whyShut(path, places);
	const reason = whyNot(real);
	if (reason !== undefined) throw terminal('invalid_input', `${given} can’t be watched. ${reason}`, { action: 'Choose another one.' });
	return { real, isShut: (absolute) => whyNot(absolute) !== undefined };
}

function notThere(given: string, error: unknown): unknown {
	const code = systemCode(error);
	if (['EACCES', 'EPERM'].includes(code))
		return needsOwner('source_refused', `${given} may not be opened: its permissions keep it.`, { action: 'Check its permissions.' });
	if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code))
		return terminal('source_missing', `There is nothing at ${given}.`, { action: 'Check the path, and whether its drive is connected.' });
	return error;
}
