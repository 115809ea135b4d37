import { repairSurrogates } from '../domain/text.ts';

/**
 * What the owner typed, made into queries that SQLite's full-text search can always parse: every term is quoted, so that
 * no character of it is an operator. Text between double quotes is one term.
 */
export interface SearchQuery {
	/** All terms, lower-cased, in the order typed; at least one. */
	readonly terms: readonly string[];
	/** Query for the word index; the last term is a prefix, because the owner may still be typing it. */
	readonly words: string;
	/** Query for the trigram index over the terms that are long enough; absent where none is. */
	readonly trigrams?: string;
	/** Terms too short for trigrams that words cannot find either (`東京`, an emoji): looked for as they are. */
	readonly shortTerms: readonly string[];
	/** Whether every term is in `trigrams` or `shortTerms`, so that a search for substrings is complete. */
	readonly substringsComplete: boolean;
}

/** More terms than this are dropped: they would only make the query slow. */
const MAX_TERMS = 16;
/** Scripts written without spaces, where a word index sees a whole clause as one word. */
const UNSPACED =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const WORD = /[\p{L}\p{N}]/u;

/** `undefined` where the text holds nothing to look for. */
export function parseSearchQuery(text: string): SearchQuery | undefined {
	// As typed, for the indexes fold case by rules of their own.
	const typed = splitTerms(text);
	if (typed.length === 0) return undefined;
	const long = typed.filter(hasTrigram);
	const short = typed.filter((term) => !hasTrigram(term) && (UNSPACED.test(term) || !WORD.test(term)));
	const last = typed.length - 1;
	return {
		terms: typed.map((term) => term.toLowerCase()),
		words: typed.map((term, index) => (index === last ? `${quote(term)} *` : quote(term))).join(' '),
		...(long.length > 0 && { trigrams: long.map(quote).join(' ') }),
		shortTerms: short.map((term) => term.toLowerCase()),
		substringsComplete: long.length + short.length === typed.length,
	};
}

function splitTerms(text: string): string[] {
	// Control characters end a query for SQLite (NUL) and mean nothing to the owner; private-use ones mark matches.
	const clean = repairSurrogates(text).replace(/[\p{Cc}\uE000\uE001\uFFFD]/gu, ' ');
	const terms = [...clean.matchAll(/"([^"]+)"|[^\s"]+/gu)].map((match) => (match[1] ?? match[0]).trim().replace(/\s+/gu, ' '));
	return [...new Set(terms.filter((term) => term !== ''))].slice(0, MAX_TERMS);
}

function hasTrigram(term: string): boolean {
	return [...term].length >= 3;
}

function quote(term: string): string {
	return `"${term.replaceAll('"', '""')}"`;
}
