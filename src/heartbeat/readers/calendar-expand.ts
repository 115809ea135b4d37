import ical, { type CalendarComponent, type DateWithTimeZone, type VEvent } from 'node-ical';
import { type CalendarBlocks, calendarBlocks, type EventBlock, isOf, propertyOf } from './calendar-blocks.ts';
import type { CalendarJob, CalendarText, Occurrence } from './calendar-words.ts';

const DAY_MS = 86_400_000;
/** Of one event, in the time that is looked at. */
const MOST_OCCURRENCES = 100;
/** Nothing in an owner's life repeats so often; a rule that does is taken as its first time. */
const TOO_OFTEN = /FREQ=(?:SECONDLY|MINUTELY|HOURLY)|BY(?:SECOND|MINUTE)=\d+,/i;
const LONGEST_TEXT = 20_000;

/**
 * What happens in the time that the job names, event by event. May take long on a rule that is made for it, so it is called in a thread that can
 * be ended.
 */
export function occurrencesIn(job: CalendarJob): CalendarText {
	const at = new Int32Array(job.at);
	const blocks = calendarBlocks(job.body);
	const until = performance.now() + job.timeMs;
	const occurrences: Occurrence[] = [];
	let [broken, tooOften, isCut] = [blocks.broken, 0, false];
	for (const [number, event] of blocks.events.entries()) {
		if (job.skip.includes(number) || isLongPast(event, job)) continue;
		isCut = performance.now() > until;
		if (isCut) break;
		Atomics.store(at, 0, number);
		const isTooOften = event.lines.some((line) => isOf(line, 'RRULE') && TOO_OFTEN.test(line));
		if (isTooOften) tooOften += 1;
		try {
			const lines = isTooOften ? event.lines.filter((line) => !isOf(line, 'RRULE')) : event.lines;
			occurrences.push(...occurrencesOf({ ...event, lines }, blocks, job));
		} catch {
			// Whatever the library throws says that this one event is not as the format has it.
			broken += 1;
		}
	}
	return { isCalendar: blocks.isCalendar, title: blocks.title.slice(0, 200), occurrences, broken, tooOften, isCut };
}

/** Most of a calendar of many years: seen without taking it apart. */
function isLongPast({ lines, repeats }: EventBlock, { from }: CalendarJob): boolean {
	if (repeats || lines.some((line) => isOf(line, 'RDATE') || isOf(line, 'RECURRENCE-ID'))) return false;
	const day = /^(\d{4})(\d\d)(\d\d)/.exec(propertyOf(lines, 'DTSTART'));
	return day !== null && Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])) < from - 3 * DAY_MS;
}

function occurrencesOf(block: EventBlock, blocks: CalendarBlocks, job: CalendarJob): Occurrence[] {
	const event = parsed(block.lines, blocks.zones);
	const around = { series: event, isCancelled: blocks.isCancelled, uid: block.uid };
	const found = ical
		.expandRecurringEvent(event, { from: new Date(job.from), to: new Date(job.to) })
		.filter(({ start }) => Number.isFinite(start.getTime()))
		.slice(0, MOST_OCCURRENCES)
		.map((one) => occurrence(one.event, { ...one, ...around, which: whichOf(one) }));
	const isFullDay = event.datetype === 'date';
	const { start, end = start } = event;
	for (const at of namedTimes(block, event, blocks.zones)) {
		const which = isFullDay ? dayOf(at) : at.toISOString();
		const own = event.recurrences?.[which] as VEvent | undefined;
		const begins = own?.start ?? at;
		if (begins.getTime() < job.from || begins.getTime() > job.to || found.some((one) => one.which === which)) continue;
		const ends = own?.end ?? new Date(begins.getTime() + end.getTime() - start.getTime());
		found.push(occurrence(own ?? event, { start: begins, end: ends, isFullDay, which, ...around }));
	}
	if (found.length > 0 || job.changedSince === undefined) return found;
	// Far away, and new or changed: once, as what it is now.
	if ((changeOf(event) ?? 0) <= job.changedSince || start.getTime() <= job.to) return [];
	return [occurrence(event, { start, end, isFullDay, which: '', ...around })];
}

/** Times that the event names one by one (RDATE), which the library leaves out. */
function namedTimes({ lines }: EventBlock, { exdate = {} }: VEvent, zones: CalendarBlocks['zones']): Date[] {
	const written = lines
		.filter((line) => isOf(line, 'RDATE'))
		.flatMap((line) => {
			const colon = line.indexOf(':');
			const parameters = line.slice('RDATE'.length, colon).replace(/;VALUE=PERIOD/i, '');
			return line
				.slice(colon + 1)
				.split(',')
				.map((value) => `DTSTART${parameters}:${value.split('/')[0]?.trim()}`);
		});
	return written
		.slice(0, MOST_OCCURRENCES)
		.map((line) => parsed(['BEGIN:VEVENT', 'UID:event', line, 'END:VEVENT'], zones).start)
		.filter((at) => exdate[at.toISOString()] === undefined && exdate[dayOf(at)]?.dateOnly !== true);
}

function parsed(given: readonly string[], zones: CalendarBlocks['zones']): VEvent {
	const named = new Set(given.flatMap((line) => /;TZID="?([^":;]+)/i.exec(line)?.[1] ?? []));
	const defined = [...named].flatMap((name) => zones.get(name) ?? []);
	// The library keeps events by their name, beside other things of its own.
	const lines = given.map((line) => (isOf(line, 'UID') ? 'UID:event' : line));
	const body = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...defined, ...lines, 'END:VCALENDAR'].join('\r\n');
	const event = Object.values(ical.sync.parseICS(body)).find(
		(one): one is VEvent => (one as CalendarComponent | undefined)?.type === 'VEVENT',
	);
	if (!event || !(event.start instanceof Date)) throw new Error('an event without a beginning');
	return event;
}

interface Around {
	readonly uid: string;
	readonly start: DateWithTimeZone;
	readonly end: DateWithTimeZone;
	readonly isFullDay: boolean;
	readonly which: string;
	readonly series: VEvent;
	readonly isCancelled: boolean;
}

/** By the rule's own time for it, wherever it was moved. */
function whichOf({ event, start, isRecurring, isFullDay }: ReturnType<typeof ical.expandRecurringEvent>[number]): string {
	if (event.recurrenceid instanceof Date) return event.recurrenceid.dateOnly ? dayOf(event.recurrenceid) : event.recurrenceid.toISOString();
	if (!isRecurring) return '';
	return isFullDay ? dayOf(start) : start.toISOString();
}

function occurrence(event: VEvent, { uid, start, end, isFullDay, which, series, isCancelled }: Around): Occurrence {
	const text = (name: 'location' | 'description' | 'organizer' | 'status' | 'url' | 'summary') =>
		words(event[name] ?? series[name]).slice(0, LONGEST_TEXT);
	return {
		uid,
		which,
		start: start.getTime(),
		end: Math.max(start.getTime(), end.getTime() || 0),
		// The end of a day without hours is the day after it.
		days: isFullDay ? { first: dayOf(start), last: dayOf(new Date(Math.max(start.getTime(), end.getTime() - DAY_MS / 2))) } : undefined,
		zone: zoneOf(event) ?? zoneOf(series),
		title: text('summary'),
		place: text('location'),
		description: text('description'),
		organiser: text('organizer').replace(/^mailto:/i, ''),
		status: isCancelled ? 'CANCELLED' : text('status').toUpperCase(),
		url: text('url'),
		changedAt: changeOf(event),
	};
}

/** That of the world is none of its own. */
function zoneOf({ start }: VEvent): string | undefined {
	return start?.tz === 'Etc/UTC' ? undefined : start?.tz;
}

function changeOf({ lastmodified, created }: VEvent): number | undefined {
	const at = (lastmodified ?? created)?.getTime();
	return at !== undefined && Number.isFinite(at) ? at : undefined;
}

/** A property is a string, or one with parameters. */
function words(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (value !== null && typeof value === 'object' && 'val' in value) return words(value.val);
	return '';
}

/** Of a date without hours, which the library gives as midnight here. */
function dayOf(date: Date): string {
	return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
