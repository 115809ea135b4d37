import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNeedle, FORGOTTEN, replacedInStored } from '../../../src/db/needle.ts';

test('M4 a text is found in any case, with any white space, across quoted lines, and escaped as JSON at any depth', () => {
	const needle = createNeedle(['My locker code\nis "4711" – café \\ 日本']);
	const plain = 'my LOCKER\n\t> code is  "4711" – CAFÉ \\ 日本';
	for (const text of [
		plain,
		`before ${plain} after`,
		JSON.stringify(plain),
		JSON.stringify(JSON.stringify({ deep: plain })),
		'My locker code is \\u00224711\\u0022 \\u2013 caf\\u00e9 \\\\ \\u65e5\\u672c',
		plain.normalize('NFD'),
	])
		expect(needle.holds(text), text).toBe(true);
	for (const text of ['My locker code', 'mylockercode is "4711" – café \\ 日本', '']) expect(needle.holds(text), text).toBe(false);
});

test('M4 a text is found as Markdown writes it: with backslashes, indented, and with comments in it', () => {
	const needle = createNeedle(['1. Locker *4711*\n# second | line']);
	const written = '- 1\\. Locker <!-- importance: 7 --> \\*4711\\*\n  \\# second \\| line\n';
	expect(needle.replaced(written)).toBe(`- ${FORGOTTEN}\n`);
	expect(replacedInStored(needle, JSON.stringify([{ removed: written }]))).toBe(JSON.stringify([{ removed: `- ${FORGOTTEN}\n` }]));
});

test('M4 a file full of backslashes, comments or ellipses is looked through too', () => {
	const needle = createNeedle(['"a" \\ (b) * [c] \'d\' | e, and more of it']);
	for (const filler of ['\\', '<!-- ', '… ', '"a" \\', '"a" \\ \\\\ '])
		expect(needle.holds(`${filler.repeat(300_000)}"a" \\ (b) * [c] 'd' | e, and more of it`), filler).toBe(true);
});

test('M4 JSON stays valid whatever is replaced in it, and keeps its own form where it can', () => {
	const needle = createNeedle(['code is "4711"']);
	expect(replacedInStored(needle, '{ "a" : "the code is \\"4711\\"." }')).toBe(`{ "a" : "the ${FORGOTTEN}." }`);
	const kept = '{"proposalId":"x"}';
	expect(replacedInStored(createNeedle(['proposalId']), kept)).toBe(kept);
});

test('M4 what is replaced is not found again, and JSON is JSON afterwards (any text, any depth)', () => {
	const word = fc.stringMatching(/^[^\s\uD800-\uDFFF]{1,8}$/).filter((text) => text.trim() !== '');
	fc.assert(
		fc.property(fc.array(word, { minLength: 2, maxLength: 6 }), fc.string(), fc.string(), fc.nat(2), (words, before, after, depth) => {
			const secret = `A ${words.join(' ')} Z`;
			let value: unknown = { text: `${before} ${secret.replaceAll(' ', '\n ')} ${after}` };
			for (let level = 0; level < depth; level++) value = { inner: JSON.stringify(value) };
			const needle = createNeedle([secret]);
			const stored = JSON.stringify(value);
			expect(needle.holds(stored)).toBe(true);
			const scrubbed = replacedInStored(needle, stored);
			expect(needle.holds(scrubbed)).toBe(false);
			expect(() => JSON.parse(scrubbed)).not.toThrow();
		}),
		{ numRuns: 500 },
	);
});

test('M4 a long text is found piece by piece, so that a part of it is not left', () => {
	const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`);
	const needle = createNeedle([words.join(' ')]);
	expect(
		needle
			.replaced(`x ${words.join('\n')} y`)
			.replaceAll(FORGOTTEN, '')
			.trim(),
	).toMatch(/^x\s+y$/);
	expect(needle.holds(words.slice(0, 400).join(' '))).toBe(true);
	expect(needle.holds('word1 word2')).toBe(false);
});

test('M4 digits and words within longer ones, ids, hashes and sizes are not the text; names of files stay', () => {
	const digits = createNeedle(['471147']);
	for (const text of ['x4711471', 'ab471147cd', '{"bytes":471147}', '0193-471147-7000']) expect(digits.holds(text), text).toBe(false);
	for (const text of ['code: 471147.', '{"text":"471147"}']) expect(digits.holds(text), text).toBe(true);
	const word = createNeedle(['Anna']);
	for (const text of ['Hannah', 'Annapolis', 'anna2']) expect(word.holds(text), text).toBe(false);
	for (const text of ['to anna!', '"line\\nAnna"', 'ANNA']) expect(word.holds(text), text).toBe(true);
	expect(createNeedle(['秘密の花園']).holds('私の秘密の花園です')).toBe(true);
	const needle = createNeedle(['Project Falcon'], ['memory/project falcon.md', 'MEMORY.md']);
	expect(needle.replaced('memory/Project Falcon.md says Project Falcon')).toBe(`memory/Project Falcon.md says ${FORGOTTEN}`);
});

test('M4 what is left of a text where Hearth cut it is found too: a beginning, an end, and what is between', () => {
	const text = 'The combination of the safe in the cellar of my aunt Hildegard in Buxtehude is 88-31-07';
	const needle = createNeedle([text]);
	for (const [cut, rest] of [
		['Remember that the combination of the safe in the cellar…', `Remember that ${FORGOTTEN}`],
		['Please: "The combination of the sa… and more', `Please: "${FORGOTTEN} and more`],
		['1. …my aunt Hildegard in Buxtehude is 88-31-07. Thanks', `1. …${FORGOTTEN}. Thanks`],
		['…the cellar of my aunt Hildegard in…', `…${FORGOTTEN}…`],
		['{"a":"x …in the\\n> cellar of my aunt…"}', `{"a":"x …${FORGOTTEN}…"}`],
	] as const) {
		expect(needle.holds(cut), cut).toBe(true);
		expect(needle.replaced(cut), cut).toBe(rest);
		expect(needle.holds(rest), rest).toBe(false);
	}
	for (const other of [
		'The combin…',
		'the combination of the safe in the cellar',
		'…in Buxtehude',
		'Wait… the combination of it all…',
		'…',
	])
		expect(needle.holds(other), other).toBe(false);
	const long = Array.from({ length: 420 }, (_, index) => `word${index}`).join(' ');
	const left = createNeedle([long])
		.replaced(`${long.slice(0, 2_000)}…`)
		.replaceAll(FORGOTTEN, '');
	expect(left.replaceAll(' ', '').length).toBeLessThan(12);
});

test('M4 quotation marks around a text, and characters that do not show, are not what makes it', () => {
	const quoted = createNeedle(['"Never give up"']);
	expect(replacedInStored(quoted, '{"query":"never give up","quote":"\\"Never give up\\""}')).toBe(
		`{"query":"${FORGOTTEN}","quote":"\\"${FORGOTTEN}\\""}`,
	);
	const hidden = createNeedle(['one \u0001 two\u202Ethree']);
	for (const said of ['one two three', 'one \u0001 two\u202Ethree', JSON.stringify('one \u0001 two\u202Ethree')])
		expect(hidden.holds(said), said).toBe(true);
});

test('M4 words that look like JSON are words; where Hearth’s own JSON only has the same marks, it stays as it is', () => {
	const needle = createNeedle(['{"port": 8080, "hosts": [1]}']);
	expect(replacedInStored(needle, '{"port": 8080, "hosts": [1]}', true)).toBe(FORGOTTEN);
	expect(replacedInStored(needle, '{"args":{"query":"{\\"port\\": 8080, \\"hosts\\": [1]}"}}')).toBe(`{"args":{"query":"${FORGOTTEN}"}}`);
	const own = '["Family", "Ada"]';
	expect(replacedInStored(createNeedle(['["Family", "Ada"]']), own)).toBe(own);
});
