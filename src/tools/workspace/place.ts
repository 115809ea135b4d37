import { lstatSync, realpathSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isBelow } from '../../base/below.ts';
import { systemCode } from '../../base/system-code.ts';
import { terminal } from '../../domain/errors.ts';
import { cutCodePoints } from '../../domain/text.ts';
import { checkNewNames, isSameName } from './paths.ts';
import { plainName } from './plain-name.ts';

export const WORKSPACE = 'workspace';

/** Where a path leads on the disk. A link inside a folder counts as what it leads to, so that one file has one path. */

/** A folder that tools may work in. */
export interface Root {
	/** `workspace`, or the absolute path of a granted folder, as the permission names it. */
	readonly name: string;
	/** Without links. */
	readonly absolute: string;
	/** The owner said that the texts in it are their own. */
	readonly mine: boolean;
	/** Only this one name in it; undefined: all that lies in it. */
	readonly only?: string | undefined;
}

export interface Place {
	/** With `/`, as the disk has it: below `workspace/`, or, in a granted folder, absolute. The ledger knows the file by it. */
	readonly path: string;
	readonly absolute: string;
	readonly root: Root;
	/** Whether something is there. */
	readonly exists: boolean;
}

/**
 * `names`: below the root. Throws `invalid_input` for a path that leads out of the root, through a file, or, where nothing is there, has a name that not every
 * system takes or that differs from another only in its case.
 */
export async function locate(root: Root, names: readonly string[], path: string): Promise<Place> {
	if (root.only !== undefined && (names.length !== 1 || names[0] !== root.only)) throw refuse(`${path} is not what was allowed.`);
	// There names of devices are devices in every folder.
	if (process.platform === 'win32') checkNewNames(names);
	let at = root.absolute;
	for (const [index, name] of names.entries()) {
		const found = (await realIfThere(join(at, name), path)) ?? (await sibling(at, name, path));
		if (found === undefined) {
			const rest = names.slice(index);
			checkNewNames(rest);
			return placeOf(root, join(at, ...rest), false);
		}
		if (!isBelow(root.absolute, found)) throw refuse(`${path} leads out of ${inWords(root)} through a link.`);
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

export function inWords(root: Root): string {
	return root.name === WORKSPACE ? 'the workspace folder' : root.name;
}

/** As the owner knows it, on one line: `workspace/notes/plan.md`, or the absolute path. */
export function sourceName({ path, root }: Pick<Place, 'path' | 'root'>): string {
	return cutCodePoints(plainName(shownPath(path, root)), 300);
}

/** For a touch. */
export function shownPath(path: string, root: Pick<Root, 'name'>): string {
	if (root.name !== WORKSPACE) return path;
	return path === '' ? WORKSPACE : `${WORKSPACE}/${path}`;
}

function placeOf(root: Root, absolute: string, exists: boolean): Place {
	return { path: shown(root, absolute), absolute, root, exists };
}

function shown(root: Root, absolute: string): string {
	const below = relative(root.absolute, absolute).split(sep).join('/');
	if (root.name === WORKSPACE) return below;
	const name = root.name.split(sep).join('/');
	return below === '' ? name : `${name.endsWith('/') ? name : `${name}/`}${below}`;
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
