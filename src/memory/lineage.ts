/** Which old entry became which new one when a file was changed by another hand (M2). Pure; by what they say first, then by likeness. */
import { featuresOf, SAME_ENTRY, similarity, type TextFeatures } from './similarity.ts';

export type LineageEntry = {
	hash: string;
	text: string;
	headingPath?: readonly string[];
};

/** Positions in the two lists. Each position is in at most one pair; what is in none was removed or added. */
export type LineagePair = {
	before: number;
	after: number;
	/** 1 for the same text. */
	similarity: number;
};

/** Between files a likeness must be closer: nothing else says that the two belong together. */
const SAME_ENTRY_ELSEWHERE = 0.8;
/** Up to so many pairs all are compared; beyond, only neighbours and those that share a rare word. */
const ALL_PAIRS_LIMIT = 40_000;
const NEIGHBOURS = 4;
const RARE_WORD_ENTRIES = 4;
const MOST_CANDIDATES = 24;
/** Likeness decides; these only between equals. */
const SAME_HEADING_BONUS = 0.03;
const POSITION_BONUS = 0.02;

/** Within one file, both lists in its order. */
export function matchEntries(before: readonly LineageEntry[], after: readonly LineageEntry[]): LineagePair[] {
	const matcher = new Matcher(before, after);
	// In its place under its heading first: of several that say the same, each is itself.
	matcher.sameText((entry) => `${entry.hash}\n${headingOf(entry)}`);
	matcher.sameText((entry) => entry.hash);
	matcher.alike(() => SAME_ENTRY);
	return matcher.pairs();
}

/**
 * Between files: `removed` and `added` are what `matchEntries` left over in all files that changed. A file renamed and edited at once
 * is told by the texts that went the same way.
 */
export function matchMoves(
	removed: readonly (LineageEntry & { file: string })[],
	added: readonly (LineageEntry & { file: string })[],
): LineagePair[] {
	const matcher = new Matcher(removed, added);
	matcher.sameText((entry) => `${entry.hash}\n${headingOf(entry)}`);
	matcher.sameText((entry) => entry.hash);
	const ways = new Set(matcher.pairs().map(({ before, after }) => `${removed[before]?.file}\n${added[after]?.file}`));
	matcher.alike((from, to) => (ways.has(`${removed[from]?.file}\n${added[to]?.file}`) ? SAME_ENTRY : SAME_ENTRY_ELSEWHERE));
	return matcher.pairs();
}

class Matcher {
	readonly #before: readonly LineageEntry[];
	readonly #after: readonly LineageEntry[];
	readonly #pairs: LineagePair[] = [];
	#restBefore: number[];
	#restAfter: number[];

	constructor(before: readonly LineageEntry[], after: readonly LineageEntry[]) {
		this.#before = before;
		this.#after = after;
		this.#restBefore = before.map((_, index) => index);
		this.#restAfter = after.map((_, index) => index);
	}

	pairs(): LineagePair[] {
		return this.#pairs.sort((left, right) => left.after - right.after);
	}

	/** Pairs those with the same key, in order. */
	sameText(keyOf: (entry: LineageEntry) => string): void {
		const waiting = new Map<string, number[]>();
		for (const index of [...this.#restBefore].reverse()) {
			const key = keyOf(entryAt(this.#before, index));
			const queue = waiting.get(key);
			if (queue === undefined) waiting.set(key, [index]);
			else queue.push(index);
		}
		const found: LineagePair[] = [];
		for (const after of this.#restAfter) {
			const before = waiting.get(keyOf(entryAt(this.#after, after)))?.pop();
			if (before !== undefined) found.push({ before, after, similarity: 1 });
		}
		this.#take(found);
	}

	/** Pairs the most alike first, as far as they are as alike as `least` asks. */
	alike(least: (before: number, after: number) => number): void {
		const features = new Map<LineageEntry, TextFeatures>();
		const featuresAt = (entry: LineageEntry) => {
			const known = features.get(entry) ?? featuresOf(entry.text);
			features.set(entry, known);
			return known;
		};
		const found: (LineagePair & { score: number })[] = [];
		for (const [before, after] of this.#candidates(featuresAt)) {
			const from = entryAt(this.#before, before);
			const to = entryAt(this.#after, after);
			const likeness = similarity(featuresAt(from), featuresAt(to));
			if (likeness < least(before, after)) continue;
			const heading = headingOf(from) === headingOf(to) ? SAME_HEADING_BONUS : 0;
			const distance = Math.abs(before / Math.max(1, this.#before.length) - after / Math.max(1, this.#after.length));
			found.push({ before, after, similarity: likeness, score: likeness + heading + POSITION_BONUS * (1 - distance) });
		}
		found.sort((left, right) => right.score - left.score || left.after - right.after || left.before - right.before);
		const usedBefore = new Set<number>();
		const usedAfter = new Set<number>();
		const taken: LineagePair[] = [];
		for (const { before, after, similarity } of found) {
			if (usedBefore.has(before) || usedAfter.has(after)) continue;
			usedBefore.add(before);
			usedAfter.add(after);
			taken.push({ before, after, similarity });
		}
		this.#take(taken);
	}

	#candidates(featuresAt: (entry: LineageEntry) => TextFeatures): Iterable<[number, number]> {
		const before = this.#restBefore;
		const after = this.#restAfter;
		if (before.length * after.length <= ALL_PAIRS_LIMIT) return allPairs(before, after);
		return this.#nearPairs(featuresAt);
	}

	*#nearPairs(featuresAt: (entry: LineageEntry) => TextFeatures): Iterable<[number, number]> {
		const before = this.#restBefore;
		const holders = new Map<number, number[]>();
		for (const index of before) {
			for (const word of featuresAt(entryAt(this.#before, index)).words) {
				const list = holders.get(word);
				if (list === undefined) holders.set(word, [index]);
				else if (list.length <= RARE_WORD_ENTRIES) list.push(index);
			}
		}
		for (const [rank, after] of this.#restAfter.entries()) {
			const middle = Math.round((rank * before.length) / this.#restAfter.length);
			const near = new Set(before.slice(Math.max(0, middle - NEIGHBOURS), middle + NEIGHBOURS));
			for (const word of featuresAt(entryAt(this.#after, after)).words) {
				const list = holders.get(word);
				if (list !== undefined && list.length <= RARE_WORD_ENTRIES) for (const index of list) near.add(index);
				if (near.size >= MOST_CANDIDATES) break;
			}
			for (const index of near) yield [index, after];
		}
	}

	#take(pairs: LineagePair[]): void {
		if (pairs.length === 0) return;
		for (const pair of pairs) this.#pairs.push(pair);
		const before = new Set(pairs.map((pair) => pair.before));
		const after = new Set(pairs.map((pair) => pair.after));
		this.#restBefore = this.#restBefore.filter((index) => !before.has(index));
		this.#restAfter = this.#restAfter.filter((index) => !after.has(index));
	}
}

function* allPairs(before: readonly number[], after: readonly number[]): Iterable<[number, number]> {
	for (const to of after) for (const from of before) yield [from, to];
}

function headingOf(entry: LineageEntry): string {
	return entry.headingPath?.join('\n') ?? '';
}

function entryAt(entries: readonly LineageEntry[], index: number): LineageEntry {
	const entry = entries[index];
	if (entry === undefined) throw new RangeError(`There is no entry ${index}.`);
	return entry;
}
