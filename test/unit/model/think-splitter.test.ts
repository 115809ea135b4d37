import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createThinkSplitter, type Piece } from '../../../src/model/think-splitter.ts';

function split(deltas: readonly string[]): { text: string; reasoning: string } {
	const splitter = createThinkSplitter();
	const pieces: Piece[] = [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.end()];
	const join = (type: Piece['type']) => pieces.flatMap((piece) => (piece.type === type ? [piece.text] : [])).join('');
	return { text: join('text'), reasoning: join('reasoning') };
}

/** `text` cut at the given places. */
function chunks(text: string, cuts: readonly number[]): string[] {
	const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
	return [0, ...places].map((start, index) => text.slice(start, places[index] ?? text.length));
}

describe('think splitter (chat-8)', () => {
	test.each([
		['<think>hm</think>\n\nYes.', { reasoning: 'hm', text: 'Yes.' }],
		['\n<think>\nhm\n</think>\nYes.', { reasoning: 'hm\n', text: 'Yes.' }],
		['<thinking>hm</thinking>Yes.', { reasoning: 'hm', text: 'Yes.' }],
		['One. <think>two</think> Three.', { reasoning: 'two', text: 'One. Three.' }],
		['<think></think>\n\nYes.', { reasoning: '', text: 'Yes.' }],
		['<think>never closed', { reasoning: 'never closed', text: '' }],
		['<think>a < b and </thin', { reasoning: 'a < b and </thin', text: '' }],
		['1 < 2 and <thin', { reasoning: '', text: '1 < 2 and <thin' }],
		['Use the `<think>` tag.', { reasoning: '', text: 'Use the `<think>` tag.' }],
		['```html\n<think>x</think>\n```\nDone.', { reasoning: '', text: '```html\n<think>x</think>\n```\nDone.' }],
		['```\ncode\n```\n<think>x</think>Done.', { reasoning: 'x', text: '```\ncode\n```\nDone.' }],
		[' world, going on', { reasoning: '', text: ' world, going on' }],
		['    indented code', { reasoning: '', text: '    indented code' }],
	])('%j', (text, expected) => {
		expect(split([text])).toEqual(expected);
		expect(split([...text])).toEqual(expected);
	});

	test('property: the result does not depend on where the deltas are cut', () => {
		const part = fc.constantFrom(
			'<think>',
			'</think>',
			'<thinking>',
			'</thinking>',
			'<',
			'>',
			'`',
			'```',
			'\n',
			' ',
			'think',
			'/',
			'a',
			'é',
			'😀',
			'你好',
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 30 }), fc.array(fc.nat(400), { maxLength: 30 }), (parts, cuts) => {
				const text = parts.join('');
				expect(split(chunks(text, cuts))).toEqual(split([text]));
			}),
			{ numRuns: 2000 },
		);
	});

	test('property: text without tags comes out as it went in', () => {
		const plain = fc.string().filter((text) => !/<\/?think/.test(text));
		fc.assert(
			fc.property(plain, fc.array(fc.nat(200), { maxLength: 10 }), (text, cuts) => {
				const output = split(chunks(text, cuts));
				expect(output.reasoning).toBe('');
				// White space alone is no answer and may be held back.
				if (text.trim() !== '') expect(output.text).toBe(text);
			}),
		);
	});

	test('property: a closed block in front never leaks into the answer, however long', () => {
		const word = fc.stringMatching(/^[a-z ]{1,40}$/);
		fc.assert(
			fc.property(word, word, fc.array(fc.nat(400), { maxLength: 40 }), (thought, answer, cuts) => {
				const output = split(chunks(`<think>${thought}</think>${answer}`, cuts));
				expect(output.text).toBe(answer.trimStart());
				expect(output.reasoning).toBe(thought.trimStart());
			}),
		);
	});
});
