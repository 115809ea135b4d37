import { z } from 'zod';
import { terminal } from '../domain/errors.ts';
import { type EntryFilter, LocalDay, type MemoryEntry, MemoryPath } from '../domain/memory.ts';
import { everyEntry } from '../memory/every-entry.ts';
import type { MemoryReader } from '../memory/port.ts';
import { handedOver, readRef, spanOfDay, tellEntries } from './memory-text.ts';
import type { Tool } from './port.ts';

const Arguments = z
	.object({
		entry: z.string().max(200).optional().describe('One entry, as memory_search names it.'),
		file: MemoryPath.optional().describe('Entries of this file.'),
		from_line: z.number().int().positive().optional().describe('With file: only from this line on.'),
		to_line: z.number().int().positive().optional().describe('With file: only up to this line.'),
		heading: z.string().trim().max(500).optional().describe('With file: only under this heading.'),
		day: LocalDay.optional().describe('What was noted on this day, such as 2026-11-29.'),
	})
	.refine(({ entry, file, day }) => [entry, file, day].filter((given) => given !== undefined).length === 1, {
		message: 'Give one of entry, file and day.',
	});

const MOST = 100;

/** Reads entries by place, whole. What is quarantined is not shown (bg-2). */
export function memoryGetTool(memory: Pick<MemoryReader, 'entries' | 'entry'>): Tool<z.infer<typeof Arguments>> {
	const inPlace = (filter: EntryFilter, keep: (entry: MemoryEntry) => boolean = () => true): MemoryEntry[] =>
		[...everyEntry(memory, filter)].filter((entry) => isShown(entry) && keep(entry));
	return {
		name: 'memory_get',
		title: 'Read memory',
		description:
			'Reads memory by its place: one entry, lines of a file, what is under a heading, or what was noted on a day. Use memory_search where you do not know the place.',
		schema: Arguments,
		effect: 'pure',
		timeoutMs: 10_000,
		outputCap: 40_000,
		run: async ({ entry, file, from_line = 1, to_line = Number.POSITIVE_INFINITY, heading, day }) => {
			const found =
				entry !== undefined
					? [shown(memory.entry(readRef(entry).id))]
					: day !== undefined
						? inPlace(spanOfDay(day), ({ kind }) => kind !== 'heading')
						: inPlace(
								{ file },
								(each) => each.lineEnd >= from_line && each.lineStart <= to_line && (heading === undefined || isUnder(each, heading)),
							);
			if (found.length === 0) return { text: 'There is nothing in memory at that place.', isError: false, summary: '0 entries' };
			const told = found.slice(0, MOST).map((each) => ({ entry: each }));
			const more = found.length > MOST ? `\n\n[${found.length - MOST} more entries are there: ask for fewer lines]` : '';
			return { text: tellEntries(told) + more, isError: false, ...handedOver(told) };
		},
	};
}

function isShown({ state }: MemoryEntry): boolean {
	return state !== 'quarantined' && state !== 'gone';
}

/** Throws `not_found` for what a model must not see. */
function shown(entry: MemoryEntry): MemoryEntry {
	if (isShown(entry)) return entry;
	throw terminal('not_found', 'That entry is no longer in memory.');
}

function isUnder({ headingPath }: MemoryEntry, heading: string): boolean {
	const wanted = heading.replace(/^#+\s*/, '').toLowerCase();
	return headingPath.some((each) => each.toLowerCase() === wanted);
}
