import { diffArrays } from 'diff';
import { z } from 'zod';

/**
 * What a change did to a file's text, as places: enough to take it back on the text as it is today, whatever was changed elsewhere
 * since (M4). Pure. Offsets and lengths are UTF-16 units.
 */

export const Hunk = z.object({
	/** In the text before the change. */
	at: z.number().int().nonnegative(),
	removed: z.string(),
	inserted: z.string(),
	/** Some of its text was forgotten: filler of the same length stands there, so that places after it can still be told. */
	forgotten: z.boolean().optional(),
});
export type Hunk = z.infer<typeof Hunk>;

export interface Range {
	readonly start: number;
	readonly end: number;
}

const FILLER = '\u2588';

/** Stands for text that was forgotten, as long as it was. */
export function filler(text: string): string {
	return FILLER.repeat(text.length);
}

/** The hunk without its texts: where something went and came, never what. */
export function withoutText(hunk: Hunk): Hunk {
	return { at: hunk.at, removed: filler(hunk.removed), inserted: filler(hunk.inserted), forgotten: true };
}

/** One hunk: all that lies between what both texts begin with and what both end with. None where they are the same. */
export function diffOnce(before: string, after: string): Hunk[] {
	if (before === after) return [];
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
	let tail = 0;
	while (tail < shorter - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail++;
	return [{ at: start, removed: before.slice(start, before.length - tail), inserted: after.slice(start, after.length - tail) }];
}

/** Past this many changed lines one hunk for all of it will do. */
const MOST_EDITS = 2_000;

/** A hunk for each run of changed lines. */
export function diffLinewise(before: string, after: string): Hunk[] {
	const [whole] = diffOnce(before, after);
	if (whole === undefined) return [];
	// Only the lines that the whole hunk touches need a closer look.
	const from = lineStart(before, whole.at);
	const tail = toLineEnd(before, whole.at + whole.removed.length);
	const removed = before.slice(from, whole.at + whole.removed.length + tail);
	const inserted = after.slice(from, whole.at + whole.inserted.length + tail);
	const changes = diffArrays(linesOf(removed), linesOf(inserted), { maxEditLength: MOST_EDITS });
	if (changes === undefined) return [whole];
	const hunks: Hunk[] = [];
	let at = from;
	let open: Hunk | undefined;
	for (const change of changes) {
		const text = change.value.join('');
		if (!change.added && !change.removed) {
			open = undefined;
		} else {
			if (open === undefined) {
				open = { at, removed: '', inserted: '' };
				hunks.push(open);
			}
			if (change.removed) open.removed += text;
			else open.inserted += text;
		}
		if (!change.added) at += text.length;
	}
	return hunks;
}

/** `before` with the hunks applied. Each must lie where its `removed` has room. */
export function applyHunks(before: string, hunks: readonly Hunk[]): string {
	let result = '';
	let copied = 0;
	for (const hunk of hunks) {
		result += before.slice(copied, hunk.at) + hunk.inserted;
		copied = hunk.at + hunk.removed.length;
	}
	return result + before.slice(copied);
}

/** Where each hunk's `inserted` lies in the text after the change. */
export function insertedRanges(hunks: readonly Hunk[]): Range[] {
	let shift = 0;
	return hunks.map((hunk) => {
		const start = hunk.at + shift;
		shift += hunk.inserted.length - hunk.removed.length;
		return { start, end: start + hunk.inserted.length };
	});
}

/** Where a range of the text before a change lies after it; undefined where the change touched it. */
export function mapRange(range: Range, hunks: readonly Hunk[]): Range | undefined {
	let shift = 0;
	for (const hunk of hunks) {
		const end = hunk.at + hunk.removed.length;
		if (end <= range.start) shift += hunk.inserted.length - hunk.removed.length;
		else if (hunk.at < range.end) return undefined;
		else break;
	}
	return { start: range.start + shift, end: range.end + shift };
}

function linesOf(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function lineStart(text: string, offset: number): number {
	return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** How far it is from here to behind the next line break: the same in both texts, which end alike. */
function toLineEnd(text: string, offset: number): number {
	const next = text.indexOf('\n', offset);
	return (next < 0 ? text.length : next + 1) - offset;
}
