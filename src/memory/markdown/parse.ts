/** Reads a Markdown file into entries and writes it back: byte for byte, because the source is kept and only ever spliced. */
import { scan } from './scan.ts';
import type { MarkdownDocument } from './types.ts';

export type { MarkdownDocument, MarkdownEntry, MarkdownEntryKind } from './types.ts';

/** Linear in the length of the source; every string is a valid file. */
export function parseMarkdown(source: string): MarkdownDocument {
	const { entries, lines } = scan(source);
	return { source, eol: lines.eol, entries };
}

export function renderMarkdown(document: MarkdownDocument): string {
	return document.source;
}
