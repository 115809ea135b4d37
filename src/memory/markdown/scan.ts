/**
 * The block scanner: one pass over the lines with a stack of open containers (block quotes, list items) and one open leaf, after
 * the algorithm of CommonMark's appendix with GFM tables and front matter. Inline Markdown is not looked at.
 */
import { Block, type LineMode } from './block.ts';
import { Containers } from './containers.ts';
import { definitionLines, withoutDefinitions } from './definitions.ts';
import { byteOrderMark, frontMatterLines } from './front-matter.ts';
import { Headings } from './headings.ts';
import type { FenceLeaf, HtmlLeaf, Leaf } from './leaf.ts';
import { type Lines, skipBlanks, splitLines } from './lines.ts';
import {
	atxLevel,
	closesFence,
	endsHtml,
	fenceAt,
	HTML_COMMENT,
	htmlKindAt,
	isThematicBreak,
	listMarkerAt,
	setextLevel,
} from './starts.ts';
import { beginsTable } from './table.ts';
import type { MarkdownEntry } from './types.ts';

export type Scan = {
	lines: Lines;
	entries: MarkdownEntry[];
	/** What is open at the end of the source and would swallow whatever is put behind it. */
	open?: FenceLeaf | HtmlLeaf;
	/** Offset behind the byte order mark and the front matter. */
	bodyStart: number;
};

export function scan(source: string): Scan {
	return new Scanner(source, splitLines(source)).run();
}

class Scanner {
	readonly #source: string;
	readonly #lines: Lines;
	readonly #entries: MarkdownEntry[] = [];
	readonly #containers: Containers;
	readonly #headings = new Headings();
	#leaf: Leaf | undefined;
	#leaves = 0;
	#line = 0;

	constructor(source: string, lines: Lines) {
		this.#source = source;
		this.#lines = lines;
		this.#containers = new Containers(source, (block) => this.#finish(block));
	}

	run(): Scan {
		const { starts, ends } = this.#lines;
		const bom = byteOrderMark(this.#source);
		this.#line = frontMatterLines(this.#source, this.#lines);
		const bodyStart = this.#line > 0 ? (starts[this.#line] ?? this.#source.length) : bom;
		for (; this.#line < starts.length; this.#line++) {
			this.#containers.cursor.enter(this.#line === 0 ? bom : (starts[this.#line] ?? 0), ends[this.#line] ?? 0);
			this.#readLine();
		}
		const leaf = this.#leaf;
		const open = leaf?.kind === 'fence' || leaf?.kind === 'html' ? { open: leaf } : {};
		this.#closeLeaf();
		this.#containers.close(0);
		return { lines: this.#lines, entries: this.#entries, ...open, bodyStart };
	}

	#readLine(): void {
		const matched = this.#containers.match();
		const leaf = this.#leaf;
		if (matched === this.#containers.depth && leaf?.kind === 'fence') this.#readFenceLine(leaf);
		else if (matched === this.#containers.depth && leaf?.kind === 'html' && !(leaf.html >= 6 && this.#containers.cursor.blank)) {
			this.#add(leaf.html === HTML_COMMENT ? 'comment' : 'raw', leaf);
			this.#endHtmlHere(leaf);
		} else {
			const opened = this.#openContainers(matched);
			if (opened !== 'done') this.#readLeafLine(matched, opened);
		}
	}

	/**
	 * Opens the quotes and list items that begin in this line. `none`: it opened nothing; `some`: a leaf follows; `done`: the line
	 * is used up.
	 */
	#openContainers(matched: number): 'none' | 'some' | 'done' {
		const containers = this.#containers;
		const { cursor } = containers;
		const source = this.#source;
		let opened = false;
		while (!cursor.blank && cursor.indent < 4) {
			const continuesParagraph = !opened && matched === containers.depth && this.#leaf?.kind === 'paragraph';
			const isQuote = source[cursor.text] === '>';
			if (!isQuote && continuesParagraph && setextLevel(source, cursor.text, cursor.end) > 0) break;
			if (isThematicBreak(source, cursor.text, cursor.end)) break;
			const marker = isQuote ? undefined : listMarkerAt(source, cursor.text, cursor.end);
			if (!isQuote && marker === undefined) break;
			const restBlank = marker !== undefined && skipBlanks(source, marker.end, cursor.end) === cursor.end;
			if (continuesParagraph && (restBlank || (marker?.number !== undefined && marker.number !== 1))) break;
			if (!opened) this.#closeUnmatched(matched);
			this.#closeLeaf();
			opened = true;
			if (marker === undefined) containers.openQuote(this.#line, this.#headings.path);
			else containers.openItem(this.#line, this.#headings.path, marker.end, restBlank);
			if (restBlank) return 'done';
		}
		return opened ? 'some' : 'none';
	}

	#readLeafLine(matched: number, opened: 'none' | 'some'): void {
		const { cursor } = this.#containers;
		const paragraph = this.#leaf?.kind === 'paragraph' ? this.#leaf : undefined;
		const allMatched = opened === 'some' || matched === this.#containers.depth;
		if (cursor.blank) {
			if (!allMatched) this.#closeUnmatched(matched);
			this.#readBlankLine();
		} else if (cursor.indent >= 4) {
			if (paragraph !== undefined) this.#continueParagraph(paragraph, allMatched);
			else {
				if (!allMatched) this.#closeUnmatched(matched);
				this.#readIndentedLine();
			}
		} else if (!this.#openLeafBlock(matched, allMatched)) {
			if (paragraph !== undefined && allMatched && this.#underline(paragraph)) return;
			this.#readTextLine(matched, allMatched);
		}
	}

	/** Headings, fences, HTML and thematic breaks; false where the line is none of these. */
	#openLeafBlock(matched: number, allMatched: boolean): boolean {
		const { text, end } = this.#containers.cursor;
		const source = this.#source;
		const inParagraph = this.#leaf?.kind === 'paragraph';
		const level = atxLevel(source, text, end);
		const fence = fenceAt(source, text, end);
		const html = htmlKindAt(source, text, end, inParagraph);
		if (level === 0 && fence === undefined && html === 0) {
			const isUnderline = inParagraph && allMatched && setextLevel(source, text, end) > 0 && !this.#onlyDefinitions();
			if (isUnderline || !isThematicBreak(source, text, end)) return false;
		}
		if (!allMatched) this.#closeUnmatched(matched);
		this.#closeLeaf();
		if (level > 0) this.#readHeading(level);
		else if (fence !== undefined) {
			const mode = this.#containers.owner === undefined ? 'marks' : 'raw';
			this.#openLeaf({ kind: 'fence', number: ++this.#leaves, fence, indent: this.#containers.cursor.indent }, 'code', mode);
		} else if (html > 0) {
			const leaf: HtmlLeaf = { kind: 'html', number: ++this.#leaves, html };
			this.#openLeaf(leaf, 'paragraph', html === HTML_COMMENT ? 'comment' : 'raw');
			this.#endHtmlHere(leaf);
		} else {
			this.#containers.fill();
			this.#containers.add(this.#line, 'text', ++this.#leaves);
		}
		return true;
	}

	#readTextLine(matched: number, allMatched: boolean): void {
		if (this.#leaf?.kind !== 'paragraph' && !allMatched) this.#closeUnmatched(matched);
		const open = this.#leaf;
		const lazy = open?.kind === 'paragraph' && !allMatched;
		if (open?.kind === 'table') this.#add('text', open);
		else if (!lazy && beginsTable(this.#source, this.#lines, this.#line, this.#containers)) {
			this.#closeLeaf();
			this.#openLeaf({ kind: 'table', number: ++this.#leaves }, 'table', 'text');
		} else if (open?.kind === 'paragraph') this.#continueParagraph(open, allMatched);
		else {
			this.#closeLeaf();
			this.#openLeaf({ kind: 'paragraph', number: ++this.#leaves }, 'paragraph', 'text');
		}
	}

	#continueParagraph(leaf: Leaf, allMatched: boolean): void {
		if (!allMatched) this.#containers.originAtText();
		this.#add('text', leaf);
	}

	#readIndentedLine(): void {
		const open = this.#leaf;
		const { cursor, owner } = this.#containers;
		const start = cursor.at;
		cursor.advance(4);
		if (open?.kind === 'indented') {
			if (open.block !== undefined) this.#containers.originHere();
			this.#add('raw', open);
			return;
		}
		this.#closeLeaf();
		if (owner === undefined) this.#containers.originHere();
		this.#openLeaf({ kind: 'indented', number: ++this.#leaves }, 'code', 'raw', start);
	}

	#readFenceLine(leaf: FenceLeaf): void {
		const { cursor } = this.#containers;
		const closes = !cursor.blank && cursor.indent < 4 && closesFence(leaf.fence, this.#source, cursor.text, cursor.end);
		if (leaf.block !== undefined && !closes) {
			cursor.advance(Math.min(leaf.indent, cursor.indent));
			this.#containers.originHere();
		}
		this.#add(closes && leaf.block !== undefined ? 'marks' : 'raw', leaf);
		if (closes) this.#closeLeaf();
	}

	#readBlankLine(): void {
		const leaf = this.#leaf;
		if (leaf?.kind !== 'indented') {
			this.#closeLeaf();
			this.#containers.add(this.#line, 'blank', 0);
			return;
		}
		const { cursor } = this.#containers;
		cursor.advance(Math.min(4, cursor.indent));
		if (leaf.block !== undefined) this.#containers.originHere();
		this.#add('raw', leaf);
	}

	#endHtmlHere(leaf: HtmlLeaf): void {
		const { text, end } = this.#containers.cursor;
		if (endsHtml(leaf.html, this.#source.slice(text, end))) this.#closeLeaf();
	}

	#readHeading(level: number): void {
		const containers = this.#containers;
		containers.fill();
		if (containers.owner !== undefined) {
			containers.add(this.#line, 'text', ++this.#leaves);
			return;
		}
		const block = new Block('heading', containers.cursor.text, this.#line, containers.depth, this.#headings.above(containers.depth, level));
		containers.originAtText();
		containers.add(this.#line, 'text', ++this.#leaves, block);
		this.#finishHeading(block, level);
	}

	/** Turns the open paragraph into a heading; false where the line is no underline. */
	#underline(leaf: Leaf): boolean {
		const { cursor, depth } = this.#containers;
		const level = setextLevel(this.#source, cursor.text, cursor.end);
		if (level === 0 || this.#onlyDefinitions()) return false;
		const paragraph = leaf.block;
		if (paragraph === undefined) {
			this.#add('text', leaf);
			this.#closeLeaf();
			return true;
		}
		const block = withoutDefinitions(this.#source, paragraph)?.as('heading', depth, this.#headings.above(depth, level)) ?? paragraph;
		this.#containers.add(this.#line, 'marks', leaf.number, block);
		this.#leaf = undefined;
		this.#finishHeading(block, level);
		return true;
	}

	#onlyDefinitions(): boolean {
		const paragraph = this.#leaf?.block;
		return paragraph !== undefined && definitionLines(this.#source, paragraph.lines) === paragraph.lines.length;
	}

	#finishHeading(block: Block, level: number): void {
		const entry = this.#finish(block);
		this.#headings.enter(this.#containers.depth, level, entry?.text);
	}

	#openLeaf(leaf: Leaf, kind: 'paragraph' | 'table' | 'code', mode: LineMode, start = this.#containers.cursor.text): void {
		const containers = this.#containers;
		containers.fill();
		if (containers.owner === undefined) {
			leaf.block = new Block(kind, start, this.#line, containers.depth, this.#headings.path);
			if (leaf.kind !== 'indented') containers.originAtText();
		}
		this.#leaf = leaf;
		this.#add(mode, leaf);
	}

	#add(mode: LineMode, leaf: Leaf): void {
		this.#containers.add(this.#line, mode, leaf.number, leaf.block ?? this.#containers.owner);
	}

	#closeUnmatched(matched: number): void {
		if (matched === this.#containers.depth) return;
		this.#closeLeaf();
		this.#containers.close(matched);
	}

	#closeLeaf(): void {
		const leaf = this.#leaf;
		this.#leaf = undefined;
		if (leaf?.block === undefined) return;
		const block = leaf.kind === 'paragraph' ? withoutDefinitions(this.#source, leaf.block) : leaf.block;
		if (block !== undefined) this.#finish(block);
	}

	#finish(block: Block): MarkdownEntry | undefined {
		const entry = block.toEntry(this.#source);
		if (entry !== undefined) this.#entries.push(entry);
		return entry;
	}
}
