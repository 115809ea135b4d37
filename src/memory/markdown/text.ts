/**
 * From the lines of a block to what it says, and back. A backslash in front of what would begin a block (`\- `, `\#`, `\<!--`) is
 * dropped when read and added when written: so any text can be one entry. The two directions are exact inverses of each other.
 */
import { isBlankCode, skipBlanks, trimBlanks } from './lines.ts';
import { atxLevel, delimiterCells, fenceAt, isThematicBreak, listMarkerAt, setextLevel } from './starts.ts';

const COMMENT_START = '<!--';
const COMMENT_END = '-->';
const TASK_BOX = /^\[[ \txX]\](?:[ \t]|$)/;
const ESCAPED_NUMBER = /^(\d{1,9})(\\+)[.)](?:[ \t]|$)/;

/**
 * The lines of one run of text with the comments at the ends of its lines taken out into `comments`. `commentBlock`: it is an HTML
 * block that began as a comment, where one that is never closed hides all the rest.
 */
export function takeComments(run: string, comments: string[], commentBlock = false): string {
	let kept = '';
	let copied = 0;
	let from = 0;
	while (true) {
		const start = run.indexOf(COMMENT_START, from);
		if (start < 0) break;
		if (run[start - 1] === '\\') {
			from = start + COMMENT_START.length;
			continue;
		}
		const chain: string[] = [];
		let end = start;
		let next = start;
		while (run.startsWith(COMMENT_START, next)) {
			const close = run.indexOf(COMMENT_END, next + 2);
			if (close < 0) break;
			chain.push(run.slice(next, close + COMMENT_END.length));
			end = close + COMMENT_END.length;
			next = skipBlanks(run, end, run.length);
		}
		if (chain.length === 0) {
			if (!commentBlock) break;
			comments.push(run.slice(start));
			return kept + trimEndBlanks(run.slice(copied, start));
		}
		if (next === run.length || run[next] === '\n') {
			kept += trimEndBlanks(run.slice(copied, start));
			comments.push(...chain);
			copied = next;
		}
		from = Math.max(end, start + COMMENT_START.length);
	}
	return kept + run.slice(copied);
}

/** One line of text as it is read: one backslash less where it only kept a block from beginning, or a comment from being one. */
export function unescapeLine(line: string): string {
	if (!line.includes('\\')) return line;
	const behind = countBackslashes(line);
	let result = behind > 0 && beginsBlock(line, behind) ? line.slice(1) : line;
	const number = ESCAPED_NUMBER.exec(result);
	if (number !== null) result = (number[1] ?? '') + result.slice((number[1] ?? '').length + 1);
	return result.includes('\\<!--') ? result.replaceAll('\\<!--', COMMENT_START) : result;
}

/** The inverse of `unescapeLine`. `inItem`: tables may stay tables, they are part of the item. */
export function escapeLine(line: string, inItem: boolean): string {
	const commentsSafe = line.includes(COMMENT_START) ? line.replaceAll(COMMENT_START, '\\<!--') : line;
	const behind = countBackslashes(line);
	const number = /^(\d{1,9})(\\*)[.)](?:[ \t]|$)/.exec(commentsSafe);
	if (number !== null) {
		const digits = number[1] ?? '';
		return `${digits}\\${commentsSafe.slice(digits.length)}`;
	}
	if (!beginsBlock(line, behind)) return commentsSafe;
	// `replaceAll` put its backslash there already.
	if (line.startsWith(COMMENT_START, behind)) return behind > 0 ? `\\${commentsSafe}` : commentsSafe;
	const isTableRule = delimiterCells(line, 0, line.length) > 0 && listMarkerAt(line, 0, line.length) === undefined;
	if (inItem && behind === 0 && isTableRule) return commentsSafe;
	return `\\${commentsSafe}`;
}

/** Whether `- [ ] ` begins here. */
export function taskBoxAt(line: string): boolean {
	return TASK_BOX.test(line);
}

/** What an ATX heading says, its opening `#` already cut off. */
export function readHeading(content: string, comments: string[]): string {
	let text = trimBlanks(takeComments(content, comments));
	let last = text.length;
	while (last > 0 && text[last - 1] === '#') last--;
	if (last < text.length && (last === 0 || isBlankCode(text.charCodeAt(last - 1)))) text = trimBlanks(text.slice(0, last));
	else if (last < text.length && text[last - 1] === '\\') {
		let slashes = last;
		while (slashes > 0 && text[slashes - 1] === '\\') slashes--;
		if (slashes === 0 || isBlankCode(text.charCodeAt(slashes - 1))) text = text.slice(0, slashes) + text.slice(slashes + 1);
	}
	return text.replaceAll('\\<!--', COMMENT_START);
}

/** One line that `readHeading` reads as `line`. */
export function writeHeading(line: string): string {
	const safe = line.replaceAll(COMMENT_START, '\\<!--');
	let last = safe.length;
	while (last > 0 && safe[last - 1] === '#') last--;
	if (last === safe.length) return safe;
	let slashes = last;
	while (slashes > 0 && safe[slashes - 1] === '\\') slashes--;
	return slashes === 0 || isBlankCode(safe.charCodeAt(slashes - 1)) ? `${safe.slice(0, slashes)}\\${safe.slice(slashes)}` : safe;
}

/** Whether a block would begin at `from`: everything that must not be read as one where text is meant. */
function beginsBlock(line: string, from: number): boolean {
	const end = line.length;
	const sign = line[from];
	if (sign === undefined) return false;
	if (sign === '>') return true;
	if (sign === '[') return TASK_BOX.test(line.slice(from, from + 4)) || line.indexOf(']:', from) > 0;
	return (
		(listMarkerAt(line, from, end) !== undefined && !isDigit(sign)) ||
		isThematicBreak(line, from, end) ||
		setextLevel(line, from, end) > 0 ||
		atxLevel(line, from, end) > 0 ||
		fenceAt(line, from, end) !== undefined ||
		(sign === '<' && /[a-z/!?]/i.test(line[from + 1] ?? '')) ||
		delimiterCells(line, from, end) > 0
	);
}

function countBackslashes(line: string): number {
	let count = 0;
	while (line[count] === '\\') count++;
	return count;
}

function isDigit(sign: string): boolean {
	return sign >= '0' && sign <= '9';
}

function trimEndBlanks(text: string): string {
	let end = text.length;
	while (end > 0 && isBlankCode(text.charCodeAt(end - 1))) end--;
	return text.slice(0, end);
}
