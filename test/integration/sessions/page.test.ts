import { expect, test } from 'vitest';
import type { MessageId } from '../../../src/domain/ids.ts';
import { readPage } from '../../../src/sessions/page.ts';
import { setHead } from '../../../src/sessions/session-store.ts';
import { addChain, addMessage, addSession, temporaryStateDb } from '../../support/sessions.ts';

function withChain(count: number) {
	const db = temporaryStateDb();
	const { session, ids } = db.write((tx) => {
		const session = addSession(tx);
		return { session, ids: addChain(tx, session, count) };
	});
	const page = (input: { before?: MessageId | undefined; around?: MessageId | undefined; limit: number }) =>
		readPage(db.read, { sessionId: session, ...input });
	const idsOf = (input: Parameters<typeof page>[0]) => page(input).messages.map((message) => message.id);
	return { db, session, ids, page, idsOf };
}

test('paging back through 5,000 messages gives each once, in order', () => {
	const { ids, page } = withChain(5000);
	const seen: MessageId[] = [];
	let before: MessageId | undefined;
	for (let pages = 1; ; pages++) {
		const { messages, hasOlder, total } = page({ before, limit: 300 });
		expect(total).toBe(5000);
		seen.unshift(...messages.map((message) => message.id));
		expect(hasOlder).toBe(seen.length < 5000);
		before = messages[0]?.id;
		if (!hasOlder) {
			expect(pages).toBe(17);
			break;
		}
	}
	expect(seen).toEqual(ids);
	expect(page({ before: ids[0], limit: 10 })).toMatchObject({ messages: [], hasOlder: false, total: 5000 });
});

test('the page around a message holds it and what is on both sides, whole at the ends of the chat', () => {
	const { ids, page, idsOf } = withChain(1000);
	expect(idsOf({ around: ids[500], limit: 11 })).toEqual(ids.slice(495, 506));
	expect(idsOf({ around: ids[0], limit: 10 })).toEqual(ids.slice(0, 10));
	expect(idsOf({ around: ids[999], limit: 10 })).toEqual(ids.slice(990));
	expect(idsOf({ around: ids[3], limit: 1 })).toEqual([ids[3]]);
	expect(page({ around: ids[0], limit: 10 }).hasOlder).toBe(false);
	expect(page({ around: ids[999], limit: 2000 })).toMatchObject({ hasOlder: false, total: 1000 });
});

test('a page shows the chosen branch; around a message of another version it is where the versions part', () => {
	const { db, session, ids, page, idsOf } = withChain(100);
	const [fork, other] = db.write((tx) => {
		const fork = addMessage(tx, session, ids[49] ?? null, 'edited');
		return [fork, addMessage(tx, session, fork, 'reply', { role: 'assistant' })] as const;
	});
	expect(page({ limit: 3 })).toMatchObject({ total: 52 });
	expect(idsOf({ limit: 3 })).toEqual([ids[49], fork, other]);
	expect(page({ limit: 2 }).messages[0]?.versions).toEqual([ids[50], fork]);
	expect(idsOf({ around: ids[80], limit: 4 })).toEqual([ids[48], ids[49], fork, other]);
	db.write((tx) => setHead(tx, session, ids[99] as MessageId));
	expect(page({ limit: 1 })).toMatchObject({ total: 100 });
	expect(idsOf({ around: other, limit: 3 })).toEqual([ids[48], ids[49], ids[50]]);
	const lone = db.write((tx) => addMessage(tx, session, null, 'a first message anew'));
	expect(idsOf({ limit: 5 })).toEqual([lone]);
	expect(idsOf({ around: ids[80], limit: 5 })).toEqual([lone]);
});

test('S5 an empty chat has an empty page; strangers are named', () => {
	const db = temporaryStateDb();
	const { session, stranger } = db.write((tx) => {
		const stranger = addMessage(tx, addSession(tx), null, 'elsewhere');
		return { session: addSession(tx), stranger };
	});
	expect(readPage(db.read, { sessionId: session, limit: 10 })).toEqual({ messages: [], hasOlder: false, total: 0 });
	db.write((tx) => addMessage(tx, session, null, 'here'));
	expect(() => readPage(db.read, { sessionId: session, around: stranger, limit: 10 })).toThrow('not in this chat');
	expect(() => readPage(db.read, { sessionId: session, before: 'no' as MessageId, limit: 10 })).toThrow('no longer exists');
});
