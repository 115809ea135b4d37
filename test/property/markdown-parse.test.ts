import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MarkdownDocument, parseMarkdown, renderMarkdown } from '../../src/memory/markdown/parse.ts';
import { agreedMarkdown, hostileMarkdown } from '../support/markdown-arbitraries.ts';
import { markdownCorpus } from '../support/markdown-corpus.ts';
import { referenceBlocks } from '../support/markdown-reference.ts';
import { tries } from '../support/thorough.ts';

function expectWellFormed(document: MarkdownDocument): void {
	const { source, entries } = document;
	const lineOf = lineNumbers(source);
	let end = 0;
	const broken = entries.filter((entry) => {
		const inOrder = entry.start >= end && entry.end > entry.start && entry.end <= source.length;
		const onItsLines = entry.lineStart === lineOf(entry.start) && entry.lineEnd === lineOf(entry.end);
		end = entry.end;
		return !inOrder || !onItsLines || entry.text.trim() === '' || entry.text.includes('\r');
	});
	expect(broken).toEqual([]);
}

function lineNumbers(source: string): (offset: number) => number {
	const breaks = [...source.matchAll(/\r\n|\n|\r/g)].map((match) => match.index + match[0].length);
	return (offset) => {
		let low = 0;
		let high = breaks.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((breaks[middle] ?? 0) <= offset) low = middle + 1;
			else high = middle;
		}
		return low + 1;
	};
}

/** Where micromark and we find other blocks; what says nothing may be an entry or not. */
function differences(source: string): { path?: string; ours: string[]; reference: string[] } | undefined {
	const name = (block: { kind: string; lineStart: number; lineEnd: number }) => `${block.kind} ${block.lineStart}-${block.lineEnd}`;
	const entries = parseMarkdown(source).entries.map(name);
	const blocks = referenceBlocks(source);
	const known = new Set(blocks.map(name));
	const found = new Set(entries);
	const ours = entries.filter((entry) => !known.has(entry));
	const reference = blocks.filter((block) => block.says && !found.has(name(block))).map(name);
	return ours.length + reference.length === 0 ? undefined : { ours, reference };
}

test('M1 any text is rendered byte for byte, and its entries are well-formed', () => {
	fc.assert(
		fc.property(fc.oneof(hostileMarkdown, fc.string({ unit: 'binary' })), (source) => {
			const document = parseMarkdown(source);
			expect(renderMarkdown(document)).toBe(source);
			expectWellFormed(document);
		}),
		{ numRuns: tries(1_000) },
	);
});

test('M1 real Markdown is rendered byte for byte, with \\n and with \\r\\n, and reads the same in both', () => {
	const corpus = markdownCorpus(600);
	expect(corpus.length).toBeGreaterThan(100);
	for (const { source } of corpus) {
		const document = parseMarkdown(source);
		expect(renderMarkdown(document)).toBe(source);
		expectWellFormed(document);
		const unix = source.replace(/\r\n?/g, '\n');
		const dos = parseMarkdown(unix.replaceAll('\n', '\r\n'));
		expect(dos.entries.map((entry) => entry.text)).toEqual(parseMarkdown(unix).entries.map((entry) => entry.text));
	}
});

test('real Markdown is cut into the blocks that micromark finds', () => {
	const corpus = markdownCorpus(250).filter(({ source }) => !source.includes('[^'));
	const different = corpus.map(({ path, source }) => ({ path, ...differences(source) })).filter(({ ours }) => ours !== undefined);
	expect(different).toEqual([]);
	expect(corpus.length).toBeGreaterThan(100);
});

test('generated Markdown is cut into the blocks that micromark finds', () => {
	fc.assert(
		fc.property(agreedMarkdown, (source) => {
			expect(differences(source)).toBeUndefined();
		}),
		{ numRuns: tries(800) },
	);
});
