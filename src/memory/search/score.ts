/**
 * How a hit's score is made: a weighted sum of parts, each from 0 to 1 within one query. The weights were fitted on conversations for
 * development, checked on those left out (docs/retrieval.md). All pure.
 */

/** What is known of one entry for one query. */
export interface Features {
	/** BM25 of the entry, its headings and neighbours, of the best one. */
	readonly words: number;
	readonly wordsBefore: number;
	readonly wordsAfter: number;
	/** Nearness in meaning: 1 the nearest, 0 as near as the hundredth. */
	readonly meaning: number;
	readonly meaningBefore: number;
	readonly meaningAfter: number;
	/** Share of the codes, numbers and quoted phrases asked for that it holds. */
	readonly exact: number;
	/** It holds all that was asked for itself; more of it counts more, from two terms to four. */
	readonly whole: number;
	/** The one person asked about says it. */
	readonly person: number;
	/** The question asks when, and it says when. */
	readonly time: number;
	/** Nearness to the time the question names. */
	readonly date: number;
	/** It is a question itself. */
	readonly question: number;
	/** It is long enough to say something. */
	readonly length: number;
	/** It is a heading. */
	readonly heading: number;
	/** It no longer holds, or not yet. */
	readonly past: number;
}

export const WEIGHTS: Readonly<Record<keyof Features, number>> = {
	words: 0.4,
	wordsBefore: 0.15,
	wordsAfter: 0,
	meaning: 0.35,
	meaningBefore: 0.1,
	meaningAfter: 0.15,
	exact: 0.8,
	whole: 0.3,
	person: 0.25,
	time: 0.15,
	date: 0.45,
	question: -0.125,
	length: 0.05,
	heading: -0.1,
	past: -0.25,
};

const ENTRIES = Object.entries(WEIGHTS) as [keyof Features, number][];

export interface Scored {
	readonly score: number;
	/** What each feature added; those that added nothing are left out. */
	readonly parts: Record<string, number>;
}

export function scoreOf(features: Features): Scored {
	const parts: Record<string, number> = {};
	let score = 0;
	for (const [name, weight] of ENTRIES) {
		const value = features[name];
		if (value === 0 || weight === 0) continue;
		const part = weight * value;
		parts[name] = part;
		score += part;
	}
	return { score, parts };
}
