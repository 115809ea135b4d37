import { stemmer } from 'stemmer';
import { IRREGULAR_FORMS } from './word-lists.ts';

/** Text as words to compare: folded, cut into tokens, each by its stem. All pure; stems are remembered because texts repeat them. */

/** Scripts written without spaces, where a run of letters holds several words. */
const UNSPACED =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const TOKEN = /[\p{L}\p{N}]+/gu;
const ASCII = /^[\p{ASCII}]*$/u;

/** Lower case, Latin letters without accents: `Müller` and `muller` are one, as in the word index. Other scripts keep their marks. */
export function fold(text: string): string {
	const lower = text.toLowerCase();
	if (ASCII.test(lower)) return lower;
	return lower
		.normalize('NFD')
		.replace(/(\p{Script=Latin})\p{Mn}+/gu, '$1')
		.normalize('NFC')
		.replaceAll('ß', 'ss');
}

/** The words of a folded text, in order. */
export function tokensOf(folded: string): string[] {
	return folded.match(TOKEN) ?? [];
}

export function isUnspaced(text: string): boolean {
	return UNSPACED.test(text);
}

const baseOf = new Map(IRREGULAR_FORMS.flatMap(([base, ...forms]) => forms.map((form) => [form, base] as const)));
const stems = new Map<string, string>();

/** The stem of a folded token: Porter's, after irregular English forms ("went") became their base. Other languages mostly keep the word. */
export function stemOf(token: string): string {
	const known = stems.get(token);
	if (known !== undefined) return known;
	const stem = /^[a-z]+$/.test(token) ? stemmer(baseOf.get(token) ?? token) : token;
	if (stems.size > 50_000) stems.clear();
	stems.set(token, stem);
	return stem;
}

/** Forms of the token that a stemmer does not find: `went` and `gone` for `go` or `going`. */
export function irregularForms(token: string): readonly string[] {
	const base = baseOf.get(token) ?? (formsOf.has(token) ? token : baseByStem.get(stemOf(token)));
	return base === undefined ? [] : [base, ...(formsOf.get(base) ?? [])].filter((form) => form !== token);
}

const formsOf = new Map(IRREGULAR_FORMS.map(([base, ...forms]) => [base, forms] as const));
const baseByStem = new Map(IRREGULAR_FORMS.map(([base]) => [stemOf(base), base] as const));
