import type { Timestamp } from '../domain/ids.ts';

/** The clock on the wall in a time zone (IANA name), with its days of 23 and 25 hours. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();

interface WallClock {
	/** `2026-03-29` */
	readonly day: string;
	/** Minutes since midnight as the clock shows them: 0 to 1439. */
	readonly minute: number;
}

export function wallClock(at: Timestamp, zone: string): WallClock {
	let format = formats.get(zone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' });
		formats.set(zone, format);
	}
	const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
	return { day: `${part.year}-${part.month}-${part.day}`, minute: Number(part.hour) * 60 + Number(part.minute) };
}

/** The first whole minute of the hour after `at` for which `holds`. */
export function minuteWithinHour(at: Timestamp, holds: (minute: Timestamp) => boolean): Timestamp | undefined {
	for (let minute = at + MINUTE; minute <= at + HOUR; minute += MINUTE) if (holds(minute)) return minute;
	return undefined;
}

/** When the local day of `at` is over. */
export function dayEnds(at: Timestamp, zone: string): Timestamp {
	const isOver = (later: Timestamp): boolean => wallClock(later, zone).day !== wallClock(at, zone).day;
	let hour = wholeMinute(at);
	while (!isOver(hour + HOUR)) hour += HOUR;
	return minuteWithinHour(hour, isOver) ?? hour + HOUR;
}

export function wholeMinute(at: Timestamp): Timestamp {
	return Math.floor(at / MINUTE) * MINUTE;
}
