import { asksWhen, type DateRange, timeNamedIn } from './dates.ts';
import { fold, irregularForms, isUnspaced, stemOf, tokensOf } from './tokens.ts';
import { STOP_WORDS } from './word-lists.ts';

/** One thing looked for. */
export interface QueryTerm {
	/** Folded words, one after another; nearly always one. Of unspaced scripts: the text itself. */
	readonly tokens: readonly string[];
	/** Stem of a single word, by which texts are compared; of codes and phrases the words themselves. */
	readonly stem: string;
	/** A code, a number or a quoted phrase: who asks for it wants exactly this (mem-11). */
	readonly isExact: boolean;
	/** Compared as a part of the text: no spaces tell where a word ends. */
	readonly isUnspaced: boolean;
	/** For the word index. Quoted, so that nothing in it is an operator. */
	readonly match: string;
}

export interface Query {
	readonly terms: readonly QueryTerm[];
	/** The last word, where it may still be being typed. */
	readonly unfinished: string | undefined;
	/** People named in it, as they are written in front of what they say. */
	readonly people: readonly string[];
	readonly asksWhen: boolean;
	readonly dates: readonly DateRange[];
	/** What is embedded. */
	readonly meaning: string;
}

/** More terms than this only make it slow. */
const MAX_TERMS = 24;
/** A word with marks inside, or with a digit: INV-2024-0917, v1.2.3, anna@example.org, B12, 0917. */
const CODE = /[\p{L}\p{N}]+(?:[-_./:@#+][\p{L}\p{N}]+)+|[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/gu;

/** `C++`, `C#`: a letter that means nothing without its signs. */
const WITH_SIGNS = /(?<![\p{L}\p{N}])\p{L}(?:\+\+|#)(?![\p{L}\p{N}])/gu;

export interface Knowledge {
	/** Names found in front of what somebody says. */
	readonly people: readonly string[];
	readonly now: number;
	/** Years that entries are from. */
	readonly years: readonly number[];
}

export function parseQuery(text: string, { people, now, years }: Knowledge): Query {
	const clean = text.replace(/[\p{Cc}\p{Surrogate}\uFFFD]/gu, ' ').trim();
	const time = timeNamedIn(clean, now, years);
	const terms = termsOf(clean, time?.words ?? '');
	const named = namesIn(clean, people);
	const last = /[\p{L}\p{N}]+$/u.exec(clean)?.[0];
	return {
		terms,
		unfinished: last !== undefined && !isUnspaced(last) && last.length >= 2 ? fold(last) : undefined,
		people: named,
		asksWhen: asksWhen(clean),
		dates: time?.ranges ?? [],
		meaning: firstPerson(clean, named),
	};
}

/** `time`: words that say when, which are no codes. */
function termsOf(text: string, time: string): QueryTerm[] {
	const found = new Map<string, QueryTerm>();
	const add = (term: QueryTerm): void => {
		const key = term.isExact ? term.tokens.join(' ') : term.stem;
		if (key !== '' && !found.has(key) && found.size < MAX_TERMS) found.set(key, term);
	};
	const timeless = time === '' ? text : text.replace(time, ' ');
	const rest = timeless
		.replace(/["“„«]([^"“”„«»]{2,200})["”“»]/gu, (_, phrase: string) => {
			const tokens = tokensOf(fold(phrase));
			if (tokens.length > 0) add(exact(phrase, tokens));
			return ` ${phrase} `;
		})
		.replace(WITH_SIGNS, (sign) => {
			add({ tokens: [fold(sign)], stem: fold(sign), isExact: true, isUnspaced: true, match: quote(sign) });
			return ' ';
		})
		.replace(CODE, (code) => {
			const tokens = tokensOf(fold(code));
			if (!/\p{N}/u.test(code) && !/[@._#]/u.test(code)) return code;
			if (tokens.length > 1 || code.length >= 3) add(exact(code, tokens));
			return tokens.length > 1 ? ` ${code} ` : code;
		});
	const words = tokensOf(fold(rest)).flatMap((token) => (isUnspaced(token) ? unspacedParts(token).map(part) : [word(token)]));
	const telling = words.filter(({ stem, isUnspaced: unspaced, tokens: [token = ''] }) => unspaced || (stem !== '' && tells(token)));
	const ofTime = tokensOf(fold(time)).filter((token) => token.length > 2 && !STOP_WORDS.has(token));
	const hasSubject = telling.length > 0 || found.size > 0 || time !== '';
	for (const term of hasSubject ? [...telling, ...ofTime.map(word)] : words) add(term);
	// Nothing but signs, such as an emoji.
	const bare = fold(text).trim();
	if (found.size === 0 && bare !== '' && tokensOf(bare).length === 0)
		add({ tokens: [bare], stem: bare, isExact: true, isUnspaced: true, match: quote(bare) });
	return [...found.values()];
}

function tells(token: string): boolean {
	return !STOP_WORDS.has(token) && (token.length > 1 || /\p{N}|[^\p{ASCII}]/u.test(token));
}

function word(token: string): QueryTerm {
	const match = [token, ...irregularForms(token)].map(quote).join(' OR ');
	return { tokens: [token], stem: stemOf(token), isExact: false, isUnspaced: false, match };
}

/** Of a run without spaces: it ends in the middle of what the index takes for one word. */
function part(text: string): QueryTerm {
	return { tokens: [text], stem: text, isExact: false, isUnspaced: true, match: quote(text) };
}

function exact(text: string, tokens: readonly string[]): QueryTerm {
	const unspaced = isUnspaced(text);
	return {
		tokens: unspaced ? [fold(text)] : tokens,
		stem: tokens.join(' '),
		isExact: true,
		isUnspaced: unspaced,
		match: quote(tokens.join(' ')),
	};
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words in a run of a script without spaces; single characters that are mostly particles are left out where there are longer ones. */
function unspacedParts(run: string): string[] {
	const parts = [...segmenter.segment(run)].filter((one) => one.isWordLike).map((one) => one.segment);
	const long = parts.filter((one) => [...one].length > 1);
	return long.length > 0 ? long : [run];
}

function quote(term: string): string {
	return `"${term.replaceAll('"', '""')}"`;
}

/** Names that are words as well count only where written as names. */
const ALSO_WORDS =
	/^(?:will|may|mark|art|grace|hope|joy|rose|faith|bill|rich|frank|sue|pat|drew|dawn|june|april|august|summer|max|ernst|wolf)$/i;

function namesIn(text: string, people: readonly string[]): string[] {
	const found: string[] = [];
	for (const name of people) {
		const first = name.split(' ')[0] ?? name;
		const named = [name, first].some((form) => {
			const pattern = form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, ALSO_WORDS.test(form) ? 'u' : 'iu').test(text);
		});
		if (named) found.push(name);
	}
	return found;
}

/**
 * People speak of themselves as "I", so a question about one person is asked as if that person asked it: "When did Anna go …" finds "I went
 * …" rather than "Wow, Anna!". Where several are named, no one of them is "I": then the names go.
 */
function firstPerson(text: string, people: readonly string[]): string {
	if (people.length === 0) return text;
	const names = people.flatMap((name) => [name, name.split(' ')[0] ?? name]).sort((a, b) => b.length - a.length);
	const alternatives = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
	const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(['’]s|['’](?=\\s))?(?![\\p{L}\\p{N}])`, 'giu');
	const isOne = people.length === 1;
	const rewritten = text.replace(pattern, (_, possessive: string | undefined) => (isOne ? (possessive ? 'my' : 'I') : '')).trim();
	const tidy = rewritten.replace(
		/\b(does|is|has) I\b/giu,
		(_, verb: string) => `${{ does: 'do', is: 'am', has: 'have' }[verb.toLowerCase()]} I`,
	);
	return tidy.replace(/\s+/gu, ' ').replace(/\s([?.!,])/gu, '$1');
}
