import type { Logger } from '../base/logger.ts';
import { HearthError } from '../domain/errors.ts';
import { type EntryId, LONG_TERM_FILE, type MemoryEntry, MemoryPath } from '../domain/memory.ts';
import { cutCodePoints } from '../domain/text.ts';
import { everyEntry } from '../memory/every-entry.ts';
import type { Memory } from '../memory/port.ts';

/** What prompts take from memory. */
export interface PromptMemory {
	/** Entries of MEMORY.md in the order of the file; none that is quarantined. */
	core(): readonly MemoryEntry[];
	/** Entries that bear on a text, best first. A failed search recalls nothing and is logged. */
	recall(text: string): Promise<readonly MemoryEntry[]>;
	/** Undefined where a model must not see it: gone, or quarantined. */
	find(id: EntryId): MemoryEntry | undefined;
	/** A finished reply was made with these. */
	used(ids: readonly EntryId[]): void;
}

const MOST_RECALLED = 12;
/** Of a long message its beginning says what it is about, in UTF-16 units. */
const QUERY_LENGTH = 1_000;
/** Share of the best hit's score below which an entry is no longer about the same. */
const NEAR_BEST = 0.5;

export function promptMemory(memory: Pick<Memory, 'entries' | 'entry' | 'search' | 'used'>, logger: Logger): PromptMemory {
	return {
		core: () =>
			[...everyEntry(memory, { file: MemoryPath.parse(LONG_TERM_FILE) })].filter(isShown).sort((a, b) => a.lineStart - b.lineStart),
		recall: async (text) => {
			const query = cutCodePoints(text.trim(), QUERY_LENGTH);
			if (query === '') return [];
			try {
				const { hits } = await memory.search({ query, mode: 'hybrid', filter: {}, limit: MOST_RECALLED });
				const best = hits[0]?.score ?? 0;
				return hits.filter(({ entry, score }) => isShown(entry) && score >= best * NEAR_BEST).map(({ entry }) => entry);
			} catch (error) {
				logger.warn('recall_failed', { error });
				return [];
			}
		},
		find: (id) => {
			try {
				const entry = memory.entry(id);
				return isShown(entry) ? entry : undefined;
			} catch (error) {
				if (error instanceof HearthError && error.code === 'not_found') return undefined;
				throw error;
			}
		},
		used: (ids) => {
			try {
				memory.used(ids);
			} catch (error) {
				// A full disk; the reply is there, only its mark is not.
				logger.warn('use_not_marked', { error });
			}
		},
	};
}

function isShown({ state }: MemoryEntry): boolean {
	return state !== 'quarantined' && state !== 'gone';
}
