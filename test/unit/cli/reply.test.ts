import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followReply } from '../../../src/cli/reply.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { MessageId, SessionId } from '../../../src/domain/ids.ts';
import type { Message } from '../../../src/domain/message.ts';

const id = MessageId.parse('m');
const sessionId = SessionId.parse('s');

const message = (parts: Message['parts'], status: Message['status'] = 'streaming'): Message => ({
	id,
	sessionId,
	parentId: null,
	role: 'assistant',
	parts,
	status,
	runId: null,
	label: 'agent',
	createdAt: 0,
	versions: [id],
});
const delta = (offset: number, text: string, part = 0, kind: 'text' | 'reasoning' = 'text'): LiveEvent => ({
	type: 'message_delta',
	sessionId,
	messageId: id,
	part,
	kind,
	offset,
	text,
});

test('shows the text once, however often its pieces come', () => {
	const reply = followReply(id);
	expect(reply.set(message([]))).toBe('');
	expect(reply.take(delta(0, 'Hello'))).toBe('Hello');
	expect(reply.take(delta(0, 'Hello'))).toBe('');
	expect(reply.take(delta(5, ' there'))).toBe(' there');
	expect(
		reply.take({ type: 'message_changed', message: message([{ type: 'text', text: 'Hello there.' }], 'complete'), headChanged: false }),
	).toBe('.');
	expect(reply.message?.status).toBe('complete');
});

test('a reply that grows step by step is shown as far as it is text', () => {
	const reply = followReply(id);
	reply.set(message([]));
	const { parts: _, ...head } = message([]);
	expect(reply.take(delta(0, 'Let me look'))).toBe('Let me look');
	expect(reply.take({ type: 'message_grew', message: head, from: 0, parts: [{ type: 'text', text: 'Let me look.' }] })).toBe('.');
	expect(reply.take({ type: 'message_grew', message: head, from: 1, parts: [{ type: 'text', text: 'Done.' }] })).toBe('\n\nDone.');
	// What came between was missed.
	expect(reply.take({ type: 'message_grew', message: head, from: 9, parts: [{ type: 'text', text: 'Late' }] })).toBe('');
});

test('reasoning is not shown, a second text part stands apart, other messages are nobody’s business', () => {
	const reply = followReply(id);
	reply.set(message([]));
	expect(reply.take(delta(0, 'hm', 0, 'reasoning'))).toBe('');
	expect(reply.take(delta(0, 'One', 1))).toBe('One');
	expect(reply.take(delta(0, 'Two', 2))).toBe('\n\nTwo');
	expect(reply.take({ ...delta(0, 'other'), messageId: MessageId.parse('x') } as LiveEvent)).toBe('');
	expect(reply.take({ type: 'config_changed' })).toBe('');
});

test('whatever pieces a text is cut into, what is shown adds up to it', () => {
	fc.assert(
		fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 30 }), (pieces) => {
			const reply = followReply(id);
			let shown = reply.set(message([]));
			let offset = 0;
			for (const piece of pieces) {
				shown += reply.take(delta(offset, piece));
				offset += piece.length;
			}
			expect(shown).toBe(pieces.join(''));
		}),
	);
});
