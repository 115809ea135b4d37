import { lstatSync, realpathSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { systemCode } from '../../base/system-code.ts';
import { terminal } from '../../domain/errors.ts';
import { checkNewNames, isSameName, namesOf } from './paths.ts';

/** Where a path leads on the disk. A link inside the workspace counts as what it leads to, so that one file has one path. */

export interface Place {
	/** Below the workspace, with `/`, as the disk has it. */
	readonly path: string;
	readonly absolute: string;
	/** Whether something is there. */
	readonly exists: boolean;
}

/**
 * Throws `invalid_input` for a path that leads out of the workspace, through a file, or, where nothing is there, has a name that not every
 * system takes or that differs from another only in its case.
 */
export async function locate(workspace: string, path: string): Promise<Place> {
	const names = namesOf(path);
	// There names of devices are devices in every folder.
	if (process.platform === 'win32') checkNewNames(names);
	const root = await realpath(workspace);
	let at = root;
	for (const [index, name] of names.entries()) {
		const found = (await realIfThere(join(at, name), path)) ?? (await sibling(at, name, path));
		if (found === undefined) {
			const rest = names.slice(index);
			checkNewNames(rest);
			return placeOf(root, join(at, ...rest), false);
		}
		if (!isInside(root, found)) throw refuse(`${path} leads out of the workspace folder through a link.`);
		if (index < names.length - 1 && !(await lstat(found)).isDirectory()) throw refuse(`${shown(root, found)} is a file, not a folder.`);
		at = found;
	}
	return placeOf(root, at, true);
}

/**
 * That the place is still where it was found: nobody put a link in its way. To be called right before it is used, without a turn of the event
 * loop between. Throws `invalid_input`.
 */
export function checkPlace({ absolute, path }: Place): void {
	const folder = dirname(absolute);
	const isLink = lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
	if (isLink || realpathSync.native(folder).normalize('NFC') !== folder.normalize('NFC'))
		throw refuse(`${path} was moved behind a link at this moment.`);
}

function placeOf(root: string, absolute: string, exists: boolean): Place {
	return { path: shown(root, absolute), absolute, exists };
}

function shown(root: string, absolute: string): string {
	return relative(root, absolute).split(sep).join('/');
}

function isInside(root: string, absolute: string): boolean {
	return absolute === root || absolute.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Without links, in the disk's own spelling. */
async function realIfThere(absolute: string, path: string): Promise<string | undefined> {
	try {
		return await realpath(absolute);
	} catch (error) {
		if (systemCode(error) === 'ELOOP') throw refuse(`${path} leads through links in a circle.`);
		if (systemCode(error) !== 'ENOENT') throw error;
	}
	const isLink = await lstat(absolute).then(
		(found) => found.isSymbolicLink(),
		() => false,
	);
	if (isLink) throw refuse(`${path} leads through a link to nowhere.`);
	return undefined;
}

/** One that is spelled in another form of Unicode is meant; one that differs in its case would be the same file elsewhere. */
async function sibling(folder: string, name: string, path: string): Promise<string | undefined> {
	const names = await readdir(folder).catch((error: unknown) => {
		if (systemCode(error) === 'ENOENT') return [];
		throw error;
	});
	const same = names.find((other) => other.normalize('NFC') === name);
	if (same !== undefined) return realIfThere(join(folder, same), path);
	const twin = names.find((other) => isSameName(other, name));
	if (twin !== undefined) throw refuse(`There is no “${name}”, but “${twin}” is there, which differs only in its case: use that name.`);
	return undefined;
}

function refuse(message: string) {
	return terminal('invalid_input', message, { safe: 'Nothing was changed.' });
}
