import { boundReaders } from './bounds.ts';
import { dateReaders } from './dates.ts';
import type { Part, Reader, Today } from './parts.ts';
import { ruleReaders } from './rules.ts';
import { timeReaders } from './times.ts';
import { zoneReaders } from './zones.ts';

/** Finds the phrases of a sentence that speak of time: from left to right, at each word the longest. */

const READERS: readonly Reader[] = [...ruleReaders, ...dateReaders, ...timeReaders, ...boundReaders, ...zoneReaders];

const WORD_START = /(?<![\p{L}\p{N}])[\p{L}\p{N}@(]/gu;

export function scan(text: string, today: Today): Part[] {
	const parts: Part[] = [];
	let from = 0;
	for (const { index } of text.matchAll(WORD_START)) {
		if (index < from) continue;
		let best: ReturnType<Reader>;
		for (const reader of READERS) {
			const read = reader(text, index, today);
			if (read && read.end > index && (!best || read.end > best.end)) best = read;
		}
		if (!best) continue;
		for (const said of best.said) parts.push({ ...said, start: index, end: best.end });
		from = best.end;
	}
	return parts;
}
