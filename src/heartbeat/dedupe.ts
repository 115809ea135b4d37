import { remembered } from '../base/remembered.ts';
import { featuresOf, similarity, type TextFeatures } from '../memory/similarity.ts';
import { type Fact, factOf, sameSubject } from '../model/builtin/sentences.ts';
import { type Difference, differences, isNews, MOST_READ, nameOthers } from './contradiction.ts';

/**
 * Whether two texts say the same, or say different things of one thing. By meaning where both have a vector of one model, and by words; by words
 * alone where there is no model. The bounds were set on the pairs of `test/unit/heartbeat/pairs.ts`. Pure.
 */

export interface Statement {
	readonly text: string;
	/** Unit length, of the one model in use. */
	readonly vector?: Float32Array | undefined;
}

export type Relation = 'same' | 'contradicts' | 'other';

/** Cosine from which on two statements say the same in other words. */
const SAME_MEANING = 0.84;
/** … where they share many words, too. */
const ALIKE_MEANING = 0.76;
const ALIKE_WORDS = 0.45;
/** Likeness of words that is enough by itself, and where nothing else is known. */
const SAME_WORDS = 0.74;
const SAME_WORDS_ALONE = 0.62;
/** From here on they speak of the same thing, so that what differs is a contradiction. */
const SUBJECT_MEANING = 0.69;
const SUBJECT_WORDS = 0.5;
/** Of a difference that says little by itself. */
const CLOSE_MEANING = 0.75;
const CLOSE_WORDS = 0.6;
const WEAK: ReadonlySet<Difference> = new Set(['negation', 'status', 'version', 'number']);

interface Read {
	readonly words: TextFeatures;
	readonly fact: Fact | undefined;
}

/** Each is compared with many, and all that wait are compared again with each decision of a batch. */
const readOnce = remembered(MOST_READ, (text): Read => ({ words: featuresOf(text), fact: factOf(text) }));

export function relationOf(one: Statement, other: Statement): Relation {
	const meaning = one.vector && other.vector ? cosine(one.vector, other.vector) : undefined;
	const [a, b] = [readOnce(one.text), readOnce(other.text)];
	// “My dentist is …”, twice.
	const isFact = a.fact !== undefined && b.fact !== undefined && sameSubject(a.fact, b.fact);
	// Most pairs end here: what costs more comes after.
	if (!isFact && meaning !== undefined && meaning < SUBJECT_MEANING) return 'other';
	const words = similarity(a.words, b.words);
	if (!isFact && meaning === undefined && words < SUBJECT_WORDS) return 'other';
	const differing = differences(one.text, other.text);
	if (!(isFact && differing.includes('value')) && nameOthers(one.text, other.text)) return 'other';
	if (differing.length === 0) return saysTheSame(meaning, words) ? 'same' : 'other';
	const telling = differing.filter((difference) => !isNews(difference, one.text, other.text));
	const isClose = meaning === undefined ? words >= CLOSE_WORDS : meaning >= CLOSE_MEANING;
	return telling.some((difference) => isClose || !WEAK.has(difference)) ? 'contradicts' : 'other';
}

function saysTheSame(meaning: number | undefined, words: number): boolean {
	if (meaning === undefined) return words >= SAME_WORDS_ALONE;
	return words >= SAME_WORDS || meaning >= SAME_MEANING || (meaning >= ALIKE_MEANING && words >= ALIKE_WORDS);
}

/** Of vectors of unit length. */
export function cosine(one: Float32Array, other: Float32Array): number {
	let sum = 0;
	for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
	return sum;
}
