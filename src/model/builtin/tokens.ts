import { cutCodePoints } from '../../domain/text.ts';

/** Words to search by: lower case, without accents, English endings cut, CJK text in pairs of characters. Pure. */

const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
const ASCII_WORD = /^[a-z]+$/;

const STOP_WORDS = new Set(
	(
		'a about above after again against all also am an and any anything are as at be because been before being below between both but by can could did do does ' +
		'doing don down during each else ever few for from further get give had has have having he her here hers him his how i if in into is it its itself just ' +
		'know let like ll make many may me might more most much must my need no nor not now of off on once one only or other our out over own please re ' +
		'really s said same say says see she should show so some something still such t tell than that the their them then there these they thing things think ' +
		'this those through to told too under until up us use ve very want was we were what when where which while who whom whose why will with would yes yet you ' +
		'your yours attachment attached attachments file chat message messages question answer'
	).split(' '),
);

/** The terms of a text in order, stop words left out. */
export function termsOf(text: string): string[] {
	const terms: string[] = [];
	const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC').toLowerCase();
	for (const run of plain.match(CJK_RUN) ?? []) terms.push(...pairs(run));
	for (const word of plain.replace(CJK_RUN, ' ').match(WORD) ?? []) {
		const bare = word.replace(/['’]s?$/, '').replace(/['’]/g, '');
		if (bare !== '' && !STOP_WORDS.has(bare)) terms.push(stem(bare));
	}
	return terms;
}

/** Of what has no spaces (a line of Japanese, a key, noise) only the beginning is looked for: a search takes 500 characters. */
const LONGEST_WORD = 60;

/** The words of a question worth looking for elsewhere, as written, longest first, each once. */
export function keywordsOf(text: string, most: number): string[] {
	const seen = new Map<string, string>();
	for (const word of text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu) ?? []) {
		const [term] = termsOf(word);
		if (term !== undefined && !seen.has(term)) seen.set(term, cutCodePoints(word.replace(/['’]s$/, ''), LONGEST_WORD));
	}
	return [...seen.values()].sort((a, b) => b.length - a.length).slice(0, most);
}

/** Words as people count them. */
export function countWords(text: string): number {
	let count = 0;
	for (const segment of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)) if (segment.isWordLike) count++;
	return count;
}

function pairs(run: string): string[] {
	const points = [...run];
	return points.length === 1 ? points : points.slice(0, -1).map((point, index) => point + points[index + 1]);
}

/** A light stemmer: enough that "boilers" finds "boiler" and "paying" finds "pay". Other languages stay as they are. */
export function stem(word: string): string {
	if (word.length <= 3 || !ASCII_WORD.test(word)) return word;
	const rules: [RegExp, string][] = [
		[/(ss|us|is)$/, '$1'],
		[/ies$/, 'y'],
		[/(ch|sh|x|s|z)es$/, '$1'],
		[/s$/, ''],
	];
	let result = word;
	for (const [ending, instead] of rules) {
		if (!ending.test(result)) continue;
		result = result.replace(ending, instead);
		break;
	}
	const cut = result.replace(/(ing|edly|ed|ly)$/, '');
	if (cut !== result && cut.length >= 3 && /[aeiouy]/.test(cut)) result = /([^aeiouls])\1$/.test(cut) ? cut.slice(0, -1) : cut;
	return result.length > 3 ? result.replace(/e$/, '') : result;
}

/** The words and numbers alone, in small letters, one space between them. */
export function bareWords(text: string): string {
	return text
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
}
