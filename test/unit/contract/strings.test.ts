import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStrings, en, type StringId, type StringValues } from '../../../src/contract/strings/index.ts';

const root = join(import.meta.dirname, '../../..');

/** A number for every value, which also suits plurals and choices; every tag takes its words through. */
function valuesFor(message: string): StringValues {
	const names = [...message.matchAll(/\{(\w+)/g)].map((match) => [match[1] ?? '', 1]);
	const through = ((words: string[]) => words.join('')) as never;
	const tags = [...message.matchAll(/<(\w+)>/g)].map((match) => [match[1] ?? '', through]);
	return Object.fromEntries([...names, ...tags]);
}

test('every message is ICU that can be formatted', () => {
	const say = createStrings();
	for (const [id, message] of Object.entries(en)) expect(() => say(id as StringId, valuesFor(message)), id).not.toThrow();
});

test('a message is formatted with plurals, choices and numbers', () => {
	const say = createStrings();
	expect(say('palette.count', { count: 0 })).toBe('No results');
	expect(say('palette.count', { count: 1 })).toBe('1 result');
	expect(say('first.answered', { model: 'qwen3:8b', seconds: 1.234, place: 'local' })).toBe(
		'qwen3:8b answered a test in 1.2 s. Stays on this machine.',
	);
});

test('no id is in two files, and every id is used somewhere', () => {
	const folder = join(root, 'src/contract/strings/en');
	const seen = new Set<string>();
	for (const file of readdirSync(folder)) {
		for (const match of readFileSync(join(folder, file), 'utf8').matchAll(/^\t'([\w.-]+)':/gm)) {
			expect(seen.has(match[1] ?? ''), match[1]).toBe(false);
			seen.add(match[1] ?? '');
		}
	}
	const code = ['renderer', 'electron', 'src']
		.flatMap((name) => readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)))
		.filter((file) => /\.tsx?$/.test(file) && !file.includes('strings/en'))
		.map((file) => readFileSync(join(root, file), 'utf8'))
		.join('\n');
	// Ids that end in a variable part are used by their beginning: say(`command.${id}`).
	const prefixes = [...code.matchAll(/`([a-z][\w.]*\.[\w.]*|[a-z]\w*\.)\$\{/gi)].map((match) => match[1] ?? '');
	const unused = (Object.keys(en) as StringId[]).filter(
		(id) => !code.includes(`'${id}'`) && !code.includes(`"${id}"`) && !prefixes.some((prefix) => prefix && id.startsWith(prefix)),
	);
	expect(unused).toEqual([]);
});
