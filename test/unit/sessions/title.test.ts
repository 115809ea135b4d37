import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportName } from '../../../src/sessions/export-name.ts';
import { plainTitle, titleFromText } from '../../../src/sessions/title.ts';

test('a title is the first line that says something, without Markdown at its edges', () => {
	expect(titleFromText('When is the boiler service?\nThanks')).toBe('When is the boiler service?');
	expect(titleFromText('\n\n---\n# Plan for the **long** weekend\nmore')).toBe('Plan for the long weekend');
	expect(titleFromText('> - `npm start` fails')).toBe('npm start fails');
	expect(titleFromText('東京の天気は？')).toBe('東京の天気は？');
	expect(titleFromText('🎉')).toBe('🎉');
	expect(titleFromText('?!\n  \t')).toBeUndefined();
	expect(titleFromText('')).toBeUndefined();
});

test('a long line is cut between words, one long word between characters', () => {
	expect(titleFromText('Please write a letter to the landlord about the boiler visit on Thursday and the key')).toBe(
		'Please write a letter to the landlord about the boiler…',
	);
	const cut = titleFromText(`${'a'.repeat(57)}👨‍👩‍👧‍👦 and more of it`);
	expect(cut).toBe(`${'a'.repeat(57)}…`);
	expect(titleFromText('世'.repeat(100))).toBe(`${'世'.repeat(59)}…`);
});

test('chat-4 no title, from any text, has half an emoji, a line break or more than 60 units', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 120 })), (text) => {
			const title = titleFromText(text) ?? '';
			expect(title.length).toBeLessThanOrEqual(60);
			expect(/\p{Surrogate}|[\r\n\0]/u.test(title)).toBe(false);
			expect(/\p{Surrogate}|[\r\n\0]/u.test(plainTitle(text))).toBe(false);
		}),
	);
});

test('the name of an exported file is one that every system takes', () => {
	expect(exportName('Boiler visit: what/when?', 'md')).toBe('Boiler visit what when.md');
	expect(exportName('..hidden', 'json')).toBe('hidden.json');
	expect(exportName('CON', 'md')).toBe('Chat CON.md');
	expect(exportName('???', 'md')).toBe('Chat.md');
	expect(exportName('東京', 'md')).toBe('東京.md');
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
			const name = exportName(title, 'md');
			expect(name).toMatch(/^[^\\/:*?"<>|\p{Cc}]+\.md$/u);
			expect(name.length).toBeLessThan(100);
		}),
	);
});
