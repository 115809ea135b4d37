import { expect, test } from 'vitest';
import { OverlapFilter } from '../../../src/run/overlap.ts';

function goOn(old: string, pieces: string[]): string {
	const filter = new OverlapFilter(old);
	return old + pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

const OLD = 'The quick brown fox jumps over the la';

test.each([
	['nothing', ['zy dog.'], 'The quick brown fox jumps over the lazy dog.'],
	['the end of the old text', ['fox jumps over the lazy dog.'], 'The quick brown fox jumps over the lazy dog.'],
	['all of it', ['The quick brown fox jumps over the lazy dog.'], 'The quick brown fox jumps over the lazy dog.'],
	['in small pieces', [...'The quick brown fox jumps over the lazy dog.'], 'The quick brown fox jumps over the lazy dog.'],
	['after white space', ['\n\n', 'fox jumps over the lazy dog.'], 'The quick brown fox jumps over the lazy dog.'],
	['only a little, which is no repeat', ['la', 'la la'], 'The quick brown fox jumps over the lalala la'],
	['the beginning of a repeat, and then something else', ['fox jumps ', 'high'], 'The quick brown fox jumps over the lafox jumps high'],
	['and stops there', ['fox jumps ov'], 'The quick brown fox jumps over the lafox jumps ov'],
])('repeating %s', (_, pieces, whole) => {
	expect(goOn(OLD, pieces)).toBe(whole);
});

test('white space at the cut is not doubled', () => {
	expect(goOn('about a red ', [' fox'])).toBe('about a red fox');
	expect(goOn('a story about a ', ['a story about', ' a ', 'fox'])).toBe('a story about a fox');
});
