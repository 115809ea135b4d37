import { cutCodePoints } from '../domain/text.ts';

/** Finds the words that a text rests on. Pure. What is found is always a span of the source, byte for byte. */

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
/** Shorter ones are on every line. */
const TELLING_WORD = 4;
/** Share of the text's telling words that a passage has to hold. */
const LIKELY = 0.5;
const LONGEST_PASSAGE = 2_000;

/** The first of the wanted texts that the source holds, white space and letter case apart, as the source has it. */
export function exactQuote(source: string, wanted: readonly (string | undefined)[]): string | undefined {
	for (const text of wanted) {
		const words = text?.trim().split(/\s+/u) ?? [];
		if (words.length === 0 || words[0] === '') continue;
		const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'iu');
		const found = pattern.exec(source)?.[0];
		if (found !== undefined) return found;
	}
	return undefined;
}

/** The line or sentence that shares most of the text's telling words; undefined where none shares half of them. */
export function likelyQuote(source: string, text: string): string | undefined {
	const wanted = tellingWords(text);
	if (wanted.size === 0) return undefined;
	let best: { passage: string; share: number } | undefined;
	for (const passage of passages(source)) {
		const words = tellingWords(passage);
		const share = [...wanted].filter((word) => words.has(word)).length / wanted.size;
		if (share >= LIKELY && share > (best?.share ?? 0)) best = { passage, share };
	}
	return best?.passage;
}

function passages(source: string): string[] {
	return source
		.split(/\n+|(?<=[!?。！？]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof|No|Nr))\.)\s+/u)
		.map((passage) => cutCodePoints(passage.trim(), LONGEST_PASSAGE))
		.filter((passage) => passage !== '');
}

function tellingWords(text: string): Set<string> {
	const words = text.toLowerCase().match(WORD) ?? [];
	return new Set(words.filter((word) => word.length >= TELLING_WORD || /\p{N}/u.test(word) || !/^[a-z]+$/.test(word)));
}
