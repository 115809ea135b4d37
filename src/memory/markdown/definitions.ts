/** Link reference definitions at the beginning of a paragraph (CommonMark 4.7): they stay in the source but say nothing. */
import type { Block } from './block.ts';
import { isBlankCode, skipBlanks, trimBlanks } from './lines.ts';

type Line = { from: number; to: number };

const LABEL_LIMIT = 999;

/** How many of the lines are definitions. Labels and destinations are looked for within a line, a title also on the next one. */
export function definitionLines(source: string, lines: readonly Line[]): number {
	let done = 0;
	while (done < lines.length) {
		const used = definitionAt(source, lines, done);
		if (used === 0) break;
		done += used;
	}
	return done;
}

/** The paragraph behind the link reference definitions that it begins with; undefined where nothing is left. */
export function withoutDefinitions(source: string, paragraph: Block): Block | undefined {
	const definitions = definitionLines(source, paragraph.lines);
	const first = paragraph.lines[definitions];
	if (definitions === 0) return paragraph;
	return first && paragraph.withoutFirst(definitions, skipBlanks(source, first.from, first.to));
}

function definitionAt(source: string, lines: readonly Line[], index: number): number {
	const first = textOf(source, lines[index]);
	const label = labelEnd(first);
	if (label === 0) return 0;
	let used = 1;
	let rest = trimBlanks(first.slice(label));
	if (rest === '') {
		rest = textOf(source, lines[index + 1]);
		used = 2;
	}
	const destination = destinationEnd(rest);
	if (destination === 0) return 0;
	const behind = trimBlanks(rest.slice(destination));
	if (behind !== '') return isBlankCode(rest.charCodeAt(destination)) && isTitle(behind) ? used : 0;
	return isTitle(textOf(source, lines[index + used])) ? used + 1 : used;
}

function textOf(source: string, line: Line | undefined): string {
	return line === undefined ? '' : trimBlanks(source.slice(skipBlanks(source, line.from, line.to), line.to));
}

/** The offset behind `[label]:`, 0 for none. A footnote (`[^1]:`) is text. */
function labelEnd(text: string): number {
	if (text[0] !== '[' || text[1] === '^') return 0;
	for (let index = 1; index < text.length && index <= LABEL_LIMIT; index++) {
		if (text[index] === '\\') index++;
		else if (text[index] === '[') return 0;
		else if (text[index] === ']') return text[index + 1] === ':' && text.slice(1, index).trim() !== '' ? index + 2 : 0;
	}
	return 0;
}

function destinationEnd(text: string): number {
	if (text[0] === '<') {
		for (let index = 1; index < text.length; index++) {
			if (text[index] === '\\') index++;
			else if (text[index] === '<') return 0;
			else if (text[index] === '>') return index + 1;
		}
		return 0;
	}
	let depth = 0;
	let index = 0;
	for (; index < text.length && text.charCodeAt(index) > 32; index++) {
		if (text[index] === '\\') index++;
		else if (text[index] === '(') depth++;
		else if (text[index] === ')') depth--;
		if (depth < 0) return 0;
	}
	return depth === 0 && (index >= text.length || isBlankCode(text.charCodeAt(index))) ? Math.min(index, text.length) : 0;
}

function isTitle(text: string): boolean {
	const close = text[0] === '(' ? ')' : text[0];
	if (close !== '"' && close !== "'" && close !== ')') return false;
	for (let index = 1; index < text.length; index++) {
		if (text[index] === '\\') index++;
		else if (text[index] === close) return index === text.length - 1;
	}
	return false;
}
