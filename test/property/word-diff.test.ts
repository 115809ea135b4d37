import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type WordDiffPart, wordDiff } from '../../src/contract/word-diff.ts';

const words = fc
	.array(fc.constantFrom('one', 'two ', ' three', '\n', '\r\n', '語', '東京都', '😀', 'مرحبا', '.', '\uD800', ' '), { maxLength: 30 })
	.map((parts) => parts.join(''));
const texts = fc.oneof(words, fc.string({ unit: 'binary' }));

function joined(parts: WordDiffPart[], kind: 'added' | 'removed'): string {
	return parts
		.filter((part) => part.kind === 'same' || part.kind === kind)
		.map((part) => part.text)
		.join('');
}

test('M4 a word diff holds both texts, character by character', () => {
	fc.assert(
		fc.property(texts, texts, (before, after) => {
			const parts = wordDiff(before, after);
			expect(joined(parts, 'removed')).toBe(before);
			expect(joined(parts, 'added')).toBe(after);
			for (const [index, part] of parts.entries()) {
				expect(part.text).not.toBe('');
				expect(part.kind).not.toBe(parts[index - 1]?.kind);
			}
		}),
		{ numRuns: 1_000 },
	);
});

test('M4 equal texts differ in nothing, and a changed word is told from its neighbours', () => {
	expect(wordDiff('a b', 'a b')).toEqual([{ kind: 'same', text: 'a b' }]);
	expect(wordDiff('', '')).toEqual([]);
	expect(wordDiff('The code is 4711.', 'The code is 8823.')).toEqual([
		{ kind: 'same', text: 'The code is ' },
		{ kind: 'removed', text: '4711' },
		{ kind: 'added', text: '8823' },
		{ kind: 'same', text: '.' },
	]);
});

test('M4 words are found where no spaces are written between them', () => {
	const parts = wordDiff('私は東京に住んでいます', '私は京都に住んでいます');
	expect(parts.filter((part) => part.kind !== 'same')).toEqual([
		{ kind: 'removed', text: '東京' },
		{ kind: 'added', text: '京都' },
	]);
});

test('M4 two megabytes that have nothing in common are still compared, by lines or as a whole', () => {
	const lines = (word: string) =>
		Array.from({ length: 40_000 }, (_, index) => `${word} ${index} and some more words to fill it\n`).join('');
	const before = lines('old');
	const after = lines('new');
	expect(wordDiff(before, after)).toEqual([
		{ kind: 'removed', text: before },
		{ kind: 'added', text: after },
	]);
	const edited = before.replace('old 777 ', 'new 777 ');
	expect(wordDiff(before, edited).filter((part) => part.kind !== 'same')).toEqual([
		{ kind: 'removed', text: 'old 777 and some more words to fill it\n' },
		{ kind: 'added', text: 'new 777 and some more words to fill it\n' },
	]);
});
