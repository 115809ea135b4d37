/**
 * A Markdown file as memory sees it: a source that is never rewritten as a whole, and the entries found in it. Offsets are
 * UTF-16 units of `source`; rendering is the source itself, an edit is a splice.
 */
export type MarkdownDocument = {
	source: string;
	/** The line break most lines end with; `\n` where none or as many do. */
	eol: '\n' | '\r\n';
	/** In the order of the source; ranges grow and never overlap. None has blank `text`. */
	entries: MarkdownEntry[];
};

export type MarkdownEntryKind = 'item' | 'paragraph' | 'heading' | 'table' | 'code' | 'quote';

export type MarkdownEntry = {
	kind: MarkdownEntryKind;
	/** Where its own block begins: at its marker, behind the indentation (in front of it for indented code). */
	start: number;
	/** Behind its last own line that is not blank, without the line break. A list item ends where its nested items begin. */
	end: number;
	/** 1-based, both included. */
	lineStart: number;
	lineEnd: number;
	/** The texts of the headings above it, outermost first; a heading is not above itself. */
	headingPath: string[];
	/** How many list items it is nested in. */
	depth: number;
	/** Task items only. */
	checked?: boolean;
	/**
	 * What it says: no marker, indentation, quote mark, fence, underline or trailing comment; lines joined by `\n`, at most one
	 * blank line between paragraphs. Inside a list item, fences and further blocks stay as written.
	 */
	text: string;
	/** Trailing comments as written, such as `<!-- importance: 7 -->`. */
	comments: string[];
};
