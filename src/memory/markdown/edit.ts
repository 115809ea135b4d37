/**
 * Edits as splices of the source. Each keeps the file's own style (line breaks, markers, indentation, final newline, the comments of
 * other programs), writes any text as exactly one entry, and proves by reading the result that no other entry changed.
 *
 * All throw `invalid_input` for a text that says nothing, `stale` for an entry that is not in the source, and `conflict` where the
 * layout of the file allows no such edit.
 */
import { terminal } from '../../domain/errors.ts';
import { closersOf, type Insertion, insertions } from './insert.ts';
import { Layout, NOTES, type Place } from './layout.ts';
import { trimBlanks } from './lines.ts';
import { type Draft, firstProven, type MarkdownEdit, type Wanted } from './prove.ts';
import { scan } from './scan.ts';
import { blockLines, shifted } from './shift.ts';
import type { MarkdownEntry } from './types.ts';
import {
	asBlanks,
	columnsOf,
	fencedLines,
	headingLine,
	indentedLines,
	itemLines,
	paragraphLines,
	quoteLines,
	underlinedLines,
} from './write.ts';

export type { MarkdownEdit } from './prove.ts';

/** `heading`: the path of headings it goes under, made where it is missing; without, a place in none of the file's sections. */
export type NewEntry = { text: string; heading?: readonly string[] };

/** As the last list item of its section. */
export function appendEntry(source: string, { text, heading = [] }: NewEntry): MarkdownEdit {
	requireText(text);
	for (const name of heading) requireText(name);
	const layout = new Layout(source);
	const write = (place: Place) => itemLines(text, place.style).map((line) => line && asBlanks(place.style.before) + line);
	return firstProven(layout.entries, draftsUnder(layout, heading, write, [{ text, kind: 'item' }]));
}

/** The path of headings that an entry gets which is appended without one. */
export function neutralPath(source: string): readonly string[] {
	const layout = new Layout(source);
	const section = layout.neutralHeading;
	if (section === undefined) return [NOTES];
	const heading = layout.entries[section];
	return heading ? [...heading.headingPath, heading.text] : [];
}

/** As a sibling behind an item (and what is nested in it); behind anything else as a new list item. */
export function insertEntryAfter(source: string, entry: MarkdownEntry, text: string): MarkdownEdit {
	requireText(text);
	const layout = new Layout(source);
	const place = placeAfter(layout, requireEntry(layout, entry));
	const lines = itemLines(text, place.style).map((line) => line && asBlanks(place.style.before) + line);
	return firstProven(layout.entries, draftsAt(layout, place, lines, [{ text, kind: 'item' }]));
}

/** Keeps marker, indentation, checkbox, fence and trailing comments; only an HTML block becomes a paragraph. */
export function replaceEntry(source: string, entry: MarkdownEntry, text: string): MarkdownEdit {
	requireText(text);
	const layout = new Layout(source);
	const index = requireEntry(layout, entry);
	return firstProven(layout.entries, replacements(layout, index, text));
}

/** Items nested in it move up to its place, or go with it; a heading takes its section with it only with `withChildren`. */
export function removeEntry(source: string, entry: MarkdownEntry, { withChildren }: { withChildren: boolean }): MarkdownEdit {
	const layout = new Layout(source);
	const index = requireEntry(layout, entry);
	return firstProven(layout.entries, removals(layout, index, withChildren));
}

/** With all that is nested in it: behind another entry, as its sibling, or to the end of a section. Keeps its own marker. */
export function moveEntry(
	source: string,
	entry: MarkdownEntry,
	target: { after: MarkdownEntry } | { heading: readonly string[] },
): MarkdownEdit {
	const layout = new Layout(source);
	const index = requireEntry(layout, entry);
	const end = layout.subtreeEnd(index);
	const block = blockLines(layout, index, end);
	const wanted: Wanted[] = layout.entries.slice(index, end).map(({ text, kind, comments }) => ({ text, kind, comments }));
	const rest = new Layout(firstProven(layout.entries, removals(layout, index, true, end)).source);
	const write = (place: Place) => shifted(block, 0, asBlanks(place.style.before));
	if ('heading' in target) return firstProven(rest.entries, draftsUnder(rest, target.heading, write, wanted));
	const after = requireEntry(layout, target.after);
	if (after >= index && after < end) throw terminal('invalid_input', 'An entry cannot be moved behind itself.');
	const place = placeAfter(rest, after < index ? after : after - (end - index));
	return firstProven(rest.entries, draftsAt(rest, place, write(place), wanted));
}

function* draftsUnder(
	layout: Layout,
	heading: readonly string[],
	write: (place: Place) => string[],
	wanted: readonly Wanted[],
): Iterable<Draft> {
	const isNeutral = heading.length === 0;
	const found = isNeutral ? layout.neutralHeading : layout.findHeading(heading);
	if (found !== undefined && (isNeutral || found >= 0)) {
		const end = layout.endOfSection(found);
		yield* draftsAt(layout, end, write(end), wanted);
		const start = layout.startOfSection(found);
		yield* draftsAt(layout, start, write(start), wanted);
		return;
	}
	let known = Math.max(0, heading.length - 1);
	while (known > 0 && layout.findHeading(heading.slice(0, known)) < 0) known--;
	const parent = known === 0 ? -1 : layout.findHeading(heading.slice(0, known));
	const level = isNeutral
		? highestLevel(layout)
		: parent < 0
			? topLevel(layout)
			: layout.headingLevel(layout.entries[parent] as MarkdownEntry) + 1;
	const names = isNeutral ? [NOTES] : heading.slice(known);
	const headings = names.flatMap((name, index) => [headingLine(name, `${'#'.repeat(Math.min(6, level + index))} `), '']);
	const end = parent < 0 ? layout.entries.length : layout.sectionEnd(parent);
	const start = layout.startOfSection(-1);
	const last = layout.entries[end - 1];
	const place: Place = { ...start, index: end };
	if (end < layout.entries.length && last !== undefined) place.at = layout.lineEnd(last.lineEnd);
	else place.at = Math.max(layout.contentEnd, start.at);
	const all = [...names.map((name): Wanted => ({ text: name, kind: 'heading' })), ...wanted];
	yield* draftsAt(layout, place, [...headings, ...write(place)], all);
	yield* draftsAt(layout, start, [...headings, ...write(start)], all);
}

function highestLevel(layout: Layout): number {
	return Math.min(...new Set(levelsOf(layout)));
}

function levelsOf(layout: Layout): number[] {
	return layout.entries.filter((entry) => entry.kind === 'heading' && entry.depth === 0).map((entry) => layout.headingLevel(entry));
}

/** A single heading of the highest level is the file's title: new sections go below it. */
function topLevel(layout: Layout): number {
	const levels = levelsOf(layout);
	if (levels.length === 0) return 2;
	const top = highestLevel(layout);
	const isTitle = levels.filter((level) => level === top).length === 1 && top === 1;
	return isTitle ? 2 : top;
}

function placeAfter(layout: Layout, index: number): Place {
	const entry = layout.entries[index] as MarkdownEntry;
	if (entry.kind === 'item') return layout.afterItem(index);
	const style = { ...layout.startOfSection(-1).style, before: entry.depth > 0 ? asBlanks(layout.before(entry)) : '' };
	return { at: layout.lineEnd(entry.lineEnd), index: index + 1, style, blank: true };
}

function* draftsAt(layout: Layout, place: Place, lines: string[], wanted: readonly Wanted[]): Iterable<Draft> {
	const insertion: Insertion = { at: place.at, lines, blank: place.blank };
	for (const edit of insertions(layout, insertion)) yield { ...edit, from: place.index, to: place.index, wanted };
	const closers = closersOf(layout);
	if (closers === undefined) return;
	for (const edit of insertions(layout, { at: layout.source.length, lines: [...closers, ...lines], blank: false })) {
		yield { ...edit, from: layout.entries.length, to: layout.entries.length, wanted };
	}
}

function* replacements(layout: Layout, index: number, text: string): Iterable<Draft> {
	const entry = layout.entries[index] as MarkdownEntry;
	const { source, eol } = layout;
	for (const lines of writings(layout, entry, text)) {
		for (const [front, back] of [
			['', ''],
			['', eol],
			[eol, ''],
			[eol, eol],
		] as const) {
			const written = front + lines.join(eol);
			const range = { start: entry.start, end: entry.start + written.length };
			const result = source.slice(0, entry.start) + written + back + source.slice(entry.end);
			yield { source: result, range, from: index, to: index + 1, wanted: [{ text, comments: layout.entries[index]?.comments ?? [] }] };
		}
	}
}

/** The ways to write the text in the place of the entry, the one that keeps most of its form first. */
function* writings(layout: Layout, entry: MarkdownEntry, text: string): Iterable<string[]> {
	const before = layout.before(entry);
	const { comments } = entry;
	const firstLine = layout.source.slice(entry.start, layout.lineEnd(entry.lineStart));
	if (entry.kind === 'item') {
		const box = entry.checked === undefined ? '' : `${boxOf(layout, entry)} `;
		yield itemLines(text, { before, marker: layout.markerOf(entry), box }, comments);
		return;
	}
	if (entry.kind === 'heading' && firstLine.startsWith('#')) yield [headingLine(text, /^#+[ \t]*/.exec(firstLine)?.[0] ?? '# ', comments)];
	else if (entry.kind === 'heading') {
		yield underlinedLines(text, layout.source.slice(layout.lineStart(entry.lineEnd), entry.end), comments);
	} else if (entry.kind === 'quote') yield quoteLines(text, before, comments);
	else if (entry.kind === 'code') {
		if (/^(?:```|~~~)/.test(firstLine)) yield fencedLines(text, firstLine, before);
		else yield indentedLines(text, before);
		yield fencedLines(text, '```', before);
	} else if (entry.kind === 'table') {
		const lines = text.split(/\r\n?|\n/).map(trimBlanks);
		if (scan(lines.join('\n')).entries[0]?.kind === 'table') yield lines.map((line, index) => (index === 0 ? '' : asBlanks(before)) + line);
	}
	yield paragraphLines(text, before, comments);
}

function boxOf(layout: Layout, entry: MarkdownEntry): string {
	return /\[[ \txX]\]/.exec(layout.source.slice(entry.start, entry.end))?.[0] ?? '[ ]';
}

function* removals(layout: Layout, index: number, withChildren: boolean, until?: number): Iterable<Draft> {
	const { source, eol } = layout;
	const entry = layout.entries[index] as MarkdownEntry;
	const end = until ?? (withChildren ? layout.sectionEnd(index) : index + 1);
	const last = layout.entries[end - 1] as MarkdownEntry;
	const before = layout.before(entry);
	const wholeLines = trimBlanks(before.replace('\uFEFF', '')) === '';
	const children = withChildren ? [] : raisedChildren(layout, index);
	const childrenEnd = children.length === 0 ? last.lineEnd : (layout.entries[layout.subtreeEnd(index) - 1] as MarkdownEntry).lineEnd;
	const draft = (from: number, to: number, inserted: string): Draft => ({
		source: source.slice(0, from) + inserted + source.slice(to),
		range: { start: from, end: from + inserted.length },
		from: index,
		to: end,
		wanted: [],
	});
	if (!wholeLines) {
		yield draft(entry.start, layout.lineEnd(childrenEnd), children.map((line, place) => (place === 0 ? trimBlanks(line) : line)).join(eol));
		// The markers in front of it are items that say nothing: without it they would be no items at all.
		yield draft(layout.lineStart(entry.lineStart), layout.lineEnd(childrenEnd), '');
		return;
	}
	let first = entry.lineStart;
	let behind = childrenEnd + 1;
	if (children.length === 0) {
		const blankAbove = first > 1 && layout.isBlankLine(first - 1);
		const atTop = first === 1;
		if (blankAbove || atTop) while (behind <= layout.lineCount && layout.isBlankLine(behind)) behind++;
		if (behind > layout.lineCount) while (first > 1 && layout.isBlankLine(first - 1)) first--;
	}
	const from = first === 1 ? (source.startsWith('\uFEFF') ? 1 : 0) : layout.lineStart(first);
	const to = behind > layout.lineCount ? source.length : layout.lineStart(behind);
	const body = children.map((line) => line + eol).join('');
	if (behind > layout.lineCount) yield* removalsAtEnd(layout, first, from, body, draft);
	const gap = first === 1 || layout.isBlankLine(first - 1) ? '' : eol;
	const separator = `${gap}<!-- -->${eol}${eol}`;
	for (const written of [
		body,
		gap + body,
		body + eol,
		gap + body + eol,
		separator + body,
		`${separator}${body}${eol}<!-- -->${eol}${eol}`,
	]) {
		yield draft(from, to, written);
	}
}

/** Nothing follows: the file ends as it ended, with or without a newline. */
function* removalsAtEnd(
	layout: Layout,
	first: number,
	from: number,
	body: string,
	draft: (from: number, to: number, inserted: string) => Draft,
): Iterable<Draft> {
	const { source } = layout;
	if (/[\r\n]$/.test(source)) return;
	if (body !== '') yield draft(from, source.length, body.replace(/(?:\r\n|\n|\r)$/, ''));
	else if (first > 1) yield draft(layout.lineEnd(first - 1), source.length, '');
}

/** The lines of what is nested in an item, moved to where the item begins. */
function raisedChildren(layout: Layout, index: number): string[] {
	const end = layout.subtreeEnd(index);
	const child = layout.entries[index + 1];
	const entry = layout.entries[index];
	if (end === index + 1 || child === undefined || entry === undefined) return [];
	const lines: string[] = [];
	const last = layout.entries[end - 1] as MarkdownEntry;
	for (let line = entry.lineEnd + 1; line <= last.lineEnd; line++)
		lines.push(layout.source.slice(layout.lineStart(line), layout.lineEnd(line)));
	while (lines[0] !== undefined && trimBlanks(lines[0]) === '') lines.shift();
	return shifted(lines, columnsOf(layout.before(child)) - columnsOf(layout.before(entry)), '');
}

function requireText(text: string): void {
	if (text.trim() === '') throw terminal('invalid_input', 'An entry needs a text.', { safe: 'The file was not changed.' });
}

function requireEntry(layout: Layout, entry: MarkdownEntry): number {
	const index = layout.indexOf(entry);
	if (index >= 0) return index;
	throw terminal('stale', 'The entry is not in the file any more as it was.', {
		safe: 'The file was not changed.',
		action: 'Look at the file again.',
	});
}
