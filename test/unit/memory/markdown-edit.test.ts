import { expect, test } from 'vitest';
import { appendEntry, insertEntryAfter, moveEntry, removeEntry, replaceEntry } from '../../../src/memory/markdown/edit.ts';
import { type MarkdownEntry, parseMarkdown } from '../../../src/memory/markdown/parse.ts';

function entry(source: string, text: string): MarkdownEntry {
	const found = parseMarkdown(source).entries.find((item) => item.text === text);
	if (found === undefined) throw new Error(`There is no entry ${text}.`);
	return found;
}
const append = (source: string, text: string, heading?: string[]) => appendEntry(source, { text, ...(heading && { heading }) }).source;
const replace = (source: string, old: string, text: string) => replaceEntry(source, entry(source, old), text).source;
const remove = (source: string, old: string, withChildren = false) => removeEntry(source, entry(source, old), { withChildren }).source;

test('M1 append takes over marker, indentation, line breaks and final newline', () => {
	expect(append('', 'one')).toBe('- one\n');
	expect(append('* a\n', 'b')).toBe('* a\n* b\n');
	expect(append(' + a\r\n + b', 'c')).toBe(' + a\r\n + b\r\n + c');
	expect(append('9) a\n10) b\n', 'c')).toBe('9) a\n10) b\n11) c\n');
	expect(append('1. a\n1. b\n', 'c')).toBe('1. a\n1. b\n1. c\n');
	expect(append('- a\n\n- b\n', 'c')).toBe('- a\n\n- b\n\n- c\n');
	expect(append('- a\n  - nested\n', 'b')).toBe('- a\n  - nested\n- b\n');
	expect(append('Some text\n', 'b')).toBe('Some text\n\n- b\n');
	expect(append('---\na: b\n---\n', 'c')).toBe('---\na: b\n---\n\n- c\n');
});

test('M1 append goes to the end of its section and makes missing headings', () => {
	const source = '# Memory\n\n## People\n\n- Anna\n\n## Places\n\n- Bern\n';
	expect(append(source, 'Ben', ['People'])).toBe('# Memory\n\n## People\n\n- Anna\n- Ben\n\n## Places\n\n- Bern\n');
	expect(append(source, 'Ben', ['Memory', 'People'])).toBe(append(source, 'Ben', ['People']));
	expect(append(source, 'Tea', ['Food'])).toBe(`${source}\n## Food\n\n- Tea\n`);
	expect(append(source, 'Tea', ['People', 'Likes'])).toContain('- Anna\n\n### Likes\n\n- Tea\n\n## Places');
	expect(append('## A\n\n## B\n', 'x', ['A'])).toBe('## A\n\n- x\n\n## B\n');
	expect(append('## A\n<!-- add below -->\n', 'x', ['A'])).toBe('## A\n<!-- add below -->\n\n- x\n');
	expect(append('', 'x', ['A', 'B'])).toBe('## A\n\n### B\n\n- x\n');
});

test('M1 without a heading, append goes to none of the sections: before them, under the title, else under Notes', () => {
	expect(append('- Anna\n\n## Garden\n\n- roses\n', 'x')).toBe('- Anna\n- x\n\n## Garden\n\n- roses\n');
	expect(append('# Memory\n\n- Anna\n\n## Garden\n\n- roses\n', 'x')).toBe('# Memory\n\n- Anna\n- x\n\n## Garden\n\n- roses\n');
	expect(append('# Memory\n\n## Garden\n\n- roses\n', 'x')).toBe('# Memory\n\n- x\n\n## Garden\n\n- roses\n');
	expect(append('# 2026-11-29\n\n- a\n', 'b')).toBe('# 2026-11-29\n\n- a\n- b\n');
	const sections = '## People\n\n### Notes\n\n- Anna\n\n## Garden\n\n- roses\n';
	const noted = `${sections}\n## Notes\n\n- x\n`;
	expect(append(sections, 'x')).toBe(noted);
	expect(append(noted, 'y')).toBe(`${noted}- y\n`);
	expect(append('## Notes\n\n- x\n\n## Garden\n\n- roses\n', 'y')).toBe('## Notes\n\n- x\n- y\n\n## Garden\n\n- roses\n');
	expect(append('# A\n\n# B\n', 'x')).toBe('# A\n\n# B\n\n# Notes\n\n- x\n');
});

test('M1 a text of several lines or blocks is one list item', () => {
	expect(append('- a\n', 'first\nsecond\n\nthird')).toBe('- a\n- first\n  second\n\n  third\n');
	expect(append('1. a\n', '- x\n# y\n<!-- z -->')).toBe('1. a\n2. \\- x\n   \\# y\n   \\<!-- z -->\n');
	expect(append('', 'code:\n```js\n- a\n```\nend')).toBe('- code:\n  ```js\n  - a\n  ```\n  end\n');
	expect(append('', '```\nnever closed')).toBe('- \\```\n  never closed\n');
	expect(append('', '[x] no task')).toBe('- \\[x] no task\n');
});

test('M1 what is left open at the end of the file does not swallow what is appended', () => {
	expect(append('```\ncode\n', 'x')).toBe('```\ncode\n```\n\n- x\n');
	expect(parseMarkdown(append('<!-- open\n', 'x')).entries.map((item) => item.text)).toEqual(['x']);
});

test('M1 replace keeps marker, checkbox, comments of other programs, fences and nested items', () => {
	expect(replace('- [x] a <!-- importance: 7 -->\n  - b\n', 'a', 'new\ntext')).toBe('- [x] new\n  text <!-- importance: 7 -->\n  - b\n');
	expect(replace('10. a\n    more\n', 'a\nmore', 'b\nc')).toBe('10. b\n    c\n');
	expect(replace('## Old ##\n', 'Old', 'New #')).toBe('## New \\#\n');
	expect(replace('Old\n---\n', 'Old', 'New')).toBe('New\n---\n');
	expect(replace('``` js\nold\n```\n', 'old', 'a\n```\nb')).toBe('```` js\na\n```\nb\n````\n');
	expect(replace('> old\n> text\n', 'old\ntext', 'new\n\n- item')).toBe('> new\n>\n> - item\n');
	expect(replace('old\r\n\r\nnext\r\n', 'old', '# no heading\nb')).toBe('\\# no heading\r\nb\r\n\r\nnext\r\n');
	const comment = replace('- a <!-- trigger: x -->\n', 'a', '```\ncode\n```');
	expect(comment).toBe('- ```\n  code\n  ```\n  <!-- trigger: x -->\n');
});

test('M1 remove leaves no double blank lines, and raises what was nested', () => {
	expect(remove('a\n\nb\n\nc\n', 'b')).toBe('a\n\nc\n');
	expect(remove('a\n\nb\n', 'b')).toBe('a\n');
	expect(remove('a\n\nb', 'b')).toBe('a');
	expect(remove('a\n\nb\n', 'a')).toBe('b\n');
	expect(remove('- a\n  - b\n    - c\n- d\n', 'a')).toBe('- b\n  - c\n- d\n');
	expect(remove('- a\n  - b\n- d\n', 'a', true)).toBe('- d\n');
	expect(remove('text\n# H\nmore\n', 'H')).toBe('text\n\nmore\n');
	expect(remove('# A\n\na\n\n## B\n\nb\n\n# C\n', 'A', true)).toBe('# C\n');
	expect(remove('- a\n\nb\n\n    code\n', 'b')).toBe('- a\n\n<!-- -->\n\n    code\n');
});

test('M1 insert behind an entry, and move', () => {
	const source = '- a\n  - b\n- c\n\n# H\n\n- d\n';
	expect(insertEntryAfter(source, entry(source, 'a'), 'x').source).toBe('- a\n  - b\n- x\n- c\n\n# H\n\n- d\n');
	expect(insertEntryAfter(source, entry(source, 'b'), 'x').source).toBe('- a\n  - b\n  - x\n- c\n\n# H\n\n- d\n');
	expect(insertEntryAfter(source, entry(source, 'H'), 'x').source).toContain('# H\n\n- x\n');
	expect(moveEntry(source, entry(source, 'a'), { heading: ['H'] }).source).toBe('- c\n\n# H\n\n- d\n- a\n  - b\n');
	expect(moveEntry(source, entry(source, 'd'), { after: entry(source, 'b') }).source).toBe('- a\n  - b\n  - d\n- c\n\n# H\n');
});

test('M1 the written range is told; an edit that means nothing or comes too late is refused', () => {
	const edit = appendEntry('- a\n', { text: 'b\nc' });
	expect(edit.source.slice(edit.range.start, edit.range.end)).toBe('- b\n  c');
	expect(() => appendEntry('- a\n', { text: ' \n ' })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
	expect(() => replaceEntry('- b\n', entry('- a\n', 'a'), 'x')).toThrow(expect.objectContaining({ code: 'stale' }));
});
