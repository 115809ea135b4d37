/** What Hearth itself puts where it cuts a text: in names of chats, in passages that a search found, in messages of servers. */
export const ELLIPSIS = '…';

/** From `at`, up to but without `end`, in UTF-16 units. */
export interface Place {
	readonly at: number;
	readonly end: number;
}

/** Letters and marks of a text that are enough to know it by. */
const SHORTEST = 12;
/** How far from its ellipsis a cutting is looked for. UTF-16 units. */
const LONGEST = 2_400;

/** At which a cutting begins or ends. */
const EDGE = /…|\[forgotten\]/g;
/** What a character is written as, and what counts for nothing: white space, marks of quoted lines, backslashes and what does not show. */
const WRITTEN = /\\{1,64}[bfnrt]|\\{1,64}u([0-9a-f]{4})|[\s\S]/giu;
const NOTHING = /^[\s>\\\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

/**
 * Finds what is left of these texts where they were cut: their beginning up to an ellipsis, their end behind one, and what is between
 * two. Of a text that went already, `[forgotten]` counts as one.
 */
export function createCuttings(texts: readonly string[]): (text: string) => Place[] {
	const wholes = [...new Set(texts.map((text) => spelled(text.normalize('NFC')).letters))].filter((whole) => whole.length > SHORTEST);
	if (wholes.length === 0) return () => [];
	return (text) => (text.includes(ELLIPSIS) ? segmentsOf(text).flatMap((segment) => cuttingIn(text, segment, wholes) ?? []) : []);
}

interface Segment extends Place {
	/** An ellipsis is before it, or behind it. */
	readonly cutBefore: boolean;
	readonly cutBehind: boolean;
	/** It lies between a forgotten piece and an ellipsis, or two of these. */
	readonly inner: boolean;
}

function segmentsOf(text: string): Segment[] {
	const edges = [...text.matchAll(EDGE)].map((match) => ({
		at: match.index,
		end: match.index + match[0].length,
		cut: match[0] === ELLIPSIS,
	}));
	return Array.from({ length: edges.length + 1 }, (_, index): Segment => {
		const [before, behind] = [edges[index - 1], edges[index]];
		const [at, end] = [before?.end ?? 0, behind?.at ?? text.length];
		const [cutBefore, cutBehind] = [before?.cut === true, behind?.cut === true];
		return { at, end, cutBefore, cutBehind, inner: before !== undefined && behind !== undefined };
	}).filter(({ at, end, cutBefore, cutBehind }) => end > at && (cutBefore || cutBehind));
}

function cuttingIn(text: string, { at, end, cutBefore, cutBehind, inner }: Segment, wholes: readonly string[]): Place | undefined {
	if (inner && end - at <= LONGEST) {
		const { letters } = spelled(text.slice(at, end));
		if (letters.length >= SHORTEST && wholes.some((whole) => whole.includes(letters))) return { at, end };
	}
	if (cutBehind) {
		const start = Math.max(at, end - LONGEST);
		const { letters, places } = spelled(text.slice(start, end));
		const from = wholes.flatMap((whole) => beginningIn(letters, whole)).toSorted((a, b) => a - b)[0];
		if (from !== undefined) return { at: start + (places[from] ?? 0), end: end + ELLIPSIS.length };
	}
	if (cutBefore) {
		const { letters, places } = spelled(text.slice(at, Math.min(end, at + LONGEST)));
		const upTo = wholes.flatMap((whole) => endIn(letters, whole)).toSorted((a, b) => b - a)[0];
		if (upTo !== undefined) return { at, end: at + (places[upTo] ?? end - at) };
	}
	return undefined;
}

/** Where the beginning of the whole starts that goes on to the end of these letters. */
function beginningIn(letters: string, whole: string): number[] {
	const head = whole.slice(0, SHORTEST);
	for (let from = letters.indexOf(head); from >= 0; from = letters.indexOf(head, from + 1))
		if (whole.startsWith(letters.slice(from))) return [from];
	return [];
}

/** Up to where these letters are the end of the whole. */
function endIn(letters: string, whole: string): number[] {
	const tail = whole.slice(-SHORTEST);
	for (let from = letters.lastIndexOf(tail); from >= 0; from = from === 0 ? -1 : letters.lastIndexOf(tail, from - 1))
		if (whole.endsWith(letters.slice(0, from + SHORTEST))) return [from + SHORTEST];
	return [];
}

/** What is compared, in lower case, and for each unit of it where it is written; then where the text ends. */
function spelled(text: string): { letters: string; places: number[] } {
	let letters = '';
	const places: number[] = [];
	for (const match of text.matchAll(WRITTEN)) {
		const [written, code] = match;
		const letter = code === undefined ? written : String.fromCharCode(Number.parseInt(code, 16));
		const lower = NOTHING.test(letter) ? '' : letter.toLowerCase();
		for (let unit = 0; unit < lower.length; unit++) places.push(match.index);
		letters += lower;
	}
	places.push(text.length);
	return { letters, places };
}
