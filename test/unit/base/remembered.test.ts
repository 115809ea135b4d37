import { expect, test } from 'vitest';
import { remembered } from '../../../src/base/remembered.ts';

test('what was computed of a text is computed once, also where it is nothing; of more than are kept, the first goes', () => {
	const asked: string[] = [];
	const length = remembered(2, (text) => {
		asked.push(text);
		return text.length || undefined;
	});
	expect([length(''), length('bin'), length(''), length('bin')]).toEqual([undefined, 3, undefined, 3]);
	expect(asked).toEqual(['', 'bin']);
	expect([length('fair'), length('bin'), length('')]).toEqual([4, 3, undefined]);
	expect(asked).toEqual(['', 'bin', 'fair', '']);
});
