import type { Finding } from './finding.ts';
import { PHRASES } from './phrase-list.ts';
import { fold, joinSpaced, original, reversed, rot13, unleet, type View } from './view.ts';

/** Signs that may stand between two words of a phrase; and the words between its halves. Folded text of Latin script is ASCII: plain classes are many times faster to compile. */
const GAP = '[^a-z0-9\\n]{1,4}\\n?';
const FEW_WORDS = "(?:[^a-z0-9.;!?|]{1,4}[a-z0-9'’_-]{1,30}){0,5}?[^a-z0-9.;!?|]{1,4}";

interface Pattern {
	readonly kind: Finding['kind'];
	readonly weight: Finding['weight'];
	readonly plain: RegExp;
}

const LETTER_FIRST = /^(?:\(\?:)?[a-z]/;

function compiled(source: string): RegExp {
	const words = source
		.replaceAll(' ?', '\u0001')
		.replaceAll('~', FEW_WORDS)
		.replace(/ (?![^[]*\])/g, GAP)
		.replaceAll('\u0001', '[^a-z0-9\\n]{0,4}');
	return new RegExp(LETTER_FIRST.test(source) ? `(?<![a-z0-9])${words}` : words, 'g');
}

const PATTERNS: readonly Pattern[] = PHRASES.flatMap(({ kind, weight, any }) =>
	any.map((source) => ({ kind, weight, plain: compiled(source) })),
);

/** Where letters are set apart, the gaps between words are lost: these are looked for in what is left when all gaps are taken out. */
const RUN_TOGETHER =
	/(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|my|of)*(?:previous|prior|above|earlier|system|safety)?(?:instructions?|prompts?|rules|guidelines|commands)|(?:system|developer|admin|secret)prompt|ignorier[a-z]{0,3}(?:alle|die|deine)?(?:vorherigen|bisherigen|obigen)?(?:anweisungen|regeln)|(?:donot|dont)tellthe(?:user|owner)|youarenow|(?:alreadyapproved)|(?:delete|send|forward)(?:all|every|the)?(?:files|emails|messages|passwords|data)/gu;

const MOST_OF_A_PATTERN = 20;

/** What is said to an agent in a text: as it stands, with forged, hidden, spelled-out and swapped letters, back to front, moved by thirteen. */
export function phrasesIn(text: string): Finding[] {
	const plain = fold(text);
	const found = search(plain, 1);
	const leet = unleet(plain);
	if (leet) found.push(...search(leet, 1));
	const spaced = joinSpaced(plain);
	if (spaced) found.push(...tight(spaced));
	// Disguised so, what is found was hidden on purpose; what is weak by itself comes about by chance.
	found.push(...search(rot13(plain), 3), ...search(reversed(plain), 3));
	return found;
}

function search(view: View, least: number): Finding[] {
	const found: Finding[] = [];
	for (const { kind, weight, plain } of PATTERNS) {
		if (weight < least) continue;
		for (const match of take(view.text.matchAll(plain), MOST_OF_A_PATTERN))
			found.push({ kind, weight, ...original(view, match.index, match.index + match[0].length) });
	}
	return found;
}

function tight(view: View): Finding[] {
	return take(view.text.matchAll(RUN_TOGETHER), MOST_OF_A_PATTERN).map((match) => ({
		kind: 'instruction',
		weight: 3,
		...original(view, match.index, match.index + match[0].length),
	}));
}

function take<Item>(items: Iterable<Item>, most: number): Item[] {
	const taken: Item[] = [];
	for (const item of items) {
		if (taken.length >= most) break;
		taken.push(item);
	}
	return taken;
}
