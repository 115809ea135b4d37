import { expect, test } from 'vitest';
import { withPiece } from '../../../renderer/connection/tool-output-store.ts';

test('output of a call grows by its pieces; the same one twice changes nothing, and what is missing is said', () => {
	const first = withPiece(undefined, { offset: 0, text: 'one ' });
	const second = withPiece(first, { offset: 4, text: 'two' });
	expect(second).toEqual({ end: 7, text: 'one two', cut: false });
	expect(withPiece(second, { offset: 4, text: 'two' })).toBe(second);
	expect(withPiece(second, { offset: 20, text: 'later' })).toEqual({ end: 25, text: 'later', cut: true });
	expect(withPiece(undefined, { offset: 20, text: 'later' })).toEqual({ end: 25, text: 'later', cut: true });
	const long = withPiece(second, { offset: 7, text: 'x'.repeat(50_000) });
	expect([long.text.length, long.cut]).toEqual([40_000, true]);
});
