/** Where entries stand in their file: sections, siblings, nested items, and the style in which a list is written. */
import { normaliseText } from '../identity.ts';
import { skipBlanks } from './lines.ts';
import { type Scan, scan } from './scan.ts';
import { atxLevel, listMarkerAt, setextLevel } from './starts.ts';
import type { MarkdownEntry } from './types.ts';
import { columnsOf, type ItemStyle } from './write.ts';

/** Where a new list item goes and how it is written there. */
export type Place = {
	/** An end of line, or the beginning of the body. */
	at: number;
	/** Its position among the entries. */
	index: number;
	style: ItemStyle;
	/** Whether a blank line belongs in front of it. */
	blank: boolean;
};

/** The heading for what belongs to none of a file's sections. */
export const NOTES = 'Notes';

export class Layout {
	readonly source: string;
	readonly scan: Scan;

	constructor(source: string) {
		this.source = source;
		this.scan = scan(source);
	}

	get entries(): readonly MarkdownEntry[] {
		return this.scan.entries;
	}

	/** What new lines are ended with: the file's own line break, were it the lone `\r` of old. */
	get eol(): string {
		return this.source.includes('\r') && !this.source.includes('\n') ? '\r' : this.scan.lines.eol;
	}

	/** -1 where the entry is none of this source. */
	indexOf(entry: MarkdownEntry): number {
		return this.entries.findIndex((known) => known.start === entry.start && known.kind === entry.kind && known.text === entry.text);
	}

	lineStart(line: number): number {
		return this.scan.lines.starts[line - 1] ?? this.source.length;
	}

	lineEnd(line: number): number {
		return this.scan.lines.ends[line - 1] ?? this.source.length;
	}

	isBlankLine(line: number): boolean {
		const start = this.lineStart(line);
		return skipBlanks(this.source, start, this.lineEnd(line)) === this.lineEnd(line);
	}

	get lineCount(): number {
		return this.scan.lines.starts.length;
	}

	/** The end of the last line that is not blank, 0 where all are. */
	get contentEnd(): number {
		let line = this.lineCount;
		while (line > 0 && this.isBlankLine(line)) line--;
		return line === 0 ? 0 : this.lineEnd(line);
	}

	/** What stands in front of it on its line. */
	before(entry: MarkdownEntry): string {
		return this.source.slice(this.lineStart(entry.lineStart), entry.start);
	}

	/** The position behind the entry and all that is nested in it. */
	subtreeEnd(index: number): number {
		const top = this.entries[index];
		let end = index + 1;
		if (top?.kind === 'item') while ((this.entries[end]?.depth ?? 0) > top.depth) end++;
		return end;
	}

	/** The position behind the section that a heading begins, its subsections included; other entries end as `subtreeEnd` says. */
	sectionEnd(index: number): number {
		const heading = this.entries[index];
		if (heading?.kind !== 'heading' || heading.depth > 0) return this.subtreeEnd(index);
		const level = this.headingLevel(heading);
		const isNext = (entry: MarkdownEntry, place: number) => place > index && isSectionHeading(entry) && this.headingLevel(entry) <= level;
		const end = this.entries.findIndex(isNext);
		return end < 0 ? this.entries.length : end;
	}

	headingLevel(heading: MarkdownEntry): number {
		const atx = atxLevel(this.source, heading.start, this.lineEnd(heading.lineStart));
		if (atx > 0) return atx;
		const start = this.lineStart(heading.lineEnd);
		return setextLevel(this.source, skipBlanks(this.source, start, heading.end), heading.end);
	}

	/** The heading at the end of this path: the whole path if there is one, else the first that ends with it. -1 for none. */
	findHeading(path: readonly string[]): number {
		const wanted = path.map(normaliseText).join('\n');
		const pathOf = (entry: MarkdownEntry) => [...entry.headingPath, entry.text].map(normaliseText).join('\n');
		const exact = this.entries.findIndex((entry) => isSectionHeading(entry) && pathOf(entry) === wanted);
		if (exact >= 0) return exact;
		return this.entries.findIndex((entry) => isSectionHeading(entry) && pathOf(entry).endsWith(`\n${wanted}`));
	}

	/**
	 * Where the file itself speaks, before any of its sections: its title (a first heading that is the only one of the first level), or -1
	 * for the text in front of the first heading. A file that begins with a section has its `NOTES` for that; undefined while it has none.
	 */
	get neutralHeading(): number | undefined {
		const first = this.entries.findIndex(isSectionHeading);
		if (first !== 0) return -1;
		const isTop = (entry: MarkdownEntry) => isSectionHeading(entry) && this.headingLevel(entry) === 1;
		if (this.entries.findIndex(isTop) === 0 && this.entries.findLastIndex(isTop) === 0) return 0;
		const isNotes = (entry: MarkdownEntry) =>
			isSectionHeading(entry) && entry.headingPath.length === 0 && normaliseText(entry.text) === normaliseText(NOTES);
		const notes = this.entries.findIndex(isNotes);
		return notes < 0 ? undefined : notes;
	}

	/** The end of the text directly under this heading; with -1, of the text before the first one. */
	endOfSection(heading: number): Place {
		const next = this.entries.findIndex((entry, index) => index > heading && isSectionHeading(entry));
		const end = next < 0 ? this.entries.length : next;
		const start = heading + 1;
		let top = end - 1;
		while (top >= start && (this.entries[top]?.depth ?? 0) > 0) top--;
		const last = this.entries[end - 1];
		if (end > start && last !== undefined) {
			const sibling = top >= start && this.entries[top]?.kind === 'item' ? top : undefined;
			return sibling === undefined
				? { at: this.lineEnd(last.lineEnd), index: end, style: this.#plainStyle(), blank: true }
				: this.afterItem(sibling);
		}
		// Nothing but comments, breaks or link definitions: behind them.
		const firstLine = this.entries[start - 1]?.lineEnd ?? 0;
		let line = end < this.entries.length ? (this.entries[end]?.lineStart ?? 1) - 1 : this.lineCount;
		while (line > firstLine && (this.isBlankLine(line) || this.lineStart(line) < this.scan.bodyStart)) line--;
		if (line === 0 || this.lineEnd(line) < this.scan.bodyStart) return this.startOfSection(-1);
		return { at: this.lineEnd(line), index: end, style: this.#plainStyle(), blank: true };
	}

	/** Right under a heading; with -1, where the body begins. */
	startOfSection(heading: number): Place {
		const entry = this.entries[heading];
		return {
			at: entry === undefined ? this.scan.bodyStart : this.lineEnd(entry.lineEnd),
			index: heading + 1,
			style: this.#plainStyle(),
			blank: true,
		};
	}

	/** Behind an item and what is nested in it, written as that item is. */
	afterItem(index: number): Place {
		const end = this.subtreeEnd(index);
		const item = this.entries[index];
		const last = this.entries[end - 1];
		if (item === undefined || last === undefined) throw new RangeError(`There is no entry ${index}.`);
		const previous = this.#siblingBefore(index);
		const above = this.entries[index - 1];
		const blank = previous !== undefined && above !== undefined && item.lineStart - above.lineEnd > 1;
		return {
			at: this.lineEnd(last.lineEnd),
			index: end,
			style: { before: this.before(item), marker: this.#nextMarker(item, previous) },
			blank,
		};
	}

	/** The marker of an item as it is written, with the blanks behind it. */
	markerOf(item: MarkdownEntry): string {
		const end = this.lineEnd(item.lineStart);
		const marker = listMarkerAt(this.source, item.start, end);
		if (marker === undefined) return '- ';
		const text = skipBlanks(this.source, marker.end, end);
		const before = this.before(item) + this.source.slice(item.start, marker.end);
		const blanks = this.source.slice(marker.end, text);
		const width = columnsOf(before + blanks) - columnsOf(before);
		return this.source.slice(item.start, marker.end) + (text === end || width > 4 ? ' ' : blanks);
	}

	#nextMarker(item: MarkdownEntry, previous: MarkdownEntry | undefined): string {
		const written = this.markerOf(item);
		const number = listMarkerAt(this.source, item.start, this.lineEnd(item.lineStart))?.number;
		if (number === undefined) return written;
		const numberBefore = previous && listMarkerAt(this.source, previous.start, this.lineEnd(previous.lineStart))?.number;
		// Some number every item alike.
		const next = numberBefore === number ? number : Math.min(number + 1, 999_999_999);
		return written.replace(/^\d+/, String(next));
	}

	#siblingBefore(index: number): MarkdownEntry | undefined {
		const depth = this.entries[index]?.depth ?? 0;
		let place = index - 1;
		while ((this.entries[place]?.depth ?? -1) > depth) place--;
		const entry = this.entries[place];
		return entry?.kind === 'item' && entry.depth === depth ? entry : undefined;
	}

	/** As the first list of the file, at the margin. */
	#plainStyle(): ItemStyle {
		const first = this.entries.find((entry) => entry.kind === 'item');
		const sign = first === undefined ? '-' : this.source[first.start];
		return { before: '', marker: sign === '*' || sign === '+' ? `${sign} ` : '- ' };
	}
}

function isSectionHeading(entry: MarkdownEntry): boolean {
	return entry.kind === 'heading' && entry.depth === 0;
}
