import { DAY, HOUR, MINUTE } from './local-time.ts';
import type { WallPattern } from './pattern.ts';
import { type RuleParts, WEEKDAYS } from './rule-parts.ts';

/**
 * Rules that come within a day, on a clock without gaps: each INTERVAL hours, minutes or seconds from the start, where the other parts let it.
 * The library takes seconds for some that never come.
 */

const UNITS = { HOURLY: HOUR, MINUTELY: MINUTE, SECONDLY: 1000 };
/** Rarer than 29 February is never. */
const FARTHEST_DAYS = 12 * 366;
/** So many periods are looked at on days that fit. */
const MOST_PERIODS = 300_000;

/** `start`: a wall. */
export function stepWalls(parts: RuleParts & { readonly frequency: keyof typeof UNITS }, start: number): WallPattern {
	const { frequency, interval, lists } = parts;
	const step = UNITS[frequency] * interval;
	/** The first period that begins at `wall` or later. */
	const periodFrom = (wall: number): number => start + Math.max(0, Math.ceil((wall - start) / step)) * step;
	const expands = expansionOf(parts, start);
	/** Where to look on from a period that does not fit; undefined where it does. */
	function passOver(period: number): number | undefined {
		const day = Math.floor(period / DAY);
		if (!fitsDay(day, parts)) return (day + 1) * DAY;
		const date = new Date(period);
		if (lists.BYHOUR && !lists.BYHOUR.includes(date.getUTCHours())) return (Math.floor(period / HOUR) + 1) * HOUR;
		if (frequency === 'HOURLY') return undefined;
		if (lists.BYMINUTE && !lists.BYMINUTE.includes(date.getUTCMinutes())) return (Math.floor(period / MINUTE) + 1) * MINUTE;
		const isOff = frequency === 'SECONDLY' && lists.BYSECOND && !lists.BYSECOND.includes(date.getUTCSeconds());
		return isOff ? period + 1 : undefined;
	}
	return {
		next(after) {
			const farthest = Math.max(after, start) + FARTHEST_DAYS * DAY;
			// The period that has begun may come later within its hour or minute.
			let period = start + Math.max(0, Math.floor((after - start) / step)) * step;
			for (let looked = 0; looked < MOST_PERIODS && period <= farthest; looked += 1) {
				const from = passOver(period);
				const found = from === undefined ? expands(period).find((wall) => wall > after && wall >= start) : undefined;
				if (found !== undefined) return found;
				period = periodFrom(Math.max(from ?? 0, period + 1));
			}
			return undefined;
		},
	};
}

/** The times within the hour or the minute of a period, ascending. */
function expansionOf({ frequency, lists }: RuleParts, start: number): (period: number) => number[] {
	const first = new Date(start);
	const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);
	const seconds = ascending(lists.BYSECOND ?? [first.getUTCSeconds()]);
	const minutes = ascending(lists.BYMINUTE ?? [first.getUTCMinutes()]);
	if (frequency === 'SECONDLY') return (period) => [period];
	if (frequency === 'MINUTELY') return (period) => seconds.map((second) => Math.floor(period / MINUTE) * MINUTE + second * 1000);
	return (period) => {
		const hour = Math.floor(period / HOUR) * HOUR;
		return minutes.flatMap((minute) => seconds.map((second) => hour + minute * MINUTE + second * 1000));
	};
}

/** `day`: counted since 1970. */
function fitsDay(day: number, { days, lists }: RuleParts): boolean {
	const date = new Date(day * DAY);
	const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
	if (lists.BYMONTH && !lists.BYMONTH.includes(month + 1)) return false;
	if (days.length > 0 && !days.some((each) => each.day === WEEKDAYS[(date.getUTCDay() + 6) % 7])) return false;
	return (
		fitsPlace(lists.BYMONTHDAY, day, Date.UTC(year, month, 1) / DAY, Date.UTC(year, month + 1, 1) / DAY) &&
		fitsPlace(lists.BYYEARDAY, day, Date.UTC(year, 0, 1) / DAY, Date.UTC(year + 1, 0, 1) / DAY)
	);
}

/** Whether a day is one of these of a month or a year, from its `first` to before `next`; counted from the end where they are less than 0. */
function fitsPlace(places: readonly number[] | undefined, day: number, first: number, next: number): boolean {
	return places === undefined || places.some((place) => day === (place > 0 ? first + place - 1 : next + place));
}
