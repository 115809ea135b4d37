import { createCuttings, ELLIPSIS, type Place } from './cutting.ts';

/** What stands in the place of a forgotten text. */
export const FORGOTTEN = '[forgotten]';

/** Longest piece that is looked for as one; a longer text is looked for piece by piece. UTF-16 units. */
const PIECE = 1_000;
/** White space, and what does not show: names of chats are without it. */
const BLANK = '\\s\\p{Cc}\\u202A-\\u202E\\u2066-\\u2069';
const BLANKS = new RegExp(`[${BLANK}]+`, 'u');
/** Backslashes, of JSON in JSON in JSON; not of any number, or a page full of them takes hours. */
const SLASHES = '\\\\{1,64}';
/** Between two words: any of it, as it is or escaped, the marks of quoted lines, and comments, which entries are without. */
const GAP = `(?:[${BLANK}>]|<!--(?:(?!-->)[^]){0,500}-->|${SLASHES}[bfnrt]|${SLASHES}u(?:00[01][0-9a-f]|007f|00a0|202[89a-e]|206[6-9]))+`;
/** How often a text is gone through again. */
const PASSES = 20;

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/**
 * Texts to be found wherever they were stored: in any case, with any white space between words, escaped as JSON at any depth, and cut off
 * before or behind an ellipsis.
 */
export interface Needle {
	/** UTF-16 units of the longest text. */
	readonly length: number;
	holds(text: string): boolean;
	/** Where it begins, each time. */
	placesIn(text: string): number[];
	/** The text with each occurrence replaced by `[forgotten]`; the very same string where there is none. */
	replaced(text: string): string;
	/** Letters and digits, or an ellipsis: one stands in every text that holds it, for a quick look. Undefined: none is sure to. */
	readonly probes: readonly string[] | undefined;
}

/**
 * `except`: strings such as the paths of files, which stay as they are even where they hold it. Throws where no text has a visible
 * character.
 */
export function createNeedle(given: readonly string[], except: readonly string[] = []): Needle {
	const texts = given.map(withoutQuotes);
	const pieces = [...new Set(texts.flatMap((text) => [text.normalize('NFC'), text.normalize('NFD')]).flatMap(piecesOf))];
	if (pieces.length === 0) throw new Error('a needle without text');
	// The longest first: where one text begins with another, all of it goes.
	const sources = pieces.toSorted((a, b) => b.length - a.length).map(sourceOf);
	const pattern = new RegExp(sources.join('|'), 'giu');
	const kept = except.filter((text) => text.search(pattern) >= 0).map((text) => text.toLowerCase());
	const cuttings = createCuttings(texts);

	function* matches(text: string): Generator<Place> {
		const spared = kept.length === 0 ? [] : occurrences(text.toLowerCase(), kept);
		for (const match of text.matchAll(pattern)) {
			const end = match.index + match[0].length;
			if (!spared.some((range) => range.at <= match.index && end <= range.end)) yield { at: match.index, end };
		}
	}
	function replacedOnce(text: string): string {
		let result = '';
		let from = 0;
		for (const { at, end } of [...matches(text), ...cuttings(text)].toSorted((a, b) => a.at - b.at)) {
			if (at < from) continue;
			result += text.slice(from, at) + FORGOTTEN;
			from = end;
		}
		return from === 0 ? text : result + text.slice(from);
	}
	return {
		length: Math.max(...texts.map((text) => text.length)),
		holds: (text) => !matches(text).next().done || cuttings(text).length > 0,
		placesIn: (text) => [...new Set([...matches(text), ...cuttings(text)].map(({ at }) => at))].toSorted((a, b) => a - b),
		replaced: (text) => {
			// Where a piece went, what is left behind it may be a cutting.
			let result = text;
			for (let pass = 0, before = ''; pass < PASSES && result !== before; pass++) {
				before = result;
				result = replacedOnce(before);
			}
			return result;
		},
		probes: probesOf(pieces),
	};
}

/**
 * The same for a value that may be JSON: then it stays valid. Keys change too, unless they could be one of Hearth's own. Its spaces and
 * line ends stay where they can. `isText`: it is somebody's words, also where they look like JSON.
 */
export function replacedInStored(needle: Needle, stored: string, isText = false): string {
	if (!needle.holds(stored)) return stored;
	const plain = needle.replaced(stored);
	const parsed = parseStructure(stored);
	if (parsed === undefined) return plain;
	const changed = JSON.stringify(replacedDeep(needle, parsed));
	// None of its values holds it, but its brackets and commas are a part of it.
	if (changed === JSON.stringify(parsed)) return isText ? plain : stored;
	const plainParsed = parseStructure(plain);
	return plainParsed !== undefined && JSON.stringify(plainParsed) === changed ? plain : changed;
}

function parseStructure(text: string): unknown {
	if (!/^\s*[[{"]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		// Text that only begins like it.
		return undefined;
	}
}

function replacedDeep(needle: Needle, value: unknown): unknown {
	if (typeof value === 'string') return replacedInStored(needle, value, true);
	if (Array.isArray(value)) return value.map((item) => replacedDeep(needle, item));
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [replacedKey(needle, key), replacedDeep(needle, item)]));
}

function replacedKey(needle: Needle, key: string): string {
	return /^[a-zA-Z_]+$/.test(key) ? key : needle.replaced(key);
}

/** Without the quotation marks around it: a JSON string has such as well, and they say nothing. */
function withoutQuotes(text: string): string {
	const quoted = /^\s*"+(.*?)"+\s*$/su.exec(text)?.[1] ?? '';
	return /[\p{L}\p{N}]/u.test(quoted) ? quoted : text;
}

function piecesOf(text: string): string[] {
	const pieces: string[] = [];
	for (const word of text.split(BLANKS).filter((part) => part !== '')) {
		const last = pieces.at(-1);
		if (word.length > PIECE) pieces.push(...(word.match(new RegExp(`[^]{1,${PIECE}}`, 'gu')) ?? []));
		else if (last !== undefined && last.length + word.length < PIECE) pieces[pieces.length - 1] = `${last} ${word}`;
		else pieces.push(word);
	}
	// A short end of a long text stands in half of all others: it belongs to what is before it.
	const [before, end] = pieces.slice(-2);
	return before !== undefined && end !== undefined && end.length < PIECE / 4 ? [...pieces.slice(0, -2), `${before} ${end}`] : pieces;
}

function sourceOf(piece: string): string {
	const source = piece
		.split(' ')
		.map((word) => [...word].map(characterSource).join(''))
		.join(GAP);
	// Within ids, hashes, sizes and times such a word is none.
	if (/^(?:\d+|[0-9a-f]+|[0-9A-F]+)$/.test(piece)) return `(?<![0-9a-fA-F-]|":\\s?)${source}(?![0-9a-fA-F-])`;
	if (!/^\p{L}+$/u.test(piece)) return source;
	// A single word is not a part of another one, except where words are written without spaces between them.
	const first = WITHOUT_SPACES.test(piece) ? '' : '(?:(?<![\\p{L}\\p{N}])|(?<=\\\\[nrt]))';
	return `${first}${source}${WITHOUT_SPACES.test(piece) ? '' : '(?![\\p{L}\\p{N}])'}`;
}

function characterSource(character: string): string {
	if (/[a-zA-Z0-9]/.test(character)) return character;
	if (character === '\\') return SLASHES;
	const literal = `\\u{${character.codePointAt(0)?.toString(16)}}`;
	const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index).toString(16).padStart(4, '0'));
	const escaped = units.map((unit) => `${SLASHES}u${unit}`).join('');
	// Escaped as JSON, or as Markdown in a file.
	const slashed = /[!-/:-@[-`{-~]/.test(character) ? `(?:${SLASHES})?${literal}` : literal;
	return `(?:${slashed}|${escaped})`;
}

function probesOf(pieces: readonly string[]): string[] | undefined {
	const probes = pieces.map((piece) => (piece.match(/[a-zA-Z0-9]{3,}/g) ?? []).toSorted((a, b) => b.length - a.length)[0]);
	return probes.every((probe) => probe !== undefined) ? [...new Set(probes), ELLIPSIS] : undefined;
}

function occurrences(text: string, parts: readonly string[]): Place[] {
	return parts.flatMap((part) => {
		const found: Place[] = [];
		for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push({ at, end: at + part.length });
		return found;
	});
}
