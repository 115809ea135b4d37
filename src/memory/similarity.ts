/** How alike two texts are, to tell an edited entry from another one. */
import { normaliseText } from './identity.ts';

/** From here on a text counts as the same entry edited: "The door code is 4711" and "… 8823", not two people's birthdays. */
export const SAME_ENTRY = 0.5;

/** A longer text is judged by its beginning. */
const TEXT_LIMIT = 2_000;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
/** A text that holds all of another's words is that one gone on, if it was long enough to be no accident. */
const LEAST_WORDS_CONTAINED = 3;
const CONTAINED = 0.9;

/** Hashes of words and of runs of letters, sorted, each once. */
export type TextFeatures = { words: Uint32Array; grams: Uint32Array; spaced: boolean };

export function featuresOf(text: string): TextFeatures {
	const plain = normaliseText(text.slice(0, TEXT_LIMIT)).toLowerCase();
	const spaced = !NO_SPACES.test(plain);
	const size = spaced ? 3 : 2;
	const padded = ` ${plain} `;
	const grams: number[] = [];
	for (let index = 0; index + size <= padded.length; index++) grams.push(hashOf(padded, index, index + size));
	const words = (plain.match(WORD) ?? []).map((word) => hashOf(word, 0, word.length));
	return { words: sortedSet(words), grams: sortedSet(grams), spaced };
}

/** 0 to 1: the mean of the overlaps of words and of letter trigrams; bigrams alone where words are not spaced. Symmetric. */
export function similarity(left: TextFeatures, right: TextFeatures): number {
	if (!left.spaced || !right.spaced) return dice(left.grams, right.grams);
	const shared = overlap(left.words, right.words);
	const fewest = Math.min(left.words.length, right.words.length);
	const contained = fewest >= LEAST_WORDS_CONTAINED && shared === fewest ? CONTAINED : 0;
	const grams = dice(left.grams, right.grams);
	const words = fewest === 0 ? grams : (2 * shared) / (left.words.length + right.words.length);
	return Math.max((words + grams) / 2, contained);
}

function dice(left: Uint32Array, right: Uint32Array): number {
	const total = left.length + right.length;
	return total === 0 ? 0 : (2 * overlap(left, right)) / total;
}

function overlap(left: Uint32Array, right: Uint32Array): number {
	let shared = 0;
	let from = 0;
	let to = 0;
	while (from < left.length && to < right.length) {
		const difference = (left[from] ?? 0) - (right[to] ?? 0);
		if (difference === 0) shared++;
		if (difference <= 0) from++;
		if (difference >= 0) to++;
	}
	return shared;
}

function sortedSet(values: number[]): Uint32Array {
	const sorted = Uint32Array.from(values).sort();
	return sorted.filter((value, index) => index === 0 || value !== sorted[index - 1]);
}

/** FNV-1a over UTF-16 units: a rare collision only makes two texts look a little more alike. */
function hashOf(text: string, from: number, end: number): number {
	let hash = 0x811c9dc5;
	for (let index = from; index < end; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	return hash >>> 0;
}
