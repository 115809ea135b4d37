import { MATCH_END, MATCH_START } from '../contract/methods/sessions.ts';
import { cutCodePoints, cutCodePointsFromStart } from '../domain/text.ts';

/** UTF-16 units shown before and after the first match. */
const BEFORE = 48;
const AFTER = 180;

/** A short piece of a marked text around its first match, on one line. Marks are always in pairs. */
export function snippetOf(marked: string): string {
	const start = Math.max(0, marked.indexOf(MATCH_START));
	const before = marked.slice(0, start);
	const head = startAtWord(cutCodePointsFromStart(before, BEFORE), before.length > BEFORE);
	const rest = cutCodePoints(marked.slice(start), AFTER);
	const cut = start + rest.length < marked.length;
	const text = `${head}${closeMarks(rest)}`.replace(/\s+/gu, ' ').trim();
	return `${before.length > head.length ? '…' : ''}${text}${cut ? '…' : ''}`;
}

/** Marks every place where one of the lower-cased terms stands in the text, whatever its case. */
export function markTerms(text: string, terms: readonly string[]): string {
	const pattern = terms
		.toSorted((a, b) => b.length - a.length)
		.map((term) => term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+'))
		.join('|');
	return text.replace(new RegExp(pattern, 'giu'), (match) => `${MATCH_START}${match}${MATCH_END}`);
}

function startAtWord(head: string, wasCut: boolean): string {
	const space = head.indexOf(' ');
	return wasCut && space >= 0 && space < BEFORE / 2 ? head.slice(space + 1) : head;
}

function closeMarks(text: string): string {
	return text.lastIndexOf(MATCH_START) > text.lastIndexOf(MATCH_END) ? `${text}${MATCH_END}` : text;
}
