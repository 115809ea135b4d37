import { LocalTime, type Timing } from '../../domain/schedule.ts';
import { clock, type Day, daysIn, partsOf, plusDays, weekdayIn } from './days.ts';
import { ALL_DAYS, type Weekday, WORKING_DAYS } from './names.ts';
import type { NthWhat } from './parts.ts';

/** Days that come again and again, and how they are written down. Pure. */

export interface DayPattern {
	readonly unit: 'day' | 'week' | 'month' | 'year';
	/** Every so many of them. */
	readonly n: number;
	readonly weekdays?: readonly Weekday[];
	/** -1: the last. */
	readonly monthDays?: readonly number[];
	readonly nth?: { readonly nth: readonly number[]; readonly what: NthWhat };
	readonly months?: readonly number[];
	/** In a month that lacks the day its last one. */
	readonly short?: 'last';
	/** Weekdays or days of the month: cron's way. */
	readonly either?: boolean;
}

/** Whether a day is one of a pattern's, every one of them counted. */
export function isOn(pattern: DayPattern, day: Day): boolean {
	const [year, month, date] = partsOf(day);
	if (pattern.months && !pattern.months.includes(month)) return false;
	const length = daysIn(year, month);
	const onDate = pattern.monthDays?.some(
		(each) => date === (each < 0 ? length + 1 + each : pattern.short === 'last' ? Math.min(each, length) : each),
	);
	const onWeekday = pattern.weekdays?.includes(weekdayIn(day));
	if (pattern.either) return onDate === true || onWeekday === true;
	if (onDate === false || onWeekday === false) return false;
	return !pattern.nth || isNth(pattern.nth, day);
}

function isNth({ nth, what }: NonNullable<DayPattern['nth']>, day: Day): boolean {
	const fits = (each: Day): boolean =>
		what === 'day' || (what === 'working' ? (WORKING_DAYS as readonly number[]).includes(weekdayIn(each)) : weekdayIn(each) === what);
	if (!fits(day)) return false;
	const [year, month, date] = partsOf(day);
	const start = plusDays(day, 1 - date);
	const all = Array.from({ length: daysIn(year, month) }, (_, at) => plusDays(start, at)).filter(fits);
	const place = all.indexOf(day);
	return nth.some((each) => (each < 0 ? place === all.length + each : place === each - 1));
}

/** 29 February may be eight years away. */
const FARTHEST_DAYS = 366 * 9;

/** The first day from `from` on; undefined where none comes. */
export function firstOn(pattern: DayPattern, from: Day): Day | undefined {
	for (let at = 0; at < FARTHEST_DAYS; at++) {
		const day = plusDays(from, at);
		if (isOn(pattern, day)) return day;
	}
	return undefined;
}

/** `start`: the first day. Undefined where it can't be written as one timing. */
export function timingOf(pattern: DayPattern, minutes: readonly number[], start: Day, zone: string | undefined): Timing | undefined {
	const times = [...new Set(minutes)].sort((a, b) => a - b);
	const expression = cronOf(pattern, times);
	if (expression !== undefined) return { kind: 'cron', expression, ...(zone !== undefined && { zone }) };
	const rule = ruleOf(pattern, times);
	const [first] = times;
	if (rule === undefined || first === undefined) return undefined;
	return { kind: 'rrule', rule, start: LocalTime.parse(`${start}T${clock(first)}`), ...(zone !== undefined && { zone }) };
}

function cronOf({ unit, n, weekdays, monthDays, nth, months, short, either }: DayPattern, times: readonly number[]): string | undefined {
	const product = productOf(times);
	if (!product || n !== 1 || nth || short || monthDays?.some((day) => day < 0)) return undefined;
	if (weekdays && monthDays && !either) return undefined;
	if ((unit === 'month' || unit === 'year') && !monthDays) return undefined;
	const dow = weekdays && weekdays.length < 7 ? ranges([...weekdays].sort((a, b) => a - b)) : '*';
	return `${ranges(product.minutes)} ${ranges(product.hours)} ${ranges(monthDays)} ${ranges(months)} ${dow}`;
}

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const LONGEST_RULE = 1_000;

function ruleOf(pattern: DayPattern, times: readonly number[]): string | undefined {
	const { n, weekdays, monthDays, nth, months, short, either } = pattern;
	if (either) return undefined;
	const product = productOf(times);
	const parts: string[] = [];
	// The set that BYSETPOS picks from has to be one day's.
	const byDay = !product && n === 1 && !nth && !short && !monthDays?.some((day) => day < 0);
	const unit = byDay ? 'day' : pattern.unit;
	parts.push(`FREQ=${{ day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }[unit]}`);
	if (n > 1) parts.push(`INTERVAL=${n}`);
	if (months) parts.push(`BYMONTH=${months.join(',')}`);
	let position: string | undefined;
	if (nth) {
		if (nth.what === 'working') {
			parts.push(`BYDAY=${WORKING_DAYS.map((day) => CODES[day]).join(',')}`);
			position = nth.nth.join(',');
		} else if (nth.what === 'day') parts.push(`BYMONTHDAY=${nth.nth.join(',')}`);
		else parts.push(`BYDAY=${nth.nth.map((each) => `${each}${CODES[nth.what as Weekday]}`).join(',')}`);
	}
	if (monthDays && short) {
		const [day] = monthDays;
		if (monthDays.length !== 1 || day === undefined) return undefined;
		if (day === 31) parts.push('BYMONTHDAY=-1');
		else {
			parts.push(`BYMONTHDAY=${Array.from({ length: day - 27 }, (_, at) => 28 + at).join(',')}`);
			position = '-1';
		}
	} else if (monthDays) parts.push(`BYMONTHDAY=${monthDays.join(',')}`);
	if (weekdays)
		parts.push(
			`BYDAY=${weekOrder(weekdays)
				.map((day) => CODES[day])
				.join(',')}`,
		);
	if (times.length > 1) {
		if (position !== undefined) return undefined;
		const hours = [...new Set(times.map((time) => Math.floor(time / 60)))];
		const minutes = [...new Set(times.map((time) => time % 60))].sort((a, b) => a - b);
		parts.push(`BYHOUR=${hours.join(',')}`, `BYMINUTE=${minutes.join(',')}`);
		if (!product) {
			const isOneDay = byDay || (nth?.nth.length === 1 && nth.what !== 'working') || (unit === 'week' && weekdays?.length === 1);
			if (!isOneDay && unit !== 'day') return undefined;
			const all = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
			position = times.map((time) => all.indexOf(time) + 1).join(',');
		}
	}
	if (position !== undefined) parts.push(`BYSETPOS=${position}`);
	if (pattern.unit === 'week' && n > 1) parts.push('WKST=MO');
	const rule = parts.join(';');
	return rule.length <= LONGEST_RULE ? rule : undefined;
}

/** Hours and minutes of which every pair is one of the times. */
function productOf(times: readonly number[]): { hours: number[]; minutes: number[] } | undefined {
	const hours = [...new Set(times.map((time) => Math.floor(time / 60)))];
	const minutes = [...new Set(times.map((time) => time % 60))].sort((a, b) => a - b);
	return hours.length * minutes.length === times.length ? { hours, minutes } : undefined;
}

/** `1-5`, `0,30`, `*` where there are none. */
function ranges(numbers: readonly number[] | undefined): string {
	if (!numbers || numbers.length === 0) return '*';
	const sorted = [...numbers].sort((a, b) => a - b);
	const runs: [number, number][] = [];
	for (const number of sorted) {
		const last = runs.at(-1);
		if (last && number === last[1] + 1) last[1] = number;
		else runs.push([number, number]);
	}
	return runs.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from},${to}` : `${from}-${to}`)).join(',');
}

function weekOrder(days: readonly Weekday[]): Weekday[] {
	return ALL_DAYS.map((_, at) => ((at + 1) % 7) as Weekday).filter((day) => days.includes(day));
}
