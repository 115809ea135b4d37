import type { MemoryEntry } from '../../src/domain/memory.ts';

/** Entries of one question to the runtime; the list asks for the pages that are looked at. */
export const PAGE = 500;

export type Pages = Readonly<Record<number, readonly MemoryEntry[]>>;

export function entryAt(pages: Pages, index: number): MemoryEntry | undefined {
	return pages[Math.floor(index / PAGE)]?.[index % PAGE];
}

/** The numbers of the pages that hold these entries, both included; none of an empty list. */
export function pagesOf(first: number, last: number, total: number): number[] {
	const from = Math.max(0, Math.floor(first / PAGE));
	const to = Math.floor(Math.min(last, total - 1) / PAGE);
	return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** Where an entry stands among those that are loaded; -1 where it is not. */
export function indexOf(pages: Pages, entryId: string): number {
	for (const [page, entries] of Object.entries(pages)) {
		const at = entries.findIndex((entry) => entry.id === entryId);
		if (at >= 0) return Number(page) * PAGE + at;
	}
	return -1;
}
