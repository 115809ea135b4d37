import { fileKey } from './file-names.ts';
import type { Found } from './file-scan.ts';

/** What is new in a folder since it was last looked at. Pure. */

/** A file that is there and is not as it is known, with what it is now. */
export interface Candidate {
	readonly path: string;
	readonly version: string;
	readonly bytes: number;
}

export interface News {
	readonly candidates: readonly Candidate[];
	/** Nobody wrote to them: they have another name now. `from`: the key of the old one. */
	readonly moved: readonly { readonly from: string; readonly to: string; readonly version: string }[];
	/** By their keys. */
	readonly gone: readonly string[];
}

/** `known`: versions by `fileKey`. */
export function newsOf(known: ReadonlyMap<string, string>, found: Pick<Found, 'files' | 'hidden'>): News {
	const there = [...found.files].map(([path, file]) => ({ ...file, path, key: fileKey(path) }));
	const missing = new Set(known.keys());
	for (const { key } of there) missing.delete(key);
	const byVersion = new Map([...missing].map((key) => [known.get(key) ?? '', key]));
	const candidates: Candidate[] = [];
	const moved: News['moved'][number][] = [];
	for (const { path, key, version, bytes, isUnfinished } of there) {
		const before = known.get(key);
		if (before !== undefined && isSame(before, version)) continue;
		const from = before === undefined ? byVersion.get(version) : undefined;
		if (from !== undefined) {
			moved.push({ from, to: path, version });
			byVersion.delete(version);
			missing.delete(from);
		} else if (!isUnfinished) candidates.push({ path, version, bytes });
	}
	// Of what lies in a folder that can't be looked into nothing can be said, and by its key it may be any.
	return { candidates, moved, gone: found.hidden.length > 0 ? [] : [...missing] };
}

/** Some drives give a file another inode each time that they are connected: size and time decide. */
function isSame(before: string, now: string): boolean {
	return contentPart(before) === contentPart(now);
}

function contentPart(version: string): string {
	return version.slice(0, version.lastIndexOf(':'));
}

/** How long a file must be left alone before it counts as whole, and since when each is. */
export class Settling {
	readonly #settleMs: number;
	readonly #emptyMs: number;
	#seen = new Map<string, { readonly version: string; readonly since: number }>();

	/** An empty file is more often the beginning of one than all of it. */
	constructor(settleMs: number, emptyMs: number) {
		this.#settleMs = settleMs;
		this.#emptyMs = emptyMs;
	}

	/** Those that have not changed for long enough. `now`: monotonic. What is no candidate any more is forgotten. */
	settled(candidates: readonly Candidate[], now: number): Candidate[] {
		const seen = new Map<string, { version: string; since: number }>();
		const settled = candidates.filter(({ path, version, bytes }) => {
			const before = this.#seen.get(path);
			const since = before?.version === version ? before.since : now;
			seen.set(path, { version, since });
			return now - since >= (bytes === 0 ? this.#emptyMs : this.#settleMs);
		});
		for (const { path } of settled) seen.delete(path);
		this.#seen = seen;
		return settled;
	}

	/** Some are not settled: look again soon. */
	get waits(): boolean {
		return this.#seen.size > 0;
	}

	clear(): void {
		this.#seen.clear();
	}
}
