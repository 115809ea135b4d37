import { z } from 'zod';
import { JobThread } from '../../base/job-thread.ts';
import { sha256 } from '../../base/sha256.ts';
import { retryable, terminal } from '../../domain/errors.ts';
import type { Reading, ReadRequest, SourceReader } from '../ports.ts';
import { movedNote, type SourceAnswer, type SourceFetch } from '../source-fetch.ts';
import { feedText } from './feed-encoding.ts';
import { type Distrusted, itemsOf } from './feed-items.ts';
import { FeedContent, type FeedJob, READS_FEEDS } from './feed-words.ts';

const ACCEPT =
	'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1';
const TIME_MS = 20_000;
/** Ids that are new for entries that are not, so many readings in a row: they tell nothing. */
const MOST_CHANGES = 3;

const Cursor = z.object({
	etag: z.string().optional(),
	lastModified: z.string().optional(),
	/** SHA-256 of the document as it was last read to its end. */
	body: z.string().optional(),
	distrusted: z.array(z.enum(['id', 'link'])).default([]),
	/** Readings in a row in which ids had changed. */
	changes: z.number().int().nonnegative().default(0),
});
type Cursor = z.infer<typeof Cursor>;
const NO_CURSOR: Cursor = { distrusted: [], changes: 0 };

const thread = new JobThread<FeedJob, FeedContent>({
	load: async () => (await import('./feed-worker.ts')).workerUrl,
	purpose: READS_FEEDS,
	answer: FeedContent,
	heapMb: 384,
});

/** RSS, RDF, Atom and JSON Feed. */
export function createFeedReader({ fetchSource }: { fetchSource: SourceFetch }): SourceReader<'feed'> {
	return {
		kind: 'feed',
		read: async (request) => {
			const cursor = Cursor.safeParse(request.cursor).data ?? NO_CURSOR;
			const answer = await fetchSource({
				url: request.place.url,
				accept: ACCEPT,
				validators: { etag: cursor.etag, lastModified: cursor.lastModified },
				...(request.secret !== undefined && { headers: { authorization: `Bearer ${request.secret}` }, signedIn: true }),
				signal: request.signal,
				maxBytes: request.limits.maxBytes,
				now: request.now,
			});
			if (answer.kind === 'unchanged') return { items: [], cursor, more: false, bytes: 0 };
			const hash = sha256(answer.body);
			if (hash === cursor.body) return { items: [], cursor: { ...cursor, ...answer.validators }, more: false, bytes: answer.body.length };
			return readingOf(await contentOf(answer), { request, cursor, answer, hash });
		},
	};
}

type Answer = Extract<SourceAnswer, { kind: 'answer' }>;
type Feed = Extract<FeedContent, { kind: 'feed' }>;

async function contentOf({ body, contentType, url }: Answer): Promise<Feed> {
	const { host } = url;
	if (body.length === 0) throw retryable('network_bad_response', `${host} answered with nothing.`);
	const text = feedText(body, contentType, body.length);
	const content = text === undefined ? { kind: 'no_feed' as const, isPage: false } : await thread.run({ text, url: url.href }, TIME_MS);
	if (!content)
		throw terminal('source_unreadable', `The feed of ${host} is too much to be read.`, { action: 'Take another feed of the site.' });
	if (content.kind === 'feed') return content;
	const what = content.isPage ? 'a web page and not a feed' : 'no feed';
	throw terminal('source_unreadable', `At this address of ${host} is ${what}.`, {
		action: content.isPage ? 'Add it anew by its link: it is watched as a page then, or by the feed that it names.' : 'Check the address.',
	});
}

function readingOf(feed: Feed, of: { request: ReadRequest<'feed'>; cursor: Cursor; answer: Answer; hash: string }): Reading {
	const { request, cursor, answer, hash } = of;
	const { items, distrusted } = itemsOf({ ...feed, url: answer.url.href }, new Set<Distrusted>(cursor.distrusted), hash);
	const found = items.map((item) => ({ item, known: new Set(item.keys.filter((key) => request.known([key]))) }));
	const changes = haveIdsChanged(found) ? cursor.changes + 1 : 0;
	if (changes >= MOST_CHANGES) distrusted.add('id');
	const unknown = found.filter(({ known }) => known.size === 0);
	const now = unknown.slice(0, request.limits.maxItems);
	const more = now.length < unknown.length;
	// What is known may have changed, or be known by other names from now on.
	const changed = more ? [] : found.filter(({ item, known }) => known.size > 0 && known.size < new Set(item.keys).size);
	const isWhole = !more && feed.broken === undefined;
	return {
		items: [...changed, ...now].map(({ item }) => item),
		cursor: { ...(isWhole && { ...answer.validators, body: hash }), distrusted: [...distrusted], changes },
		more,
		bytes: answer.body.length,
		title: feed.title === '' ? undefined : feed.title,
		note: noteOf(feed, answer),
	};
}

/** Most entries that have an id are known, and not by it. */
function haveIdsChanged(found: readonly { item: { keys: readonly string[] }; known: ReadonlySet<string> }[]): boolean {
	const withId = found.flatMap(({ item, known }) => {
		const id = item.keys.find((key) => key.startsWith('id:'));
		return id === undefined ? [] : [{ isRenamed: known.size > 0 && !known.has(id) }];
	});
	const renamed = withId.filter(({ isRenamed }) => isRenamed);
	return renamed.length >= 3 && renamed.length >= withId.length / 2;
}

function noteOf({ broken, entries, cut }: Feed, answer: Answer): string | undefined {
	const notes = [
		...(broken === undefined ? [] : [brokenWords(entries.length, broken)]),
		...(cut ? [`Only its first ${entries.length.toLocaleString('en')} entries are looked at.`] : []),
		...movedNote(answer),
	];
	return notes.length === 0 ? undefined : notes.join(' ');
}

function brokenWords(read: number, broken: number): string {
	if (broken === 0) return 'The feed is cut off or broken; what stands in it was read.';
	return `The feed is broken: ${read} of its ${read + broken} entries could be read.`;
}
