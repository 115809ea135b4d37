import { z } from 'zod';
import { Author, type EntryFilter, LocalDay, MemoryPath } from '../domain/memory.ts';
import type { MemorySearch } from '../memory/port.ts';
import { handedOver, spanOfDay, tellEntries } from './memory-text.ts';
import type { Tool } from './port.ts';

const Arguments = z.object({
	query: z.string().trim().min(1).max(1_000).describe('What to look for: words, or a question.'),
	limit: z.number().int().min(1).max(30).default(8).describe('Most entries to return.'),
	file: MemoryPath.optional().describe('Only in this file, such as MEMORY.md or memory/2026-11-29.md.'),
	author: Author.optional().describe('Only what this author wrote.'),
	from: LocalDay.optional().describe('Only from this day on, such as 2026-11-01.'),
	until: LocalDay.optional().describe('Only up to this day, which counts too.'),
});

/** Hybrid search over memory. Each entry with its place, author, label, day, state and score. */
export function memorySearchTool(memory: Pick<MemorySearch, 'search'>): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'memory_search',
		title: 'Search memory',
		description:
			'Searches what is remembered of and for the owner (MEMORY.md and the notes of each day), by words and by meaning, best first. Use it before you answer anything about the owner, their people, plans, things or past. An entry marked “was true until” no longer holds.',
		schema: Arguments,
		effect: 'pure',
		timeoutMs: 20_000,
		outputCap: 24_000,
		run: async ({ query, limit, ...filters }, { signal }) => {
			const { hits } = await memory.search({ query, mode: 'hybrid', filter: filterOf(filters), limit }, signal);
			if (hits.length === 0) return { text: `Nothing in memory fits “${query}”.`, isError: false, summary: '0 entries' };
			return { text: tellEntries(hits), isError: false, ...handedOver(hits) };
		},
	};
}

function filterOf({ file, author, from, until }: Pick<z.infer<typeof Arguments>, 'file' | 'author' | 'from' | 'until'>): EntryFilter {
	return {
		...(file && { file }),
		...(author && { authors: [author] }),
		...(from && { from: spanOfDay(from).from }),
		...(until && { until: spanOfDay(until).until }),
	};
}
