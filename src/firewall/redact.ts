import { createHmac } from 'node:crypto';
import { KnownSecrets, type KnownSpan } from './known-secrets.ts';
import type { RedactingStream, Redactor } from './ports.ts';
import { keySpans, mergedSpans, type SecretSpan, secretSpans } from './secret-shapes.ts';

/** Keeps secrets out of what is stored, sent or shown (S3). Known values live in this process's memory and nowhere else. */

const MASK = /\[secret removed: [0-9a-f]{4}\]/;
/** Of a text that comes in pieces, the most that is held back, in UTF-16 units; the block of a key may be longer. */
const MOST_HELD = 4_096;
const MOST_HELD_OF_A_BLOCK = 20_000;
/** Words before the end of a line that belong together: `password = …`. */
const HELD_WORDS = 3;

export interface KeptSecrets extends Redactor {
	/** A value that is secret from now on: read from a keychain, set by the owner, found in the environment or in the settings. */
	learn(value: string): void;
	/** What masks are made with from now on: of the profile, so that no mask tells what it stands for. */
	maskWith(salt: Uint8Array): void;
}

export function createRedactor(firstSalt: Uint8Array): KeptSecrets {
	let salt = firstSalt;
	const known = new KnownSecrets();
	const masks = new Map<string, string>();

	/** The same for the same value: whoever reads two masks sees whether they stand for one secret. */
	function maskOf(value: string): string {
		const kept = masks.get(value);
		if (kept !== undefined) return kept;
		const mask = `[secret removed: ${createHmac('sha256', salt).update(value).digest('hex').slice(0, 4)}]`;
		if (masks.size < 10_000) masks.set(value, mask);
		return mask;
	}

	function masked(text: string, spans: readonly (SecretSpan & Partial<KnownSpan>)[]): string {
		let result = '';
		let from = 0;
		for (const { start, end, value } of spans) {
			result += text.slice(from, start) + maskOf(value ?? text.slice(start, end));
			from = end;
		}
		return result + text.slice(from);
	}

	/** Known values first, so that their mask is the one that stands there. */
	function withShapes(text: string, shapes: (text: string) => SecretSpan[]): (SecretSpan & Partial<KnownSpan>)[] {
		const values = known.spans(text);
		const found = text.length < 12 ? [] : shapes(text).filter(({ start, end }) => !MASK.test(text.slice(start, end)));
		if (values.length === 0) return found;
		return mergedSpans<SecretSpan & Partial<KnownSpan>>([...values, ...found]);
	}

	const redactBy =
		(spansOf: (text: string) => (SecretSpan & Partial<KnownSpan>)[]) =>
		(text: string): { text: string; found: number } => {
			const spans = spansOf(text);
			return spans.length === 0 ? { text, found: 0 } : { text: masked(text, spans), found: spans.length };
		};

	function streamBy(spansOf: (text: string) => (SecretSpan & Partial<KnownSpan>)[], safeEnd: (text: string) => number): RedactingStream {
		let held = '';
		const release = (all: boolean): string => {
			if (held === '') return '';
			const spans = spansOf(held);
			let cut = all ? held.length : Math.min(safeEnd(held), held.length - known.openEnd(held));
			for (const { start, end } of spans) if (start < cut && end > cut) cut = start;
			const shown = masked(
				held.slice(0, cut),
				spans.filter(({ end }) => end <= cut),
			);
			held = held.slice(cut);
			return shown;
		};
		return {
			push: (piece) => {
				held += piece;
				return release(false);
			},
			end: () => release(true),
		};
	}

	const everything = (text: string) => withShapes(text, (given) => secretSpans(given, (plain) => known.spans(plain).length > 0));
	const values = (text: string) => known.spans(text);
	return {
		learn: (value) => void known.add(value),
		maskWith: (given) => {
			salt = given;
			masks.clear();
		},
		redact: redactBy(everything),
		redactKeys: redactBy((text) => withShapes(text, keySpans)),
		redactKnown: redactBy(values),
		hasMask: (text) => MASK.test(text),
		stream: () => streamBy(everything, endOfWords),
		streamKnown: () => streamBy(values, (text) => text.length),
	};
}

/** Up to where no shape can still grow: a whole line, or all but the last words of one; not within the block of a key. */
function endOfWords(text: string): number {
	const block = text.lastIndexOf('-----BEGIN');
	if (block >= 0 && !text.includes('-----END', block) && text.length - block < MOST_HELD_OF_A_BLOCK) return block;
	let end = text.length;
	const line = text.lastIndexOf('\n') + 1;
	for (let words = 0; words < HELD_WORDS && end > line; words += 1) {
		while (end > line && /\s/.test(text.charAt(end - 1))) end -= 1;
		while (end > line && !/\s/.test(text.charAt(end - 1))) end -= 1;
	}
	return Math.max(end, text.length - MOST_HELD);
}
