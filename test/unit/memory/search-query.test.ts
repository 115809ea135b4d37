import { expect, test } from 'vitest';
import { parseQuery } from '../../../src/memory/search/query.ts';

const NOW = new Date(2026, 10, 29, 10).getTime();
const parse = (text: string, people: string[] = []) => parseQuery(text, { people, now: NOW, years: [2026, 2025] });
const stems = (text: string) => parse(text).terms.map(({ stem }) => stem);

test('M5 words that say nothing are left out, in English and German; all of them stay where there is nothing else', () => {
	expect(stems('Where did we put the red ladder?')).toEqual(['put', 'red', 'ladder']);
	expect(stems('Wo ist der rote Ordner?')).toEqual(['rote', 'ordner']);
	expect(stems('who am I')).toEqual(['who', 'am', 'i']);
});

test('mem-11 codes, numbers and quoted phrases are looked for exactly as they are', () => {
	const exact = (text: string) =>
		parse(text)
			.terms.filter(({ isExact }) => isExact)
			.map(({ tokens }) => tokens.join(' '));
	expect(exact('what about INV-2024-0917?')).toEqual(['inv 2024 0917']);
	expect(exact('call 116117 or mail anna@example.org')).toEqual(['116117', 'anna example org']);
	expect(exact('she said "mind the step" twice')).toEqual(['mind the step']);
	expect(exact('a well-known follow-up')).toEqual([]);
});

test('M5 a time named in the question is a range, and no code', () => {
	const of = (text: string) =>
		parse(text).dates.map(({ from, until }) =>
			[new Date(from), new Date(until)].map((date) => `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`),
		);
	expect(of('What happened on 8 May 2026?')).toEqual([['2026-5-8', '2026-5-9']]);
	expect(of('on May 8th')).toEqual([
		['2026-5-8', '2026-5-9'],
		['2025-5-8', '2025-5-9'],
	]);
	expect(of('am 3.12.2025')).toEqual([['2025-12-3', '2025-12-4']]);
	expect(of('in March 2026')).toEqual([['2026-3-1', '2026-4-1']]);
	expect(of('2025-12')).toEqual([['2025-12-1', '2026-1-1']]);
	expect(of('what did I do yesterday')).toEqual([['2026-11-28', '2026-11-29']]);
	expect(of('letzte Woche')).toEqual([['2026-11-16', '2026-11-23']]);
	expect(of('last month')).toEqual([['2026-10-1', '2026-11-1']]);
	expect(of('may I go')).toEqual([]);
	expect(parse('What happened on 8 May 2026?').terms.some(({ isExact }) => isExact)).toBe(false);
});

test('M5 a question about one person is embedded as if that person asked it; of several, without their names', () => {
	const meaning = (text: string) => parse(text, ['Anna', 'Ben Miller']).meaning;
	expect(meaning('When did Anna go to the lake?')).toBe('When did I go to the lake?');
	expect(meaning("What is Anna's job, and does anna like it?")).toBe('What is my job, and do I like it?');
	expect(meaning('What did Ben buy?')).toBe('What did I buy?');
	expect(meaning('What do Anna and Ben share?')).toBe('What do and share?');
	expect(meaning('Where is Annapolis?')).toBe('Where is Annapolis?');
	expect(parse('Will it rain?', ['Will']).people).toEqual(['Will']);
	expect(parse('it will rain', ['Will']).people).toEqual([]);
});

test('M5 a run of a script without spaces is cut into its words', () => {
	expect(stems('東京の天気')).toEqual(['東京', '天気']);
	expect(stems('城')).toEqual(['城']);
	expect(stems('🧊')).toEqual(['🧊']);
	expect(stems('C++ notes')).toEqual(['c++', 'note']);
});
