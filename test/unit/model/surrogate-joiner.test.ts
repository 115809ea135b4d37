import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSurrogateJoiner } from '../../../src/model/surrogate-joiner.ts';

test('chat-4 an emoji cut between two deltas comes out whole', () => {
	const joiner = createSurrogateJoiner();
	expect(joiner.push('a\uD83D')).toBe('a');
	expect(joiner.push('\uDE00b')).toBe('😀b');
	expect(joiner.push('\uD83D')).toBe('');
	expect(joiner.end()).toBe('\uFFFD');
});

test('chat-4 property: any cutting gives the same well-formed text', () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: 'binary' })), (deltas) => {
			const joiner = createSurrogateJoiner();
			const output = deltas.map((delta) => joiner.push(delta)).join('') + joiner.end();
			expect(output).toBe(deltas.join('').replace(/\p{Surrogate}/gu, '\uFFFD'));
		}),
	);
});
