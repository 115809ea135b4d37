import { describe, expect, test } from 'vitest';
import type { ChangeId, MemoryPath, MemoryReceipt, ProposalId } from '../../../src/domain/memory.ts';
import type { MessagePart } from '../../../src/domain/message.ts';
import { claimsSaving, savingNotices } from '../../../src/run/saving-claims.ts';

describe('mem-9 replies that say that something was saved', () => {
	test.each([
		'I’ve saved that to your memory.',
		"I've noted that down for next time.",
		'Saved!',
		'Got it, saved.',
		'Done! I have added this to MEMORY.md.',
		"I'll remember that your dentist is Dr. Okafor.",
		'I will keep that in mind.',
		'Your preference has been stored in my long-term memory.',
		'Memory updated.',
		"It's saved now.",
		'I have successfully recorded it in your notes.',
		'✅ Saved: your dentist is Dr. Okafor.',
		'Ich habe mir das gemerkt.',
		'Ich habe das in deinem Gedächtnis gespeichert.',
		'Das ist jetzt gespeichert.',
		'Ich werde mir das merken.',
		'Notiert.',
		"J'ai bien noté ton adresse.",
		'C’est enregistré.',
		'Lo he guardado.',
		'Guardado.',
		'Ho memorizzato la data.',
		'Anotei isso.',
		'Ik heb dat voor je onthouden.',
		'Zapamiętałem to.',
		'Я запомнил это.',
		'我已经记住了。',
		'已保存。',
		'覚えておきます。',
		'기억하겠습니다.',
	])('%s', (text) => {
		expect(claimsSaving(`Thank you. ${text}`)).toBe(true);
	});

	test.each([
		'I have not saved that.',
		'Nothing was saved to memory.',
		"I can't remember things between chats.",
		'Would you like me to save that to memory?',
		'If you want, I will remember that.',
		'Shall I note that down?',
		'You saved 40 euros last month.',
		'The file was saved by Anna in 2019.',
		'> I have saved that to memory.',
		'The log says `saved to memory`.',
		'She said “I’ve saved it to my memory”.',
		'Your memory says: the boiler is serviced in October.',
		'Remember that the shop closes at six.',
		'Ich habe das nicht gespeichert.',
		'Soll ich mir das merken?',
		'Je n’ai pas enregistré cela.',
		'No lo he guardado.',
		'Я не запомнил это.',
		'我没有记住。',
		'Stored energy is measured in joules.',
	])('not: %s', (text) => {
		expect(claimsSaving(text)).toBe(false);
	});
});

const said = (text: string): MessagePart => ({ type: 'text', text });
const called = (...receipts: MemoryReceipt[]): MessagePart => ({
	type: 'tool',
	callId: 'c',
	tool: 'memory_write',
	args: {},
	status: 'done',
	result: { text: '', isError: false, receipts },
});
const written: MemoryReceipt = {
	outcome: 'written',
	changeId: 'c' as ChangeId,
	kind: 'append',
	file: 'MEMORY.md' as MemoryPath,
	repeated: false,
};
const held: MemoryReceipt = { outcome: 'held', proposalId: 'p' as ProposalId, reason: 'outside' };

const noticesOf = (...parts: MessagePart[]) => savingNotices(parts, (tool) => tool !== 'read_file');

test('mem-9 a claim needs a receipt of a write; one that is held is enough only where the reply says that it waits', () => {
	const notice = [{ type: 'notice', code: 'nothing_saved', values: {} }];
	expect(noticesOf(said('I’ve saved that to memory.'))).toEqual(notice);
	expect(noticesOf(called(), said('I’ve saved that to memory.'))).toEqual(notice);
	expect(noticesOf(called(written), said('I’ve saved that to memory.'))).toEqual([]);
	expect(noticesOf(called(held), said('I’ve saved that to memory.'))).toEqual(notice);
	expect(noticesOf(called(held), said('I’ve noted that; it waits for your approval in the inbox.'))).toEqual([]);
	expect(noticesOf(said('The boiler is serviced in October.'))).toEqual([]);
});

test('mem-9 where a tool did something, “Noted.” is not about memory; what says so still is', () => {
	const done = (tool: string, isError = false): MessagePart => ({
		type: 'tool',
		callId: 'c',
		tool,
		args: {},
		status: 'done',
		result: { text: '', isError },
	});
	expect(noticesOf(done('mcp_notes_add_note'), said('Noted.'))).toEqual([]);
	expect(noticesOf(done('mcp_notes_add_note'), said('I’ve saved that to memory.'))).toHaveLength(1);
	expect(noticesOf(done('mcp_notes_add_note', true), said('Noted.'))).toHaveLength(1);
	expect(noticesOf(done('read_file'), said('Noted.'))).toHaveLength(1);
});
