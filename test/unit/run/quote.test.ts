import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactQuote, likelyQuote } from '../../../src/run/quote.ts';

test('M2 the quote is the source’s own words, whatever the case and the white space of what was given', () => {
	const said = 'Hello!\nRemember that my   dentist\nis Dr. Okafor (at the Harbour). Thanks.';
	expect(exactQuote(said, ['My dentist is dr. okafor'])).toBe('my   dentist\nis Dr. Okafor');
	expect(exactQuote(said, [undefined, 'Dr. Okafor (at the Harbour).'])).toBe('Dr. Okafor (at the Harbour).');
	expect(exactQuote(said, ['Dr. Meyer', ''])).toBeUndefined();
	expect(likelyQuote(said, 'The owner’s dentist is Okafor, Harbour')).toBe('is Dr. Okafor (at the Harbour).');
	expect(likelyQuote(said, 'The weather is fine')).toBeUndefined();
});

test('property: what is found is always a span of the source', () => {
	const text = fc.string({ unit: 'grapheme', maxLength: 80 });
	fc.assert(
		fc.property(text, text, (source, wanted) => {
			for (const found of [exactQuote(source, [wanted]), likelyQuote(source, wanted)])
				if (found !== undefined) expect(source).toContain(found);
		}),
	);
	fc.assert(
		fc.property(text, fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }), text, (before, wanted, after) => {
			if (wanted.trim() !== '') expect(exactQuote(`${before} ${wanted} ${after}`, [wanted])).toBeDefined();
		}),
	);
});
