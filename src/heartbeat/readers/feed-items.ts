import { sha256 } from '../../base/sha256.ts';
import type { Timestamp } from '../../domain/ids.ts';
import type { ReadItem } from '../ports.ts';
import type { FeedEntry } from './feed-words.ts';

/** What of a feed can't be relied on to tell one entry from another, once seen. */
export type Distrusted = 'id' | 'link';

/**
 * The keys of a feed's entries: its id, its link, its content with its date. An id or a link that two different entries share tells nothing, and
 * neither does a link to the page that the feed belongs to.
 */
export function itemsOf(
	feed: { readonly entries: readonly FeedEntry[]; readonly home?: string | undefined; readonly url: string },
	distrusted: ReadonlySet<Distrusted>,
	fetchedHash: string,
): { items: ReadItem[]; distrusted: Set<Distrusted> } {
	const homes = new Set([feed.home, feed.url].flatMap((link) => (link === undefined ? [] : [sameLink(link)])));
	const found = new Set(distrusted);
	if (isShared(feed.entries, ({ id }) => id)) found.add('id');
	if (
		isShared(feed.entries, ({ link }) => (link === undefined || homes.has(sameLink(link)) ? undefined : sameLink(link)), ['id', 'content'])
	)
		found.add('link');
	const items = feed.entries.map((entry): ReadItem => {
		const { id, link, title, author, date, text, content } = entry;
		const at = date === undefined ? undefined : dateOf(date);
		const keys = [
			...(id !== undefined && !found.has('id') ? [`id:${id}`] : []),
			...(link !== undefined && !found.has('link') && !homes.has(sameLink(link)) ? [`link:${sameLink(link)}`] : []),
			// Two entries may say the same on two days; of one that has neither id nor link the date may be that of the request.
			`hash:${sha256(JSON.stringify([content, id === undefined && link === undefined ? null : (at ?? date ?? null)]))}`,
		];
		const shown = title === '' && text === '' ? { title: link ?? '', text: '' } : { title, text };
		return { keys, ...shown, url: link, author, publishedAt: at, revises: true, fetchedHash };
	});
	return { items: oldestFirst(items), distrusted: found };
}

/** Whether two entries have the same of it, and are not the same entry by the others: what neither has tells nothing. */
function isShared(
	entries: readonly FeedEntry[],
	of: (entry: FeedEntry) => string | undefined,
	by: readonly ('id' | 'link' | 'content')[] = ['link', 'content'],
): boolean {
	const first = new Map<string, FeedEntry>();
	return entries.some((entry) => {
		const value = of(entry);
		if (value === undefined) return false;
		const earlier = first.get(value);
		if (!earlier) first.set(value, entry);
		return earlier !== undefined && by.every((name) => earlier[name] === undefined || earlier[name] !== entry[name]);
	});
}

/** By their dates where all have one; else a feed begins with its newest entry. */
function oldestFirst(items: readonly ReadItem[]): ReadItem[] {
	const reversed = items.toReversed();
	return reversed.every(({ publishedAt }) => publishedAt !== undefined)
		? reversed.sort((a, b) => (a.publishedAt ?? 0) - (b.publishedAt ?? 0))
		: reversed;
}

function dateOf(written: string): Timestamp | undefined {
	const at = Date.parse(written);
	return Number.isNaN(at) ? undefined : Math.max(0, at);
}

const TRACKING = /^(?:utm_\w+|fbclid|gclid|mc_[ce]id|at_\w+)$/;

/** As it is compared: however it is protected, and without where a reader came from. */
function sameLink(link: string): string {
	const url = new URL(link);
	for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
	return `${url.host}${url.pathname}${url.search}${url.hash}`;
}
