import { expect, test } from 'vitest';
import { roughTokens } from '../../../src/base/rough-tokens.ts';
import { loadTokenCounter } from '../../../src/run/tokens.ts';

test('tokens are counted, names of special tokens as the text that they are', async () => {
	const count = await loadTokenCounter();
	expect(count('')).toBe(0);
	expect(count('hello world')).toBe(2);
	expect(count('<|endoftext|>')).toBeGreaterThan(1);
});

test('a megabyte is estimated from samples, close to the whole count', async () => {
	const count = await loadTokenCounter();
	const sentence = 'The quick brown fox jumps over the lazy dog, again and again. ';
	const whole = count(sentence) * 20_000;
	expect(Math.abs(count(sentence.repeat(20_000)) - whole) / whole).toBeLessThan(0.1);
	// Without word breaks a tokeniser alone would take minutes for this.
	expect(count('a'.repeat(1_000_000))).toBeGreaterThan(50_000);
});

test('without a tokeniser a token is about four bytes, in every script', () => {
	expect(roughTokens('abcdefgh')).toBe(2);
	expect(roughTokens('日本語')).toBe(3);
});
