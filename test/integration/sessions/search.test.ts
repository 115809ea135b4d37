import '../../support/draw.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MATCH_END, MATCH_START } from '../../../src/contract/methods/sessions.ts';
import { updateMessage } from '../../../src/sessions/message-store.ts';
import { searchSessions } from '../../../src/sessions/search-store.ts';
import { renameSession } from '../../../src/sessions/session-store.ts';
import { addMessage, addSession, temporaryStateDb } from '../../support/sessions.ts';

const show = (text: string) => text.replaceAll(MATCH_START, '[').replaceAll(MATCH_END, ']');

function withTexts(...texts: string[]) {
	const db = temporaryStateDb();
	const ids = db.write((tx) => {
		const session = addSession(tx);
		return texts.map((text) => addMessage(tx, session, null, text));
	});
	const find = (query: string) => searchSessions(db.read, query, { limit: 50 });
	/** The numbers of the texts found, in the order of the texts. */
	const found = (query: string) =>
		find(query)
			.map((hit) => (hit.messageId === null ? -1 : ids.indexOf(hit.messageId)))
			.toSorted();
	return { db, ids, find, found };
}

test('words are found by their stem, the last one by its beginning, every term must be there', () => {
	const { found } = withTexts('The boilers were running', 'a boiler', 'Café au lait');
	expect(found('boiler')).toEqual([0, 1]);
	expect(found('run')).toEqual([0]);
	expect(found('boiler runn')).toEqual([0]);
	expect(found('boiler lait')).toEqual([]);
	expect(found('cafe')).toEqual([2]);
});

test('parts of words are found from three characters on', () => {
	const { found, find } = withTexts('Der Heizungsmonteur kommt', 'ÄPFEL und Birnen', 'file src/base/ids.ts');
	expect(found('monteur')).toEqual([0]);
	expect(found('äpfe')).toEqual([1]);
	expect(found('base/ids')).toEqual([2]);
	expect(show(find('monteur')[0]?.snippet ?? '')).toBe('Der Heizungs[monteur] kommt');
});

test('CJK is found from one character on, also in the middle of a sentence', () => {
	const { found, find } = withTexts('明日の東京の天気は晴れです', '京都へ行きます', '我明天去北京开会', '안녕하세요 세계', 'สวัสดีครับ');
	expect(found('東京')).toEqual([0]);
	expect(found('天気は晴れ')).toEqual([0]);
	expect(found('京')).toEqual([0, 1, 2]);
	expect(found('北京')).toEqual([2]);
	expect(found('北京 明天去')).toEqual([2]);
	expect(found('세계')).toEqual([3]);
	expect(found('하세')).toEqual([3]);
	expect(found('ดี')).toEqual([4]);
	expect(show(find('東京')[0]?.snippet ?? '')).toBe('明日の[東京]の天気は晴れです');
});

test('emoji and signs are found', () => {
	const { found } = withTexts('party 🎉 tonight', 'C++ or C#', '100 % sure');
	expect(found('🎉')).toEqual([0]);
	expect(found('c++')).toEqual([1]);
	expect(found('%')).toEqual([2]);
	expect(found('_')).toEqual([]);
});

test('titles come first; a session can be searched alone; other versions are marked as such', () => {
	const db = temporaryStateDb();
	const made = db.write((tx) => {
		const one = addSession(tx);
		renameSession(tx, one, 'Boiler visit');
		const old = addMessage(tx, one, null, 'the boiler, first version');
		const chosen = addMessage(tx, one, null, 'the boiler, edited');
		const two = addSession(tx);
		const other = addMessage(tx, two, null, 'another boiler');
		return { one, two, old, chosen, other };
	});
	const hits = searchSessions(db.read, 'boiler', { limit: 50 });
	expect(hits[0]).toMatchObject({ sessionId: made.one, messageId: null, role: null, sessionTitle: 'Boiler visit' });
	expect(show(hits[0]?.snippet ?? '')).toBe('[Boiler] visit');
	const byId = new Map(hits.map((hit) => [hit.messageId, hit]));
	expect(byId.get(made.old)?.inOtherVersion).toBe(true);
	expect(byId.get(made.chosen)?.inOtherVersion).toBe(false);
	expect(byId.get(made.other)?.inOtherVersion).toBe(false);
	expect(searchSessions(db.read, 'boiler', { limit: 50, sessionId: made.two }).map((hit) => hit.messageId)).toEqual([made.other]);
	expect(searchSessions(db.read, 'boiler', { limit: 50, sessionId: made.one }).map((hit) => hit.messageId)).toEqual([made.chosen]);
	expect(searchSessions(db.read, 'oile', { limit: 50, sessionId: made.one }).map((hit) => hit.messageId)).toEqual([made.chosen]);
	expect(searchSessions(db.read, ',', { limit: 50, sessionId: made.one }).map((hit) => hit.messageId)).toEqual([made.chosen]);
	expect(searchSessions(db.read, 'boiler', { limit: 2 })).toHaveLength(2);
});

test('what a message says now is found, what it said before is not', () => {
	const { db, ids, found } = withTexts('an umbrella');
	const [id] = ids;
	if (!id) throw new Error('no message');
	db.write((tx) => updateMessage(tx, id, { parts: [{ type: 'text', text: 'a raincoat' }] }));
	expect(found('umbrella')).toEqual([]);
	expect(found('raincoat')).toEqual([0]);
});

test('S5 any text at all is a valid query, and a snippet never has a mark without its end', () => {
	const { find } = withTexts(
		'The "quoted" AND text* (with) NEAR ^operators: -minus 🎉 東京',
		`marks \uE000 and \uE001 of its own`,
		'nul \0 inside',
	);
	const tricky = fc.constantFrom(
		'"',
		"'",
		'*',
		'^',
		'(',
		')',
		'-',
		':',
		'+',
		'\0',
		'AND',
		'OR',
		'NOT',
		'NEAR',
		' ',
		'%',
		'_',
		'\\',
		'東',
		'🎉',
		'\uD83D',
		'{',
		'}',
		'text:',
		';',
	);
	const query = fc.oneof(
		fc.string({ unit: 'binary', maxLength: 500 }),
		fc.array(tricky, { maxLength: 40 }).map((parts) => parts.join('')),
	);
	let hits = 0;
	fc.assert(
		fc.property(query, (text) => {
			for (const { snippet } of find(text)) {
				hits++;
				expect(snippet.split(MATCH_START).length).toBe(snippet.split(MATCH_END).length);
			}
		}),
		{ numRuns: 400 },
	);
	expect(hits).toBeGreaterThan(0);
});
