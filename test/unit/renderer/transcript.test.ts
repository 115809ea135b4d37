import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	applyEvent,
	emptyTranscript,
	type Page,
	type Transcript,
	withDelta,
	withNewestPage,
	withOlderPage,
} from '../../../renderer/connection/transcript.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import type { MessageId, SessionId } from '../../../src/domain/ids.ts';
import type { Message, MessagePart } from '../../../src/domain/message.ts';

const sessionId = 's' as SessionId;
const id = (name: string): MessageId => name as MessageId;

function message(name: string, parent: string | null, text = '', role: 'user' | 'assistant' = 'user'): Message {
	return {
		id: id(name),
		sessionId,
		parentId: parent === null ? null : id(parent),
		role,
		parts: text === '' ? [] : [{ type: 'text', text }],
		status: 'complete',
		runId: null,
		label: 'owner',
		createdAt: 1,
		versions: [id(name)],
	};
}

function page(messages: Message[], seq = 0, hasOlder = false): Page {
	return { messages, interrupts: [], hasOlder, seq };
}

function delta(messageId: string, offset: number, text: string, part = 0): Extract<LiveEvent, { type: 'message_delta' }> {
	return { type: 'message_delta', sessionId, messageId: id(messageId), part, kind: 'text', offset, text };
}

const changed = (value: Message, headChanged = false): LiveEvent => ({ type: 'message_changed', message: value, headChanged });

function grew(name: string, from: number, parts: MessagePart[], parent = 'a'): LiveEvent {
	const { parts: _, ...head } = message(name, parent, '', 'assistant');
	return { type: 'message_grew', message: { ...head, status: 'streaming' }, from, parts };
}

function textOf(transcript: Transcript, name: string): string {
	const part = transcript.byId[name]?.parts[0];
	return part?.type === 'text' ? part.text : '';
}

describe('pages', () => {
	test('an older page goes before what is loaded, the newest page keeps it there', () => {
		const newest = withNewestPage(undefined, page([message('c', 'b'), message('d', 'c')], 4, true));
		const longer = withOlderPage(newest, page([message('a', null), message('b', 'a')], 5, false));
		expect(longer.order).toEqual(['a', 'b', 'c', 'd']);
		expect(longer.hasOlder).toBe(false);
		const again = withNewestPage(longer, page([message('c', 'b'), message('d', 'c'), message('e', 'd')], 9, true));
		expect(again.order).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(again.hasOlder).toBe(false);
		expect(again.seq).toBe(9);
	});

	test('a newest page that no longer meets what is loaded replaces it', () => {
		const old = withNewestPage(undefined, page([message('a', null), message('b', 'a')], 1));
		const other = withNewestPage(old, page([message('x', null), message('y', 'x')], 2));
		expect(other.order).toEqual(['x', 'y']);
		expect(Object.keys(other.byId)).toEqual(['x', 'y']);
	});
});

describe('events', () => {
	const start = withNewestPage(undefined, page([message('a', null, 'Hi'), message('b', 'a', 'He', 'assistant')], 10));

	test('an event at or before the snapshot changes nothing', () => {
		expect(applyEvent(start, 10, changed(message('a', null, 'old'))).transcript).toBe(start);
	});

	test('a new message is appended where it follows the last one, and asked for where it does not', () => {
		const next = applyEvent(start, 11, changed(message('c', 'b')));
		expect(next).toMatchObject({ stale: false, transcript: { order: ['a', 'b', 'c'] } });
		expect(applyEvent(start, 11, changed(message('a2', null), true))).toEqual({ transcript: start, stale: true });
		expect(applyEvent(start, 11, changed(message('other', 'gone')))).toEqual({ transcript: start, stale: false });
	});

	test('the first message of an empty session is appended', () => {
		expect(applyEvent(emptyTranscript, 1, changed(message('a', null))).transcript.order).toEqual(['a']);
	});

	test('text goes to its offset; the same text twice changes nothing; a hole asks for the page again', () => {
		const once = applyEvent(start, 11, delta('b', 2, 'llo')).transcript;
		expect(textOf(once, 'b')).toBe('Hello');
		expect(applyEvent(once, 12, delta('b', 2, 'llo')).transcript).toBe(once);
		expect(textOf(applyEvent(once, 12, delta('b', 4, 'o there')).transcript, 'b')).toBe('Hello there');
		expect(applyEvent(once, 12, delta('b', 9, 'x'))).toEqual({ transcript: once, stale: true });
	});

	test('a reply under way grows from a part on; what is before it stays the same object; a hole asks for the page again', () => {
		const tool: MessagePart = { type: 'tool', callId: 'c', tool: 'look', args: {}, status: 'running' };
		const once = applyEvent(start, 11, grew('b', 1, [tool])).transcript;
		expect(once.byId.b).toMatchObject({ status: 'streaming', parts: [{ type: 'text', text: 'He' }, tool] });
		expect(once.byId.b?.parts[0]).toBe(start.byId.b?.parts[0]);
		const done: MessagePart = { ...tool, status: 'done' };
		const twice = applyEvent(once, 12, grew('b', 1, [done])).transcript;
		expect(twice.byId.b?.parts).toEqual([{ type: 'text', text: 'He' }, done]);
		// Said again, with less of it: a step that was tried again.
		expect(applyEvent(twice, 13, grew('b', 1, [])).transcript.byId.b?.parts).toEqual([{ type: 'text', text: 'He' }]);
		expect(applyEvent(start, 11, grew('b', 2, [tool]))).toEqual({ transcript: start, stale: true });
	});

	test('a reply that is not shown yet grows into view where it follows the last message, and does not concern it elsewhere', () => {
		const text: MessagePart = { type: 'text', text: 'Hm' };
		expect(applyEvent(start, 11, grew('c', 0, [text], 'b')).transcript.order).toEqual(['a', 'b', 'c']);
		expect(applyEvent(start, 11, grew('c', 1, [text], 'b'))).toEqual({ transcript: start, stale: true });
		expect(applyEvent(start, 11, grew('other', 3, [text], 'gone'))).toEqual({ transcript: start, stale: false });
	});

	test('a delta may open the next part, but not one further on, and not turn one kind into another', () => {
		expect(withDelta([], { ...delta('b', 0, 'hm'), kind: 'reasoning' })).toEqual([{ type: 'reasoning', text: 'hm' }]);
		expect(withDelta([], delta('b', 0, 'x', 1))).toBeUndefined();
		expect(withDelta([], delta('b', 3, 'x'))).toBeUndefined();
		expect(withDelta([{ type: 'reasoning', text: 'hm' }], delta('b', 2, 'x'))).toBeUndefined();
	});

	test('only the message that changed becomes a new object', () => {
		const next = applyEvent(start, 11, delta('b', 2, 'y')).transcript;
		expect(next.byId.a).toBe(start.byId.a);
		expect(next.byId.b).not.toBe(start.byId.b);
		expect(next.order).toBe(start.order);
	});
});

test('deltas cut anywhere and repeated at will give the text exactly once', () => {
	let checked = 0;
	fc.assert(
		fc.property(
			fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
			fc.array(fc.nat(59), { maxLength: 12 }),
			fc.array(fc.nat(20)),
			(text, cuts, repeats) => {
				const places = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort((a, b) => a - b);
				const pieces = places.slice(0, -1).map((from, index) => delta('b', from, text.slice(from, places[index + 1])));
				let transcript = withNewestPage(undefined, page([message('b', null, '', 'assistant')]));
				let seq = 0;
				pieces.forEach((piece, index) => {
					transcript = applyEvent(transcript, ++seq, piece).transcript;
					const repeated = repeats[index] === undefined ? undefined : pieces[repeats[index] % (index + 1)];
					if (repeated) transcript = applyEvent(transcript, ++seq, repeated).transcript;
				});
				checked++;
				expect(textOf(transcript, 'b')).toBe(text);
			},
		),
	);
	expect(checked).toBeGreaterThan(50);
});
