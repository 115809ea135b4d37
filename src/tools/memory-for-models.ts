import type { MemoryEntry, MemoryPath } from '../domain/memory.ts';
import type { Memory } from '../memory/port.ts';

type Readable = Pick<Memory, 'entries' | 'entry' | 'search'>;

const MOST_HEADINGS = 10_000;

/**
 * Memory as models are told of it: an entry is not said to stand under a heading that a program wrote and the owner has not decided on, for
 * that is text nobody has approved above an entry that somebody has (bg-2). What entries there are, and how they are found, stays the same.
 */
export function memoryForModels(memory: Readable): Readable {
	const withoutHeld = (entries: readonly MemoryEntry[]): MemoryEntry[] => {
		const held = new Map<MemoryPath, ReadonlySet<string>>();
		return entries.map((entry) => {
			const { file, headingPath } = entry;
			if (headingPath.length === 0) return entry;
			const paths = held.get(file) ?? heldHeadings(memory, file);
			held.set(file, paths);
			if (paths.size === 0) return entry;
			return { ...entry, headingPath: headingPath.filter((_, depth) => !paths.has(JSON.stringify(headingPath.slice(0, depth + 1)))) };
		});
	};
	return {
		entries: (filter, page) => {
			const { entries, total } = memory.entries(filter, page);
			return { entries: withoutHeld(entries), total };
		},
		entry: (id) => withoutHeld([memory.entry(id)])[0] as MemoryEntry,
		search: async (request, signal) => {
			const { hits, ...rest } = await memory.search(request, signal);
			const entries = withoutHeld(hits.map(({ entry }) => entry));
			return { ...rest, hits: hits.map((hit, index) => ({ ...hit, entry: entries[index] ?? hit.entry })) };
		},
	};
}

/** Whole paths of them, as JSON. */
function heldHeadings(memory: Readable, file: MemoryPath): Set<string> {
	const { entries } = memory.entries({ file, states: ['quarantined'] }, { offset: 0, limit: MOST_HEADINGS });
	return new Set(entries.flatMap(({ kind, headingPath, text }) => (kind === 'heading' ? [JSON.stringify([...headingPath, text])] : [])));
}
