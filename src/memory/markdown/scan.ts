/**
 * The block scanner: one pass over the lines with a stack of open containers (block quotes, list items) and one open leaf, after
 * the algorithm of CommonMark's appendix with GFM tables and front matter. Inline Markdown is not looked at.
 *
 * Who owns a line: the outermost block quote, else the innermost list item that no nested item has ended yet, else the leaf.
 */
import { Block, type LineMode } from './block.ts';
import { LineCursor } from './cursor.ts';
import { definitionLines } from './definitions.ts';
import { type Lines, skipBlanks, splitLines } from './lines.ts';
import {
	atxLevel,
	closesFence,
	delimiterCells,
	endsHtml,
	type Fence,
	fenceAt,
	HTML_COMMENT,
	type HtmlKind,
	htmlKindAt,
	isThematicBreak,
	listMarkerAt,
	rowCells,
	setextLevel,
} from './starts.ts';
import type { MarkdownEntry } from './types.ts';

type Container = { kind: 'quote'; block?: Block } | { kind: 'item'; block?: Block; width: number; empty: boolean };

type Leaf = { number: number; block?: Block } & (
	| { kind: 'paragraph' | 'indented' | 'table' }
	| { kind: 'fence'; fence: Fence; indent: number }
	| { kind: 'html'; html: HtmlKind }
);

export type Scan = {
	lines: Lines;
	entries: MarkdownEntry[];
	/** What is open at the end of the source and would swallow whatever is put behind it. */
	open?: { kind: 'fence'; fence: Fence } | { kind: 'html'; html: HtmlKind };
	/** Offset behind the byte order mark and the front matter. */
	bodyStart: number;
};

export function scan(source: string): Scan {
	const lines = splitLines(source);
	const scanner = new Scanner(source, lines);
	return scanner.run();
}

class Scanner {
	readonly #source: string;
	readonly #lines: Lines;
	readonly #cursor: LineCursor;
	readonly #entries: MarkdownEntry[] = [];
	#containers: Container[] = [];
	/** The one container whose block takes the lines: a quote in no other's block, or an item without nested items so far. */
	#owning: Container | undefined;
	#quotes = 0;
	#leaf: Leaf | undefined;
	#leaves = 0;
	#headings: { level: number; text: string }[] = [];
	#headingPath: string[] = [];
	#line = 0;
	/** Offsets of the content behind the marks of the owning container on this line. */
	#origin = { from: 0, pad: 0 };

	constructor(source: string, lines: Lines) {
		this.#source = source;
		this.#lines = lines;
		this.#cursor = new LineCursor(source);
	}

	run(): Scan {
		const count = this.#lines.starts.length;
		this.#line = frontMatterLines(this.#source, this.#lines);
		const bodyStart = this.#line > 0 ? (this.#lines.starts[this.#line] ?? this.#source.length) : byteOrderMark(this.#source);
		for (; this.#line < count; this.#line++) this.#readLine();
		const leaf = this.#leaf;
		let open: Scan['open'];
		if (leaf?.kind === 'fence') open = { kind: 'fence', fence: leaf.fence };
		if (leaf?.kind === 'html') open = { kind: 'html', html: leaf.html };
		this.#closeContainers(0);
		return { lines: this.#lines, entries: this.#entries, ...(open === undefined ? {} : { open }), bodyStart };
	}

	#readLine(): void {
		this.#enter(this.#line);
		const matched = this.#matchContainers();
		const allMatched = matched === this.#containers.length;
		const leaf = this.#leaf;
		if (allMatched && leaf?.kind === 'fence') return this.#readFenceLine(leaf);
		if (allMatched && leaf?.kind === 'html' && !(leaf.html >= 6 && this.#cursor.blank)) return this.#readHtmlLine(leaf);
		const opened = this.#openContainers(matched);
		if (opened === 'done') return;
		this.#readLeafLine(matched, opened);
	}

	#enter(line: number): void {
		const from = this.#lines.starts[line] ?? 0;
		this.#cursor.enter(line === 0 ? from + byteOrderMark(this.#source) : from, this.#lines.ends[line] ?? 0);
		this.#origin = { from: this.#cursor.at, pad: 0 };
	}

	/** Steps over the marks of the open containers; answers how many go on in this line. */
	#matchContainers(): number {
		const cursor = this.#cursor;
		let index = 0;
		for (const container of this.#containers) {
			if (container.kind === 'quote') {
				if (cursor.indent >= 4 || cursor.blank || this.#source[cursor.text] !== '>') break;
				cursor.overQuoteMark();
			} else if (cursor.blank) {
				if (container.empty) break;
				cursor.toText();
			} else if (cursor.indent >= container.width) cursor.advance(container.width);
			else break;
			this.#noteOrigin(container);
			index++;
		}
		return index;
	}

	#noteOrigin(container: Container): void {
		if (container.block !== undefined) this.#origin = { from: this.#cursor.at, pad: this.#cursor.pad };
	}

	/**
	 * Opens the quotes and list items that begin in this line. `none`: it opened nothing; `some`: a leaf follows; `done`: the line
	 * is used up.
	 */
	#openContainers(matched: number): 'none' | 'some' | 'done' {
		const cursor = this.#cursor;
		let opened = false;
		while (!cursor.blank && cursor.indent < 4) {
			const source = this.#source;
			const continuesParagraph = !opened && matched === this.#containers.length && this.#leaf?.kind === 'paragraph';
			if (source[cursor.text] === '>') {
				if (!opened) this.#closeContainers(matched);
				this.#closeLeaf();
				this.#openQuote();
				opened = true;
				continue;
			}
			if (continuesParagraph && setextLevel(source, cursor.text, cursor.end) > 0) break;
			if (isThematicBreak(source, cursor.text, cursor.end)) break;
			const marker = listMarkerAt(source, cursor.text, cursor.end);
			if (marker === undefined) break;
			const restBlank = skipBlanks(source, marker.end, cursor.end) === cursor.end;
			if (continuesParagraph && (restBlank || (marker.number !== undefined && marker.number !== 1))) break;
			if (!opened) this.#closeContainers(matched);
			this.#closeLeaf();
			this.#openItem(marker.end, restBlank);
			opened = true;
			if (restBlank) return 'done';
		}
		return opened ? 'some' : 'none';
	}

	#openQuote(): void {
		const start = this.#cursor.text;
		const owned = this.#owner() !== undefined || this.#quotes > 0;
		this.#markFilled();
		this.#cursor.overQuoteMark();
		const block = owned ? undefined : new Block('quote', start, this.#line, this.#containers.length, this.#headingPath);
		const container: Container = { kind: 'quote', ...(block === undefined ? {} : { block }) };
		this.#push(container);
		block?.add(this.#line, { mode: 'marks', leaf: 0, from: start, to: start, pad: 0 }, start + 1);
	}

	#openItem(markerEnd: number, restBlank: boolean): void {
		const cursor = this.#cursor;
		const start = cursor.text;
		this.#markFilled();
		const inQuote = this.#quotes > 0;
		const parent = this.#containers.at(-1);
		if (!inQuote && parent !== undefined) this.#finishContainer(parent);
		const before = cursor.indent + markerEnd - start;
		cursor.advance(before);
		const spaces = cursor.indent;
		const padding = restBlank || spaces > 4 ? 1 : spaces;
		if (!restBlank) cursor.advance(padding);
		const block = inQuote ? undefined : new Block('item', start, this.#line, this.#containers.length, this.#headingPath);
		const container: Container = { kind: 'item', width: before + padding, empty: restBlank, ...(block === undefined ? {} : { block }) };
		this.#push(container);
		block?.add(this.#line, { mode: 'marks', leaf: 0, from: start, to: start, pad: 0 }, markerEnd);
		if (restBlank && inQuote) this.#addLine('text', 0, this.#owner(), cursor.end);
	}

	#readLeafLine(matched: number, opened: 'none' | 'some'): void {
		const cursor = this.#cursor;
		const source = this.#source;
		const leaf = this.#leaf;
		const allMatched = opened === 'some' || matched === this.#containers.length;
		if (cursor.blank) {
			this.#closeContainersAtBlank(matched, opened);
			return;
		}
		if (cursor.indent >= 4) {
			if (leaf?.kind === 'paragraph') return this.#continueParagraph(leaf, allMatched);
			if (!allMatched) this.#closeContainers(matched);
			return this.#readIndentedLine();
		}
		const { text, end } = cursor;
		const level = atxLevel(source, text, end);
		const fence = level > 0 ? undefined : fenceAt(source, text, end);
		const interrupts = allMatched && leaf?.kind === 'paragraph';
		const html = fence === undefined ? htmlKindAt(source, text, end, leaf?.kind === 'paragraph') : 0;
		const underline = interrupts ? setextLevel(source, text, end) : 0;
		if (level === 0 && fence === undefined && html === 0) {
			if (underline > 0 && leaf !== undefined && this.#underline(leaf, underline)) return;
			if (!isThematicBreak(source, text, end)) return this.#readTextLine(matched, allMatched);
		}
		if (!allMatched) this.#closeContainers(matched);
		this.#closeLeaf();
		if (level > 0) return this.#readHeading(level);
		if (fence !== undefined) return this.#openFence(fence);
		if (html > 0) return this.#openHtml(html);
		this.#markFilled();
		if (this.#owner() !== undefined) this.#addLine('text', ++this.#leaves);
	}

	#readTextLine(matched: number, allMatched: boolean): void {
		const leaf = this.#leaf;
		if (leaf?.kind === 'paragraph' && !allMatched) return this.#continueParagraph(leaf, false);
		if (!allMatched) this.#closeContainers(matched);
		const open = this.#leaf;
		if (open?.kind === 'table') return this.#addLine('text', open.number, open.block);
		if (this.#beginsTable()) {
			this.#closeLeaf();
			return this.#openLeaf({ kind: 'table', number: ++this.#leaves }, 'table', 'text');
		}
		if (open?.kind === 'paragraph') return this.#continueParagraph(open, true);
		this.#closeLeaf();
		this.#openLeaf({ kind: 'paragraph', number: ++this.#leaves }, 'paragraph', 'text');
	}

	#continueParagraph(leaf: Leaf, allMatched: boolean): void {
		if (!allMatched) this.#origin = { from: this.#cursor.text, pad: 0 };
		this.#addLine('text', leaf.number, leaf.block);
	}

	#readIndentedLine(): void {
		const open = this.#leaf;
		if (open?.kind !== 'indented') {
			this.#closeLeaf();
			const owned = this.#owner() !== undefined;
			const start = this.#cursor.at;
			this.#cursor.advance(4);
			if (!owned) this.#origin = { from: this.#cursor.at, pad: this.#cursor.pad };
			return this.#openLeaf({ kind: 'indented', number: ++this.#leaves }, 'code', 'raw', start);
		}
		this.#cursor.advance(4);
		if (open.block !== undefined) this.#origin = { from: this.#cursor.at, pad: this.#cursor.pad };
		this.#addLine('raw', open.number, open.block);
	}

	#openFence(fence: Fence): void {
		const indent = this.#cursor.indent;
		const owned = this.#owner() !== undefined;
		this.#openLeaf({ kind: 'fence', number: ++this.#leaves, fence, indent }, 'code', owned ? 'raw' : 'marks');
	}

	#readFenceLine(leaf: Leaf & { kind: 'fence' }): void {
		const cursor = this.#cursor;
		const closes = !cursor.blank && cursor.indent < 4 && closesFence(leaf.fence, this.#source, cursor.text, cursor.end);
		if (leaf.block !== undefined && !closes) {
			cursor.advance(Math.min(leaf.indent, cursor.indent));
			this.#origin = { from: cursor.at, pad: cursor.pad };
		}
		this.#addLine(closes && leaf.block !== undefined ? 'marks' : 'raw', leaf.number, leaf.block);
		if (closes) this.#closeLeaf();
	}

	#openHtml(html: HtmlKind): void {
		const leaf: Leaf = { kind: 'html', number: ++this.#leaves, html };
		this.#openLeaf(leaf, 'paragraph', html === HTML_COMMENT ? 'comment' : 'raw');
		this.#endHtmlHere(leaf);
	}

	#readHtmlLine(leaf: Leaf & { kind: 'html' }): void {
		this.#addLine(leaf.html === HTML_COMMENT ? 'comment' : 'raw', leaf.number, leaf.block);
		this.#endHtmlHere(leaf);
	}

	#endHtmlHere(leaf: Leaf & { kind: 'html' }): void {
		if (endsHtml(leaf.html, this.#source.slice(this.#cursor.text, this.#cursor.end))) this.#closeLeaf();
	}

	#readHeading(level: number): void {
		this.#markFilled();
		const owner = this.#owner();
		if (owner !== undefined) return this.#addLine('text', ++this.#leaves);
		const block = new Block('heading', this.#cursor.text, this.#line, this.#containers.length, this.#pathAbove(level));
		this.#origin = { from: this.#cursor.text, pad: 0 };
		this.#addLine('text', ++this.#leaves, block);
		this.#finishHeading(block, level);
	}

	/** Turns the open paragraph into a heading; false where it holds nothing but link reference definitions. */
	#underline(leaf: Leaf, level: number): boolean {
		const paragraph = leaf.block;
		if (paragraph === undefined) {
			this.#addLine('text', leaf.number);
			this.#closeLeaf();
			return true;
		}
		const definitions = definitionLines(this.#source, paragraph.lines);
		if (definitions === paragraph.lines.length) return false;
		const first = paragraph.lines[definitions];
		const depth = this.#containers.length;
		const start = first === undefined ? paragraph.start : skipBlanks(this.#source, first.from, first.to);
		const block = new Block('heading', start, paragraph.lineStart - 1 + definitions, depth, this.#pathAbove(level));
		paragraph.lines.slice(definitions).forEach((line, index) => {
			block.add(paragraph.lineStart - 1 + definitions + index, line, line.to);
		});
		this.#addLine('marks', leaf.number, block);
		this.#leaf = undefined;
		this.#finishHeading(block, level);
		return true;
	}

	#pathAbove(level: number): string[] {
		if (this.#containers.length > 0) return this.#headingPath;
		return this.#headings.filter((heading) => heading.level < level).map((heading) => heading.text);
	}

	#finishHeading(block: Block, level: number): void {
		const entry = block.toEntry(this.#source);
		if (entry !== undefined) this.#entries.push(entry);
		if (this.#containers.length > 0) return;
		this.#headings = this.#headings.filter((heading) => heading.level < level);
		if (entry !== undefined) this.#headings.push({ level, text: entry.text });
		this.#headingPath = this.#headings.map((heading) => heading.text);
	}

	#beginsTable(): boolean {
		const { text, end } = this.#cursor;
		const next = this.#line + 1;
		const nextEnd = this.#lines.ends[next];
		if (nextEnd === undefined || !mayEndDelimiterRow(this.#source, this.#lines.starts[next] ?? 0, nextEnd)) return false;
		const cells = rowCells(this.#source, text, end);
		const here = this.#cursor.save();
		const origin = this.#origin;
		this.#enter(next);
		const all = this.#matchContainers() === this.#containers.length;
		const delimiters = all && this.#cursor.indent < 4 ? delimiterCells(this.#source, this.#cursor.text, this.#cursor.end) : 0;
		this.#cursor.restore(here);
		this.#origin = origin;
		return delimiters > 0 && delimiters === cells;
	}

	#openLeaf(leaf: Leaf, kind: 'paragraph' | 'table' | 'code', mode: LineMode, start = this.#cursor.text): void {
		this.#markFilled();
		if (this.#owner() === undefined) {
			leaf.block = new Block(kind, start, this.#line, this.#containers.length, this.#headingPath);
			if (leaf.kind !== 'indented') this.#origin = { from: this.#cursor.text, pad: 0 };
		}
		this.#leaf = leaf;
		this.#addLine(mode, leaf.number, leaf.block);
	}

	#addLine(mode: LineMode, leaf: number, block = this.#owner(), reaches = this.#cursor.blank ? undefined : this.#cursor.end): void {
		block?.add(this.#line, { mode, leaf, from: this.#origin.from, to: this.#cursor.end, pad: this.#origin.pad }, reaches);
	}

	#owner(): Block | undefined {
		return this.#owning?.block;
	}

	/** Only the innermost container can be empty still: what is opened in one fills it. */
	#markFilled(): void {
		const last = this.#containers.at(-1);
		if (last?.kind === 'item') last.empty = false;
	}

	#push(container: Container): void {
		this.#containers.push(container);
		if (container.kind === 'quote') this.#quotes++;
		if (container.block === undefined) return;
		this.#owning = container;
		this.#noteOrigin(container);
	}

	#finishContainer(container: Container): void {
		if (container.block !== undefined) this.#finish(container.block);
		container.block = undefined;
		if (this.#owning === container) this.#owning = undefined;
	}

	#closeContainersAtBlank(matched: number, opened: 'none' | 'some'): void {
		if (opened === 'none' && matched < this.#containers.length) this.#closeContainers(matched);
		const leaf = this.#leaf;
		if (leaf?.kind === 'indented') {
			this.#cursor.advance(Math.min(4, this.#cursor.indent));
			if (leaf.block !== undefined) this.#origin = { from: this.#cursor.at, pad: this.#cursor.pad };
			this.#addLine('raw', leaf.number, leaf.block);
			return;
		}
		this.#closeLeaf();
		this.#addLine('blank', 0);
	}

	#closeContainers(kept: number): void {
		if (kept === this.#containers.length) {
			if (kept === 0 && this.#line >= this.#lines.starts.length) this.#closeLeaf();
			return;
		}
		this.#closeLeaf();
		for (const container of this.#containers.splice(kept)) {
			this.#finishContainer(container);
			if (container.kind === 'quote') this.#quotes--;
		}
	}

	#closeLeaf(): void {
		const leaf = this.#leaf;
		this.#leaf = undefined;
		if (leaf?.block === undefined) return;
		if (leaf.kind !== 'paragraph') return this.#finish(leaf.block);
		const definitions = definitionLines(this.#source, leaf.block.lines);
		const first = leaf.block.lines[definitions];
		if (first === undefined) return;
		this.#finish(definitions === 0 ? leaf.block : leaf.block.withoutFirst(definitions, skipBlanks(this.#source, first.from, first.to)));
	}

	#finish(block: Block): void {
		const entry = block.toEntry(this.#source);
		if (entry !== undefined) this.#entries.push(entry);
	}
}

function byteOrderMark(source: string): number {
	return source.charCodeAt(0) === 0xfeff ? 1 : 0;
}

/** How many lines the front matter takes, its two `---` included; 0 where there is none. */
function frontMatterLines(source: string, lines: Lines): number {
	const isFence = (line: number, from: number) => /^---[ \t]*$/.test(source.slice(from, Math.min(lines.ends[line] ?? 0, from + 100)));
	if (lines.starts.length === 0 || !isFence(0, byteOrderMark(source))) return 0;
	for (let line = 1; line < lines.starts.length; line++) if (isFence(line, lines.starts[line] ?? 0)) return line + 1;
	return 0;
}

function mayEndDelimiterRow(source: string, from: number, end: number): boolean {
	let last = end - 1;
	while (last >= from && (source[last] === ' ' || source[last] === '\t')) last--;
	return last >= from && (source[last] === '-' || source[last] === ':' || source[last] === '|');
}
