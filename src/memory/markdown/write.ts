/** Text as the lines of one block of a given kind, such that reading them gives the text again. */
import { isBlankCode, skipBlanks, TAB, trimBlanks, trimBlanksEnd, withLineFeeds } from './lines.ts';
import { closesFence, type Fence, fenceAt } from './starts.ts';
import { escapeLine, writeHeading } from './text.ts';

export type ItemStyle = {
	/** What stands on the line before the marker; blanks, or the markers of the items around it. */
	before: string;
	/** The marker with the blanks behind it, such as `- `. */
	marker: string;
	/** `[ ] ` or `[x] ` of a task. */
	box?: string;
};

/** A list item with its trailing comments; all but the first line are indented to its content. `before` is not part of it. */
export function itemLines(text: string, style: ItemStyle, comments: readonly string[] = []): string[] {
	const body = safeItemLines(text);
	const last = body.at(-1);
	const inline = comments.every((comment) => !comment.includes('\n') && comment.endsWith('-->'));
	if (comments.length > 0) {
		if (inline && last?.prose === true) last.line = `${last.line} ${comments.join(' ')}`;
		else for (const line of comments.join('\n').split('\n')) body.push({ line, prose: false });
	}
	const indent = asBlanks(style.before) + ' '.repeat(columnsOf(style.before + style.marker) - columnsOf(style.before));
	return body.map(({ line }, index) => {
		if (index === 0) return style.marker + (style.box ?? '') + line;
		return line === '' ? '' : indent + line;
	});
}

/** A paragraph: it has no blank lines, so those of the text are left out. */
export function paragraphLines(text: string, before: string, comments: readonly string[] = []): string[] {
	const lines = textLines(text)
		.map((line) => trimBlanks(line))
		.filter((line) => line !== '')
		.map((line) => escapeLine(line, false));
	return withComments(lines, comments).map((line, index) => (index === 0 ? line : asBlanks(before) + line));
}

/** An ATX heading; one line, whatever the text. */
export function headingLine(text: string, opening: string, comments: readonly string[] = []): string {
	return withComments([opening + writeHeading(trimBlanks(textLines(text).map(trimBlanks).join(' ')))], comments).join(' ');
}

/** A setext heading with the underline it had. */
export function underlinedLines(text: string, underline: string, comments: readonly string[] = []): string[] {
	const line = escapeLine(trimBlanks(textLines(text).map(trimBlanks).join(' ')), false);
	return [...withComments([line], comments), underline];
}

/** A block quote that holds the text as it is, but no comment. */
export function quoteLines(text: string, before: string, comments: readonly string[] = []): string[] {
	const lines = withComments(
		textLines(text).map((line) => line.replaceAll('<!--', '\\<!--')),
		comments,
	);
	return lines.map((line, index) => `${index === 0 ? '' : asBlanks(before)}>${line === '' ? '' : ` ${line}`}`);
}

/** A fenced code block whose fence is longer than any in the text. `opening` is its first line. */
export function fencedLines(text: string, opening: string, before: string): string[] {
	const lines = withLineFeeds(text).split('\n');
	const fence = fenceAt(opening, 0, opening.length) ?? { sign: '`', length: 3 };
	let length = fence.length;
	for (const line of lines) {
		const start = skipBlanks(line, 0, line.length);
		const run = lengthOfRun(line, start, fence.sign);
		if (run >= length && closesFence({ ...fence, length: run }, line, start, line.length)) length = run + 1;
	}
	const longer = fence.sign.repeat(length - fence.length);
	const all = [longer + opening, ...lines, fence.sign.repeat(length)];
	return all.map((line, index) => (index === 0 || line === '' ? line : asBlanks(before) + line));
}

/** Indented code; blank lines around it are no part of it. */
export function indentedLines(text: string, before: string): string[] {
	return textLines(text).map((line, index) => (line === '' ? '' : `${index === 0 ? '' : asBlanks(before)}    ${line}`));
}

/** As wide as `text`, in blanks only: its own ones kept, its other characters as spaces. A byte order mark has no width. */
export function asBlanks(text: string): string {
	return text.replace('\uFEFF', '').replace(/[^ \t]/g, ' ');
}

export function columnsOf(text: string): number {
	let column = 0;
	for (let index = 0; index < text.length; index++) {
		if (text[index] !== '\uFEFF') column += text.charCodeAt(index) === TAB ? 4 - (column % 4) : 1;
	}
	return column;
}

type BodyLine = { line: string; prose: boolean };

/** Fences that are closed and indented code stay; whatever else would begin a block is escaped. */
function safeItemLines(text: string): BodyLine[] {
	const lines = textLines(text);
	const body: BodyLine[] = [];
	let inProse = false;
	let fencesEnd = false;
	for (let index = 0; index < lines.length; index++) {
		const line = index === 0 ? trimBlanks(lines[index] ?? '') : (lines[index] ?? '');
		const start = skipBlanks(line, 0, line.length);
		const columns = columnsOf(line.slice(0, start));
		if (start === line.length) {
			body.push({ line: '', prose: false });
			inProse = false;
			continue;
		}
		if (columns >= 4 && !inProse && index > 0) {
			body.push({ line: ' '.repeat(columns) + line.slice(start), prose: false });
			continue;
		}
		const fence = columns < 4 && !fencesEnd ? fenceAt(line, start, line.length) : undefined;
		const close = fence === undefined ? -1 : closingLine(fence, lines, index + 1);
		if (close > 0) {
			for (; index <= close; index++)
				body.push({ line: index === close ? trimBlanks(lines[index] ?? '') : rawLine(lines[index]), prose: false });
			index = close;
			inProse = false;
			continue;
		}
		// One that is never closed would swallow what follows: from here on none counts.
		if (fence !== undefined) fencesEnd = true;
		body.push({ line: escapeLine(line.slice(start, trimBlanksEnd(line, start, line.length)), true), prose: true });
		inProse = true;
	}
	return body;
}

function rawLine(line: string | undefined): string {
	return line === undefined || skipBlanks(line, 0, line.length) === line.length ? '' : line;
}

function closingLine(fence: Fence, lines: readonly string[], from: number): number {
	for (let index = from; index < lines.length; index++) {
		const line = lines[index] ?? '';
		const start = skipBlanks(line, 0, line.length);
		if (columnsOf(line.slice(0, start)) < 4 && closesFence(fence, line, start, line.length)) return index;
	}
	return -1;
}

/** Without blank lines at both ends; lines without blanks at their ends. */
function textLines(text: string): string[] {
	const lines = withLineFeeds(text)
		.split('\n')
		.map((line) => line.slice(0, trimBlanksEnd(line, 0, line.length)));
	let from = 0;
	let to = lines.length;
	while (from < to && lines[from] === '') from++;
	while (to > from && lines[to - 1] === '') to--;
	return lines.slice(from, to);
}

function withComments(lines: string[], comments: readonly string[]): string[] {
	if (comments.length === 0) return lines;
	const last = lines.at(-1) ?? '';
	return [...lines.slice(0, -1), ...`${last} ${comments.join(' ')}`.split('\n')];
}

function lengthOfRun(line: string, from: number, sign: string): number {
	let end = from;
	while (line[end] === sign && !isBlankCode(line.charCodeAt(end))) end++;
	return end - from;
}
