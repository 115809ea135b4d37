import {
	askingPart,
	attributeIn,
	countedIn,
	countsIn,
	hasAnswerOfKind,
	isAboutSomethingOf,
	isOfTheOpposite,
	namesIn,
	whichOfSeveral,
} from './answer-kinds.ts';
import { longDay } from './dates.ts';
import { type Entry, entryPassage, isCurrent } from './memory-results.ts';
import { quote } from './passages.ts';
import { disagree, factOf, plain } from './sentences.ts';
import { sameAs } from './synonyms.ts';
import { termsOf } from './tokens.ts';
import * as words from './words.ts';

/** Which entries answer a question, if any do. Pure: a rule over the search's own figures, tuned on the development half of `bench/responder`. */

/** An entry with how sure it is that it answers, from 0. */
export interface Judged {
	entry: Entry;
	sureness: number;
	/** It has what is asked for: the right kind of answer, of the right attribute. Else it is at most near, however sure. */
	isDirect: boolean;
}

/** Least sureness of a plain answer. Below it the nearest entry is shown as just that. */
const SURE = 0.85;
/** Least sureness with which an entry is about a subject. */
const FITS = 0.715;
/** Below this nothing is near, unless it stands out: then it may be less sure by some. */
const NEAR = 0.25;
const NEAR_ALONE = 0.15;
/** How much surer than the next one an entry is that stands out. */
const STANDS_OUT = 0.08;
/** How much less sure another entry may be that is shown beside the nearest. */
const ALSO_NEAR = 0.15;
/** Beside the best one only what is nearly as sure is shown. */
const NEARLY = 0.93;
const MOST_SHOWN = 3;

/** What each figure adds. */
const WEIGHTS = {
	similarity: 1,
	lead: 0.09,
	coverage: 0.14,
	words: 0.05,
	rank: 0.09,
	noKind: -1,
	hardlyKind: -0.19,
	otherName: -0.48,
	ofOwner: -0.04,
	lastMissing: -0.17,
	elsewhere: -0.1,
	past: -0.2,
};
/** Where there are no vectors, words stand in for meaning; they can't say as much. */
const WORDS_FOR_MEANING = 0.62;

export function judge(question: string, given: readonly Entry[]): Judged[] {
	const entries = given.filter(({ isHeading }) => !isHeading);
	const asked: Asked = {
		question,
		wanted: [...new Set(termsOf(question))],
		names: namesIn(question),
		best: Math.max(...entries.map(({ score }) => score), Number.EPSILON),
		similarities: entries.flatMap(({ parts }) => parts.similarity ?? []).sort((a, b) => b - a),
	};
	return entries
		.map((entry) => ({ entry, sureness: surenessOf(entry, asked), isDirect: isDirect(entry, question) }))
		.sort((a, b) => b.sureness - a.sureness || b.entry.score - a.entry.score);
}

interface Asked {
	question: string;
	wanted: readonly string[];
	names: readonly string[];
	/** Best score of the search. */
	best: number;
	/** Of the entries, greatest first. */
	similarities: readonly number[];
}

function surenessOf(entry: Entry, { question, wanted, names, best, similarities }: Asked): number {
	const held = heldTerms(entry);
	const words = share(wanted, (term) => holds(held, term));
	const { coverage = words } = entry.parts;
	const { similarity = coverage * WORDS_FOR_MEANING } = entry.parts;
	const nextBest = similarities.find((other) => other !== similarity) ?? similarity;
	const strangers = names.length === 0 ? 0 : 1 - share(names, (name) => termsOf(name).every((term) => holds(held, term)));
	const last = termsOf(askingPart(question)).at(-1);
	const kind = hasAnswerOfKind(question, entry.text);
	const where = whichOfSeveral(question);
	return (
		WEIGHTS.similarity * similarity +
		WEIGHTS.lead * Math.max(0, similarity - nextBest) +
		WEIGHTS.coverage * coverage +
		WEIGHTS.words * words +
		WEIGHTS.rank * (entry.score / best) +
		(kind === 'no' ? WEIGHTS.noKind : kind === 'hardly' ? WEIGHTS.hardlyKind : 0) +
		WEIGHTS.otherName * strangers +
		(isAboutSomethingOf(question, entry.text) ? WEIGHTS.ofOwner : 0) +
		(last !== undefined && !holds(held, last) ? WEIGHTS.lastMissing : 0) +
		(where !== undefined && !termsOf(where).some((term) => held.includes(term)) ? WEIGHTS.elsewhere : 0) +
		(isCurrent(entry) ? 0 : WEIGHTS.past)
	);
}

function isDirect(entry: Entry, question: string): boolean {
	const held = heldTerms(entry);
	const kind = hasAnswerOfKind(question, entry.text);
	if (isOfTheOpposite(question, entry.text)) return false;
	const counted = termsOf(countedIn(question) ?? '');
	const counts = countsIn(entry.text).map(termsOf);
	if (counted.length > 0 && !counts.some((count) => counted.every((term) => holds(count, term)))) return false;
	return (kind === 'yes' || kind === 'maybe') && termsOf(attributeIn(question)).every((term) => holds(held, term));
}

/** A note of a day also holds that day: “in March” is about it or not. */
function heldTerms({ file, under, text }: Entry): string[] {
	const day = /^memory\/(\d{4}-\d{2}-\d{2})/.exec(file)?.[1];
	return [...new Set(termsOf(`${under} ${text} ${day === undefined ? '' : longDay(day)}`))];
}

/** The term, a synonym, a longer or shorter form of it, or a word that it ends: `Schlüssel` in `Kellerschlüssel`. */
function holds(held: readonly string[], term: string): boolean {
	return [...sameAs(term)].some((wanted) =>
		held.some(
			(other) =>
				other === wanted ||
				(other.length > 3 &&
					wanted.length > 3 &&
					(begins(other, wanted) || begins(wanted, other) || (wanted.length >= COMPOUND && other.endsWith(wanted)))),
		),
	);
}

/** Shorter words end others by chance: `house` in `greenhouse`. */
const COMPOUND = 6;

function begins(word: string, other: string): boolean {
	return word.startsWith(other.slice(0, Math.max(4, other.length - 2)));
}

function share<T>(all: readonly T[], fits: (each: T) => boolean): number {
	return all.length === 0 ? 0 : all.filter(fits).length / all.length;
}

/** The answer as quotes, best first; undefined where nothing is sure enough. */
export function answerFrom(question: string, entries: readonly Entry[]): string | undefined {
	const judged = judge(question, entries);
	const best = judged[0];
	if (!best?.isDirect || best.sureness < SURE) return undefined;
	const near = judged
		.filter(({ sureness, isDirect }) => isDirect && sureness >= SURE && sureness >= best.sureness * NEARLY)
		.slice(0, MOST_SHOWN);
	const shown = near.map(({ entry }) => entry);
	const other = contradiction(best.entry, judged);
	if (other) return [words.DISAGREE, ...[best.entry, other].map((entry) => quote(entryPassage(entry)))].join('\n\n');
	const head = isCurrent(best.entry) ? words.foundInMemory(shown.length) : words.ONLY_PAST;
	return [head, ...shown.map((entry) => quote(entryPassage(entry)))].join('\n\n');
}

/** The nearest entries, for where nothing answers, best first; undefined where nothing is near. */
export function nearest(question: string, entries: readonly Entry[]): string | undefined {
	const judged = judge(question, entries);
	const [best, second] = judged;
	if (!best) return undefined;
	const standsOut = best.sureness - (second?.sureness ?? 0) >= STANDS_OUT;
	if (best.sureness < (standsOut ? NEAR_ALONE : NEAR)) return undefined;
	const shown = judged.filter(({ sureness }) => sureness >= best.sureness - ALSO_NEAR).slice(0, MOST_SHOWN);
	return [words.NEAREST, ...shown.map(({ entry }) => quote(entryPassage(entry)))].join('\n\n');
}

/** Another current entry that says something else of the very same thing. */
function contradiction(best: Entry, judged: readonly Judged[]): Entry | undefined {
	const fact = factOf(best.text);
	if (!fact || !isCurrent(best)) return undefined;
	return judged.find(({ entry }) => {
		const other = entry !== best && isCurrent(entry) ? factOf(entry.text) : undefined;
		return other !== undefined && disagree(fact, other);
	})?.entry;
}

/** What holds most of a subject's own words, synonyms not counted. */
export function holding(subject: string, entries: readonly Entry[]): Entry[] {
	const wanted = termsOf(subject);
	return entries.filter((entry) => share(wanted, (term) => heldTerms(entry).includes(term)) >= 0.5);
}

/** What fits a subject, best first: everything that names it, and what is nearly as sure. */
export function about(subject: string, entries: readonly Entry[]): Entry[] {
	const wanted = [...new Set(termsOf(subject))];
	const name = plain(subject);
	const namesAll = (entry: Entry) => wanted.length > 0 && share(wanted, (term) => heldTerms(entry).includes(term)) === 1;
	return judge(subject, entries)
		.filter(({ entry, sureness }) => sureness >= FITS || (name !== '' && plain(entry.text).includes(name)) || namesAll(entry))
		.map(({ entry }) => entry);
}

/** The one entry that is meant; undefined where none or several may be. */
export function theOne(subject: string, entries: readonly Entry[]): Entry | undefined {
	const current = entries.filter(isCurrent);
	const name = plain(subject);
	const same = current.filter(({ text }) => plain(text) === name);
	if (same.length > 0) return same.length === 1 ? same[0] : undefined;
	const [first, second] = judge(subject, current).filter(({ sureness }) => sureness >= FITS);
	return first && (!second || second.sureness < first.sureness * NEARLY) ? first.entry : undefined;
}

/** The one current entry that a new sentence takes the place of: it says something else of the same thing. */
export function replacedBy(sentence: string, entries: readonly Entry[]): Entry | undefined {
	const fact = factOf(sentence);
	if (!fact) return undefined;
	const old = entries.filter((entry) => {
		const known = isCurrent(entry) ? factOf(entry.text) : undefined;
		return known !== undefined && disagree(fact, known);
	});
	return old.length === 1 ? old[0] : undefined;
}
