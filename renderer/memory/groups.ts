import type { MemoryEntry } from '../../src/domain/memory.ts';

/** A run of entries under one heading of one file. */
export interface Group {
	readonly file: string;
	readonly headingPath: readonly string[];
	readonly lineStart: number;
	/** Undefined while the end of the run is not loaded. */
	readonly lineEnd: number | undefined;
}

type At = (index: number) => MemoryEntry | undefined;

/**
 * The heading that stands above the entry at `index`; undefined where the entry before is under the same one. A heading that is an
 * entry itself stands for its own group, so that it is not said twice.
 */
export function groupAt(at: At, index: number, total: number): Group | undefined {
	const entry = at(index);
	if (!entry) return undefined;
	const before = index > 0 ? at(index - 1) : undefined;
	// After a page that is not loaded the heading is said again: it may be a new one.
	const place = placeUnder(entry);
	if (before && before.file === entry.file && samePath(placeUnder(before), place)) return undefined;
	let end = index;
	while (end + 1 < total) {
		const next = at(end + 1);
		if (!next) return { file: entry.file, headingPath: entry.headingPath, lineStart: entry.lineStart, lineEnd: undefined };
		if (next.file !== entry.file || !samePath(placeUnder(next), place)) break;
		end++;
	}
	return { file: entry.file, headingPath: entry.headingPath, lineStart: entry.lineStart, lineEnd: at(end)?.lineEnd };
}

/** The heading that what follows the entry is under: for a heading that is its own text. */
function placeUnder(entry: MemoryEntry): readonly string[] {
	return entry.kind === 'heading' ? [...entry.headingPath, entry.text] : entry.headingPath;
}

export function samePath(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((part, index) => part === b[index]);
}
