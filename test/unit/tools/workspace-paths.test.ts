import { expect, test } from 'vitest';
import { besideName, checkNewNames, isSameName, namesOf } from '../../../src/tools/workspace/paths.ts';

test.each([
	['notes/plan.md', ['notes', 'plan.md']],
	['./notes/./plan.md', ['notes', 'plan.md']],
	['notes/', ['notes']],
	['.', []],
	['', []],
	['u\u0308ber.md', ['über.md']],
	['a..b/c...md', ['a..b', 'c...md']],
])('%j is the path %j', (path, names) => {
	expect(namesOf(path)).toEqual(names);
});

test.each([
	'../state.db',
	'notes/../../state.db',
	'notes/..',
	'..',
	'/etc/passwd',
	'//server/share/x',
	'\\\\server\\share',
	'..\\..\\state.db',
	'notes\\plan.md',
	'C:\\Windows\\x',
	'c:x',
	'~/x',
	'~root/x',
	'notes//plan.md',
	'no\0tes.md',
	'no\ntes.md',
	'no\u0085tes.md',
	'.git/config',
	'notes/.env',
	`${'a/'.repeat(21)}b`,
	`${'long'.repeat(200)}.md`,
])('%j is no path of the workspace', (path) => {
	expect(() => namesOf(path)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test.each([
	'CON',
	'nul.txt',
	'com1.md',
	'aux',
	'a:b',
	'a?b',
	'a*b',
	'a<b',
	'a|b',
	'ends.',
	'ends ',
	' begins',
	'r\u202Elm.exe',
	'x'.repeat(201),
])('no new file is called %j', (name) => {
	expect(() => checkNewNames([name])).toThrow(expect.objectContaining({ code: 'invalid_input' }));
	expect(() => checkNewNames(['folder', name])).toThrow();
});

test('names that are one on some system are the same', () => {
	expect(isSameName('Notes.md', 'notes.MD')).toBe(true);
	expect(isSameName('STRASSE', 'straße')).toBe(true);
	expect(isSameName('u\u0308ber', 'ÜBER')).toBe(true);
	expect(isSameName('notes', 'note')).toBe(false);
});

test('another version has a name beside the file’s', () => {
	expect([besideName('notes/plan.v2.md', 1), besideName('plan', 2), besideName('a.b/plan', 1)]).toEqual([
		'notes/plan.v2 (changed meanwhile).md',
		'plan (changed meanwhile 2)',
		'a.b/plan (changed meanwhile)',
	]);
});
