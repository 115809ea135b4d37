import { type IdentifiedEntry, identify } from './identity.ts';
import { parseMarkdown } from './markdown/parse.ts';

/** One write looks several times at the text before it and at the one after it. */
const KEPT_TEXTS = 2;
const kept: { readonly text: string; readonly entries: readonly IdentifiedEntry[] }[] = [];

/** The entries of a file's text, in its order. Not to be changed: those of the last texts are kept. */
export function entriesOf(text: string): readonly IdentifiedEntry[] {
	const known = kept.find((one) => one.text === text);
	if (known) return known.entries;
	const entries = identify(parseMarkdown(text).entries);
	kept.unshift({ text, entries });
	kept.length = Math.min(kept.length, KEPT_TEXTS);
	return entries;
}
