import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { bareText } from './bare-text.ts';
import type { PageDocument, PageElement } from './dom.ts';
import { removeHidden } from './hidden.ts';
import type { PageText } from './page-words.ts';

/** What is found as an article is the page where it is most of what can be seen, or a long text and a good part of it. */
const MAIN_SHARE = 0.5;
const SHORT_ARTICLE = 500;
const LEAST_SHARE = 0.2;
const LONGEST_TITLE = 300;

/**
 * What a person would read of a page, as Markdown. Pure: no script runs, nothing is loaded. May take long or fail on a page that is made for
 * it, so it is called in a thread that can be ended.
 */
export function readablePage(html: string, url: string): PageText {
	const document = parse(withBody(html));
	const title = document.title.replace(/\s+/gu, ' ').trim().slice(0, LONGEST_TITLE);
	const hidden = removeHidden(document);
	const base = baseOf(html, url);
	const { body } = document;
	const seen = textLength(body?.textContent);
	const text = body ? markdownOf(body, base) : '';
	// The parser makes nothing of some broken pages that a browser would still show.
	const bare = hidden === 0 && seen < 200 ? bareText(html) : '';
	if (bare.length > 2 * text.length) return { title, text: bare, extent: 'bare', hidden };
	const article = articleOf(document);
	const main = textLength(article?.textContent);
	const isMain = main >= seen * MAIN_SHARE || (main >= SHORT_ARTICLE && main >= seen * LEAST_SHARE);
	const content = isMain && article?.content ? parse(`<!doctype html><html><body>${article.content}</body></html>`).body : null;
	if (!content) return { title, text, extent: 'page', hidden };
	return { title: title || (article?.title ?? ''), text: markdownOf(content, base), extent: 'article', hidden };
}

function parse(html: string): PageDocument {
	return parseHTML(html).document as unknown as PageDocument;
}

/** Of a page that leaves out the tags of its body, which the parser needs. */
function withBody(html: string): string {
	if (/<body[\s>]/i.test(html)) return /<html[\s>]/i.test(html) ? html : `<!doctype html><html>${html}</html>`;
	const before = /<\/head\s*>/i.exec(html) ?? /<html(?:\s[^>]*)?>/i.exec(html);
	if (!before) return `<!doctype html><html><head></head><body>${html}</body></html>`;
	const at = before.index + before[0].length;
	return `${html.slice(0, at)}<body>${html.slice(at)}`;
}

interface Article {
	readonly title?: string | null;
	readonly content?: string | null;
	readonly textContent?: string | null;
}

function articleOf(document: PageDocument): Article | null {
	return new Readability(document as never, { charThreshold: 200, maxElemsToParse: 100_000 }).parse() as Article | null;
}

function textLength(text: string | null | undefined): number {
	return text?.replace(/\s+/gu, ' ').trim().length ?? 0;
}

/** The page may say that its links count from another address. */
function baseOf(html: string, url: string): string {
	const written = /<base\b[^>]{0,500}?\bhref\s*=\s*["']?([^"'\s>]{1,2000})/i.exec(html.slice(0, 100_000))?.[1];
	return written !== undefined && URL.canParse(written, url) ? new URL(written, url).href : url;
}

/** Pictures only by their words: to load one is a call to somebody else's server. */
function markdownOf(body: PageElement, base: string): string {
	const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' });
	service.addRule('pictures', {
		filter: ['img', 'picture', 'video', 'audio'] as never,
		replacement: (_, node) => {
			const words = elementOf(node).getAttribute('alt')?.replace(/\s+/gu, ' ').trim();
			return words ? `[picture: ${words.slice(0, 300)}]` : '';
		},
	});
	service.addRule('links', {
		filter: 'a' as never,
		replacement: (content, node) => {
			const words = content.replace(/\s+/gu, ' ').trim();
			const target = targetOf(elementOf(node).getAttribute('href'), base);
			return words === '' || target === undefined ? words : `[${words}](${target})`;
		},
	});
	service.addRule('rows', {
		filter: 'tr' as never,
		replacement: (_, node) => `\n| ${cells(elementOf(node)).join(' | ')} |`,
	});
	service.addRule('tables', { filter: 'table' as never, replacement: (content) => `\n\n${content.trim()}\n\n` });
	return service
		.turndown(body as never)
		.replace(/\n{3,}/g, '\n\n')
		.trim();
}

function elementOf(node: unknown): PageElement {
	return node as PageElement;
}

function cells(row: PageElement): string[] {
	return Array.from(row.children).map((cell) => (cell.textContent ?? '').replace(/\s+/gu, ' ').replaceAll('|', '\\|').trim());
}

/** Only of the web, and not back to the page itself. */
function targetOf(href: string | null, base: string): string | undefined {
	if (href === null || href.startsWith('#') || !URL.canParse(href, base)) return undefined;
	const url = new URL(href, base);
	return url.protocol === 'http:' || url.protocol === 'https:' ? url.href.replaceAll('(', '%28').replaceAll(')', '%29') : undefined;
}
