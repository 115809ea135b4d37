import { parseHTML } from 'linkedom';
import { bareText } from '../../tools/web/bare-text.ts';
import type { PageDocument } from '../../tools/web/dom.ts';
import { removeHidden } from '../../tools/web/hidden.ts';

/** Anything that could take a part of it out of sight. */
const MAY_HIDE = /<style|\b(?:style|class|hidden|aria-hidden|color|size)\s*=|\bhidden\b/i;
const LOOKS_LIKE_MARKUP = /<[a-z!/]|&(?:#\d|#x|[a-z])/i;
/** Longer ones are not built as a page; what hides in them stays, as text. */
const MOST_BUILT = 500_000;

/**
 * Plain text of what a feed calls HTML, or plain, without saying which. What a browser would not show is dropped; characters that can't be seen
 * are kept, for the detectors.
 */
export function plainText(html: string): string {
	if (!LOOKS_LIKE_MARKUP.test(html)) return html.replaceAll('\r\n', '\n').trim();
	return bareText(MAY_HIDE.test(html) && html.length <= MOST_BUILT ? withoutHidden(html) : html);
}

function withoutHidden(html: string): string {
	const { document } = parseHTML(`<!doctype html><html><head></head><body>${html}</body></html>`);
	removeHidden(document as unknown as PageDocument);
	return (document as unknown as { body: { innerHTML: string } | null }).body?.innerHTML ?? '';
}
