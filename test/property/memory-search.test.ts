import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embeddedTexts } from '../../src/memory/index/embedded-text.ts';
import { Best, scanSigns, signBytes, toBytes, toSigns } from '../../src/memory/index/quantise.ts';
import { TermCounter } from '../../src/memory/search/lexical.ts';
import { parseQuery } from '../../src/memory/search/query.ts';
import { fold, tokensOf } from '../../src/memory/search/tokens.ts';

const KNOWLEDGE = { people: ['Anna', 'Ben Miller', 'C.'], now: 1_790_000_000_000, years: [2026] };

test('M5 any text is a query whose terms hold no operator of the index', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
			const query = parseQuery(text, KNOWLEDGE);
			expect(query.terms.length).toBeLessThanOrEqual(24);
			for (const { match, tokens } of query.terms) {
				expect(match).toMatch(/^"(?:[^"]|"")*"(?: OR "(?:[^"]|"")*")*$/);
				expect(tokens.every((token) => token.length > 0)).toBe(true);
			}
		}),
	);
});

test('M5 a text holds every word that it is asked for, whatever the script', () => {
	fc.assert(
		fc.property(fc.array(fc.stringMatching(/^[\p{L}]{3,9}$/u), { minLength: 1, maxLength: 6 }), (words) => {
			const { terms } = parseQuery(words.join(' '), { ...KNOWLEDGE, people: [] });
			const { counts, length } = new TermCounter(terms, new Set(), undefined).count(`Before, ${words.join(', ')} and after`);
			expect(length).toBeGreaterThanOrEqual(terms.length);
			for (const [index, term] of terms.entries()) expect(counts[index], term.stem).toBeGreaterThan(0);
		}),
	);
});

test('M5 folding twice is folding once, and tokens are never empty', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (text) => {
			const folded = fold(text);
			expect(fold(folded)).toBe(folded);
			expect(tokensOf(folded)).not.toContain('');
		}),
	);
});

test('M5 windows of what is embedded are short and hold all words, in order', () => {
	fc.assert(
		fc.property(fc.array(fc.stringMatching(/^[a-z]{1,40}$/), { minLength: 1, maxLength: 900 }), (words) => {
			const windows = embeddedTexts(words.join(' '), [], []);
			expect(windows.every((window) => window.length > 0 && window.length <= 700)).toBe(true);
			if (windows.length < 32) expect(windows.join(' ').split(/\s+/)).toEqual(words);
		}),
	);
});

const vector = (dims: number) =>
	fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dims, maxLength: dims }).map((numbers) => Float32Array.from(numbers));

test('M5 the scan of signs finds exactly what comparing each with the query finds', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 70 }).chain((dims) => fc.tuple(fc.array(vector(dims), { minLength: 1, maxLength: 40 }), vector(dims))),
			([rows, query]) => {
				const width = signBytes(query.length);
				const signs = new Uint8Array(rows.length * width);
				for (const [at, row] of rows.entries()) toSigns(row, signs, at * width);
				const found = scanSigns(signs, width, rows.length, query, 5, (row) => row % 3 !== 1);
				const product = (row: number) => query.reduce((sum, number, at) => sum + ((rows[row]?.[at] ?? 0) > 0 ? number : -number), 0);
				const wanted = rows.map((_, row) => row).filter((row) => row % 3 !== 1);
				expect(found).toHaveLength(Math.min(5, wanted.length));
				const worst = Math.min(...found.map(product));
				expect(wanted.filter((row) => product(row) > worst + 1e-4).every((row) => found.includes(row))).toBe(true);
			},
		),
	);
});

test('M5 a byte a number keeps the direction of a vector', () => {
	fc.assert(
		fc.property(vector(96), (numbers) => {
			fc.pre(Math.hypot(...numbers) > 0.5);
			const bytes = toBytes(numbers);
			const cosine =
				numbers.reduce((sum, number, at) => sum + number * (bytes[at] ?? 0), 0) / (Math.hypot(...numbers) * Math.hypot(...bytes));
			expect(cosine).toBeGreaterThan(0.999);
		}),
	);
});

test('M5 the best few are those that sorting finds', () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.integer({ min: 0, max: 9 }), (scores, count) => {
			const best = new Best(count);
			for (const [row, score] of scores.entries()) best.offer(row, score);
			const kept = best.inOrder().map((row) => scores[row]);
			expect(kept).toEqual(scores.toSorted((a, b) => b - a).slice(0, count));
		}),
	);
});
