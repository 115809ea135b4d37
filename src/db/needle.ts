/** What stands in the place of a forgotten text. */
export const FORGOTTEN = '[forgotten]';

/** Longest piece that is looked for as one; a longer text is looked for piece by piece. UTF-16 units. */
const PIECE = 1_000;
/** Between two words: any white space, as it is or escaped, and the marks of quoted lines. */
const GAP = '(?:[\\s>]|\\\\+[nrt]|\\\\+u(?:00[aA]0|202[89]))+';

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Texts to be found wherever they were stored: in any case, with any white space between words, and escaped as JSON at any depth. */
export interface Needle {
	/** UTF-16 units of the longest text. */
	readonly length: number;
	holds(text: string): boolean;
	/** Where it begins, each time. */
	placesIn(text: string): number[];
	/** The text with each occurrence replaced by `[forgotten]`; the very same string where there is none. */
	replaced(text: string): string;
	/** Letters and digits of which one stands in every text that holds it, for a quick look. Undefined: there are none to be sure of. */
	readonly probes: readonly string[] | undefined;
}

/**
 * `except`: strings such as the paths of files, which stay as they are even where they hold it. Throws where no text has a visible
 * character.
 */
export function createNeedle(texts: readonly string[], except: readonly string[] = []): Needle {
	const pieces = [...new Set(texts.flatMap((text) => [text.normalize('NFC'), text.normalize('NFD')]).flatMap(piecesOf))];
	if (pieces.length === 0) throw new Error('a needle without text');
	// The longest first: where one text begins with another, all of it goes.
	const sources = pieces.toSorted((a, b) => b.length - a.length).map(sourceOf);
	const pattern = new RegExp(sources.join('|'), 'giu');
	const kept = except.filter((text) => text.search(pattern) >= 0).map((text) => text.toLowerCase());

	function* matches(text: string): Generator<{ at: number; end: number }> {
		const spared = kept.length === 0 ? [] : occurrences(text.toLowerCase(), kept);
		for (const match of text.matchAll(pattern)) {
			const end = match.index + match[0].length;
			if (!spared.some((range) => range.at <= match.index && end <= range.end)) yield { at: match.index, end };
		}
	}
	return {
		length: Math.max(...texts.map((text) => text.length)),
		holds: (text) => !matches(text).next().done,
		placesIn: (text) => [...matches(text)].map(({ at }) => at),
		replaced: (text) => {
			let result = '';
			let from = 0;
			for (const { at, end } of matches(text)) {
				result += text.slice(from, at) + FORGOTTEN;
				from = end;
			}
			return from === 0 ? text : result + text.slice(from);
		},
		probes: probesOf(pieces),
	};
}

/**
 * The same for a value that may be JSON: then it stays valid. Keys change too, unless they could be one of Hearth's own. Its spaces and
 * line ends stay where they can.
 */
export function replacedInStored(needle: Needle, stored: string): string {
	if (!needle.holds(stored)) return stored;
	const plain = needle.replaced(stored);
	const parsed = parseStructure(stored);
	if (parsed === undefined) return plain;
	const changed = JSON.stringify(replacedDeep(needle, parsed));
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
	if (typeof value === 'string') return replacedInStored(needle, value);
	if (Array.isArray(value)) return value.map((item) => replacedDeep(needle, item));
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [replacedKey(needle, key), replacedDeep(needle, item)]));
}

function replacedKey(needle: Needle, key: string): string {
	return /^[a-zA-Z_]+$/.test(key) ? key : needle.replaced(key);
}

function piecesOf(text: string): string[] {
	const pieces: string[] = [];
	for (const word of text.split(/\s+/).filter((part) => part !== '')) {
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
	if (character === '\\') return '\\\\+';
	const literal = `\\u{${character.codePointAt(0)?.toString(16)}}`;
	const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index).toString(16).padStart(4, '0'));
	const escaped = units.map((unit) => `\\\\+u${unit}`).join('');
	const slashed = character === '"' || character === '/' ? `\\\\*${literal}` : literal;
	return `(?:${slashed}|${escaped})`;
}

function probesOf(pieces: readonly string[]): string[] | undefined {
	const probes = pieces.map((piece) => (piece.match(/[a-zA-Z0-9]{3,}/g) ?? []).toSorted((a, b) => b.length - a.length)[0]);
	return probes.every((probe) => probe !== undefined) ? [...new Set(probes)] : undefined;
}

function occurrences(text: string, parts: readonly string[]): { at: number; end: number }[] {
	return parts.flatMap((part) => {
		const found: { at: number; end: number }[] = [];
		for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push({ at, end: at + part.length });
		return found;
	});
}
