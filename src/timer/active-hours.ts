import type { ActiveHours } from '../contract/methods/profile.ts';
import type { Timestamp } from '../domain/ids.ts';
import { firstMinute, wallClock } from './local-time.ts';

/** `from` belongs to the window, `to` does not; a window may go over midnight. */
export function isActive(hours: ActiveHours, at: Timestamp, zone: string): boolean {
	const { minute } = wallClock(at, zone);
	const [from, to] = [minuteOf(hours.from), minuteOf(hours.to)];
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The first moment from `at` on within the window. Where the clocks are set over the whole window, that day has none. */
export function activeFrom(hours: ActiveHours, at: Timestamp, zone: string): Timestamp {
	for (let from = at; ; ) {
		if (isActive(hours, from, zone)) return from;
		const wait = (minuteOf(hours.from) - wallClock(from, zone).minute + 1440) % 1440;
		const opens = firstMinute(from, wait, (later) => isActive(hours, later, zone));
		if (opens !== undefined) return opens;
		from += (wait + 181) * 60_000;
	}
}

function minuteOf(time: string): number {
	const [hours, minutes] = time.split(':');
	return Number(hours) * 60 + Number(minutes);
}
