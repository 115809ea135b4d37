import { cutCodePoints } from '../../domain/text.ts';

/** An item's text in parts that can be looked at, and quoted, by themselves: each is an exact piece of it. Pure. */

export interface ItemParts {
	/** Its first line, where more follows; else empty. */
	readonly title: string;
	/** Sentences and short lines of the rest, in order. */
	readonly sentences: readonly string[];
	/** Neighbouring sentences put together, up to some length; the first is how the item begins. */
	readonly windows: readonly (readonly string[])[];
}

const ABBREVIATIONS = 'Dr|Mr|Mrs|Ms|St|Prof|No|Nr|approx|ca|etc|vs|resp|bzw|z\\.B|e\\.g|i\\.e|a\\.m|p\\.m|Inc|Ltd|Corp';
const ENDS = new RegExp(
	`(?<=[!?。！？]["”’)]?)\\s+|(?<=(?<!\\b(?:${ABBREVIATIONS}))(?<!\\b\\p{Lu})(?<!\\b\\d{1,2})\\.["”’)]?)\\s+(?=[\\p{Lu}\\p{N}“"„(])`,
	'u',
);
/** In UTF-16 units. */
const WINDOW = 320;
const LONGEST_SENTENCE = 400;
const MOST_SENTENCES = 400;
const LONGEST_TITLE = 200;

export function partsOfItem(text: string): ItemParts {
	const whole = text.trim();
	const line = /^[^\n]*/.exec(whole)?.[0].trim() ?? '';
	const rest = whole.slice(line.length).trim();
	const title = rest === '' || line.length > LONGEST_TITLE ? '' : line;
	const sentences = sentencesIn(title === '' ? whole : rest);
	return { title, sentences, windows: windowsOf(sentences) };
}

function sentencesIn(text: string): string[] {
	return text
		.split(/\s*\n\s*/)
		.flatMap((line) => line.split(ENDS))
		.map((sentence) => cutCodePoints(sentence.trim(), LONGEST_SENTENCE))
		.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
		.slice(0, MOST_SENTENCES);
}

function windowsOf(sentences: readonly string[]): string[][] {
	const windows: string[][] = [];
	let length = WINDOW;
	for (const sentence of sentences) {
		const last = windows.at(-1);
		if (last && length + sentence.length <= WINDOW) {
			last.push(sentence);
			length += sentence.length;
		} else {
			windows.push([sentence]);
			length = sentence.length;
		}
	}
	return windows;
}
