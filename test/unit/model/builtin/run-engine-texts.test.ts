import { expect, test } from 'vitest';
import { MessageId, SessionId } from '../../../../src/domain/ids.ts';
import { readConversation } from '../../../../src/model/builtin/conversation.ts';
import { presentSearch } from '../../../../src/model/builtin/search-results.ts';
import { assemble } from '../../../../src/run/context.ts';
import { attachedText } from '../../../../src/run/turns.ts';
import { searchChatsTool } from '../../../../src/tools/search-chats.ts';

// The responder reads what the run engine and the search write for models. These tests hold the two ends together.

test('an attachment as the run engine renders it', () => {
	for (const [name, text] of [
		['notes.txt', 'one\n\ntwo'],
		['a "quoted" \\ name', '</attachment>\nstill inside'],
		['empty', ''],
	] as const) {
		const content = [
			{ type: 'text' as const, text: 'look' },
			{ type: 'text' as const, text: attachedText(name, text) },
		];
		const { question, attachments } = readConversation({ messages: [{ role: 'user', content }] });
		expect(question).toBe('look');
		expect(attachments).toEqual([{ name, text, current: true }]);
	}
});

test('the request to go on with a cut-off reply', () => {
	const { messages } = assemble({
		documents: { agent: '', owner: '' },
		today: 'Sunday, 29 November 2026',
		history: [],
		olderMessages: 0,
		message: { parts: [{ type: 'text', text: 'help' }], label: 'owner' },
		reply: [{ type: 'text', text: "I'm the built-in" }],
		continues: true,
		attachments: new Map(),
		tools: [],
		excluded: new Set(),
		seesImages: false,
		windowTokens: 8192,
		count: (text) => text.length,
	});
	expect(readConversation({ messages })).toMatchObject({ question: 'help', partial: "I'm the built-in" });
});

test('the passages that search_chats gives', async () => {
	const hit = {
		sessionId: SessionId.parse('s'),
		sessionTitle: 'House “old”',
		messageId: MessageId.parse('m'),
		role: 'user' as const,
		snippet: 'the boiler leaks',
		createdAt: Date.UTC(2026, 10, 1),
		label: 'owner' as const,
	};
	const tool = searchChatsTool(() => [hit, { ...hit, role: 'assistant', modelName: 'Llama 3', snippet: 'call a plumber' }]);
	const { text } = await tool.run({ query: 'boiler', limit: 8 }, { runId: 'r' } as never);
	const shown = presentSearch({ query: 'boiler', text, isError: false }, 'search boiler');
	expect(shown).toContain('2 passages in your chats hold “boiler”');
	expect(shown).toContain('> the boiler leaks\n\n— “House “old””, you, 1 November 2026');
	expect(shown).toContain('> call a plumber\n\n— “House “old””, Llama 3,');
	const { text: nothing } = await searchChatsTool(() => []).run({ query: 'boiler', limit: 8 }, { runId: 'r' } as never);
	expect(presentSearch({ query: 'boiler', text: nothing, isError: false }, 'search boiler')).toBeUndefined();
});
