import { cutCodePoints, repairSurrogates } from '../domain/text.ts';

/** What a chat is called until its first message. */
export const UNTITLED = 'New chat';

/** UTF-16 units; what a list row shows comfortably. */
const TITLE_LIMIT = 60;
/** A word is cut only when keeping words whole would leave less than this. */
const SHORTEST = 24;

/** A title as the owner gave it, on one line and without characters that do not show; empty where nothing is left. */
export function plainTitle(title: string): string {
	return repairSurrogates(title)
		.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, ' ')
		.replace(/\s+/gu, ' ')
		.trim();
}

/** A title made of the first line of the owner's message that says something; `undefined` where none does. */
export function titleFromText(text: string): string | undefined {
	for (const line of repairSurrogates(text).split(/\r\n|[\n\r\u2028\u2029]/)) {
		const plain = plainLine(line);
		if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(plain)) return shorten(plain);
	}
	return undefined;
}

/** Without Markdown's marks at the line's edges, control characters and runs of white space. */
function plainLine(line: string): string {
	return line
		.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, ' ')
		.replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|```\w*)+/u, '')
		.replace(/(\*\*|__|`)(.+?)\1/gu, '$2')
		.replace(/\s+/gu, ' ')
		.trim();
}

function shorten(line: string): string {
	if (line.length <= TITLE_LIMIT) return line;
	const cut = cutGraphemes(line, TITLE_LIMIT - 1);
	const space = cut.lastIndexOf(' ');
	const whole = line[cut.length] === ' ' || space < SHORTEST ? cut : cut.slice(0, space);
	return `${whole
		.trimEnd()
		.replace(/[,;:\-–—(]+$/u, '')
		.trimEnd()}…`;
}

/** As `cutCodePoints`, and never inside one visible character (family emoji, letters with marks). */
function cutGraphemes(text: string, maxUnits: number): string {
	let end = 0;
	// A little more than the limit is enough to see whether the last character is whole.
	for (const { index, segment } of new Intl.Segmenter().segment(text.slice(0, maxUnits + 64))) {
		if (index + segment.length > maxUnits) break;
		end = index + segment.length;
	}
	return end > 0 ? text.slice(0, end) : cutCodePoints(text, maxUnits);
}
