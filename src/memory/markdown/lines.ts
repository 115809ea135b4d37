/** Lines of a source as offsets, and the characters block structure is made of. Only \n, \r\n and a lone \r break a line. */

export const TAB = 9;
const SPACE = 32;

export type Lines = {
	/** Offset of the first character of each line. */
	starts: number[];
	/** Offset behind the last character of each line, its break excluded. */
	ends: number[];
	eol: '\n' | '\r\n';
};

/** A break at the very end starts no further line; an empty source has no line. */
export function splitLines(source: string): Lines {
	const starts: number[] = [];
	const ends: number[] = [];
	let crlf = 0;
	let lineFeeds = 0;
	let start = 0;
	let feed = source.indexOf('\n');
	let carriage = source.indexOf('\r');
	while (feed >= 0 || carriage >= 0) {
		const end = carriage < 0 || (feed >= 0 && feed < carriage) ? feed : carriage;
		starts.push(start);
		ends.push(end);
		if (end === feed) lineFeeds++;
		else if (feed === end + 1) crlf++;
		start = end === carriage && feed === end + 1 ? end + 2 : end + 1;
		if (feed >= 0 && feed < start) feed = source.indexOf('\n', start);
		if (carriage >= 0 && carriage < start) carriage = source.indexOf('\r', start);
	}
	if (start < source.length) {
		starts.push(start);
		ends.push(source.length);
	}
	return { starts, ends, eol: crlf > lineFeeds ? '\r\n' : '\n' };
}

/** Any text with its breaks as `\n`. */
export function withLineFeeds(text: string): string {
	return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

export function isBlankCode(code: number): boolean {
	return code === SPACE || code === TAB;
}

/** The first offset in `from..end` that is neither space nor tab; `end` where there is none. */
export function skipBlanks(source: string, from: number, end: number): number {
	let index = from;
	while (index < end && isBlankCode(source.charCodeAt(index))) index++;
	return index;
}

/** The offset behind the last character in `from..end` that is neither space nor tab. */
export function trimBlanksEnd(source: string, from: number, end: number): number {
	let index = end;
	while (index > from && isBlankCode(source.charCodeAt(index - 1))) index--;
	return index;
}

/** Spaces and tabs off both ends; other white space is text. */
export function trimBlanks(text: string): string {
	const from = skipBlanks(text, 0, text.length);
	return text.slice(from, trimBlanksEnd(text, from, text.length));
}
