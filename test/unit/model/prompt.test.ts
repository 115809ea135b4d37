import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/model/port.ts';
import { toPrompt, toWireId } from '../../../src/model/prompt.ts';

const prompt = (messages: ModelMessage[], system = '') => toPrompt({ system, messages });

describe('prompt mapping', () => {
	test('system, text, image, tool call and result', () => {
		const messages: ModelMessage[] = [
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'look' },
					{ type: 'image', mime: 'image/png', base64: 'AAAA' },
				],
			},
			{ role: 'assistant', text: 'searching', toolCalls: [{ callId: 'c1', tool: 'search_chats', args: { query: 'x' } }] },
			{ role: 'tool', callId: 'c1', tool: 'search_chats', text: 'found', isError: false },
			{ role: 'tool', callId: 'c2', tool: 'search_chats', text: '', isError: true },
		];
		expect(prompt(messages, 'Be brief.')).toEqual([
			{ role: 'system', content: 'Be brief.' },
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'look' },
					{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
				],
			},
			{
				role: 'assistant',
				content: [
					{ type: 'text', text: 'searching' },
					{ type: 'tool-call', toolCallId: 'c1', toolName: 'search_chats', input: { query: 'x' } },
				],
			},
			{
				role: 'tool',
				content: [
					{ type: 'tool-result', toolCallId: 'c1', toolName: 'search_chats', output: { type: 'text', value: 'found' } },
					{ type: 'tool-result', toolCallId: 'c2', toolName: 'search_chats', output: { type: 'error-text', value: '(nothing)' } },
				],
			},
		]);
	});

	test('chat-4 half emoji are repaired and empty texts left out', () => {
		const messages: ModelMessage[] = [
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'cut \uD83D' },
					{ type: 'text', text: ' ' },
				],
			},
			{ role: 'assistant', text: '', toolCalls: [] },
			{ role: 'user', content: [] },
		];
		expect(prompt(messages)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'cut \uFFFD' }] }]);
	});

	test('arguments that are no object are wrapped, since providers take objects only', () => {
		const messages: ModelMessage[] = [{ role: 'assistant', text: '', toolCalls: [{ callId: 'c', tool: 't', args: '{"a": ' }] }];
		expect(prompt(messages)[0]?.content).toEqual([{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: { input: '{"a": ' } }]);
	});

	test('property: every call id is one that every provider takes', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1, unit: 'binary' }), (id) => {
				expect(toWireId(id)).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
			}),
		);
	});
});
