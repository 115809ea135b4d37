import type { Timestamp } from '../domain/ids.ts';
import type { ActiveHours } from '../domain/schedule.ts';
import { HOUR, MINUTE, minuteOfDay, minuteWithinHour, wholeMinute } from './local-time.ts';

/** `from` belongs to the window, `to` does not; a window may go over midnight. */
export function isActive(hours: ActiveHours, at: Timestamp, zone: string): boolean {
	const minute = minuteOfDay(at, zone);
	const [from, to] = [minuteOf(hours.from), minuteOf(hours.to)];
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The first moment from `at` on within the window. Where the clocks are set over the whole window, that day has none. */
export function activeFrom(hours: ActiveHours, at: Timestamp, zone: string): Timestamp {
	if (isActive(hours, at, zone)) return at;
	for (let hour = wholeMinute(at); ; hour += HOUR) {
		const minute = minuteOfDay(hour, zone);
		const steady = minuteOfDay(hour + HOUR, zone) === (minute + 60) % 1440;
		const wait = (minuteOf(hours.from) - minute + 1440) % 1440;
		if (steady && wait <= 60) return hour + wait * MINUTE;
		// The clocks are set within this hour: what it shows must be looked at.
		const opens = steady ? undefined : minuteWithinHour(hour, (later) => isActive(hours, later, zone));
		if (opens !== undefined) return opens;
	}
}

function minuteOf(time: string): number {
	const [hours, minutes] = time.split(':');
	return Number(hours) * 60 + Number(minutes);
}
