import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { WriteDb } from '../../../src/db/brands.ts';
import { run, sql, value } from '../../../src/db/sql.ts';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import type { RunSummary } from '../../../src/domain/run.ts';
import { childrenOf, findRun, findRunByKey, insertRun, openRun, setRunStatus } from '../../../src/run/journal-store.ts';
import { renewText, updateMessage } from '../../../src/sessions/message-store.ts';
import { changeParts, partsChange, readParts } from '../../../src/sessions/part-store.ts';
import { searchSessions } from '../../../src/sessions/search-store.ts';
import {
	autoTitle,
	beginSession,
	deleteSession,
	findSession,
	listSessions,
	sessionsBelow,
	summarise,
} from '../../../src/sessions/session-store.ts';
import { addMessage, addSession, temporaryStateDb } from '../../support/sessions.ts';

/** A session with a reply and its run; of work where it has a parent. */
function withRun(tx: WriteDb, text: string, parentRunId?: RunId): { sessionId: SessionId; runId: RunId } {
	const sessionId = parentRunId ? beginSession(tx, 'Task', 1, 'work') : addSession(tx);
	const asked = addMessage(tx, sessionId, null, text);
	const messageId = addMessage(tx, sessionId, asked, `${text} answered`, { role: 'assistant' });
	const runId = newId<RunId>();
	insertRun(tx, { id: runId, sessionId, messageId, kind: parentRunId ? 'child' : 'chat', title: text, parentRunId, createdAt: 1 });
	return { sessionId, runId };
}

test('work that runs delegated is no chat: neither listed nor found nor named after what was said, but told of by its id', () => {
	const db = temporaryStateDb();
	const { chat, work } = db.write((tx) => {
		const chat = withRun(tx, 'find the teapot');
		return { chat, work: withRun(tx, 'find the teapot there', chat.runId) };
	});
	expect(listSessions(db.read).map(({ id }) => id)).toEqual([chat.sessionId]);
	for (const query of ['teapot', 'eapo', 'Task', 'answered'])
		expect(
			searchSessions(db.read, query, { limit: 50 }).every(({ sessionId }) => sessionId === chat.sessionId),
			query,
		).toBe(true);
	expect(searchSessions(db.read, 'teapot', { limit: 50 })).toHaveLength(2);
	db.write((tx) => {
		renewText(tx, value(tx, sql`SELECT head_id FROM sessions WHERE id = ${work.sessionId}`) as never, [
			{ type: 'text', text: 'a porcelain teapot' },
		]);
		expect(autoTitle(tx, work.sessionId, 'Named')).toBe(false);
	});
	expect(searchSessions(db.read, 'porcelain', { limit: 50 })).toEqual([]);
	expect(summarise(db.read, work.sessionId)).toMatchObject({ title: 'Task', messageCount: 2 });
	expect(findSession(db.read, work.sessionId)?.kind).toBe('work');
});

test('a chat that is deleted takes the work below it along, however deep, and nothing else', () => {
	const db = temporaryStateDb();
	const made = db.write((tx) => {
		const chat = withRun(tx, 'one');
		const child = withRun(tx, 'two', chat.runId);
		const grandchild = withRun(tx, 'three', child.runId);
		const sibling = withRun(tx, 'four', chat.runId);
		return { chat, child, grandchild, sibling, other: withRun(tx, 'five', withRun(tx, 'six').runId) };
	});
	const below = [made.chat, made.child, made.grandchild, made.sibling].map(({ sessionId }) => sessionId);
	expect(sessionsBelow(db.read, made.chat.sessionId).toSorted()).toEqual(below.toSorted());
	expect(childrenOf(db.read, made.chat.runId).map(({ id }) => id)).toEqual([made.child.runId, made.sibling.runId]);
	db.write((tx) => deleteSession(tx, made.chat.sessionId));
	for (const id of below) expect(findSession(db.read, id)).toBeUndefined();
	expect(findSession(db.read, made.other.sessionId)).toBeDefined();
	expect(value(db.read, sql`SELECT count(*) FROM runs`)).toBe(2);
	expect(value(db.read, sql`SELECT count(*) FROM message_parts`)).toBe(4);
});

test('a run says what it is, where it came from and what it waits for; a key begins it once', () => {
	const db = temporaryStateDb();
	const { sessionId, runId } = db.write((tx) => withRun(tx, 'one'));
	const from = { runId, step: 3, how: 'fork' } as const;
	const add = (id: string) =>
		db.write((tx) => {
			const messageId = addMessage(tx, sessionId, null, id, { role: 'assistant' });
			insertRun(tx, { id: id as RunId, sessionId, messageId, kind: 'workflow', title: 'START', beginKey: 'w1:1', from, createdAt: 5 });
		});
	add('first');
	expect(() => add('second')).toThrow(/UNIQUE/);
	expect(findRunByKey(db.read, 'w1:1')).toMatchObject({
		id: 'first',
		kind: 'workflow',
		title: 'START',
		from,
		status: 'running',
		createdAt: 5,
	});
	expect(findRunByKey(db.read, 'w1:2')).toBeUndefined();
	const status = (change: Partial<RunSummary>) =>
		db.write((tx) => setRunStatus(tx, 'first' as RunId, { status: 'sleeping', step: 2, updatedAt: 6, ...change }));
	status({ waitsFor: 'timer', waitsUntil: 99 });
	expect(findRun(db.read, 'first' as RunId)).toMatchObject({ status: 'sleeping', waitsFor: 'timer', waitsUntil: 99 });
	db.write((tx) => setRunStatus(tx, runId, { status: 'done', step: 1, updatedAt: 6 }));
	expect(openRun(db.read, sessionId)?.id).toBe('first');
	status({ status: 'done' });
	const done = findRun(db.read, 'first' as RunId);
	expect(done).not.toHaveProperty('waitsFor');
	expect(done).not.toHaveProperty('waitsUntil');
	expect(openRun(db.read, sessionId)).toBeUndefined();
});

test('only what changed of a message is written: other rows stay as they are, a shorter one loses its end', () => {
	const db = temporaryStateDb();
	const id = db.write((tx) => addMessage(tx, addSession(tx), null, 'a'));
	const [a, b, c] = ['a', 'b', 'c'].map((text) => ({ type: 'text' as const, text }));
	if (!a || !b || !c) throw new Error('no parts');
	const rows = () => db.write((tx) => value<number>(tx, sql`SELECT total_changes()`)) ?? 0;
	const wrote = (before: readonly (typeof a)[], after: readonly (typeof a)[]) => {
		const was = rows();
		db.write((tx) => changeParts(tx, id, partsChange(before, after)));
		expect(readParts(db.read, id)).toEqual(after);
		return rows() - was;
	};
	expect(wrote([], [a, b, c])).toBe(3);
	expect(wrote([a, b, c], [a, b, c])).toBe(0);
	expect(wrote([a, b, c], [a, { ...b }, c])).toBe(1);
	expect(wrote([a, b, c], [a])).toBe(2);
	expect(wrote([a], [a, c])).toBe(1);
	expect(readParts(db.read, id, 1)).toEqual([c]);
	db.write((tx) => updateMessage(tx, id, { parts: [b] }));
	expect(readParts(db.read, id)).toEqual([b]);
	expect(db.write((tx) => run(tx, sql`DELETE FROM messages WHERE id = ${id}`))).toBe(1);
	expect(readParts(db.read, id)).toEqual([]);
});
