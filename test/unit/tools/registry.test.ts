import { expect, test } from 'vitest';
import { z } from 'zod';
import { askOwnerTool } from '../../../src/tools/ask-owner.ts';
import type { Tool } from '../../../src/tools/port.ts';
import { ToolRegistry } from '../../../src/tools/registry.ts';
import { searchChatsTool } from '../../../src/tools/search-chats.ts';

const named = (name: string): Tool => ({
	name,
	title: name,
	description: name,
	schema: z.object({}),
	effect: 'pure',
	timeoutMs: 1,
	outputCap: 1,
	run: async () => ({ text: '', isError: false }),
});

test('models are told of a tool by JSON Schema, without what is only for zod', () => {
	const [search, ask] = new ToolRegistry([searchChatsTool(() => []), askOwnerTool]).forModel();
	expect(search).toMatchObject({
		name: 'search_chats',
		parameters: {
			type: 'object',
			required: ['query'],
			properties: { query: { type: 'string', maxLength: 500 }, limit: { type: 'integer' } },
		},
	});
	expect(ask?.parameters).toMatchObject({ required: ['question'] });
	expect(search?.parameters).not.toHaveProperty('$schema');
});

test('names are unique and in one form', () => {
	expect(() => new ToolRegistry([named('look'), named('look')])).toThrow('two tools are named look');
	expect(() => new ToolRegistry([named('Look Up')])).toThrow('snake_case');
	expect(new ToolRegistry([named('look')]).find('listen')).toBeUndefined();
});
