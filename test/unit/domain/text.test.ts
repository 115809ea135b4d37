import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutCodePoints, cutCodePointsFromStart, repairSurrogates, repairSurrogatesDeep } from '../../../src/domain/text.ts';

const LONE = /\p{Surrogate}/u;
/** Any UTF-16 units at all, halves of pairs included. */
const anyUnits = fc
	.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0xd83d, 0xde00, 0x41)))
	.map((units) => String.fromCharCode(...units));
const wellFormed = fc.string({ unit: 'binary' }).map(repairSurrogates);

describe('cutCodePoints', () => {
	test('chat-4 an emoji is kept whole or left out', () => {
		expect(cutCodePoints('ab😀cd', 3)).toBe('ab');
		expect(cutCodePoints('ab😀cd', 4)).toBe('ab😀');
		expect(cutCodePoints('ab', 10)).toBe('ab');
		expect(cutCodePoints('😀', 1)).toBe('');
		expect(cutCodePoints('abc', -1)).toBe('');
		expect(cutCodePointsFromStart('ab😀cd', 3)).toBe('cd');
		expect(cutCodePointsFromStart('ab😀cd', 4)).toBe('😀cd');
		expect(cutCodePointsFromStart('abc', 0)).toBe('');
	});

	test('chat-4 a cut of sound text is sound, within the limit, and loses at most one unit of it', () => {
		fc.assert(
			fc.property(wellFormed, fc.nat(60), (text, limit) => {
				const head = cutCodePoints(text, limit);
				const tail = cutCodePointsFromStart(text, limit);
				for (const cut of [head, tail]) {
					expect(LONE.test(cut)).toBe(false);
					expect(cut.length).toBeLessThanOrEqual(limit);
					expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, limit - 1));
				}
				expect(text.startsWith(head)).toBe(true);
				expect(text.endsWith(tail)).toBe(true);
			}),
		);
	});
});

describe('repairSurrogates', () => {
	test('chat-4 half an emoji becomes U+FFFD, a whole one stays', () => {
		expect(repairSurrogates('a\uD83D b')).toBe('a\uFFFD b');
		expect(repairSurrogates('\uDE00\uD83D')).toBe('\uFFFD\uFFFD');
		expect(repairSurrogates('😀')).toBe('😀');
	});

	test('chat-4 any units at all become sound text of the same length, and repairing twice changes nothing more', () => {
		fc.assert(
			fc.property(anyUnits, (text) => {
				const repaired = repairSurrogates(text);
				expect(LONE.test(repaired)).toBe(false);
				expect(repaired.length).toBe(text.length);
				expect(repairSurrogates(repaired)).toBe(repaired);
				expect(new TextDecoder().decode(new TextEncoder().encode(repaired))).toBe(repaired.replace(/^\uFEFF/, ''));
			}),
		);
	});

	test('values are repaired at any depth and left untouched where sound', () => {
		const sound = { a: ['x', { b: '😀' }], n: 1, z: null };
		expect(repairSurrogatesDeep(sound)).toBe(sound);
		expect(repairSurrogatesDeep({ a: ['x\uD83D'], 'k\uDE00': true })).toEqual({ a: ['x\uFFFD'], 'k\uFFFD': true });
	});
});
