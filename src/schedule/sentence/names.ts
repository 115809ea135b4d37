import { MONTH_NAMES, WEEKDAY_NAMES } from '../word-parts.ts';

/** The words of English for numbers, weekdays and months, as pieces of patterns and as what they stand for. Pure data. */

/** 0 is Sunday, as in cron. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

export const WORKING_DAYS: readonly Weekday[] = [1, 2, 3, 4, 5];
export const WEEKEND: readonly Weekday[] = [6, 0];
export const ALL_DAYS: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];

export const DAY = '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nes(?:day)?)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)';
/** The short ones may be other words: “the cat sat”. */
export const FULL_DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
export const DAYS = '(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)';
export const MONTH =
	'(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';

export function weekdayOf(name: string): Weekday {
	const start = name.slice(0, 3).toLowerCase();
	return WEEKDAY_NAMES.findIndex((each) => each.toLowerCase().startsWith(start)) as Weekday;
}

/** 1 is January. */
export function monthOf(name: string): number {
	const start = name.slice(0, 3).toLowerCase();
	return MONTH_NAMES.findIndex((each) => each.toLowerCase().startsWith(start)) + 1;
}

const SMALL = [
	'zero',
	'one',
	'two',
	'three',
	'four',
	'five',
	'six',
	'seven',
	'eight',
	'nine',
	'ten',
	'eleven',
	'twelve',
	'thirteen',
	'fourteen',
	'fifteen',
	'sixteen',
	'seventeen',
	'eighteen',
	'nineteen',
	'twenty',
];
const TENS: Readonly<Record<string, number>> = { thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 };

export const NUMBER = `(?:\\d{1,4}|an?|a couple of|${[...SMALL.slice(1), ...Object.keys(TENS)].join('|')})`;

export function numberOf(word: string): number {
	const lower = word.toLowerCase();
	if (/^\d+$/.test(lower)) return Number(lower);
	if (lower === 'a' || lower === 'an') return 1;
	if (lower === 'a couple of') return 2;
	const small = SMALL.indexOf(lower);
	return small >= 0 ? small : (TENS[lower] ?? Number.NaN);
}

const ORDINAL_WORDS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** Of a day in its month. */
export const ORDINAL = `(?:\\d{1,2}(?:st|nd|rd|th)|${ORDINAL_WORDS.slice(1).join('|')})`;
/** Of a weekday in its month. */
export const NTH = '(?:1st|2nd|3rd|4th|5th|first|second|third|fourth|fifth|last)';

/** -1 for the last. */
export function ordinalOf(word: string): number {
	const lower = word.toLowerCase();
	if (lower === 'last') return -1;
	const at = ORDINAL_WORDS.indexOf(lower);
	return at > 0 ? at : Number.parseInt(lower, 10);
}

export const UNIT = '(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?)';
export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export function unitOf(word: string): Unit {
	const lower = word.toLowerCase();
	if (lower.startsWith('min')) return 'minute';
	if (lower.startsWith('h')) return 'hour';
	return lower.replace(/s$/, '') as Unit;
}

/** `1st`, `22nd`. */
export function ordinal(day: number): string {
	const tens = day % 100;
	const end = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
	return `${day}${end}`;
}
