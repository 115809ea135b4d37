/** How alike two texts are, to tell an edited entry from another one. */
import { normaliseText } from './identity.ts';

/** From here on a text counts as the same entry edited: "The door code is 4711" and "… 8823", not two people's birthdays. */
export const SAME_ENTRY = 0.5;

/** A longer text is judged by its beginning. */
const TEXT_LIMIT = 2_000;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** A text that holds all of another's words is that one gone on, if it was long enough to be no accident. */
const LEAST_WORDS_CONTAINED = 3;
const CONTAINED = 0.9;

export type TextFeatures = { words: Set<string>; grams: Set<string>; spaced: boolean };

export function featuresOf(text: string): TextFeatures {
	const plain = normaliseText(text.slice(0, TEXT_LIMIT)).toLowerCase();
	const spaced = !NO_SPACES.test(plain);
	const size = spaced ? 3 : 2;
	const padded = ` ${plain} `;
	const grams = new Set<string>();
	for (let index = 0; index + size <= padded.length; index++) grams.add(padded.slice(index, index + size));
	return { words: new Set(plain.match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) ?? []), grams, spaced };
}

/** 0 to 1: the mean of the overlaps of words and of letter trigrams; bigrams alone where words are not spaced. Symmetric. */
export function similarity(left: TextFeatures, right: TextFeatures): number {
	const grams = dice(left.grams, right.grams);
	if (!left.spaced || !right.spaced) return grams;
	const shared = overlap(left.words, right.words);
	const fewest = Math.min(left.words.size, right.words.size);
	const words = fewest === 0 ? grams : (2 * shared) / (left.words.size + right.words.size);
	const contained = fewest >= LEAST_WORDS_CONTAINED && shared === fewest ? CONTAINED : 0;
	return Math.max((words + grams) / 2, contained);
}

function dice(left: Set<string>, right: Set<string>): number {
	const total = left.size + right.size;
	return total === 0 ? 0 : (2 * overlap(left, right)) / total;
}

function overlap(left: Set<string>, right: Set<string>): number {
	const [small, large] = left.size <= right.size ? [left, right] : [right, left];
	let shared = 0;
	for (const value of small) if (large.has(value)) shared++;
	return shared;
}
