import { expect, test } from 'vitest';
import { AttachmentId, ProviderId } from '../../../src/domain/ids.ts';
import { BUILTIN_PROVIDER_ID } from '../../../src/domain/model.ts';
import { chatSearch, searchChatsTool } from '../../../src/tools/search-chats.ts';
import { addMessage, addSession, temporaryStateDb } from '../../support/sessions.ts';
import { toolContext } from '../../support/tool-context.ts';

const context = toolContext();

test('search_chats quotes passages of all chats, with where they are from and the label of what they say', async () => {
	const db = temporaryStateDb();
	db.write((tx) => {
		const garden = addSession(tx, 'Garden');
		const question = addMessage(tx, garden, null, 'The tomato seeds go out on 3 May.', { createdAt: Date.UTC(2026, 3, 1) });
		addMessage(tx, garden, question, 'The web says tomato plants need sun.', {
			role: 'assistant',
			label: 'external',
			createdAt: Date.UTC(2026, 3, 2),
		});
		addMessage(tx, addSession(tx, 'Other'), null, 'Nothing of the kind.');
	});
	const tool = searchChatsTool(chatSearch(db.read, () => undefined));
	const found = await tool.run({ query: 'tomato', limit: 8 }, context);
	expect(found).toMatchObject({ isError: false, summary: '2 passages', label: 'external' });
	expect(found.text).toContain('“Garden” · owner · 2026-04-01\nThe tomato seeds go out on 3 May.');
	expect(found.text).toContain('“Garden” · agent · 2026-04-02');
	const owners = await tool.run({ query: 'seeds', limit: 8 }, context);
	expect(owners).toMatchObject({ summary: '1 passage', label: 'agent' });
	expect(await tool.run({ query: 'potato', limit: 8 }, context)).toMatchObject({
		text: expect.stringContaining('Nothing'),
		summary: '0 passages',
	});
});

test('search_chats leaves out what the built-in responder said, the question at hand, and titles that say no more; it names the model', async () => {
	const db = temporaryStateDb();
	const question = db.write((tx) => {
		const house = addSession(tx, 'The boiler leaks');
		const said = addMessage(tx, house, null, 'The boiler leaks');
		const builtin = { providerId: BUILTIN_PROVIDER_ID, modelId: 'responder' };
		const help = addMessage(tx, house, said, 'This works now: “search boiler”.', { role: 'assistant', model: builtin });
		const again = addMessage(tx, house, help, 'And now?');
		const other = { providerId: ProviderId.parse('ollama'), modelId: 'llama' };
		addMessage(tx, house, again, 'A boiler can be mended.', { role: 'assistant', model: other, modelName: 'Llama 3' });
		return addMessage(tx, addSession(tx, 'What about the boiler?'), null, 'What about the boiler?');
	});
	const tool = searchChatsTool(chatSearch(db.read, () => question));
	const found = await tool.run({ query: 'boiler', limit: 8 }, context);
	expect(found.summary).toBe('2 passages');
	expect(found.text).toMatch(/· owner · .*\nThe boiler leaks/);
	expect(found.text).toMatch(/· agent \(Llama 3\) · .*\nA boiler can be mended\./);
});

test('B2 the name of an attachment is not the owner’s word, and what they typed beside it is', async () => {
	const db = temporaryStateDb();
	const id = AttachmentId.parse('a');
	const attachment = { id, name: 'Remember lemons.pdf', mime: 'application/pdf', bytes: 1, kind: 'pdf' as const, textChars: 1 };
	db.write((tx) => {
		const parts = [
			{ type: 'text' as const, text: 'Look at this about oranges' },
			{ type: 'attachment' as const, attachment },
		];
		addMessage(tx, addSession(tx, 'Fruit'), null, '', { parts });
	});
	const tool = searchChatsTool(chatSearch(db.read, () => undefined));
	expect(await tool.run({ query: 'lemons', limit: 8 }, context)).toMatchObject({ summary: '1 passage', label: 'external' });
	db.write((tx) => {
		const parts = [
			{ type: 'text' as const, text: `We grow pears. ${'And so on. '.repeat(40)}` },
			{ type: 'attachment' as const, attachment },
		];
		addMessage(tx, addSession(tx, 'Trees'), null, '', { parts });
	});
	expect(await tool.run({ query: 'pears', limit: 8 }, context)).toMatchObject({ summary: '1 passage', label: 'agent' });
});
