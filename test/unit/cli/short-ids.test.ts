import { expect, test } from 'vitest';
import { shortIds } from '../../../src/cli/short-ids.ts';

test('ids of one list are written as short as they are still told apart', () => {
	const made = ['01a22c0f-7173-77b7-82b5-8cace027b69c', '01a22c0f-8a79-7001-9000-000000000000'];
	expect(made.map(shortIds(made))).toEqual(['01a22c0f-7173', '01a22c0f-8a79']);
	// In the same millisecond.
	const together = ['01a22c0f-7173-77b7-82b5-8cace027b69c', '01a22c0f-7173-77b8-82b5-8cace027b69c'];
	expect(together.map(shortIds(together))).toEqual(['01a22c0f-7173-77b7', '01a22c0f-7173-77b8']);
	expect(shortIds(['a', 'a'])('a')).toBe('a');
});
