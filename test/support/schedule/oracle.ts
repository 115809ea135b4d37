/**
 * What a schedule's slots must be, found without any of its arithmetic: real time is walked minute by minute, and Intl says what the wall
 * shows at each.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Times of the day on some days. `wild`: steps and wildcards, which follow real time. `fits`: of a wall, as milliseconds since 1970 by it. */
export interface DayTimes {
	readonly wild: boolean;
	fits(wall: number): boolean;
}

interface Shown {
	readonly at: number;
	readonly wall: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the wall shows at a moment, to the minute. */
export function shownAt(at: number, zone: string): number {
	let format = formats.get(zone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-US', {
			timeZone: zone,
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
		});
		formats.set(zone, format);
	}
	const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = format.format(at).split(/\D+/).map(Number);
	return Date.UTC(year, month - 1, day, hour, minute);
}

/** Each minute with `from <= at <= to`. */
export function walk(from: number, to: number, zone: string): Shown[] {
	const minutes: Shown[] = [];
	for (let at = from; at <= to; at += MINUTE) minutes.push({ at, wall: shownAt(at, zone) });
	return minutes;
}

/** The slots among these minutes but the first, which only shows what went before. */
export function slotsAmong(minutes: readonly Shown[], times: DayTimes): { at: number; note?: string }[] {
	const found: { at: number; note?: string }[] = [];
	const last = new Map(minutes.map(({ at, wall }) => [wall, at]));
	const seen = new Set<number>();
	for (const [index, { at, wall }] of minutes.entries()) {
		const before = minutes[index - 1];
		const isNew = !seen.has(wall);
		seen.add(wall);
		if (!before) continue;
		const swallowed = swallowedFits(before.wall + MINUTE, wall, times);
		if (swallowed) found.push({ at, note: 'moved' });
		else if (times.fits(wall) && (times.wild || isNew)) {
			found.push({ at, ...(!times.wild && last.get(wall) !== at && { note: 'twice' }) });
		}
	}
	return found;
}

/** Whether the walls from `from` to before `to`, which were never shown, leave a slot to the minute after. */
function swallowedFits(from: number, to: number, times: DayTimes): boolean {
	if (to <= from) return false;
	const length = to - from;
	if (!anyFits(from, to, times)) return false;
	// What comes right after stands for what a wildcard, or a daily time on a day that did not exist, lost.
	return !((times.wild || length >= DAY) && anyFits(to, to + length, times));
}

function anyFits(from: number, to: number, times: DayTimes): boolean {
	for (let wall = from; wall < to; wall += MINUTE) if (times.fits(wall)) return true;
	return false;
}
