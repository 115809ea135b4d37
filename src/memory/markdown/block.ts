/** One block while its lines are read, and the entry that it becomes. */
import { trimBlanks, trimBlanksEnd } from './lines.ts';
import { readHeading, takeComments, taskBoxAt, unescapeLine } from './text.ts';
import type { MarkdownEntry, MarkdownEntryKind } from './types.ts';

/** `text`: prose; `raw`: as written (code, HTML); `comment`: an HTML block that began as a comment; `marks`: fences, underlines. */
export type LineMode = 'text' | 'raw' | 'comment' | 'blank' | 'marks';

type BlockLine = {
	mode: LineMode;
	/** Lines of one leaf (one paragraph, one fence) share a number. */
	leaf: number;
	/** The content's offsets, behind the marks of the containers, and the columns left of a tab that these cut in two. */
	from: number;
	to: number;
	pad: number;
};

export class Block {
	readonly kind: MarkdownEntryKind;
	readonly start: number;
	readonly lineStart: number;
	readonly depth: number;
	readonly headingPath: string[];
	#end: number;
	#lineEnd: number;
	#lines: BlockLine[] = [];

	constructor(kind: MarkdownEntryKind, start: number, line: number, depth: number, headingPath: string[]) {
		this.kind = kind;
		this.start = start;
		this.#end = start;
		this.lineStart = line + 1;
		this.#lineEnd = line + 1;
		this.depth = depth;
		this.headingPath = headingPath;
	}

	/** `line` is 0-based; `reaches` is the offset behind the whole line, undefined for a blank one: a block does not end with it. */
	add(line: number, part: BlockLine, reaches?: number): void {
		this.#lines.push(part);
		if (reaches === undefined) return;
		this.#end = reaches;
		this.#lineEnd = line + 1;
	}

	/** Leaves out the first `count` lines (link reference definitions), beginning at `start` instead. */
	withoutFirst(count: number, start: number): Block {
		const rest = new Block(this.kind, start, this.lineStart - 1 + count, this.depth, this.headingPath);
		rest.#lines = this.#lines.slice(count);
		rest.#end = this.#end;
		rest.#lineEnd = this.#lineEnd;
		return rest;
	}

	/** The same lines as another kind of block. */
	as(kind: MarkdownEntryKind, depth: number, headingPath: string[]): Block {
		const other = new Block(kind, this.start, this.lineStart - 1, depth, headingPath);
		other.#lines = this.#lines;
		other.#end = this.#end;
		other.#lineEnd = this.#lineEnd;
		return other;
	}

	get lines(): readonly BlockLine[] {
		return this.#lines;
	}

	/** Undefined when it says nothing. */
	toEntry(source: string): MarkdownEntry | undefined {
		const comments: string[] = [];
		const checked = this.kind === 'item' ? this.#takeTaskBox(source) : undefined;
		const text = this.kind === 'heading' ? this.#headingText(source, comments) : this.#bodyText(source, comments);
		if (text.trim() === '') return undefined;
		const entry: MarkdownEntry = {
			kind: this.kind,
			start: this.start,
			end: this.#end,
			lineStart: this.lineStart,
			lineEnd: this.#lineEnd,
			headingPath: this.headingPath,
			depth: this.depth,
			text,
			comments,
		};
		if (checked !== undefined) entry.checked = checked;
		return entry;
	}

	#headingText(source: string, comments: string[]): string {
		const first = this.#lines[0];
		if (first === undefined) return '';
		if (this.#lines.length === 1) {
			let from = first.from;
			while (source[from] === '#') from++;
			return readHeading(source.slice(from, first.to), comments);
		}
		// The last line is the underline.
		const lines = this.#lines.slice(0, -1).map((line) => source.slice(line.from, line.to));
		return this.#prose(lines, 'text', comments).replaceAll('\n', ' ');
	}

	#bodyText(source: string, comments: string[]): string {
		const pieces: string[] = [];
		const lines = this.#lines;
		for (let index = 0; index < lines.length; ) {
			const line = lines[index];
			if (line === undefined) break;
			if (line.mode === 'raw') pieces.push(' '.repeat(line.pad) + source.slice(line.from, line.to));
			if (line.mode === 'blank' && pieces.at(-1) !== '') pieces.push('');
			if (line.mode !== 'text' && line.mode !== 'comment') {
				index++;
				continue;
			}
			const run: string[] = [];
			for (let next = lines[index]; next !== undefined && next.mode === line.mode && next.leaf === line.leaf; next = lines[++index]) {
				run.push(this.kind === 'quote' ? ' '.repeat(next.pad) + source.slice(next.from, next.to) : source.slice(next.from, next.to));
			}
			const prose = this.#prose(run, line.mode, comments);
			// A comment on its own leaves no hole behind.
			if (prose !== '' || line.mode === 'text') pieces.push(prose);
		}
		return withoutBlankEnds(pieces).join('\n');
	}

	#prose(run: string[], mode: 'text' | 'comment', comments: string[]): string {
		const [only] = run;
		// Most runs are one plain line.
		if (run.length === 1 && only !== undefined && this.kind !== 'quote' && !only.includes('<!--')) return unescapeLine(trimBlanks(only));
		const keepsIndentation = this.kind === 'quote';
		const trimmed = run.map((line) => (keepsIndentation ? line.slice(0, trimBlanksEnd(line, 0, line.length)) : trimBlanks(line)));
		const kept = takeComments(trimmed.join('\n'), comments, mode === 'comment');
		if (keepsIndentation) return kept.replaceAll('\\<!--', '<!--');
		return kept
			.split('\n')
			.map((line) => unescapeLine(trimBlanks(line)))
			.join('\n')
			.replace(/^\n+/, '');
	}

	/** Whether the box of a task item is ticked; its first line then begins behind the box. Undefined where there is none. */
	#takeTaskBox(source: string): boolean | undefined {
		const index = this.#lines.findIndex((line) => line.mode !== 'blank' && line.mode !== 'marks');
		const first = this.#lines[index];
		const second = this.#lines[index + 1];
		if (first?.mode !== 'text' || source[first.from] !== '[') return undefined;
		const start = first.from;
		const end = trimBlanksEnd(source, start, first.to);
		if (!taskBoxAt(source.slice(start, end))) return undefined;
		if (end - start === 3 && (second?.mode !== 'text' || second.leaf !== first.leaf)) return undefined;
		first.from = start + 3;
		return source[start + 1] !== ' ' && source[start + 1] !== '\t';
	}
}

function withoutBlankEnds(pieces: string[]): string[] {
	let from = 0;
	let to = pieces.length;
	while (from < to && trimBlanks(pieces[from] ?? '') === '') from++;
	while (to > from && trimBlanks(pieces[to - 1] ?? '') === '') to--;
	return pieces.slice(from, to);
}
