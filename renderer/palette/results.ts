import type { MemoryFile } from '../../src/contract/methods/memory.ts';
import type { SearchHit } from '../../src/contract/methods/sessions.ts';
import type { SessionSummary } from '../../src/contract/shapes.ts';
import type { CommandId } from '../shell/commands.ts';

export type Result =
	| { readonly kind: 'command'; readonly value: string; readonly id: CommandId; readonly title: string }
	| { readonly kind: 'file'; readonly value: string; readonly file: MemoryFile }
	| { readonly kind: 'chat'; readonly value: string; readonly session: SessionSummary }
	| { readonly kind: 'hit'; readonly value: string; readonly hit: SearchHit };

function fold(text: string): string {
	return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** How well a title answers a query: all its words must be there; the start of the title, then starts of words, come first. */
export function rank(title: string, query: string): number | undefined {
	const text = fold(title);
	const words = fold(query).split(/\s+/).filter(Boolean);
	let score = 0;
	for (const word of words) {
		const at = text.indexOf(word);
		if (at < 0) return undefined;
		const startsWord = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
		score += at === 0 ? 0 : startsWord ? 1 : 2;
	}
	return score;
}

/** Those that match, the best first; equals stay in their order. */
export function ranked<T>(items: readonly T[], titleOf: (item: T) => string, query: string): T[] {
	return items
		.map((item, index) => ({ item, index, score: rank(titleOf(item), query) }))
		.filter((entry): entry is { item: T; index: number; score: number } => entry.score !== undefined)
		.sort((a, b) => a.score - b.score || a.index - b.index)
		.map((entry) => entry.item);
}
