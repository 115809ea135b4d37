import { expect, test } from 'vitest';
import { type MarkdownEntry, parseMarkdown } from '../../../src/memory/markdown/parse.ts';

const brief = (source: string) => parseMarkdown(source).entries.map(({ kind, text }) => [kind, text]);
const only = (source: string) => {
	const [entry, ...others] = parseMarkdown(source).entries;
	expect(others).toEqual([]);
	return entry as MarkdownEntry;
};

test('M1 each kind of entry with its lines, headings and nesting', () => {
	const source = [
		'---',
		'tags: [a]',
		'---',
		'# Memory',
		'',
		'<!-- add below -->',
		'- Anna likes tea <!-- importance: 7 -->',
		'  and cake',
		'  1. black',
		'',
		'     ```js',
		'     - no item',
		'     ```',
		'  - [x] bought',
		'Lazy end',
		'',
		'People',
		'======',
		'| Name | Age |',
		'|---|---|',
		'| Anna | 31 |',
		'',
		'> said',
		'> - once',
		'',
		'~~~',
		'# code',
		'~~~',
		'',
		'***',
		'[home]: https://example.com "Home"',
		'Last',
	].join('\n');
	const found = parseMarkdown(source).entries.map(({ kind, text, lineStart, lineEnd, headingPath, depth, checked, comments }) => [
		`${lineStart}-${lineEnd} ${kind}`,
		text,
		headingPath.join('/'),
		depth,
		checked,
		comments.join(),
	]);
	expect(found).toEqual([
		['4-4 heading', 'Memory', '', 0, undefined, ''],
		['7-8 item', 'Anna likes tea\nand cake', 'Memory', 0, undefined, '<!-- importance: 7 -->'],
		['9-13 item', 'black\n\n```js\n- no item\n```', 'Memory', 1, undefined, ''],
		['14-15 item', 'bought\nLazy end', 'Memory', 1, true, ''],
		['17-18 heading', 'People', '', 0, undefined, ''],
		['19-21 table', '| Name | Age |\n|---|---|\n| Anna | 31 |', 'People', 0, undefined, ''],
		['23-24 quote', 'said\n- once', 'People', 0, undefined, ''],
		['26-28 code', '# code', 'People', 0, undefined, ''],
		['32-32 paragraph', 'Last', 'People', 0, undefined, ''],
	]);
});

test('M1 an item ends where its nested items begin; what follows them is an entry of its own', () => {
	const source = '- top\n  more\n  - nested\n\n  tail of top\n';
	const entries = parseMarkdown(source).entries;
	expect(entries.map(({ start, end }) => source.slice(start, end))).toEqual(['- top\n  more', '- nested', 'tail of top']);
	expect(entries.map(({ depth }) => depth)).toEqual([0, 1, 1]);
});

test('M1 a byte order mark, CRLF, a lone CR, tabs and a missing final newline', () => {
	expect(brief('\uFEFF# A\r\n-\tone\r\n\t- two\r\n\r\n\tstill one')).toEqual([
		['heading', 'A'],
		['item', 'one'],
		['item', 'two'],
		['paragraph', 'still one'],
	]);
	expect(brief('- a\r- b\r\rc')).toEqual([
		['item', 'a'],
		['item', 'b'],
		['paragraph', 'c'],
	]);
	expect(parseMarkdown('a\r\nb\r\nc\n').eol).toBe('\r\n');
	expect(parseMarkdown('').eol).toBe('\n');
	expect(only('- \u0000 nul').text).toBe('\u0000 nul');
});

test('M1 nothing said is no entry', () => {
	for (const source of [
		'',
		'\n\n',
		'-',
		'- [a](b)\n'.slice(0, 2),
		'<!-- a\n- b\n-->',
		'```\n```',
		'#',
		'***',
		'---\na: b\n---\n',
		'[a]: b',
		'>\n> ',
	]) {
		expect(brief(source), JSON.stringify(source)).toEqual([]);
	}
});

test('M1 front matter only at the very start and only when it is closed', () => {
	expect(brief('---\na: b\n---\ntext')).toEqual([['paragraph', 'text']]);
	expect(brief('---\n- a')).toEqual([['item', 'a']]);
	expect(brief('text\n\n---\na: b\n---')).toEqual([
		['paragraph', 'text'],
		['heading', 'a: b'],
	]);
});

test('M1 trailing comments are told apart from text, also over several lines; those within a line are text', () => {
	expect(only('- a <!-- x --> <!-- trigger: on -->\n  b <!-- y\n  z -->')).toMatchObject({
		text: 'a\nb',
		comments: ['<!-- x -->', '<!-- trigger: on -->', '<!-- y\nz -->'],
	});
	expect(only('- a <!-- x --> b')).toMatchObject({ text: 'a <!-- x --> b', comments: [] });
	expect(only('# a <!-- x -->')).toMatchObject({ text: 'a', comments: ['<!-- x -->'] });
	expect(only('- a\n\n  <!-- x -->')).toMatchObject({ text: 'a', comments: ['<!-- x -->'] });
	expect(only('`<!-- x -->`')).toMatchObject({ text: '`<!-- x -->`', comments: [] });
});

test('M1 an escape that only keeps a block from beginning is not part of what it says', () => {
	expect(only('- \\- a\n  1\\. b\n  \\# c\n  \\<!-- d -->').text).toBe('- a\n1. b\n# c\n<!-- d -->');
	expect(only('\\*stressed\\*').text).toBe('\\*stressed\\*');
	expect(only('# C \\#').text).toBe('C #');
});

test('M1 two megabytes of notes, and what makes readers slow, are read in one go', () => {
	const notes = Array.from({ length: 30_000 }, (_, index) => `- note ${index} about something that happened on that day\n`).join('');
	expect(parseMarkdown(notes).entries).toHaveLength(30_000);
	for (const piece of [
		'<!-- ',
		'[',
		'> ',
		'- ',
		'|a',
		'`',
		'\\',
		'<a ',
		'#',
		'- a\n\n',
		'a | b\n--|\n',
		'<!--\n\n',
		'[a]: b\n',
		'a <!--\n',
	]) {
		const count = piece.trim().length === 1 && piece.endsWith(' ') ? 2_000 : Math.floor(300_000 / piece.length);
		const { entries } = parseMarkdown(piece.repeat(count));
		expect(entries.every((entry) => entry.end > entry.start)).toBe(true);
	}
});
