import { z } from 'zod';
import type { SourceReader } from '../ports.ts';
import type { SourceFetch } from '../source-fetch.ts';
import { calendarReading, SeenUntil } from './calendar-items.ts';

/** So long the server may say that nothing changed: what comes nearer is in what it said before. */
const WHOLE_EVERY_MS = 6 * 3_600_000;

const Cursor = SeenUntil.partial().extend({ etag: z.string().optional(), lastModified: z.string().optional() });

/** A calendar at an address (iCalendar). */
export function createCalendarReader({ fetchSource }: { fetchSource: SourceFetch }): SourceReader<'calendar'> {
	return {
		kind: 'calendar',
		read: async (request) => {
			const { place, now, signal, limits } = request;
			const { readAt, etag, lastModified } = Cursor.safeParse(request.cursor).data ?? {};
			const mayBeSame = readAt !== undefined && now - readAt < WHOLE_EVERY_MS;
			const answer = await fetchSource({
				url: place.url,
				accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
				validators: mayBeSame ? { etag, lastModified } : undefined,
				signal,
				maxBytes: limits.maxBytes,
				now,
			});
			if (answer.kind === 'unchanged') return { items: [], cursor: request.cursor, more: false, bytes: 0 };
			const { readAt: wholeAt, ...reading } = await calendarReading(request, readAt, {
				bytes: answer.body,
				contentType: answer.contentType,
				url: place.secretAddress ? undefined : place.url,
			});
			const cursor = reading.more ? { ...(wholeAt !== undefined && { readAt: wholeAt }) } : { readAt: now, ...stated(answer.validators) };
			return { ...reading, cursor };
		},
	};
}

/** JSON has no undefined. */
function stated({ etag, lastModified }: { etag?: string | undefined; lastModified?: string | undefined }) {
	return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
