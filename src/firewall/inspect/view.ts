import { forgedWords, latinFor } from './scripts.ts';

/** A text made comparable, with the way back: unit `i` of `text` comes from the original's units `at[i]` up to `at[i + 1]`. */
export interface View {
	readonly text: string;
	readonly at: readonly number[];
}

/** What is never seen: format controls, soft hyphens, selectors, tags, combining joiners, fillers. */
const INVISIBLE = /\p{Cf}|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u3164|\uFFA0|[\u{FE00}-\u{FE0F}]|[\u{E0000}-\u{E0FFF}]/u;
const MARK = /\p{M}/gu;
const SPACE = /\s/u;
const LETTER = /\p{L}/u;

class Builder {
	readonly parts: string[] = [];
	readonly at: number[] = [];

	add(text: string, from: number): void {
		this.parts.push(text);
		for (let unit = 0; unit < text.length; unit += 1) this.at.push(from);
	}

	view(end: number): View {
		this.at.push(end);
		return { text: this.parts.join(''), at: this.at };
	}
}

/**
 * Lower case, without what is not seen, without accents, compatibility forms plain, forged letters as what they look like, one blank for
 * any white space and one line end for any with a line end in it. Linear.
 */
export function fold(text: string): View {
	const builder = new Builder();
	const forged = forgedWords(text);
	let nextForged = 0;
	let blank: { from: number; line: boolean } | undefined;
	for (let index = 0; index < text.length; ) {
		const code = text.codePointAt(index) ?? 0;
		const width = code > 0xffff ? 2 : 1;
		const from = index;
		index += width;
		if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || (code > 0x7f && SPACE.test(String.fromCodePoint(code)))) {
			blank = { from: blank?.from ?? from, line: code === 0x0a || (blank?.line ?? false) };
			continue;
		}
		const plain = code < 0x80 ? text[from]?.toLowerCase() : plainOf(code, from);
		if (!plain) continue;
		if (blank) builder.add(blank.line ? '\n' : ' ', blank.from);
		blank = undefined;
		builder.add(plain, from);
	}
	return builder.view(text.length);

	function plainOf(code: number, from: number): string {
		const character = String.fromCodePoint(code);
		if (INVISIBLE.test(character)) return '';
		while (nextForged < forged.length && (forged[nextForged]?.end ?? 0) <= from) nextForged += 1;
		const inForged = (forged[nextForged]?.start ?? Number.POSITIVE_INFINITY) <= from;
		const latin = inForged ? latinFor(character) : undefined;
		if (latin) return latin.toLowerCase();
		if (character === 'ß') return 'ss';
		return character.normalize('NFKD').replace(MARK, '').toLowerCase();
	}
}

const LEET: Readonly<Record<string, string>> = {
	'0': 'o',
	'1': 'i',
	'3': 'e',
	'4': 'a',
	'5': 's',
	'7': 't',
	'@': 'a',
	$: 's',
	'!': 'i',
	'|': 'l',
	'+': 't',
};
/** A word with signs among its letters. Signs only at its end are marks of a sentence, signs only, numbers. */
const LEET_WORD =
	/[a-z0-9@$!|+]*(?:[a-z][013457@$!|+]+[a-z]|[a-z][013457@$]{1,3}(?![a-z0-9])|(?<![a-z0-9])[013457@$][a-z]{2})[a-z0-9@$!|+]*/g;

/** The same with digits and signs in words as the letters that they stand for; undefined where there are none. */
export function unleet(view: View): View | undefined {
	let changed = false;
	const text = view.text.replace(/[a-z0-9@$!|+]{3,40}/g, (word) => {
		LEET_WORD.lastIndex = 0;
		if (!LEET_WORD.test(word)) return word;
		const letters = word.replace(/[013457@$!|+]/g, (sign) => LEET[sign] ?? sign);
		changed ||= letters !== word;
		return letters;
	});
	return changed ? { text, at: view.at } : undefined;
}

/** Single letters set apart (`i g n o r e`, `i-g-n-o-r-e`), five or more of them. */
const SPACED = /(?<![\p{L}\p{N}])\p{L}(?:[ \n._*\-|/]{1,3}\p{L}(?![\p{L}\p{N}])){4,}/gu;

/** The letters of such runs put together, each run a line; undefined where there are none. To be compared without regard to blanks. */
export function joinSpaced(view: View): View | undefined {
	const builder = new Builder();
	for (const run of view.text.matchAll(SPACED)) {
		for (let offset = 0; offset < run[0].length; offset += 1) {
			const unit = run[0][offset] ?? '';
			if (LETTER.test(unit)) builder.add(unit, view.at[run.index + offset] ?? 0);
		}
		builder.add('\n', view.at[run.index + run[0].length] ?? 0);
	}
	return builder.parts.length > 0 ? builder.view(view.at.at(-1) ?? 0) : undefined;
}

/** Each letter moved by thirteen. */
export function rot13(view: View): View {
	return {
		text: view.text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97)),
		at: view.at,
	};
}

/** Back to front. */
export function reversed(view: View): View {
	const units = [...view.text].reverse().join('');
	const end = view.at.length - 1;
	// Unit i of the reversed text is unit (length - 1 - i) of the view: its span runs from there to the place after it.
	return { text: units, at: Array.from({ length: view.at.length }, (_, index) => view.at[Math.max(0, end - index)] ?? 0) };
}

/** Offsets in the original of units `start` to `end` of a view, in order also where it was turned round. */
export function original(view: View, start: number, end: number): { start: number; end: number } {
	const a = view.at[start] ?? 0;
	const b = view.at[Math.min(end, view.at.length - 1)] ?? a;
	return a <= b ? { start: a, end: Math.max(b, a + 1) } : { start: b, end: a };
}
