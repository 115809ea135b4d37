import { fileURLToPath } from 'node:url';
import type { FindingQuote, WatchedItem, WatchedPlace } from '../domain/heartbeat.ts';
import type { Source } from '../domain/memory.ts';
import type { LookSource } from './look-ports.ts';

/** Where a finding came from, in full (M2): the finding, then for each quote the page, the file or the tool that it stands in. Pure. */
export function sourcesOf(
	findingId: string,
	{ item, quotes }: { item: WatchedItem; quotes: readonly FindingQuote[] },
	source: LookSource,
): Source[] {
	const title = item.title.trim() || source.title;
	return [
		{ kind: 'finding', findingId, title, quote: quotes[0]?.quote ?? '' },
		...quotes.map((quote) => placeOfQuote(quote, item, source)),
	];
}

function placeOfQuote({ quote, start, end }: FindingQuote, item: WatchedItem, source: LookSource): Source {
	const { fetchedAt, fetchedHash } = item;
	const url = /^https?:/i.test(item.url ?? '') ? item.url : addressOf(source.place);
	const path = pathOf(item.url, source.place);
	if (path !== undefined) return { kind: 'file', path, hash: fetchedHash, quote };
	if (url !== undefined) return { kind: 'url', url, fetchedAt, fetchedHash, quote, start, end };
	const address = item.url === undefined ? {} : { address: item.url };
	return { kind: 'tool', of: 'finding', name: nameOf(source, item), ...address, at: fetchedAt, hash: fetchedHash, quote };
}

/** Of a place that is one page or feed; without what is secret in it. */
function addressOf(place: WatchedPlace): string | undefined {
	return place.kind === 'feed' || place.kind === 'page' || place.kind === 'calendar' ? place.url : undefined;
}

function pathOf(url: string | undefined, place: WatchedPlace): string | undefined {
	if (place.kind !== 'folder' && place.kind !== 'calendar_file') return undefined;
	return url?.startsWith('file:') ? fileURLToPath(url) : place.path;
}

/** A mailbox, a tool server: what the owner calls it, and where in it. */
function nameOf({ title, place }: LookSource, { url, author }: WatchedItem): string {
	if (place.kind === 'mailbox') return author === undefined ? title : `${title}: ${author}`;
	return url === undefined ? title : `${title}: ${url}`;
}
