import type { QueryTerm } from './query.ts';
import { fold, stemOf, tokensOf } from './tokens.ts';

/**
 * BM25 of few texts against one query, over an entry's own words, its headings and its neighbours, which count for less: an answer often
 * stands beside the words of its question. All pure.
 */

const K1 = 1.2;
const B = 0.75;
const HEADING_WEIGHT = 0.5;
const CONTEXT_WEIGHT = 0.3;
/** A part of a word, against a whole one. */
const PART = 0.5;

/** How often each term is in a text; a part of a word counts half. */
export type Counts = Float32Array;

export interface CountedText {
	readonly counts: Counts;
	/** Words of it. */
	readonly length: number;
}

export class TermCounter {
	readonly #terms: readonly QueryTerm[];
	/** Which term a stem is. */
	readonly #byStem = new Map<string, number>();
	/** The same by words as they stand in texts, as far as they were met: most are none. */
	readonly #byToken = new Map<string, number>();
	readonly #phrases: { index: number; tokens: readonly string[] }[] = [];
	readonly #parts: { index: number; text: string; whole: boolean }[] = [];

	/** `partly`: terms that are also looked for within words. `unfinished`: a word that may go on. */
	constructor(terms: readonly QueryTerm[], partly: ReadonlySet<QueryTerm>, unfinished: string | undefined) {
		this.#terms = terms;
		terms.forEach((term, index) => {
			const text = term.tokens.join(' ');
			if (term.isUnspaced) this.#parts.push({ index, text, whole: true });
			else if (term.tokens.length > 1) this.#phrases.push({ index, tokens: term.tokens });
			else {
				this.#byStem.set(term.isExact ? stemOf(text) : term.stem, index);
				if (partly.has(term) || text === unfinished) this.#parts.push({ index, text, whole: false });
			}
		});
	}

	count(text: string): CountedText {
		const counts = new Float32Array(this.#terms.length);
		const folded = fold(text);
		const tokens = tokensOf(folded);
		for (const token of tokens) {
			const index = this.#byToken.get(token) ?? this.#termOf(token);
			if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
		}
		for (const { index, tokens: phrase } of this.#phrases) counts[index] = occurrences(tokens, phrase);
		for (const { index, text: part, whole } of this.#parts)
			if (counts[index] === 0 && folded.includes(part)) counts[index] = whole ? 1 : PART;
		return { counts, length: tokens.length };
	}

	#termOf(token: string): number {
		const index = this.#byStem.get(stemOf(token)) ?? -1;
		this.#byToken.set(token, index);
		return index;
	}
}

function occurrences(tokens: readonly string[], phrase: readonly string[]): number {
	let count = 0;
	for (let at = tokens.indexOf(phrase[0] as string); at >= 0; at = tokens.indexOf(phrase[0] as string, at + 1))
		if (phrase.every((token, offset) => tokens[at + offset] === token)) count++;
	return count;
}

export interface Counted {
	readonly own: Counts;
	readonly heading: Counts;
	/** Of the entries before and after it. */
	readonly context: readonly Counts[];
	/** Words of the entry and of its context. */
	readonly length: number;
	readonly contextLength: number;
}

/** Rarer terms count more; never less than nothing. */
export function weightOf(frequency: number, total: number): number {
	return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}

/** BM25 over weighted fields. `mean`: the usual length of an entry and its context together. */
export function bm25({ own, heading, context, length, contextLength }: Counted, weights: readonly number[], mean: number): number {
	const norm = K1 * (1 - B + (B * (length + contextLength)) / Math.max(1, mean));
	let score = 0;
	for (let term = 0; term < weights.length; term++) {
		let frequency = (own[term] ?? 0) + HEADING_WEIGHT * (heading[term] ?? 0) + CONTEXT_WEIGHT * (own[term] ?? 0);
		for (const counts of context) frequency += CONTEXT_WEIGHT * (counts[term] ?? 0);
		if (frequency > 0) score += ((weights[term] ?? 0) * frequency * (K1 + 1)) / (frequency + norm);
	}
	return score;
}
