import { featuresOf, similarity, type TextFeatures } from '../memory/similarity.ts';
import { type Difference, differences, haveSameSubject, isNews } from './contradiction.ts';

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
const SAME_MEANING = 0.86;
/** … where they share many words, too. */
const ALIKE_MEANING = 0.76;
const ALIKE_WORDS = 0.45;
/** Likeness of words alone. */
const SAME_WORDS = 0.72;
/** From here on they speak of the same thing, so that what differs is a contradiction. */
const SUBJECT_MEANING = 0.72;
const SUBJECT_WORDS = 0.5;
/** Of a difference that says little by itself. */
const CLOSE_MEANING = 0.8;
const CLOSE_WORDS = 0.6;
const WEAK: ReadonlySet<Difference> = new Set(['negation', 'status', 'version', 'number']);

const known = new WeakMap<Statement, TextFeatures>();

export function relationOf(one: Statement, other: Statement): Relation {
	const words = similarity(wordsOf(one), wordsOf(other));
	const meaning = one.vector && other.vector ? cosine(one.vector, other.vector) : undefined;
	const isAbout = (meaning ?? 0) >= SUBJECT_MEANING || words >= SUBJECT_WORDS;
	const sameSubject = isAbout || haveSameSubject(one.text, other.text);
	if (!sameSubject) return 'other';
	const differing = differences(one.text, other.text);
	if (differing.length === 0) return saysTheSame(meaning, words) ? 'same' : 'other';
	const telling = differing.filter((difference) => !isNews(difference, one.text, other.text));
	const isClose = (meaning ?? 0) >= CLOSE_MEANING || words >= CLOSE_WORDS;
	return telling.some((difference) => isClose || !WEAK.has(difference)) ? 'contradicts' : 'other';
}

function saysTheSame(meaning: number | undefined, words: number): boolean {
	if (words >= SAME_WORDS) return true;
	return meaning !== undefined && (meaning >= SAME_MEANING || (meaning >= ALIKE_MEANING && words >= ALIKE_WORDS));
}

function wordsOf(statement: Statement): TextFeatures {
	let features = known.get(statement);
	if (!features) {
		features = featuresOf(statement.text);
		known.set(statement, features);
	}
	return features;
}

/** Of vectors of unit length. */
export function cosine(one: Float32Array, other: Float32Array): number {
	let sum = 0;
	for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
	return sum;
}
