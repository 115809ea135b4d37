import { FlagKind } from '../../domain/inspection.ts';
import type { Finding } from './finding.ts';
import { fold } from './view.ts';

/** Sparse: the place of each feature that is there, and its value. */
export type Features = ReadonlyMap<number, number>;

/** Places for words and pairs of words, by hash. */
export const WORD_PLACES = 8_192;
const KINDS: readonly FlagKind[] = FlagKind.options.filter((kind) => kind !== 'classifier');
const WEIGHTS = 3;
/** Of what the detectors found, by kind and weight, and of the shape of the text. */
export const SHAPE_PLACES = KINDS.length * WEIGHTS + 10;
/** Places before the numbers of the embedding. */
export const LEXICAL_PLACES = WORD_PLACES + SHAPE_PLACES;

const TOKEN = /[a-z0-9_'’-]{1,40}|[\p{L}\p{N}]{1,20}/gu;
const MAIL = /[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,80}/g;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s"'<>)]{1,300}/g;
const NUMBER = /[0-9][0-9.,:/-]{0,30}/g;

/** FNV-1a. */
function placeOf(word: string): number {
	let hash = 0x811c9dc5;
	for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
	return (hash >>> 0) % WORD_PLACES;
}

/**
 * What a piece of text is like: its words and pairs of words without names of mailboxes, addresses and numbers, what the detectors found in
 * it, and its shape. The words have length 1 together.
 */
export function featuresOf(text: string, findings: readonly Finding[]): Features {
	const features = new Map<number, number>();
	const folded = fold(text).text.replace(MAIL, ' xmail ').replace(ADDRESS, ' xaddress ').replace(NUMBER, ' xnumber ');
	const words = (folded.match(TOKEN) ?? []).slice(0, 400);
	const places = new Set<number>();
	words.forEach((word, index) => {
		places.add(placeOf(word));
		places.add(placeOf(`${words[index - 1] ?? '^'} ${word}`));
	});
	const size = 1 / Math.sqrt(Math.max(1, places.size));
	for (const place of places) features.set(place, size);

	for (const { kind, weight } of findings) {
		const index = KINDS.indexOf(kind);
		if (weight > 0 && index >= 0) features.set(WORD_PLACES + index * WEIGHTS + Math.min(weight, WEIGHTS) - 1, 1);
	}
	const shape = [
		Math.min(1, text.length / 320),
		(text.match(/[A-Z]/g)?.length ?? 0) / Math.max(1, text.length),
		text.includes('!') ? 1 : 0,
		text.includes('?') ? 1 : 0,
		/[{}<>[\]|`]/.test(text) ? 1 : 0,
		/\b[A-Z]{4,}\b/.test(text) ? 1 : 0,
		/\b(?:you|your|yourself)\b/i.test(text) ? 1 : 0,
		/\b(?:my|me|i)\b/i.test(text) ? 1 : 0,
		/^\s*(?:please|always|never|make|send|find|get|use|add|include|when|if|before|after|do|don't)\b/i.test(text) ? 1 : 0,
		/[\u0250-\uffff]/.test(text) ? 1 : 0,
	];
	shape.forEach((value, index) => {
		if (value !== 0) features.set(WORD_PLACES + KINDS.length * WEIGHTS + index, value);
	});
	return features;
}
