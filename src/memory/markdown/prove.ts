/** An edit is only handed out when reading its result gives what was meant and leaves every other entry as it was. */
import { terminal } from '../../domain/errors.ts';
import { normaliseText } from '../identity.ts';
import { scan } from './scan.ts';
import type { MarkdownEntry, MarkdownEntryKind } from './types.ts';

export type MarkdownEdit = {
	/** The whole new text of the file. */
	source: string;
	/** What was written, as offsets in it; empty where something was only taken out. */
	range: { start: number; end: number };
};

export type Wanted = { text: string; kind?: MarkdownEntryKind; comments?: readonly string[] };

/** One way to make the edit: the result, and which entries (`from` up to `to`) it replaces by what. */
export type Draft = MarkdownEdit & { from: number; to: number; wanted: readonly Wanted[] };

/** The first draft that keeps its word. Throws `conflict` where none does; nothing is lost then. */
export function firstProven(entries: readonly MarkdownEntry[], drafts: Iterable<Draft>): MarkdownEdit {
	for (const draft of drafts) if (holds(entries, draft)) return { source: draft.source, range: draft.range };
	throw terminal('conflict', 'The file is laid out so that this change would alter other entries too.', {
		safe: 'The file was not changed.',
		action: 'Make the change in the file itself.',
	});
}

function holds(entries: readonly MarkdownEntry[], { source, from, to, wanted }: Draft): boolean {
	const found = scan(source).entries;
	if (found.length !== entries.length - (to - from) + wanted.length) return false;
	for (const [index, entry] of found.entries()) {
		const want = wanted[index - from];
		if (index >= from && want !== undefined) {
			if (normaliseText(entry.text) !== normaliseText(want.text) || (want.kind !== undefined && entry.kind !== want.kind)) return false;
			// It must not take in a comment that stood beside it.
			if (normaliseText(entry.comments.join(' ')) !== normaliseText(want.comments?.join(' ') ?? '')) return false;
			continue;
		}
		const old = entries[index < from ? index : index - wanted.length + (to - from)];
		if (old === undefined || old.kind !== entry.kind || old.text !== entry.text || old.checked !== entry.checked) return false;
		if (old.comments.length !== entry.comments.length) return false;
	}
	return true;
}
