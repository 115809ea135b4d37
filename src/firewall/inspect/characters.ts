import type { Finding } from './finding.ts';
import { forgedWords } from './scripts.ts';

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Overrides turn the order of plain letters round: no text needs them. */
const OVERRIDE = /[\u202D\u202E]+/g;
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202C\u2066-\u2069]+/g;

/** Tags spell out plain letters that are not drawn; after a black flag they name a region, up to the cancel tag. */
const TAGS = /(\u{1F3F4})?[\u{E0020}-\u{E007F}\u{E0001}]+/gu;
/** Sixteen and 240 selectors: enough to carry any byte after any character. One after a character chooses its form. */
const SELECTORS = /[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]{2,}/gu;
const LONELY_SELECTORS = /[\u{E0100}-\u{E01EF}]/u;
/** Never drawn, and of no use between the letters of a word in a script that does not join them. */
const ZERO_WIDTH =
	/(?:[\u200B\u200C\u2060-\u2064\u206A-\u206F\uFEFF\u180E\u115F\u1160\u3164\uFFA0\uFFF9-\uFFFB]|\u200D|\u034F|\u17B4|\u17B5)+/g;
const SOFT_HYPHENS = /[\p{L}\p{N}]\u00AD+(?=[\p{L}\p{N}])/gu;
/** Scripts and pictures that join with U+200C and U+200D. */
const JOINING = new RegExp(
	`${['Arabic', 'Syriac', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Khmer', 'Myanmar', 'Lao', 'Mongolian'].map((script) => `\\p{Script=${script}}`).join('|')}|\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\uFE0F`,
	'u',
);
const WORD_UNIT = /[\p{L}\p{N}]/u;
const RARE = /[^\n\r\t -~\u00A0-\u00AC\u00AE-\u02FF]/;

/** Hidden texts that are read, and of those that are put together, letters. */
const MOST_SPELLED = 8;
const MOST_LETTERS = 20_000;

/** Hidden characters, controls of direction and forged letters, with what hidden ones spell where they do. */
export function charactersIn(text: string): { findings: Finding[]; spelled: { text: string; start: number; end: number }[] } {
	const findings: Finding[] = [];
	const spelled: { text: string; start: number; end: number }[] = [];
	if (!RARE.test(text) && !text.includes('\u00AD')) return { findings, spelled };

	// Put together: what is spelled out may be scattered over the text.
	const tagged: { text: string; start?: number; end: number } = { text: '', end: 0 };
	for (const { 0: found, 1: flag, index } of text.matchAll(TAGS)) {
		if (flag !== undefined && found.endsWith('\u{E007F}') && found.length <= 18) continue;
		const start = index + (flag?.length ?? 0);
		const end = index + found.length;
		findings.push({ kind: 'hidden_text', start, end, weight: 3 });
		const letters = [...found].map((tag) => (tag.codePointAt(0) ?? 0) - 0xe0000).filter((code) => code >= 0x20 && code < 0x7f);
		tagged.text += String.fromCharCode(...letters.slice(0, 8_000));
		tagged.start ??= start;
		tagged.end = end;
	}
	if (tagged.start !== undefined) spelled.push({ text: tagged.text.slice(0, MOST_LETTERS), start: tagged.start, end: tagged.end });
	for (const { 0: found, index } of text.matchAll(SELECTORS)) {
		const place = { start: index, end: index + found.length };
		const many = [...found].length > 3;
		findings.push({ kind: 'hidden_text', ...place, weight: many || LONELY_SELECTORS.test(found) ? 3 : 1 });
		if (many && spelled.length < MOST_SPELLED) spelled.push({ text: bytesOfSelectors(found), ...place });
	}
	for (const { 0: found, index } of text.matchAll(ZERO_WIDTH)) {
		const weight = weightOfZeroWidth(text, index, index + found.length);
		if (weight > 0) findings.push({ kind: 'hidden_text', start: index, end: index + found.length, weight });
	}
	const hyphens = [...text.matchAll(SOFT_HYPHENS)].slice(0, 500);
	// A page may offer breaks in long words; a word with one after every other letter is written not to be found.
	for (const { 0: found, index } of hyphens)
		findings.push({ kind: 'hidden_text', start: index + 1, end: index + found.length, weight: isDense(hyphens, index) ? 2 : 0 });
	for (const { 0: found, index } of text.matchAll(OVERRIDE))
		findings.push({ kind: 'bidi_control', start: index, end: index + found.length, weight: 3 });
	if (!RIGHT_TO_LEFT.test(text))
		for (const { 0: found, index } of text.matchAll(DIRECTION))
			findings.push({
				kind: 'bidi_control',
				start: index,
				end: index + found.length,
				weight: /[\u202A-\u202C\u2066-\u2069]/.test(found) ? 2 : 1,
			});
	for (const word of forgedWords(text)) findings.push({ kind: 'homoglyph', ...word, weight: 2 });
	return { findings, spelled };
}

function weightOfZeroWidth(text: string, start: number, end: number): 0 | 1 | 2 | 3 {
	const found = text.slice(start, end);
	if (start === 0 && found === '\uFEFF') return 0;
	const before = characterBefore(text, start);
	const after = String.fromCodePoint(text.codePointAt(end) ?? 0x20);
	if (/^[\u200C\u200D]$/.test(found) && (JOINING.test(before) || JOINING.test(after))) return 0;
	if (found.length > 8) return 3;
	return WORD_UNIT.test(before) &&
		WORD_UNIT.test(after) &&
		!/[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u4E00-\u9FFF]/.test(before)
		? 2
		: 1;
}

function characterBefore(text: string, index: number): string {
	const low = text.charCodeAt(index - 1);
	return low >= 0xdc00 && low <= 0xdfff ? text.slice(Math.max(0, index - 2), index) : text.slice(Math.max(0, index - 1), index);
}

function isDense(hyphens: readonly RegExpMatchArray[], index: number): boolean {
	let near = 0;
	for (const other of hyphens) if (Math.abs((other.index ?? 0) - index) <= 12) near += 1;
	return near >= 4;
}

function bytesOfSelectors(found: string): string {
	const bytes = [...found].slice(0, 8_000).map((selector) => {
		const code = selector.codePointAt(0) ?? 0;
		return code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00;
	});
	return Buffer.from(bytes).toString('utf8');
}
