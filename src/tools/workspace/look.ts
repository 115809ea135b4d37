import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, opendir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../base/sha256.ts';
import { systemCode } from '../../base/system-code.ts';

/** All files of a folder as they are now, so that they can be compared with how they are later. Bounded. */

export interface WorkspaceLook {
	readonly files: ReadonlyMap<string, SeenFile>;
	/** Folders, links and the like, by path: what a link says, and nothing of the others. Names are text, too. */
	readonly others: ReadonlyMap<string, string>;
	/** Some were not looked at: too many, too large, not readable, or with a name that can't be told. */
	readonly incomplete: boolean;
	/** Of the files' ledger, then. */
	readonly seq: number;
}

export interface SeenFile {
	/** Undefined where it was not read. */
	readonly hash: string | undefined;
	readonly bytes: number;
	/** What it held, where nothing else keeps it. */
	readonly held?: Buffer;
}

interface Known {
	readonly stamp: string;
	readonly hash: string;
}

export interface LookDeps {
	/** Absolute. */
	readonly folder: string;
	/** Whether such a content is kept already. */
	keeps(hash: string): boolean;
	/** Where the files' ledger is now. */
	seq(): number;
}

const MOST_FILES = 50_000;
const MOST_DEPTH = 30;
/** Bytes that one look reads at most, and of one file. */
const MOST_READ = 400_000_000;
const LARGEST_READ = 50_000_000;
/** What can be put back: of one file, and held together while a command runs. */
const LARGEST_KEPT = 2_000_000;
const MOST_HELD = 32_000_000;
const LOOKED_AT_ONCE = 32;
/** Clocks of file systems tick so slowly. */
const SETTLED_MS = 100;

export function createLook(deps: LookDeps): (signal: AbortSignal, when?: 'before' | 'after') => Promise<WorkspaceLook> {
	/** Hashes of files that have not changed since. */
	let cache = new Map<string, Known>();

	/** `after`: of files that are as they were, nothing has to be held any more. */
	async function look(signal: AbortSignal, when: 'before' | 'after' = 'before'): Promise<WorkspaceLook> {
		const files = new Map<string, SeenFile>();
		const others = new Map<string, string>();
		const next = new Map<string, Known>();
		const seq = deps.seq();
		let incomplete = false;
		let read = 0;
		let held = 0;
		const budget: Budget = {
			mayRead: (bytes) => {
				const may = bytes <= LARGEST_READ && read + bytes <= MOST_READ;
				if (may) read += bytes;
				return may;
			},
			mustHold: (hash, bytes) => bytes <= LARGEST_KEPT && held + bytes <= MOST_HELD && !deps.keeps(hash),
		};
		for await (const found of inGroups(walk(deps.folder), LOOKED_AT_ONCE)) {
			signal.throwIfAborted();
			const isTooMany = files.size + others.size + found.length > MOST_FILES;
			if (isTooMany || found.includes(undefined)) incomplete = true;
			if (isTooMany) break;
			for (const { path, says } of found.filter((one) => one !== undefined)) if (says !== undefined) others.set(path, says);
			const named = found.flatMap((one) => (one && one.says === undefined ? [one.path] : []));
			const group = await Promise.all(named.map((path) => seeFile(join(deps.folder, path), cache.get(path), budget, when)));
			for (const [at, seen] of group.entries()) {
				const path = named[at];
				if (seen === undefined || path === undefined) continue;
				held += seen.file.held?.length ?? 0;
				files.set(path, seen.file);
				if (seen.file.hash === undefined) incomplete = true;
				else if (seen.stamp !== undefined) next.set(path, { stamp: seen.stamp, hash: seen.file.hash });
			}
		}
		cache = next;
		return { files, others, incomplete, seq };
	}

	return look;
}

interface Found {
	/** With `/`. */
	readonly path: string;
	/** Of what is no file. */
	readonly says?: string;
}

/** What a name becomes that is no text: no file is found by it. */
const UNTELLABLE = '\ufffd';

/** All that lies below; undefined for what can't be looked at. Links are not followed. */
async function* walk(root: string): AsyncGenerator<Found | undefined> {
	const folders = [''];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		const entries = await opendir(join(root, folder)).catch(() => undefined);
		if (!entries) {
			yield undefined;
			continue;
		}
		try {
			for await (const entry of entries) {
				const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
				if (entry.name.includes(UNTELLABLE)) yield undefined;
				else if (entry.isFile()) yield { path };
				else if (entry.isSymbolicLink()) yield await linkAt(root, path);
				else yield { path, says: '' };
				if (!entry.isDirectory() || entry.name.includes(UNTELLABLE)) continue;
				if (path.split('/').length > MOST_DEPTH) yield undefined;
				else folders.push(path);
			}
		} catch {
			yield undefined;
		}
	}
}

async function linkAt(root: string, path: string): Promise<Found | undefined> {
	const says = await readlink(join(root, path)).catch(() => UNTELLABLE);
	return says.includes(UNTELLABLE) ? undefined : { path, says: `-> ${says}` };
}

/** What a look may still take. */
interface Budget {
	/** Counts them where they may be read. */
	mayRead(bytes: number): boolean;
	mustHold(hash: string, bytes: number): boolean;
}

/** Undefined where there is no file any more. `stamp`: by which it is known again; undefined where it changed so lately that it may have changed twice. */
async function seeFile(
	absolute: string,
	known: Known | undefined,
	budget: Budget,
	when: 'before' | 'after',
): Promise<{ file: SeenFile; stamp: string | undefined } | undefined> {
	const before = await lstat(absolute, { bigint: true }).catch((error: unknown) => systemCode(error));
	// One that is there and can't be looked at now can be read once a command has opened its folder.
	if (typeof before === 'string') return before === 'ENOENT' ? undefined : { file: { hash: undefined, bytes: 0 }, stamp: undefined };
	if (!before.isFile()) return undefined;
	const stamp = stampOf(before);
	const bytes = Number(before.size);
	if (known && known.stamp === stamp && (when === 'after' || !budget.mustHold(known.hash, bytes)))
		return { file: { hash: known.hash, bytes }, stamp };
	const unread = { file: { hash: undefined, bytes }, stamp: undefined };
	if (!budget.mayRead(bytes)) return unread;
	const file = await open(absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
	if (!file) return unread;
	try {
		const content = await file.readFile();
		const hash = sha256(content);
		const isSettled = stampOf(await file.stat({ bigint: true })) === stamp && Date.now() - Number(before.ctimeMs) > SETTLED_MS;
		const held = budget.mustHold(hash, content.length) ? { held: content } : {};
		return { file: { hash, bytes: content.length, ...held }, stamp: isSettled ? stamp : undefined };
	} catch {
		return unread;
	} finally {
		await file.close();
	}
}

/** The time of the last change of any kind can't be set back by a program. */
function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
	return [ino, size, mtimeNs, ctimeNs].join(':');
}

async function* inGroups<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
	let group: T[] = [];
	for await (const one of all) {
		group.push(one);
		if (group.length < size) continue;
		yield group;
		group = [];
	}
	if (group.length > 0) yield group;
}
