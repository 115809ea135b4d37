import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WatchedItem } from '../../../src/domain/heartbeat.ts';
import { locateQuote } from '../../../src/heartbeat/finding-check.ts';

const itemWith = (text: string): WatchedItem => ({ id: 'item', text }) as WatchedItem;

test('a quote is found whatever white space stands between its words, and is what stands there', () => {
	expect(locateQuote(itemWith('Bins\n\n  are   emptied\ton Tuesdays.'), '“are emptied on Tuesdays”')).toMatchObject({
		start: 8,
		end: 33,
		quote: 'are   emptied\ton Tuesdays',
	});
	expect(locateQuote(itemWith('Bins are emptied on Tuesdays.'), 'bins are emptied')).toBeUndefined();
	const words = fc.array(fc.constantFrom('bins', 'on', 'Tuesday', 'a.b', '(c)'), { minLength: 1, maxLength: 6 });
	const space = fc.constantFrom(' ', '\n', '  ', '\t\n ');
	fc.assert(
		fc.property(words, fc.array(space, { minLength: 6, maxLength: 6 }), words, (before, gaps, wanted) => {
			const text = [...before, ...wanted].reduce((whole, word, index) => `${whole}${gaps[index % 6] ?? ' '}${word}`, 'x');
			const found = locateQuote(itemWith(text), wanted.join(' '));
			expect(found?.quote).toBe(text.slice(found?.start, found?.end));
			expect(found?.quote.split(/\s+/)).toEqual(wanted);
		}),
	);
});

test('hundreds of quotes that nearly stand in a long item are looked for in one pass each', () => {
	const item = itemWith('A  '.repeat(6_000));
	const quote = `${'A '.repeat(990)}q`;
	for (let count = 0; count < 250; count += 1) expect(locateQuote(item, quote)).toBeUndefined();
});
