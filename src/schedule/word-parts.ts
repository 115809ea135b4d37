import { DAY } from './local-time.ts';

/** Small words of times and days. */

export const WEEKDAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const MONTH_NAMES = [
	'January',
	'February',
	'March',
	'April',
	'May',
	'June',
	'July',
	'August',
	'September',
	'October',
	'November',
	'December',
] as const;

const conjunction = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** `a, b and c` */
export function listed(words: Iterable<string>): string {
	return conjunction.format(words);
}

/** 1 to 12. */
export function monthName(month: number): string {
	return MONTH_NAMES[month - 1] ?? '';
}

export function monthNames(months: readonly number[]): string {
	return listed(months.map(monthName));
}

/** `1st`, `22nd`. */
export function ordinal(value: number): string {
	const ending = value % 100 >= 11 && value % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
	return `${value}${ending}`;
}

const COUNTED = ['', 'first', 'second', 'third', 'fourth', 'fifth'];

/** `first`, `last`, `second to last`; -1 is the last. */
export function nthWord(nth: number): string {
	if (nth === -1) return 'last';
	if (nth < 0) return `${COUNTED[-nth] ?? ordinal(-nth)} to last`;
	return COUNTED[nth] ?? ordinal(nth);
}

/** `last day`, `15th`, `second to last day` of a month or a year. */
export function dayOfMonth(day: number): string {
	return day > 0 ? ordinal(day) : `${nthWord(day)} day`;
}

/** `09:00`, with seconds where there are any; of milliseconds since midnight. */
export function clockText(ofDay: number): string {
	const text = new Date(ofDay).toISOString();
	return text.slice(11, text.slice(17, 19) === '00' ? 16 : 19);
}

/** `3 December 2026` of a wall. */
export function dateText(wall: number): string {
	const date = new Date(wall);
	return `${date.getUTCDate()} ${monthName(date.getUTCMonth() + 1)} ${date.getUTCFullYear()}`;
}

/** `3 December 2026 at 09:00` */
export function dateTimeText(wall: number): string {
	return `${dateText(wall)} at ${clockText(((wall % DAY) + DAY) % DAY)}`;
}

/** `weekday`, `Monday and Friday`; of 0 to 6, Sunday first. */
export function weekdayWords(days: readonly number[]): string {
	const chosen = new Set(days.map((day) => day % 7));
	const fromMonday = [1, 2, 3, 4, 5, 6, 0].filter((day) => chosen.has(day));
	if (fromMonday.length === 7) return 'day';
	if (fromMonday.join() === '1,2,3,4,5') return 'weekday';
	return listed(fromMonday.map((day) => WEEKDAY_NAMES[day] ?? ''));
}

/** `hour`, `2 hours`: what comes after “every”. */
export function counted(amount: number, unit: string): string {
	return amount === 1 ? unit : `${amount} ${unit}s`;
}

/** `90 seconds`, `10 minutes` */
export function durationWords(seconds: number): string {
	const [amount, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
	return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** `Every 90 minutes`, `Every 2 days`. */
export function everyWords(seconds: number): string {
	const units = [
		{ size: 604_800, name: 'week' },
		{ size: 86_400, name: 'day' },
		{ size: 3_600, name: 'hour' },
		{ size: 60, name: 'minute' },
		{ size: 1, name: 'second' },
	];
	const unit = units.find(({ size }) => seconds % size === 0) ?? { size: 1, name: 'second' };
	return `Every ${counted(seconds / unit.size, unit.name)}`;
}

/** Times of day: `at 09:00 and 17:00`; many at one distance, `every 2 hours from 08:00 to 20:00`; undefined for many others. */
export function timesWords(times: readonly number[]): string | undefined {
	if (times.length <= MOST_LISTED) return `at ${listed(times.map(clockText))}`;
	const [first = 0, second = 0] = times;
	const step = second - first;
	const even = times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === step);
	return even ? `${everyWords(step / 1000).toLowerCase()} from ${clockText(first)} to ${clockText(times.at(-1) ?? 0)}` : undefined;
}

/** `Every weekday` and `at 09:00`, `every hour from 09:00 to 17:00`: how often leads where it says “every” itself. */
export function timesOnDays(times: string, days: string): string {
	if (times.startsWith('at ') && !times.includes(' of ')) return `${days} ${times}`;
	return days === 'Every day' ? capitalised(times) : `${capitalised(times)}, ${days.charAt(0).toLowerCase()}${days.slice(1)}`;
}

const MOST_LISTED = 4;

export function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
