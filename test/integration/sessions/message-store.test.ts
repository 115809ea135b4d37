import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { run, sql, value } from '../../../src/db/sql.ts';
import type { MessageId } from '../../../src/domain/ids.ts';
import {
	branchLength,
	branchTo,
	findMessage,
	getMessage,
	messageAtDepth,
	newestLeafBelow,
	updateMessage,
} from '../../../src/sessions/message-store.ts';
import { deleteSession, getSession, listSessions } from '../../../src/sessions/session-store.ts';
import { addChain, addMessage, addSession, temporaryStateDb } from '../../support/sessions.ts';

test('a message comes back as it was stored, and changes only where told', () => {
	const db = temporaryStateDb();
	const { first, reply } = db.write((tx) => {
		const session = addSession(tx);
		const first = addMessage(tx, session, null, 'hello');
		const reply = addMessage(tx, session, first, '', { role: 'assistant', status: 'streaming', label: 'agent', modelName: 'Tiny' });
		updateMessage(tx, reply, {
			parts: [
				{ type: 'reasoning', text: 'hm' },
				{ type: 'text', text: 'good day' },
			],
			status: 'complete',
			usage: { inputTokens: 3, outputTokens: 2 },
		});
		return { first, reply };
	});
	const message = getMessage(db.read, reply);
	expect(message).toMatchObject({
		parentId: first,
		role: 'assistant',
		status: 'complete',
		label: 'agent',
		modelName: 'Tiny',
		versions: [reply],
	});
	expect(message.parts).toEqual([
		{ type: 'reasoning', text: 'hm' },
		{ type: 'text', text: 'good day' },
	]);
	expect(message.usage).toEqual({ inputTokens: 3, outputTokens: 2 });
	db.write((tx) => updateMessage(tx, reply, { error: { kind: 'terminal', code: 'run_stopped', message: 'Stopped.' }, modelName: null }));
	expect(getMessage(db.read, reply)).toMatchObject({ error: { code: 'run_stopped' }, status: 'complete', usage: message.usage });
	expect(getMessage(db.read, reply).modelName).toBeUndefined();
	db.write((tx) => updateMessage(tx, reply, { error: null }));
	expect(getMessage(db.read, reply).error).toBeUndefined();
	expect(value(db.read, sql`SELECT text FROM messages WHERE id = ${reply}`)).toBe('good day');
});

test('S5 what does not exist is named plainly, and a missed change is a defect', () => {
	const db = temporaryStateDb();
	const nobody = newId<MessageId>();
	expect(() => getMessage(db.read, nobody)).toThrow('no longer exists');
	expect(findMessage(db.read, nobody)).toBeUndefined();
	expect(() => db.write((tx) => updateMessage(tx, nobody, { status: 'complete' }))).toThrow('expected to change 1 row');
	const other = db.write((tx) => addMessage(tx, addSession(tx), null, 'of another chat'));
	expect(() => db.write((tx) => addMessage(tx, addSession(tx), other, 'x'))).toThrow('no longer exists');
	expect(branchTo(db.read, nobody)).toEqual([]);
});

test('versions are the messages at the same place by the same role, and choosing one lands on the newest leaf below it', () => {
	const db = temporaryStateDb();
	const made = db.write((tx) => {
		const session = addSession(tx);
		const u1 = addMessage(tx, session, null, 'u1');
		const a1 = addMessage(tx, session, u1, 'a1', { role: 'assistant' });
		const u2 = addMessage(tx, session, a1, 'u2');
		const a2 = addMessage(tx, session, u2, 'a2', { role: 'assistant' });
		const a1b = addMessage(tx, session, u1, 'a1 again', { role: 'assistant' });
		const u1b = addMessage(tx, session, null, 'u1 edited');
		const u2b = addMessage(tx, session, a1, 'u2 edited');
		return { session, u1, a1, u2, a2, a1b, u1b, u2b };
	});
	expect(getMessage(db.read, made.a1).versions).toEqual([made.a1, made.a1b]);
	expect(getMessage(db.read, made.u1b).versions).toEqual([made.u1, made.u1b]);
	expect(getMessage(db.read, made.a2).versions).toEqual([made.a2]);
	expect(newestLeafBelow(db.read, made.u1)).toBe(made.a1b);
	expect(newestLeafBelow(db.read, made.a1)).toBe(made.u2b);
	expect(newestLeafBelow(db.read, made.u2)).toBe(made.a2);
	expect(newestLeafBelow(db.read, made.a1b)).toBe(made.a1b);
	expect(branchTo(db.read, made.a2).map((message) => message.id)).toEqual([made.u1, made.a1, made.u2, made.a2]);
	expect(branchTo(db.read, made.a2, 2).map((message) => message.id)).toEqual([made.u2, made.a2]);
	expect(branchLength(db.read, made.a2)).toBe(4);
	expect(messageAtDepth(db.read, made.a2, 1)).toBe(made.a1);
	expect(messageAtDepth(db.read, made.a2, 9)).toBeUndefined();
});

test('chat-4 stored text with half an emoji is repaired when it is read, and never stored anew', () => {
	const db = temporaryStateDb();
	const id = db.write((tx) => {
		const id = addMessage(tx, addSession(tx), null, 'cut \uD83D here');
		return id;
	});
	expect(value<string>(db.read, sql`SELECT part FROM message_parts WHERE message_id = ${id}`)).toContain('cut \uFFFD here');
	// As an import or an older version might have left it.
	db.write((tx) =>
		run(tx, sql`UPDATE message_parts SET part = ${'{"type":"text","text":"old \\ud83d cut \\\\ud83d"}'} WHERE message_id = ${id}`),
	);
	expect(getMessage(db.read, id).parts).toEqual([{ type: 'text', text: 'old \uFFFD cut \\ud83d' }]);
});

test('a session of 5,000 messages is deleted whole, with the chain of its messages', () => {
	const db = temporaryStateDb();
	const { long, kept } = db.write((tx) => {
		const long = addSession(tx);
		addChain(tx, long, 5000);
		const kept = addSession(tx);
		addChain(tx, kept, 3);
		return { long, kept };
	});
	db.write((tx) => deleteSession(tx, long));
	expect(() => getSession(db.read, long)).toThrow('no longer exists');
	expect(listSessions(db.read).map((session) => session.id)).toEqual([kept]);
	expect(value(db.read, sql`SELECT count(*) FROM messages`)).toBe(3);
	expect(value(db.read, sql`SELECT count(*) FROM messages_words WHERE messages_words MATCH 'message'`)).toBe(3);
	expect(() => db.write((tx) => deleteSession(tx, long))).toThrow('no longer exists');
});
