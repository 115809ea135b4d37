import { sameAs } from '../builtin/synonyms.ts';
import { stem, termsOf } from '../builtin/tokens.ts';
import type { Avoided, Interest, Subject, Topic, Watch } from './watch.ts';
import { WEIGHTS, type Weights } from './weights.ts';

/**
 * How well an item fits a line of HEARTBEAT.md: by meaning (cosine of vectors) and by words, or by words alone where there are no vectors. The
 * parts are weighed as a logistic regression learnt it from the feed of `bench/triage/tuning*`. Pure.
 */

/** A part of an item that is looked at by itself. */
export interface Passage {
	readonly text: string;
	readonly words: ItemWords;
	readonly vector?: Float32Array | undefined;
}

export interface ItemWords {
	/** In small letters, for phrases. */
	readonly text: string;
	readonly terms: ReadonlySet<string>;
	/** Tokens in small letters. */
	readonly tokens: ReadonlySet<string>;
	/** First letters of words with a capital that stand next to each other. */
	readonly initials: ReadonlySet<string>;
	/** Tokens of capitals alone, in small letters: what may stand for several words. */
	readonly capitals: ReadonlySet<string>;
}

export interface Match {
	readonly interest: Interest;
	readonly topic: Topic;
	/** Above 0 it is worth a finding. */
	readonly score: number;
	readonly passage: Passage;
}

/** Of the text of a topic, a subject, or what is avoided. */
export type VectorOf = (text: string) => Float32Array | undefined;

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}.+#_'’]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu;
const CAPITALS = /(?:\p{Lu}[\p{L}\p{N}]+[\s-]+){1,4}\p{Lu}[\p{L}\p{N}]+/gu;
/** Cosine from which on an item means what is to be left out, and by how much it must mean it more than what is wanted. */
const MEANS_AVOIDED = 0.45;
const RATHER = 0.05;
/** Cosine below which an item without a word of the subject is about something else. */
const OTHER_SUBJECT = 0.3;
/** Different words that say what kind of thing an item is; more say no more. */
const MOST_TOLD = 3;

export function wordsOf(text: string): ItemWords {
	const initials = new Set<string>();
	for (const [run] of text.matchAll(CAPITALS)) {
		const words = run.split(/[\s-]+/).map((word) => word.charAt(0).toLowerCase());
		for (let from = 0; from < words.length; from++)
			for (let to = from + 2; to <= words.length; to++) initials.add(words.slice(from, to).join(''));
	}
	const tokens = (text.match(TOKEN) ?? []).flatMap((token) => [token, ...token.split(/[.'’_]/)]);
	return {
		text: text.toLowerCase(),
		terms: new Set(termsOf(text)),
		tokens: new Set(tokens.map((token) => token.toLowerCase())),
		initials,
		capitals: new Set(tokens.filter((token) => /^\p{Lu}{2,6}$/u.test(token)).map((token) => token.toLowerCase())),
	};
}

/** The line and the passage that fit best; undefined where none fits, or where the owner wants it left out. */
export function bestMatch(watch: Watch, passages: readonly Passage[], vectorOf: VectorOf): Match | undefined {
	if (watch.avoids.some((avoided) => isAvoided(avoided, undefined, passages, vectorOf))) return undefined;
	let best: Match | undefined;
	for (const interest of watch.interests) {
		const match = matchOf(interest, passages, vectorOf);
		if (match && match.score > Math.max(0, best?.score ?? 0)) best = match;
	}
	return best;
}

function matchOf(interest: Interest, passages: readonly Passage[], vectorOf: VectorOf): Match | undefined {
	const hasPhrase =
		interest.phrases.length === 0 || passages.some(({ words }) => interest.phrases.some((phrase) => words.text.includes(phrase)));
	if (!hasPhrase) return undefined;
	let best: Match | undefined;
	for (const topic of interest.topics)
		for (const passage of passages) {
			const score = fitOf(topic, passage, vectorOf);
			if (!best || score > best.score) best = { interest, topic, score, passage };
		}
	return best && interest.avoids.some((avoided) => isAvoided(avoided, best, passages, vectorOf)) ? undefined : best;
}

/** What is seen of a topic in a passage; each from 0 to 1. */
export interface Parts {
	readonly meaning: number;
	readonly subjectMeaning: number;
	readonly subjectWords: number;
	readonly otherSubject: number;
	readonly hasSubject: number;
	readonly hasNames: number;
	readonly namesMissing: number;
	readonly kindMissing: number;
	readonly kindTold: number;
	readonly kindToldAlone: number;
	/** Neither a subject nor a name: only the kind of thing. */
	readonly onlyKind: number;
	readonly always: 1;
}

function fitOf(topic: Topic, passage: Passage, vectorOf: VectorOf): number {
	const parts = partsOf(topic, passage, vectorOf);
	const weights: Weights = passage.vector ? WEIGHTS.withMeaning : WEIGHTS.wordsAlone;
	return (Object.keys(weights) as (keyof Weights)[]).reduce((sum, part) => sum + weights[part] * parts[part], 0);
}

export function partsOf(topic: Topic, passage: Passage, vectorOf: VectorOf): Parts {
	const { words, text } = passage;
	const likeness = (of: string): number => {
		const vector = passage.vector && vectorOf(of);
		return vector && passage.vector ? Math.max(0, cosine(vector, passage.vector)) : 0;
	};
	const hasSubject = topic.subjects.length > 0;
	const hasNames = topic.names.length > 0;
	const subjectMeaning = Math.max(0, ...topic.subjects.map((subject) => likeness(subject.text)));
	const subjectWords = Math.max(0, ...topic.subjects.map((subject) => coverageOf(subject, words)));
	const missing = topic.names.filter((names) => !names.some((name) => hasName(words, name))).length;
	const told = toldBy(topic, text);
	const onlyKind = hasSubject || hasNames ? 0 : 1;
	const isOther = hasSubject && subjectWords === 0 && (!passage.vector || subjectMeaning < OTHER_SUBJECT);
	return {
		meaning: likeness(topic.text),
		subjectMeaning,
		subjectWords,
		otherSubject: isOther ? 1 : 0,
		hasSubject: hasSubject ? 1 : 0,
		hasNames: hasNames ? 1 : 0,
		namesMissing: hasNames ? missing / topic.names.length : 0,
		kindMissing: topic.concepts.length > 0 && told === 0 ? 1 : 0,
		kindTold: told,
		kindToldAlone: told * onlyKind,
		onlyKind,
		always: 1,
	};
}

/** How many different words say that it is one of the kinds of things that are asked for, as a share of those that count. */
function toldBy({ concepts }: Topic, text: string): number {
	const found = new Set<string>();
	for (const { tells } of concepts)
		for (const [word] of text.matchAll(new RegExp(tells.source, 'giu'))) {
			found.add(word.toLowerCase());
			if (found.size >= MOST_TOLD) return 1;
		}
	return found.size / MOST_TOLD;
}

/** Words of the item for which it fits: names, the subject, the kind of thing. For people to see why. */
export function wordsThatFit(topic: Topic, words: ItemWords, text: string): string[] {
	const names = topic.names.flat().filter((name) => hasName(words, name));
	const subjects = topic.subjects.flatMap(({ terms }) => terms.filter((term) => words.terms.has(term)));
	const written = [...names, ...subjects].map((word) => asWritten(word, text));
	const told = topic.concepts.flatMap(({ tells }) => [...text.matchAll(new RegExp(tells.source, 'giu'))].map(([word]) => word));
	const seen = new Set<string>();
	return [...written, ...told].filter((word) => {
		const isNew = !seen.has(word.toLowerCase());
		seen.add(word.toLowerCase());
		return isNew;
	});
}

function asWritten(word: string, text: string): string {
	const found = (text.match(TOKEN) ?? []).find(
		(token) => token.toLowerCase() === word || termsOf(token)[0] === word || token.toLowerCase().startsWith(word),
	);
	return found ?? word;
}

/** Share of the words that are there, or others that may stand for them. */
function coverageOf({ text, terms }: Subject, words: ItemWords): number {
	if (isShortened(text, words)) return 1;
	return terms.filter((term) => hasTerm(words, term)).length / terms.length;
}

/** “AI” stands for artificial intelligence, “ESA” for the European Space Agency. */
function isShortened(text: string, { capitals }: ItemWords): boolean {
	const initials = text.split(/[\s-]+/).map((word) => word.charAt(0).toLowerCase());
	return initials.length >= 2 && initials.length <= 5 && capitals.has(initials.join(''));
}

function hasTerm(words: ItemWords, term: string): boolean {
	if (words.terms.has(term)) return true;
	for (const other of sameAs(term)) if (words.terms.has(other)) return true;
	// “biologist” and “biology”.
	if (term.length >= 6) for (const other of words.terms) if (shareBeginning(term, other, 2)) return true;
	return false;
}

/** All words of the name, each as it is, with another ending, or as first letters: “EU” is the European Union. */
function hasName(words: ItemWords, name: string): boolean {
	if (isShortened(name, words)) return true;
	return name.split(/\s+/).every((word) => {
		if (words.tokens.has(word) || words.terms.has(stem(word))) return true;
		if (/^\p{L}{2,5}$/u.test(word) && words.initials.has(word)) return true;
		if (word.length < 5) return false;
		for (const token of words.tokens) if (shareBeginning(word, token, 1)) return true;
		return false;
	});
}

/** Whether they are the same up to an ending: at least five letters, and of the shorter one all but so many. */
function shareBeginning(one: string, other: string, ending: number): boolean {
	const shorter = Math.min(one.length, other.length);
	if (shorter < 5) return false;
	let length = 0;
	while (length < shorter && one[length] === other[length]) length++;
	return length >= Math.max(5, shorter - ending);
}

/** By its words, or because the item means that rather than what is wanted. */
function isAvoided(
	{ text, terms, concepts, isBare }: Avoided,
	wanted: Match | undefined,
	passages: readonly Passage[],
	vectorOf: VectorOf,
): boolean {
	const looked = wanted ? [wanted.passage] : passages;
	if (looked.some(({ words }) => terms.every((term) => words.terms.has(term)))) return true;
	if (isBare && looked.some((passage) => concepts.some(({ tells }) => tells.test(passage.text)))) return true;
	const vector = vectorOf(text);
	if (!vector || !wanted) return false;
	const { vector: said } = wanted.passage;
	const wish = vectorOf(wanted.topic.text);
	const meaning = said ? cosine(vector, said) : 0;
	return said !== undefined && wish !== undefined && meaning > Math.max(MEANS_AVOIDED, cosine(wish, said) + RATHER);
}

/** Of vectors of unit length. */
function cosine(one: Float32Array, other: Float32Array): number {
	let sum = 0;
	for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
	return sum;
}
