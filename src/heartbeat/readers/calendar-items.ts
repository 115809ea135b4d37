import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { terminal } from '../../domain/errors.ts';
import type { Timestamp } from '../../domain/ids.ts';
import { bareText } from '../../tools/web/bare-text.ts';
import { decodePage } from '../../tools/web/charset.ts';
import type { ReadItem, Reading, ReadRequest } from '../ports.ts';
import { webAddress } from '../web-address.ts';
import type { CalendarText, Occurrence } from './calendar-words.ts';
import { readCalendar } from './read-calendar.ts';

/** What happens soon in a calendar, as items: each time of an event is one, and again where it is another than it was. */

const AHEAD_MS = 14 * 86_400_000;
const MOST_UNITS = 50_000_000;

/** When all of it was read last: what changed since is told however far away it is. */
export const SeenUntil = z.object({ readAt: z.number() });

interface CalendarDocument {
	readonly bytes: Uint8Array;
	readonly contentType: string;
	/** Where the owner would see an event that has no address of its own. */
	readonly url: string | undefined;
}

export interface CalendarReading extends Omit<Reading, 'cursor'> {
	/** As far as it was read whole. */
	readonly readAt: Timestamp | undefined;
}

/** Rejects with `source_unreadable` where it is no calendar. */
export async function calendarReading(
	request: Pick<ReadRequest<'calendar'>, 'now' | 'limits' | 'known'>,
	readAt: Timestamp | undefined,
	{ bytes, contentType, url }: CalendarDocument,
): Promise<CalendarReading> {
	const { now, limits, known } = request;
	const body = decodePage(bytes, contentType, MOST_UNITS);
	if (body === undefined)
		throw terminal('source_unreadable', 'This is no calendar: it holds no text.', { action: 'Check the address or the path.' });
	const found = await readCalendar({ body, from: now, to: now + AHEAD_MS, ...(readAt !== undefined && { changedSince: readAt }) });
	const fetchedHash = sha256(bytes);
	const fresh = found.occurrences.filter((one) => !known([versionKey(one)]));
	const items = fresh.slice(0, limits.maxItems).map((one): ReadItem => {
		const isChange = known([nameKey(one)]);
		return {
			// What it is now; and, the first time, which one it is.
			keys: isChange ? [versionKey(one)] : [versionKey(one), nameKey(one)],
			title: titleOf(one, isChange),
			url: webAddress(one.url) ?? url,
			...(one.organiser !== '' && { author: one.organiser }),
			...(one.changedAt !== undefined && { publishedAt: Math.min(one.changedAt, now) }),
			text: textOf(one),
			fetchedHash,
		};
	});
	const more = fresh.length > items.length;
	const note = noteOf(found);
	return {
		items,
		more,
		bytes: bytes.length,
		readAt: more ? readAt : now,
		...(found.title !== '' && { title: found.title }),
		...(note !== undefined && { note }),
	};
}

function nameKey({ uid, which }: Occurrence): string {
	return `event:${sha256(JSON.stringify([uid, which]))}`;
}

/** By what people see of it. */
function versionKey({ uid, which, start, end, days, title, place, status }: Occurrence): string {
	const when = days ? [days.first, days.last] : [start, end];
	return `event:${sha256(JSON.stringify([uid, which, ...when, title, place, status]))}`;
}

function titleOf({ title, status }: Occurrence, isChange: boolean): string {
	const name = title === '' ? '(no title)' : title;
	if (status === 'CANCELLED') return `Cancelled: ${name}`;
	return isChange ? `Changed: ${name}` : name;
}

function textOf(one: Occurrence): string {
	const lines = [`When: ${whenOf(one)}`];
	if (one.place !== '') lines.push(`Where: ${one.place}`);
	if (one.status === 'CANCELLED') lines.push('It is cancelled.');
	if (one.status === 'TENTATIVE') lines.push('It is not certain yet.');
	if (one.which !== '') lines.push('It is one of a series.');
	const description = /<(?:br|p|div|a|b|ul|span)\b[^>]*>/i.test(one.description) ? bareText(one.description) : one.description;
	return description === '' ? lines.join('\n') : `${lines.join('\n')}\n\n${description}`;
}

/** On the clock of this machine, and on that of the event where it is another. */
function whenOf({ start, end, days, zone }: Occurrence): string {
	if (days) return days.first === days.last ? dayInWords(days.first) : `${dayInWords(days.first)} to ${dayInWords(days.last)}`;
	const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
	const there = zone !== undefined && zone !== here ? timeIn(start, end, zone) : undefined;
	const local = `${timeIn(start, end, here) ?? new Date(start).toISOString()} (${here})`;
	return there === undefined ? local : `${local}; there ${there} (${zone})`;
}

/** Undefined where there is no such zone. */
function timeIn(start: number, end: number, timeZone: string): string | undefined {
	try {
		const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
		return end > start ? form.formatRange(start, end).replace(/\s+/gu, ' ') : form.format(start);
	} catch (error) {
		if (error instanceof RangeError) return undefined;
		throw error;
	}
}

function dayInWords(day: string): string {
	const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
	return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).format(Date.UTC(year, month - 1, date));
}

function noteOf({ broken, tooOften, isCut }: Pick<CalendarText, 'broken' | 'tooOften' | 'isCut'>): string | undefined {
	const parts = [
		...(broken > 0 ? [`${broken === 1 ? 'One event' : `${broken} events`} can’t be read.`] : []),
		...(tooOften > 0
			? [`Of ${tooOften === 1 ? 'one event' : `${tooOften} events`} that come every hour or more often only the first time counts.`]
			: []),
		...(isCut ? ['It holds too much to be read whole.'] : []),
	];
	return parts.length === 0 ? undefined : parts.join(' ');
}
