/** What a line begins with (CommonMark 0.31 and GFM). Each function looks at `from..end` of one line, indentation already skipped. */
import { isBlankCode, skipBlanks, trimBlanksEnd } from './lines.ts';

export type ListMarker = {
	/** `-`, `*`, `+`, `.` or `)`. */
	sign: string;
	/** The number of an ordered item. */
	number?: number;
	/** Offset behind the marker. */
	end: number;
};

export function listMarkerAt(source: string, from: number, end: number): ListMarker | undefined {
	const sign = source[from];
	if (from >= end) return undefined;
	let behind = from + 1;
	if (sign === '-' || sign === '*' || sign === '+') {
		return behind === end || isBlankCode(source.charCodeAt(behind)) ? { sign, end: behind } : undefined;
	}
	behind = from;
	while (behind < end && behind - from < 10 && isDigit(source.charCodeAt(behind))) behind++;
	const delimiter = source[behind];
	if (behind === from || behind - from > 9 || behind >= end || (delimiter !== '.' && delimiter !== ')')) return undefined;
	if (behind + 1 < end && !isBlankCode(source.charCodeAt(behind + 1))) return undefined;
	return { sign: delimiter, number: Number(source.slice(from, behind)), end: behind + 1 };
}

export function isThematicBreak(source: string, from: number, end: number): boolean {
	const sign = source[from];
	if (sign !== '-' && sign !== '*' && sign !== '_') return false;
	let count = 0;
	for (let index = from; index < end; index++) {
		if (source[index] === sign) count++;
		else if (!isBlankCode(source.charCodeAt(index))) return false;
	}
	return count >= 3;
}

/** 1 for a line of `=`, 2 for a line of `-`, 0 otherwise. */
export function setextLevel(source: string, from: number, end: number): 0 | 1 | 2 {
	const sign = source[from];
	if (sign !== '=' && sign !== '-') return 0;
	const last = trimBlanksEnd(source, from, end);
	for (let index = from; index < last; index++) if (source[index] !== sign) return 0;
	return sign === '=' ? 1 : 2;
}

/** The number of `#` of an ATX heading, 0 where it is none. */
export function atxLevel(source: string, from: number, end: number): number {
	let index = from;
	while (index < end && source[index] === '#') index++;
	const level = index - from;
	if (level < 1 || level > 6) return 0;
	return index === end || isBlankCode(source.charCodeAt(index)) ? level : 0;
}

export type Fence = { sign: string; length: number };

export function fenceAt(source: string, from: number, end: number): Fence | undefined {
	const sign = source[from];
	if (sign !== '`' && sign !== '~') return undefined;
	let index = from;
	while (index < end && source[index] === sign) index++;
	if (index - from < 3) return undefined;
	if (sign === '`' && source.slice(index, end).includes('`')) return undefined;
	return { sign, length: index - from };
}

export function closesFence(fence: Fence, source: string, from: number, end: number): boolean {
	let index = from;
	while (index < end && source[index] === fence.sign) index++;
	return index - from >= fence.length && skipBlanks(source, index, end) === end;
}

/** How many cells a GFM delimiter row has, 0 where it is none (a bare `---` is an underline or a break). */
export function delimiterCells(source: string, from: number, end: number): number {
	const last = trimBlanksEnd(source, from, end);
	let index = from;
	let seen = false;
	let cells = 0;
	if (source[index] === '|') {
		seen = true;
		index++;
	}
	while (true) {
		index = skipBlanks(source, index, last);
		if (index >= last) break;
		if (source[index] === ':') {
			seen = true;
			index++;
		}
		const dashes = index;
		while (index < last && source[index] === '-') index++;
		if (index === dashes) return 0;
		if (source[index] === ':' && index < last) {
			seen = true;
			index++;
		}
		cells++;
		index = skipBlanks(source, index, last);
		if (index >= last) break;
		if (source[index] !== '|') return 0;
		seen = true;
		index++;
	}
	return seen ? cells : 0;
}

/** How many cells a table row has: split at pipes without a backslash, the outer ones aside. */
export function rowCells(source: string, from: number, end: number): number {
	const last = trimBlanksEnd(source, from, end);
	let index = source[from] === '|' ? from + 1 : from;
	let cells = 0;
	let open = false;
	for (; index < last; index++) {
		const sign = source[index];
		if (sign === '|') {
			cells++;
			open = false;
			continue;
		}
		if (sign === '\\') index++;
		open = true;
	}
	return open ? cells + 1 : cells;
}

/** The kind of HTML block (CommonMark 4.6), 0 for none. Kinds 6 and 7 end at a blank line. */
export type HtmlKind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;
export const HTML_COMMENT: HtmlKind = 2;

const RAW_TAG = /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i;
const RAW_END = /<\/(?:script|pre|style|textarea)>/i;
const TAG_NAME = /^<\/?([a-z][a-z0-9-]*)(?:[ \t]|\/?>|$)/i;
const LONE_TAG =
	/^(?:<[a-z][a-z0-9-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?>|<\/[a-z][a-z0-9-]*[ \t]*>)[ \t]*$/i;
/** A longer line is no lone tag: it bounds what the pattern may look at. */
const LONE_TAG_LIMIT = 2_000;
const BLOCK_TAGS = new Set(
	(
		'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset ' +
		'figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem ' +
		'nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul'
	).split(' '),
);

export function htmlKindAt(source: string, from: number, end: number, interrupts: boolean): HtmlKind {
	if (source[from] !== '<') return 0;
	if (source.startsWith('<!--', from) && from + 4 <= end) return HTML_COMMENT;
	if (source.startsWith('<?', from)) return 3;
	if (source.startsWith('<![CDATA[', from)) return 5;
	if (source[from + 1] === '!') return /[a-z]/i.test(source[from + 2] ?? '') && from + 2 < end ? 4 : 0;
	const line = source.slice(from, Math.min(end, from + LONE_TAG_LIMIT));
	if (RAW_TAG.test(line)) return 1;
	if (BLOCK_TAGS.has(TAG_NAME.exec(line)?.[1]?.toLowerCase() ?? '')) return 6;
	return !interrupts && end - from <= LONE_TAG_LIMIT && LONE_TAG.test(line) ? 7 : 0;
}

/** Whether the HTML block ends with this line. */
export function endsHtml(kind: HtmlKind, line: string): boolean {
	if (kind === 1) return RAW_END.test(line);
	if (kind === HTML_COMMENT) return line.includes('-->');
	if (kind === 3) return line.includes('?>');
	if (kind === 4) return line.includes('>');
	return kind === 5 && line.includes(']]>');
}

function isDigit(code: number): boolean {
	return code >= 48 && code <= 57;
}
