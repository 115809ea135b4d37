import type { Timestamp } from '../domain/ids.ts';

/** The clock on the wall in a time zone (IANA name), with its days of 23 and 25 hours. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A clock is never set by more than two hours, and days begin late where it is set at midnight. */
const SHIFT = 3 * HOUR;

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

/** The first whole minute after `at` for which `holds`, which comes about `wait` minutes later by the wall clock; undefined where that day has none. */
export function firstMinute(at: Timestamp, wait: number, holds: (at: Timestamp) => boolean): Timestamp | undefined {
	const start = Math.floor(at / MINUTE) * MINUTE;
	const guess = start + wait * MINUTE;
	for (let minute = Math.max(start + MINUTE, guess - SHIFT); minute <= guess + SHIFT; minute += MINUTE) if (holds(minute)) return minute;
	return undefined;
}

/** When the local day of `at` is over. */
export function dayEnds(at: Timestamp, zone: string): Timestamp {
	const { day, minute } = wallClock(at, zone);
	return firstMinute(at, 24 * 60 - minute, (later) => wallClock(later, zone).day !== day) ?? at + 24 * HOUR;
}
