/**
 * What changed between two texts, word by word, for the history and the approval of a change (M4). Joined, `same` and `added` give the
 * text after, `same` and `removed` the text before, character by character.
 */
import { diffArrays } from 'diff';

export type WordDiffPart = { kind: 'same' | 'added' | 'removed'; text: string };

/** Up to this length (of both texts together) words are told apart, beyond it lines. UTF-16 units. */
const WORDS_LIMIT = 60_000;
/** Beyond so many differences a finer picture tells nobody anything, and costs their square in time. */
const MOST_WORD_EDITS = 2_500;
const MOST_LINE_EDITS = 1_500;

const LINES = /[^\n]*\n|[^\n]+$/g;
const WORDS = /[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Never takes long: long or very different texts are compared by lines, or as a whole. Neighbouring parts differ in kind. */
export function wordDiff(before: string, after: string): WordDiffPart[] {
	if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
	if (before.length + after.length <= WORDS_LIMIT) {
		const parts = diffTokens(wordsOf(before), wordsOf(after), MOST_WORD_EDITS);
		if (parts !== undefined) return parts;
	}
	return diffTokens(linesOf(before), linesOf(after), MOST_LINE_EDITS) ?? wholeDiff(before, after);
}

function diffTokens(before: string[], after: string[], maxEditLength: number): WordDiffPart[] | undefined {
	const changes = diffArrays(before, after, { maxEditLength });
	return changes?.map(({ added, removed, value }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value.join('') }));
}

function wholeDiff(before: string, after: string): WordDiffPart[] {
	const parts: WordDiffPart[] = [
		{ kind: 'removed', text: before },
		{ kind: 'added', text: after },
	];
	return parts.filter((part) => part.text !== '');
}

function linesOf(text: string): string[] {
	return text.match(LINES) ?? [];
}

/** Scripts that put no spaces between words are cut by the language's own rules, where the platform knows them. */
function wordsOf(text: string): string[] {
	const words = text.match(WORDS) ?? [];
	const segmenter = NO_SPACES.test(text) && 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'word' }) : undefined;
	if (segmenter === undefined) return words;
	return words.flatMap((word) => (NO_SPACES.test(word) ? Array.from(segmenter.segment(word), ({ segment }) => segment) : [word]));
}
