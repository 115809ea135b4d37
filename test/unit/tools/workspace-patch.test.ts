import { expect, test } from 'vitest';
import { applyEdits } from '../../../src/tools/workspace/patch.ts';

const problemOf = (source: string, ...edits: { find: string; replace: string }[]): string => {
	const patched = applyEdits(source, edits);
	if (patched.ok) throw new Error('it was patched');
	return patched.problem;
};

test('edits are made where their text stands, in whatever order they come', () => {
	const edits = [
		{ find: 'third', replace: '3rd' },
		{ find: 'first\nsecond', replace: '' },
	];
	expect(applyEdits('first\nsecond\nthird\n', edits)).toEqual({ ok: true, text: '\n3rd\n' });
});

test('a file with CRLF keeps its line ends, in what is written too; the model reads and writes \\n', () => {
	expect(applyEdits('one\r\ntwo\r\nthree\r\n', [{ find: 'one\ntwo\n', replace: '1\n2\n2½\n' }])).toEqual({
		ok: true,
		text: '1\r\n2\r\n2½\r\nthree\r\n',
	});
	expect(applyEdits('one\r\ntwo\r\n', [{ find: 'two', replace: 'a\r\nb' }])).toEqual({ ok: true, text: 'one\r\na\r\nb\r\n' });
});

test('mixed line ends outside of the edit stay as they are', () => {
	const source = 'a\r\nb\nc\r\nd\n';
	expect(applyEdits(source, [{ find: 'c', replace: 'C' }])).toEqual({ ok: true, text: 'a\r\nb\nC\r\nd\n' });
});

test('a byte order mark and a lone \\r stay', () => {
	expect(applyEdits('\uFEFFa\rb', [{ find: 'b', replace: 'c' }])).toEqual({ ok: true, text: '\uFEFFa\rc' });
});

test('text that is there twice, also overlapping, is not guessed at: the lines are named', () => {
	expect(problemOf('x = 1\ny\nx = 1\n', { find: 'x = 1', replace: '' })).toMatch(/lines 1, 3\. Give more/);
	expect(problemOf('aaa', { find: 'aa', replace: '' })).toMatch(/more than once/);
	expect(problemOf('a\n'.repeat(50), { find: 'a', replace: '' })).toMatch(/lines 1, 2, 3, 4, 5 and more/);
});

test('text that is not there: the nearest lines are shown', () => {
	const source = '# Plan\n\nThe meeting with Ms Lindqvist is on Tuesday at nine.\nBring the papers.\n';
	const problem = problemOf(source, { find: 'The meeting with Mrs Lindquist is on Tuesday at nine.', replace: '' });
	expect(problem).toContain('The edit can’t be made, so nothing was changed');
	expect(problem).toContain('at line 3:\nThe meeting with Ms Lindqvist is on Tuesday at nine.\nBring the papers.');
	expect(problemOf('', { find: 'x', replace: '' })).toMatch(/not in the file\.$/);
});

test('one edit that fails keeps all of them from being made; edits of the same text too', () => {
	expect(problemOf('a b', { find: 'a', replace: 'x' }, { find: 'z', replace: 'y' })).toMatch(
		/^Edit 2 can’t be made, so nothing was changed/,
	);
	expect(problemOf('a b c', { find: 'a b', replace: 'x' }, { find: 'b c', replace: 'y' })).toMatch(/Edit 2 touches the same text/);
});

test('what stands in place of a text is taken as it is, with $ signs too', () => {
	expect(applyEdits('price', [{ find: 'price', replace: '$& $1 $$' }])).toEqual({ ok: true, text: '$& $1 $$' });
});
