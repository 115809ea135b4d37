/** What an entry is known by: what it says, and the how-manieth it is that says so in its file. */
import { sha256 } from '../base/sha256.ts';
import type { MarkdownEntry } from './markdown/parse.ts';

export type IdentifiedEntry = MarkdownEntry & {
	/** `entryHash` of its text. */
	hash: string;
	/** 0 for the first entry with this hash in the file, 1 for the second, … */
	ordinal: number;
};

/** Canonical composition, every run of white space one space, none at the ends: how a text is laid out makes no other entry of it. */
export function normaliseText(text: string): string {
	return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** SHA-256 of the normalised text, in hex. */
export function entryHash(text: string): string {
	return sha256(normaliseText(text));
}

/** In the order given. */
export function identify(entries: readonly MarkdownEntry[]): IdentifiedEntry[] {
	const seen = new Map<string, number>();
	return entries.map((entry) => {
		const hash = entryHash(entry.text);
		const ordinal = seen.get(hash) ?? 0;
		seen.set(hash, ordinal + 1);
		return { ...entry, hash, ordinal };
	});
}
