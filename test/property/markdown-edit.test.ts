import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HearthError } from '../../src/domain/errors.ts';
import { normaliseText } from '../../src/memory/identity.ts';
import {
	appendEntry,
	insertEntryAfter,
	type MarkdownEdit,
	moveEntry,
	neutralPath,
	removeEntry,
	replaceEntry,
} from '../../src/memory/markdown/edit.ts';
import { type MarkdownEntry, parseMarkdown } from '../../src/memory/markdown/parse.ts';
import { agreedMarkdown, hostileMarkdown } from '../support/markdown-arbitraries.ts';
import { markdownCorpus } from '../support/markdown-corpus.ts';

const hostileText = fc
	.array(
		fc.constantFrom(
			...[
				'- a',
				'# a',
				'```',
				'``` js',
				'~~~',
				'<!-- a -->',
				'<!--',
				'a <!-- b -->',
				'| a | b |',
				'|---|---|',
				'> a',
				'1. a',
				'23) b',
				'1\\. a',
			],
			...[
				'===',
				'---',
				'* * *',
				'[x] a',
				'[a]: b',
				'    code',
				'\tcode',
				'<div>',
				'\\- a',
				'\\\\',
				'😀',
				'שלום',
				'語',
				'\u0000',
				'   ',
				'',
			],
			...['a\r\nb', 'a\rb', 'C #', 'a  ', '- | -', ':-', '`', '\u00A0', 'plain words'],
		),
		{ minLength: 1, maxLength: 5 },
	)
	.map((lines) => lines.join('\n'));
const texts = fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.lorem()).filter((text) => text.trim() !== '');
const documents = fc.oneof(hostileMarkdown, agreedMarkdown);
const RUNS = { numRuns: 1_500 };

const say = (entries: readonly MarkdownEntry[]) => entries.map(({ kind, text }) => ({ kind, text }));

/** Undefined where the layout allows no such edit, as beside HTML that is never closed: seldom, even here. */
function attempt(edit: () => MarkdownEdit): MarkdownEdit | undefined {
	try {
		return edit();
	} catch (error) {
		expect(error).toBeInstanceOf(HearthError);
		expect((error as HearthError).code).toBe('conflict');
		return undefined;
	}
}

/** The entries in the written range are what was asked for, all others are as before. */
function expectOthersSame(before: MarkdownEntry[], edit: MarkdownEdit, removed: number, at: number, text: string | undefined): void {
	const after = parseMarkdown(edit.source).entries;
	const written = text === undefined ? 0 : after.length - before.length + removed;
	expect(say([...after.slice(0, at), ...after.slice(at + written)])).toEqual(say([...before.slice(0, at), ...before.slice(at + removed)]));
	if (text === undefined) return;
	expect(normaliseText(after[at + written - 1]?.text ?? '')).toBe(normaliseText(text));
}

test('M1 append adds exactly one list item with exactly this text, and changes no other entry', () => {
	let refused = 0;
	fc.assert(
		fc.property(documents, texts, fc.option(fc.constantFrom(['h'], ['New'], ['h', 'Sub'], ['c # d'])), (source, text, heading) => {
			const before = parseMarkdown(source).entries;
			const edit = attempt(() => appendEntry(source, { text, ...(heading && { heading }) }));
			if (edit === undefined) {
				refused++;
				return;
			}
			const after = parseMarkdown(edit.source).entries;
			const at = after.findIndex(
				(entry) => entry.start >= edit.range.start && entry.kind === 'item' && normaliseText(entry.text) === normaliseText(text),
			);
			expect(at).toBeGreaterThanOrEqual(0);
			if (heading) expect(after[at]?.headingPath.map(normaliseText).slice(-heading.length)).toEqual(heading);
			else expect(after[at]?.headingPath).toEqual(neutralPath(edit.source));
			const added = new Set(after.filter((entry) => entry.start >= edit.range.start && entry.start < edit.range.end));
			expect(say(after.filter((entry) => !added.has(entry)))).toEqual(say(before));
			expect([...added].slice(0, -1).map((entry) => entry.kind)).toEqual([...added].slice(1).map(() => 'heading'));
		}),
		RUNS,
	);
	expect(refused).toBeLessThan(RUNS.numRuns / 50);
});

test('M1 replace leaves exactly the new text in the place of the old one', () => {
	let refused = 0;
	fc.assert(
		fc.property(documents, texts, fc.nat(), (source, text, pick) => {
			const before = parseMarkdown(source).entries;
			if (before.length === 0) return;
			const at = pick % before.length;
			const entry = before[at] as MarkdownEntry;
			const edit = attempt(() => replaceEntry(source, entry, text));
			if (edit === undefined) {
				refused++;
				return;
			}
			expectOthersSame(before, edit, 1, at, text);
			const now = parseMarkdown(edit.source).entries[at];
			expect(now?.comments.map(normaliseText)).toEqual(entry.comments.map(normaliseText));
			expect(now?.checked).toBe(entry.checked);
			expect(source.slice(0, entry.start)).toBe(edit.source.slice(0, entry.start));
		}),
		RUNS,
	);
	expect(refused).toBeLessThan(RUNS.numRuns / 50);
});

test('M1 insert puts one list item behind another entry', () => {
	let refused = 0;
	fc.assert(
		fc.property(documents, texts, fc.nat(), (source, text, pick) => {
			const before = parseMarkdown(source).entries;
			if (before.length === 0) return;
			const entry = before[pick % before.length] as MarkdownEntry;
			const edit = attempt(() => insertEntryAfter(source, entry, text));
			if (edit === undefined) {
				refused++;
				return;
			}
			const at = parseMarkdown(edit.source).entries.findIndex((now) => now.start >= edit.range.start);
			expectOthersSame(before, edit, 0, at, text);
		}),
		RUNS,
	);
	expect(refused).toBeLessThan(RUNS.numRuns / 50);
});

test('M1 remove takes out one entry, and with children what is nested in it', () => {
	let refused = 0;
	fc.assert(
		fc.property(documents, fc.nat(), fc.boolean(), (source, pick, withChildren) => {
			const before = parseMarkdown(source).entries;
			if (before.length === 0) return;
			const at = pick % before.length;
			const edit = attempt(() => removeEntry(source, before[at] as MarkdownEntry, { withChildren }));
			if (edit === undefined) {
				refused++;
				return;
			}
			const removed = before.length - parseMarkdown(edit.source).entries.length;
			expect(removed).toBeGreaterThanOrEqual(1);
			if (!withChildren) expect(removed).toBe(1);
			expectOthersSame(before, edit, removed, at, undefined);
		}),
		RUNS,
	);
	expect(refused).toBeLessThan(RUNS.numRuns / 50);
});

test('M1 move loses nothing and changes no text', () => {
	let refused = 0;
	fc.assert(
		fc.property(documents, fc.nat(), fc.nat(), fc.boolean(), (source, pick, pickTarget, underHeading) => {
			const before = parseMarkdown(source).entries;
			if (before.length < 2) return;
			const entry = before[pick % before.length] as MarkdownEntry;
			const after = before[pickTarget % before.length] as MarkdownEntry;
			if (after.start >= entry.start && after.depth >= entry.depth && !underHeading) return;
			const edit = attempt(() => moveEntry(source, entry, underHeading ? { heading: ['New'] } : { after }));
			if (edit === undefined) {
				refused++;
				return;
			}
			const now = parseMarkdown(edit.source).entries;
			const sorted = (entries: readonly MarkdownEntry[]) =>
				say(entries)
					.map(({ kind, text }) => `${kind} ${normaliseText(text)}`)
					.sort();
			const made = now.length - before.length;
			expect(sorted(now.filter((item) => !(made > 0 && item.kind === 'heading' && item.text === 'New')))).toEqual(sorted(before));
		}),
		RUNS,
	);
	expect(refused).toBeLessThan(RUNS.numRuns / 50);
});

test('M1 real Markdown: every kind of edit at places all over the files', () => {
	let edits = 0;
	for (const { source, path } of markdownCorpus(60)) {
		const { entries } = parseMarkdown(source);
		if (entries.length === 0 || source.length > 40_000) continue;
		for (const share of [0, 0.37, 0.71, 1]) {
			const at = Math.floor((entries.length - 1) * share);
			const entry = entries[at] as MarkdownEntry;
			expectOthersSame(entries, replaceEntry(source, entry, 'A new text'), 1, at, 'A new text');
			expectOthersSame(entries, removeEntry(source, entry, { withChildren: false }), 1, at, undefined);
			const heading = [...entry.headingPath];
			const edit = appendEntry(source, { text: 'A new item', heading });
			const added = parseMarkdown(edit.source).entries.find((now) => now.start >= edit.range.start && now.kind === 'item');
			expect(added?.text, path).toBe('A new item');
			edits += 3;
		}
	}
	expect(edits).toBeGreaterThan(100);
});
