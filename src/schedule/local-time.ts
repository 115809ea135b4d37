import type { Timestamp } from '../domain/ids.ts';
import { zoneClock } from './zone-clock.ts';

/** The clock on the wall in a time zone (IANA name), with its days of 23 and 25 hours. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** `2026-03-29` */
export function dayAt(at: Timestamp, zone: string): string {
	return new Date(wallAt(at, zone)).toISOString().slice(0, 10);
}

/** Minutes since midnight as the clock shows them: 0 to 1439. */
export function minuteOfDay(at: Timestamp, zone: string): number {
	return Math.floor((((wallAt(at, zone) % DAY) + DAY) % DAY) / MINUTE);
}

/** What the wall shows, as milliseconds since 1970 by that very clock. */
export function wallAt(at: Timestamp, zone: string): number {
	return at + zoneClock(zone).offsetAt(at);
}

/** The first whole minute of the hour after `at` for which `holds`. */
export function minuteWithinHour(at: Timestamp, holds: (minute: Timestamp) => boolean): Timestamp | undefined {
	for (let minute = at + MINUTE; minute <= at + HOUR; minute += MINUTE) if (holds(minute)) return minute;
	return undefined;
}

/** When the local day of `at` is over. */
export function dayEnds(at: Timestamp, zone: string): Timestamp {
	const isOver = (later: Timestamp): boolean => dayAt(later, zone) !== dayAt(at, zone);
	let hour = wholeMinute(at);
	while (!isOver(hour + HOUR)) hour += HOUR;
	return minuteWithinHour(hour, isOver) ?? hour + HOUR;
}

export function wholeMinute(at: Timestamp): Timestamp {
	return Math.floor(at / MINUTE) * MINUTE;
}
