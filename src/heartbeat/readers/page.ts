import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/sha256.ts';
import { terminal } from '../../domain/errors.ts';
import { type FetchPage, sameSite } from '../../net/page.ts';
import { textOfAnswer } from '../../tools/web/page-text.ts';
import { createRobots } from '../../tools/web/robots.ts';
import type { Reading, SourceReader } from '../ports.ts';
import { movedNote, type SourceFetch } from '../source-fetch.ts';
import { changeOf, paragraphsOf } from './page-change.ts';

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.9,*/*;q=0.1';

const Cursor = z.object({
	etag: z.string().optional(),
	lastModified: z.string().optional(),
	/** SHA-256 of what was last read. */
	body: z.string().optional(),
	now: z.array(z.string()),
	gone: z.array(z.string()),
});

export interface PageReaderDeps {
	readonly fetchSource: SourceFetch;
	readonly fetchPage: FetchPage;
	readonly clock: Clock;
}

/** The readable text of a page: first all of it, then the paragraphs that are new. Only where the site lets programs read it. */
export function createPageReader({ fetchSource, fetchPage, clock }: PageReaderDeps): SourceReader<'page'> {
	const robots = createRobots({ fetchPage, clock });
	return {
		kind: 'page',
		read: async ({ place, cursor: written, secret, signal, limits, now }) => {
			const cursor = Cursor.safeParse(written).data;
			const named = new URL(place.url);
			const answer = await fetchSource({
				url: place.url,
				accept: ACCEPT,
				validators: { etag: cursor?.etag, lastModified: cursor?.lastModified },
				...(secret !== undefined && { headers: { authorization: `Bearer ${secret}` }, signedIn: true }),
				signal,
				maxBytes: limits.maxBytes,
				now,
				mayRead: (url) =>
					robots(url, {
						signal,
						namedBy: (address) => (sameSite(address, named) ? 'permission' : undefined),
						mayFollow: (address) => sameSite(url, address),
					}),
			});
			if (answer.kind === 'unchanged') return { items: [], cursor: cursor ?? null, more: false, bytes: 0 };
			const { body, contentType, url, validators } = answer;
			const hash = sha256(body);
			const bytes = body.length;
			if (cursor?.body === hash) return { items: [], cursor: { ...cursor, ...validators }, more: false, bytes };
			const read = await textOfAnswer(body, contentType, url);
			if (!read)
				throw terminal('source_unreadable', `What is at this address of ${url.host} is no text.`, { action: 'Check the address.' });
			const paragraphs = paragraphsOf(read.text);
			const { added, seen, change } = changeOf(cursor ?? { now: [], gone: [] }, paragraphs);
			const kept = { ...validators, body: hash };
			const title = read.title === '' ? undefined : read.title;
			if (paragraphs.length === 0)
				return {
					items: [],
					cursor: { now: [], gone: [], ...cursor, ...kept },
					more: false,
					bytes,
					title,
					note: 'It holds no text that could be seen.',
				};
			const text = cursor ? added.map((paragraph) => paragraph.text).join('\n\n') : read.text;
			const item = {
				keys: [`change:${change}`],
				title: read.title,
				url: place.secretAddress ? undefined : url.href,
				text,
				fetchedHash: hash,
			};
			const notes = [...movedNote(answer)];
			return {
				items: added.length === 0 ? [] : [item],
				cursor: { ...kept, ...seen },
				more: false,
				bytes,
				title,
				...(notes.length > 0 && { note: notes.join(' ') }),
			} satisfies Reading;
		},
	};
}
