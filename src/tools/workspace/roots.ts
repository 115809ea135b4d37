import { lstat, mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isBelow } from '../../base/below.ts';
import { systemCode } from '../../base/system-code.ts';
import { type HearthError, terminal } from '../../domain/errors.ts';
import { liesBelow, type OwnPlaces, realPlaces, whyShut } from './denied.ts';
import { absoluteNames, namesBelow, namesOf } from './paths.ts';
import { locate, type Place, type Root, WORKSPACE } from './place.ts';
import type { Grant } from './port.ts';

/** Which folder a path lies in, of those that a call may work in; and where that is on the disk. */

export class Roots {
	readonly #own: OwnPlaces;

	constructor(own: OwnPlaces) {
		this.#own = own;
	}

	/**
	 * Where a path leads. Relative: below `workspace/`. Absolute: in the workspace, or in one of `grants` with this access. Undefined where it lies in
	 * none of them. Throws a HearthError for what leads out of its folder, and for what is shut whatever was granted.
	 */
	async place(path: string, access: Grant['access'], grants: readonly Grant[]): Promise<Place | undefined> {
		const whole = wholePath(path);
		if (whole === undefined) return this.#locate(await this.#workspace(grants), namesOf(path), path);
		const workspace = await this.#workspace(grants);
		const below = [this.#own.workspace, workspace.absolute].find((folder) => liesBelow(folder, whole));
		if (below !== undefined) return this.#locate(workspace, namesBelow(wayFrom(below, whole)), path);
		// In one spelling: names are looked up on the disk only below a root.
		const covering = grants.filter(
			(grant) => (access === 'read' || grant.access === 'write') && isBelow(grant.path.normalize('NFC'), whole),
		);
		// What holds for longer than this call goes first, and of two that hold it the inner one says more.
		const order = ({ once, path }: Grant): number => (once ? 0 : 1_000_000) + path.length;
		const [grant] = covering.sort((left, right) => order(right) - order(left));
		if (!grant) return undefined;
		const root = await this.#rootOf(grant, covering);
		return this.#locate(root, namesBelow(wayFrom(root.name, whole)), path);
	}

	/**
	 * The real path of what lies in no granted folder, for the owner to be asked about. Throws `tool_denied` where it is shut.
	 */
	async beyond(path: string): Promise<string> {
		const whole = wholePath(path) ?? path;
		const real = await realOfNearest(whole);
		namesBelow(
			real
				.split(sep)
				.slice(1)
				.filter((name) => name !== ''),
		);
		await this.#checkOpen(real, path);
		return real;
	}

	/** Of absolute paths without links: whether it is shut whatever was granted. */
	async isShut(): Promise<(absolute: string) => boolean> {
		const own = await realPlaces(this.#own);
		return (absolute) => whyShut(absolute, own) !== undefined;
	}

	async #locate(root: Root, names: readonly string[], path: string): Promise<Place> {
		const place = await locate(root, names, path);
		await this.#checkOpen(place.absolute, path);
		return place;
	}

	async #workspace(grants: readonly Grant[]): Promise<Root> {
		await mkdir(this.#own.workspace, { recursive: true, mode: 0o700 });
		const absolute = await realpath(this.#own.workspace);
		const mine = grants.some((grant) => grant.mine && (grant.path === absolute || grant.path === this.#own.workspace));
		return { name: WORKSPACE, absolute, mine };
	}

	async #rootOf({ path, once }: Grant, covering: readonly Grant[]): Promise<Root> {
		const mine = covering.some((grant) => grant.mine);
		const only = once === true && !(await isFolder(path));
		const folder = only ? dirname(path) : path;
		const absolute = await realpath(folder).catch((error: unknown) => {
			if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error)))
				throw terminal('not_found', `The granted folder ${folder} is not there.`, { safe: 'Nothing was changed.' });
			throw error;
		});
		// What was granted is that folder, not what somebody lets its name lead to since.
		if (absolute.normalize('NFC') !== folder.normalize('NFC'))
			throw terminal('tool_denied', `The granted folder ${folder} leads elsewhere now. The owner has to grant it anew.`, {
				safe: 'Nothing was changed.',
			});
		return { name: folder, absolute, mine, ...(only && { only: basename(path) }) };
	}

	async #checkOpen(absolute: string, path: string): Promise<void> {
		const reason = whyShut(absolute, await realPlaces(this.#own));
		if (reason !== undefined) throw shut(path, reason);
	}
}

async function isFolder(path: string): Promise<boolean> {
	return lstat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}

/** Absolute, as it was written; undefined where it begins in the workspace. */
function wholePath(path: string): string | undefined {
	const plain = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
	const whole = absoluteNames(plain);
	return whole && join(whole.root, ...whole.names);
}

function wayFrom(folder: string, path: string): string[] {
	const way = relative(folder.normalize('NFC'), path);
	return way === '' ? [] : way.split(sep);
}

/** Without links as far as there is something; what is missing as it was written. */
async function realOfNearest(path: string): Promise<string> {
	const missing: string[] = [];
	for (let at = path; ; at = dirname(at)) {
		try {
			return join(await realpath(at), ...missing);
		} catch (error) {
			if (systemCode(error) !== 'ENOENT' || dirname(at) === at) throw refuseUnreadable(path, error);
			missing.unshift(basename(at));
		}
	}
}

function refuseUnreadable(path: string, cause: unknown): HearthError {
	return terminal('invalid_input', `${path} can’t be looked at.`, { safe: 'Nothing was changed.', cause });
}

function shut(path: string, reason: string): HearthError {
	return terminal('tool_denied', `${path} may not be touched. ${reason}`, { safe: 'Nothing was changed.' });
}
