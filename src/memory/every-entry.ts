import type { EntryFilter, MemoryEntry } from '../domain/memory.ts';
import type { MemoryReader } from './port.ts';

const PAGE = 10_000;

/** All entries that the filter lets through, in the order in which they are shown, however many there are. */
export function* everyEntry(memory: Pick<MemoryReader, 'entries'>, filter: EntryFilter): Generator<MemoryEntry, void, undefined> {
	for (let offset = 0, total = 1; offset < total; offset += PAGE) {
		const page = memory.entries(filter, { offset, limit: PAGE });
		total = page.total;
		yield* page.entries;
	}
}
