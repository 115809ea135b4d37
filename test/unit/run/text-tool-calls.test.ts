import { describe, expect, test } from 'vitest';
import { findTextCalls, TextCallScanner, withoutUnfinishedCall } from '../../../src/run/text-tool-calls.ts';

const KNOWN = ['search_chats', 'test_pure'];

/** Through the scanner in pieces of `size`. */
function scan(text: string, size: number): { text: string; calls: { tool: string; args: unknown }[] } {
	const scanner = new TextCallScanner(KNOWN);
	let shown = '';
	for (let at = 0; at < text.length; at += size) shown += scanner.push(text.slice(at, at + size));
	const rest = scanner.end();
	return { text: shown + rest.text, calls: rest.calls.map(({ tool, args }) => ({ tool, args: JSON.parse(args) })) };
}

const call = { tool: 'test_pure', args: { value: 'x' } };

describe.each([1, 2, 3, 7, 10_000])('chat-7 in pieces of %i characters', (size) => {
	test.each([
		['bare', '{"name": "test_pure", "arguments": {"value": "x"}}', ''],
		['bare with white space around', '\n  {"name": "test_pure", "arguments": {"value": "x"}}\n', '\n\n'],
		['in a fence', '```json\n{"name": "test_pure", "arguments": {"value": "x"}}\n```', ''],
		['in a fence without a language', '```\n{"tool": "test_pure", "args": {"value": "x"}}\n```\n', '\n'],
		['after words', 'I will look.\n```json\n{"name": "test_pure", "parameters": {"value": "x"}}\n```', 'I will look.\n'],
		['with trailing commas', '{"name": "test_pure", "arguments": {"value": "x",},}', ''],
		['with single quotes', "{'name': 'test_pure', 'arguments': {'value': 'x'}}", ''],
		['in tags', '<tool_call>\n{"name": "test_pure", "arguments": {"value": "x"}}\n</tool_call>', ''],
		['in tags after words', 'Wait. <tool_call>{"name": "test_pure", "arguments": {"value": "x"}}</tool_call>', 'Wait.'],
		['with its arguments as text', '{"name": "test_pure", "arguments": "{\\"value\\": \\"x\\"}"}', ''],
		['in the form of OpenAI', '{"type": "function", "function": {"name": "test_pure", "arguments": {"value": "x"}}}', ''],
		['in the form of Mistral', '[TOOL_CALLS][{"name": "test_pure", "arguments": {"value": "x"}}]', ''],
		['arguments first', '{"arguments": {"value": "x"}, "name": "test_pure"}', ''],
		['not closed', '{"name": "test_pure", "arguments": {"value": "x"', ''],
		['in a fence that is not closed', '```json\n{"name": "test_pure", "arguments": {"value": "x"}}', ''],
	])('a call %s is found', (_, text, shown) => {
		const found = scan(text, size);
		expect(found.calls).toEqual([call]);
		expect(found.text.trimEnd()).toBe(shown.trimEnd());
	});

	test.each([
		['an answer', 'Hello, this is `code` and {braces}.'],
		['JSON of its own', '{"name": "Ada", "age": 36}'],
		['JSON in a fence', 'Here:\n```json\n{\n  "name": "Ada",\n  "items": [\n    {"name": "x"}\n  ]\n}\n```\nDone.'],
		['code in a fence', '```ts\nconst test_pure = { name: 1 };\n```'],
		['an unknown tool', '{"name": "format_disk", "arguments": {}}'],
		['a list', '[1, 2, 3]\n[a link](https://example.org)'],
		['an unfinished fence', 'Look:\n```js'],
		['an angle bracket', 'a < b and <tool'],
		['unfinished JSON', '{"name": "te'],
		['HTML', '<table>\n<tr></tr>\n</table>'],
	])('%s stays as it is', (_, text) => {
		expect(scan(text, size)).toEqual({ text, calls: [] });
	});

	test('two calls in a row are both found', () => {
		const one = '<tool_call>{"name": "test_pure", "arguments": {"value": "x"}}</tool_call>';
		expect(scan(`${one}\n${one}`, size).calls).toEqual([call, call]);
	});
});

test('text is held only while it can still become a call', () => {
	const scanner = new TextCallScanner(KNOWN);
	expect(scanner.push('Words flow. ')).toBe('Words flow. ');
	expect(scanner.push('\n{"na')).toBe('\n');
	expect(scanner.push('me": "Ada')).toBe('{"name": "Ada');
	expect(scanner.push(' Lovelace"}')).toBe(' Lovelace"}');
});

test('a call that was cut off in the middle is not shown as text', () => {
	expect(withoutUnfinishedCall('Let me see.\n{"name": "test_pure", "argu', KNOWN)).toBe('Let me see.\n');
	expect(withoutUnfinishedCall('All said.', KNOWN)).toBe('All said.');
});

test('where there are no tools nothing is a call', () => {
	expect(findTextCalls('{"name": "test_pure", "arguments": {}}', []).calls).toEqual([]);
});
