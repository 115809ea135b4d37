import { type AnyFeed, parseFeed } from 'feedsmith';
import { sha256 } from '../../base/sha256.ts';
import { LONGEST_ITEM } from '../../domain/heartbeat.ts';
import { cutCodePoints } from '../../domain/text.ts';
import { beginsPage } from '../../tools/web/begins-page.ts';
import { webAddress } from '../web-address.ts';
import { plainText } from './feed-text.ts';
import type { FeedContent, FeedEntry } from './feed-words.ts';

/** Entries of one document that are looked at. */
const MOST_ENTRIES = 5_000;
const LOOKS_LIKE_FEED = /<(?:\w+:)?(?:rss|feed|rdf)[\s>]/i;
const BLOCK = /<((?:\w+:)?(?:item|entry))\b(?:(?!<\/?\1\b)[\s\S])*<\/\1\s*>/gi;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows none of these, and feeds have them
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/**
 * What a feed holds, of any of its kinds. Of a broken one what can be read. Pure; may take long or run out of its stack on one that is made for
 * it, so it is called in a thread that can be ended.
 */
export function parseFeedText(text: string, url: string): FeedContent {
	const clean = text.replace(CONTROLS, '');
	const any = parsed(clean);
	const whole = any && contentOf(any, url);
	// Of a tag that is never closed the parser makes one entry of many, and says nothing.
	if (whole && (any.format === 'json' || whole.entries.length >= Math.min(MOST_ENTRIES, beginningsIn(clean))))
		return { kind: 'feed', ...whole };
	if (whole) {
		const entries = rescued(clean, url);
		return { kind: 'feed', ...(entries.entries.length > whole.entries.length ? entries : whole) };
	}
	if (beginsPage(clean)) return { kind: 'no_feed', isPage: true };
	if (!LOOKS_LIKE_FEED.test(clean)) return { kind: 'no_feed', isPage: false };
	return { kind: 'feed', ...rescued(clean, url) };
}

function parsed(text: string): AnyFeed | undefined {
	try {
		return parseFeed(text, { maxItems: MOST_ENTRIES + 1 });
	} catch (error) {
		// Anything that is no feed, or is none any more, is an error of one of its parsers.
		if (error instanceof Error) return undefined;
		throw error;
	}
}

type Content = Omit<Extract<FeedContent, { kind: 'feed' }>, 'kind'>;

/** Entry by entry, each in a feed of its own. */
function rescued(text: string, url: string): Content {
	const blocks = [...text.matchAll(BLOCK)].slice(0, MOST_ENTRIES).map(([block]) => block);
	const first = text.search(/<(?:\w+:)?(?:item|entry)\b/i);
	const opened = first < 0 ? text.length : first;
	const beginnings = beginningsIn(text);
	const isWhole = beginnings === 0 && /(?:<\/(?:\w+:)?(?:rss|feed|rdf)|\/)\s*>\s*$/i.test(text);
	const root = /<(?:\w+:)?(rss|feed|rdf)\b[^>]{0,5000}>/i.exec(text)?.[0] ?? '<rss version="2.0">';
	const tag = /^<([\w:]+)/.exec(root)?.[1] ?? 'rss';
	const isRss = /rss$/i.test(tag);
	const entries: FeedEntry[] = [];
	let title = '';
	let home: string | undefined;
	for (const block of blocks) {
		const feed = parsed(isRss ? `${root}<channel><title/>${block}</channel></${tag}>` : `${root}${block}</${tag}>`);
		if (feed) entries.push(...contentOf(feed, url).entries);
	}
	const head = parsed(isRss ? `${closed(text.slice(0, opened))}</channel></${tag}>` : `${closed(text.slice(0, opened))}</${tag}>`);
	if (head) ({ title, home } = contentOf(head, url));
	return {
		title,
		home,
		entries,
		...(!isWhole && { broken: Math.max(0, Math.min(beginnings, MOST_ENTRIES) - entries.length) }),
		cut: beginnings > MOST_ENTRIES,
	};
}

function beginningsIn(text: string): number {
	return text.match(/<(?:\w+:)?(?:item|entry)(?=[\s>])/gi)?.length ?? 0;
}

/** Up to its last whole tag. */
function closed(text: string): string {
	return text.slice(0, text.lastIndexOf('>') + 1);
}

function contentOf(any: AnyFeed, url: string): Content {
	const { title, home, entries } = read(any, url);
	const cut = entries.length > MOST_ENTRIES;
	return {
		title: plainText(title ?? '').slice(0, 300),
		home,
		entries: entries.slice(0, MOST_ENTRIES).filter(({ title, text, link }) => title + text + (link ?? '') !== ''),
		cut,
	};
}

function read(any: AnyFeed, url: string): { title: string | undefined; home: string | undefined; entries: FeedEntry[] } {
	switch (any.format) {
		case 'rss': {
			const { feed } = any;
			const home = webAddress(feed.link, url);
			const entries = (feed.items ?? []).map((item) => {
				const guid = item.guid?.value;
				const permalink = item.guid?.isPermaLink !== false && guid !== undefined && /^https?:/i.test(guid) ? guid : undefined;
				return entryOf({
					id: guid,
					link: webAddress(item.link ?? linkOf(item.atom?.links) ?? permalink ?? item.enclosures?.[0]?.url, home ?? url),
					title: item.title ?? item.dc?.titles?.[0],
					author: item.authors?.map(personOf).find(Boolean) ?? item.dc?.creators?.[0],
					date: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated,
					html: longer(item.content?.encoded, item.description),
				});
			});
			return { title: feed.title, home, entries };
		}
		case 'atom': {
			const { feed } = any;
			const home = webAddress(linkOf(feed.links), baseOf(feed.xml?.base, url));
			const base = baseOf(feed.xml?.base, url);
			const entries = (feed.entries ?? []).map((entry) =>
				entryOf({
					id: entry.id,
					link: webAddress(linkOf(entry.links) ?? entry.content?.src, baseOf(entry.xml?.base, base)),
					title: entry.title?.value,
					author: (entry.authors ?? feed.authors)?.map(({ name }) => name).find(Boolean),
					date: entry.published ?? entry.updated,
					html: longer(entry.content?.value, entry.summary?.value ?? entry.media?.description?.value),
				}),
			);
			return { title: feed.title?.value, home, entries };
		}
		case 'rdf': {
			const { feed } = any;
			const home = webAddress(feed.link, url);
			const entries = (feed.items ?? []).map((item) =>
				entryOf({
					id: item.rdf?.about,
					link: webAddress(item.link, home ?? url),
					title: item.title,
					author: item.dc?.creators?.[0],
					date: item.dc?.dates?.[0],
					html: longer(item.content?.encoded, item.description),
				}),
			);
			return { title: feed.title, home, entries };
		}
		case 'json': {
			const { feed } = any;
			const home = webAddress(feed.home_page_url, url);
			const entries = (feed.items ?? []).map((item) =>
				entryOf({
					id: item.id,
					link: webAddress(item.url ?? item.external_url, home ?? url),
					title: item.title,
					author: (item.authors ?? feed.authors)?.map(({ name }) => name).find(Boolean),
					date: item.date_published ?? item.date_modified,
					html: item.content_html ?? item.summary,
					plain: item.content_text,
				}),
			);
			return { title: feed.title, home, entries };
		}
	}
}

interface Written {
	readonly id: string | undefined;
	readonly link: string | undefined;
	readonly title: string | undefined;
	readonly author: string | undefined;
	readonly date: string | undefined;
	readonly html: string | undefined;
	/** That is surely no HTML. */
	readonly plain?: string | undefined;
}

function entryOf({ id, link, title: writtenTitle, author, date, html, plain }: Written): FeedEntry {
	const title = plainText(writtenTitle ?? '').replace(/\s+/g, ' ');
	const text = plain?.replaceAll('\r\n', '\n').trim() ?? plainText(html ?? '');
	return {
		...(present(id) && { id: id.trim() }),
		...(link !== undefined && { link }),
		title: title.slice(0, 1_000),
		...(present(author) && { author: plainText(author).slice(0, 300) }),
		...(present(date) && { date: date.trim().slice(0, 100) }),
		text: cutCodePoints(text, LONGEST_ITEM + 1),
		content: sha256(JSON.stringify([title, text])),
	};
}

function present(text: string | undefined): text is string {
	return text !== undefined && text.trim() !== '';
}

function personOf(person: string | { name?: string | undefined; email?: string | undefined }): string | undefined {
	return typeof person === 'string' ? person : (person.name ?? person.email);
}

/** A feed has a summary, the whole text, or both. */
function longer(one: string | undefined, other: string | undefined): string | undefined {
	return (one?.length ?? 0) >= (other?.length ?? 0) ? one : other;
}

function linkOf(
	links: readonly { href?: string | undefined; rel?: string | undefined; type?: string | undefined }[] | undefined,
): string | undefined {
	const alternates = links?.filter(({ rel }) => rel === undefined || rel === 'alternate');
	return (alternates?.find(({ type }) => type === undefined || type === 'text/html') ?? alternates?.[0])?.href;
}

function baseOf(base: string | undefined, url: string): string {
	return base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
}
