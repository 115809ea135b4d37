/** Pieces of a text that the classifier reads one by one: a sentence, a field of a record, a line; short ones together. */
export interface Window {
	readonly start: number;
	readonly end: number;
}

/** What ends a piece: a sentence, a line, a quoted field. Looked at only where it begins, so it steps through once. */
const END = /[.!?。！？]["')\]]{0,2}\s+|\n+|["'],\s{0,2}(?=["'{[])|["']\s?[:}\]]\s?/g;
/** UTF-16 units. Shorter pieces say too little alone; longer ones drown what is said in the midst of them. */
const SHORTEST = 48;
const LONGEST = 320;

export function windowsOf(text: string): Window[] {
	const windows: Window[] = [];
	let start = 0;
	const close = (end: number): void => {
		for (let from = start; from < end; from += LONGEST) {
			const to = Math.min(end, from + LONGEST);
			if (/[\p{L}\p{N}]/u.test(text.slice(from, to))) windows.push({ start: from, end: to });
		}
		start = end;
	};
	for (const match of text.matchAll(END)) {
		const end = match.index + match[0].length;
		if (end - start >= SHORTEST) close(end);
	}
	const last = windows.at(-1);
	// A short end belongs to what it ends.
	if (last && text.length - start < SHORTEST / 2 && text.length - last.start <= LONGEST)
		windows[windows.length - 1] = { start: last.start, end: text.length };
	else close(text.length);
	return windows;
}

/** Of many pieces the worst looks bad by chance: what a piece has to be worse by in a text of so many. */
export function allowanceFor(pieces: number): number {
	return PER_PIECE * Math.log(Math.max(1, pieces));
}

const PER_PIECE = 0.7;
