import { WEEKDAY_NAMES } from '../word-parts.ts';
import {
	ALL_DAYS,
	DAY,
	DAYS,
	MONTH,
	monthOf,
	NTH,
	NUMBER,
	numberOf,
	ORDINAL,
	ordinal,
	ordinalOf,
	UNIT,
	unitOf,
	WEEKEND,
	type Weekday,
	WORKING_DAYS,
	weekdayOf,
} from './names.ts';
import { type Doubt, type MonthsOf, type NthWhat, phrase, type Reader, type Said } from './parts.ts';
import { dayPart } from './times.ts';

/** What comes again and again, as people say it. */

const AND = String.raw`(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+|\s*[&/]\s*)`;
const EACH = '(?:every|each)';
const WORKDAY = '(?:week[\\s-]?day|work\\s?day|working\\s+day|business\\s+day)';
const ORDINALS = `${ORDINAL}(?:${AND}(?:on\\s+)?(?:the\\s+)?${ORDINAL}){0,30}`;
const NTHS = `${NTH}(?:${AND}(?:the\\s+)?${NTH}){0,30}`;
const MONTHS = `${MONTH}(?:${AND}${MONTH}){0,30}`;
const DAY_LIST = `${DAY}(?:${AND}(?:on\\s+)?(?:${EACH}\\s+)?${DAY}){0,30}`;
const DAYS_LIST = `${DAYS}(?:${AND}(?:on\\s+)?${DAYS}){0,30}`;
const RANGE = `(?<first>${DAY})\\s*(?:to|through|thru|till|until|-|–)\\s*(?<last>${DAY})`;
const PARTS = '(?:\\s+(?:in the\\s+)?(?<part>morning|afternoon|evening|night))?';
const OF_MONTHS = `(?:(?:of|in)\\s+)?(?:(?<each>every|each|a)\\s+month|the\\s+month|(?:every|each)\\s+(?<long>quarter|year)|the\\s+(?<openLong>quarter|year)|(?<months>${MONTHS})(?<yearly>,?\\s+(?:every|each)\\s+year)?)`;

export const ruleReaders: readonly Reader[] = [
	phrase(`${EACH}\\s+(?:single\\s+)?(?<unit>${UNIT})(?:\\s+of\\s+the\\s+(?:week|month|year))?`, ({ unit = '' }) => every(1, unit)),
	phrase(`once\\s+(?:an?|per|${EACH})\\s+(?<unit>hour|day|week|month|quarter|year)`, ({ unit = '' }) => every(1, unit)),
	phrase(`(?:once\\s+)?${EACH}\\s+(?<number>${NUMBER})\\s+(?<unit>${UNIT})`, ({ number = '', unit = '' }) => every(numberOf(number), unit)),
	phrase(`(?:once\\s+)?${EACH}\\s+(?<number>other|alternate|${ORDINAL})\\s+(?<unit>${UNIT})`, ({ number = '', unit = '' }) =>
		every(/^(?:other|alternate)$/i.test(number) ? 2 : ordinalOf(number), unit),
	),
	phrase(`${EACH}\\s+(?:half(?:\\s+an)?\\s+hour|half-hour)`, () => every(30, 'minute')),
	phrase(`${EACH}\\s+(?:quarter\\s+of\\s+an\\s+hour|quarter\\s+hour)`, () => every(15, 'minute')),
	phrase(`${EACH}\\s+(?:hour\\s+and\\s+a\\s+half|one\\s+and\\s+a\\s+half\\s+hours)`, () => every(90, 'minute')),
	phrase('(?<word>hourly|daily|weekly|monthly|quarterly|yearly|annually)', ({ word = '' }) =>
		every(1, ADVERBS[word.toLowerCase()] ?? 'day'),
	),
	phrase(`(?:${EACH}\\s+fortnight|fortnightly)`, () => every(2, 'week')),
	phrase('(?<word>bi-?weekly|bi-?monthly|bi-?annually|bi-?yearly|semi-?weekly|semi-?monthly)', ({ word = '' }) => ({
		kind: 'doubt',
		doubt: bi(word.toLowerCase().replace('-', '')),
	})),
	phrase(
		`(?:(?<twice>twice)|(?<number>${NUMBER})\\s+times)\\s+(?:an?\\s+|per\\s+|${EACH}\\s+)?(?<unit>day|week|month|daily|weekly|monthly)`,
		({ twice, number = '', unit = '' }) => ({
			kind: 'per',
			count: twice === undefined ? numberOf(number) : 2,
			unit: /^d/i.test(unit) ? 'day' : /^w/i.test(unit) ? 'week' : 'month',
		}),
	),
	phrase(`${EACH}\\s+(?<days>${DAY_LIST})${PARTS}`, ({ days = '', part }) => [each(daysIn(days)), ...partOf(part)]),
	phrase(`(?:on\\s+)?(?<days>${DAYS_LIST})`, ({ days = '' }) => each(daysIn(days))),
	phrase(`(?:on\\s+)?(?<day>${DAY})\\s+(?<part>morning|afternoon|evening|night)s`, ({ day = '', part }) => [
		each(daysIn(day)),
		...partOf(part),
	]),
	phrase(`(?:on\\s+)?(?<days>${DAY}(?:${AND}(?:on\\s+)?${DAY})+)`, ({ days = '' }) => ({
		kind: 'doubt',
		doubt: severalDays(daysIn(days)),
		besideWeeks: each(daysIn(days)),
	})),
	phrase(`(?:${EACH}\\s+|on\\s+)?${RANGE}`, ({ first = '', last = '' }) => each(daysFrom(weekdayOf(first), weekdayOf(last)))),
	phrase(`from\\s+${RANGE}`, ({ first = '', last = '' }) => ({ kind: 'doubt', doubt: fromTo(weekdayOf(first), weekdayOf(last)) })),
	phrase(`(?:(?:${EACH}|on|on\\s+each|on\\s+every)\\s+)${WORKDAY}s?${PARTS}`, ({ part }) => [each(WORKING_DAYS), ...partOf(part)]),
	phrase(`(?:on\\s+)?(?:all\\s+)?${WORKDAY}s`, () => each(WORKING_DAYS)),
	phrase('(?:on\\s+(?:the\\s+)?|at\\s+(?:the\\s+)?|every\\s+|in\\s+the\\s+)?weekends', () => each(WEEKEND)),
	phrase(`${EACH}\\s+weekend`, () => ({ kind: 'doubt', doubt: WEEKENDS })),
	phrase(`${EACH}\\s+(?:other|second|2nd|alternate)\\s+(?<days>${DAY_LIST})`, ({ days = '' }) => [every(2, 'week'), each(daysIn(days))]),
	phrase(`${EACH}\\s+(?<nth>third|3rd|fourth|4th|fifth|5th)\\s+(?<day>${DAY})`, ({ nth = '', day = '' }) => ({
		kind: 'doubt',
		doubt: nthDay(ordinalOf(nth), weekdayOf(day)),
	})),
	phrase(`(?:on\\s+)?${EACH}\\s+(?<nth>first|1st|last)\\s+(?<day>${DAY}|${WORKDAY})`, ({ nth = '', day = '' }) => nthOf(nth, day, 'every')),
	phrase(
		`(?:on\\s+)?(?:the\\s+|(?<first>${EACH}\\s+))?(?<nth>${NTHS})\\s+(?<day>${DAY}|${WORKDAY}|day)\\s+(?<of>${OF_MONTHS})`,
		(groups) => openLong(groups) ?? nthOf(groups.nth ?? '', groups.day ?? '', monthsOf(groups), isEach(groups)),
	),
	phrase(`on\\s+the\\s+(?<nth>${NTHS})\\s+(?<day>${DAY}|${WORKDAY}|day)`, ({ nth = '', day = '' }) => nthOf(nth, day, 'open')),
	phrase(
		`(?:on\\s+)?(?:the\\s+|(?<first>${EACH}\\s+))?(?<days>${ORDINALS})\\s+(?:day\\s+)?(?<of>${OF_MONTHS})`,
		(groups) => openLong(groups) ?? daysOf(groups),
	),
	phrase(`on\\s+the\\s+(?<days>${ORDINALS})`, ({ days = '' }) => ({ kind: 'month_days', days: ordinalsIn(days), of: 'open' })),
	phrase(`${EACH}\\s+(?<day>\\d{1,2}(?:st|nd|rd|th))`, ({ day = '' }) => ({ kind: 'month_days', days: [ordinalOf(day)], of: 'every' })),
	phrase(
		`${EACH}\\s+(?:(?<day>\\d{1,2}(?:st|nd|rd|th)?)\\s+(?:of\\s+)?(?<month>${MONTH})|(?<month2>${MONTH})\\s+(?:the\\s+)?(?<day2>\\d{1,2}(?:st|nd|rd|th)?))`,
		(groups) => ({
			kind: 'month_days',
			days: [Number.parseInt(groups.day ?? groups.day2 ?? '', 10)],
			of: [monthOf(groups.month ?? groups.month2 ?? '')],
			each: true,
		}),
	),
	phrase(`(?:in|of|(?<first>(?:in\\s+)?${EACH}))\\s+(?<months>${MONTHS})(?<yearly>,?\\s+(?:every|each)\\s+year)?`, (groups) => ({
		kind: 'months',
		months: monthsIn(groups.months ?? ''),
		each: isEach(groups),
	})),
	phrase(
		`(?:on\\s+)?(?:the\\s+)?(?<days>${ORDINALS})(?:\\s+of\\s+(?:every|each|the)\\s+month)?\\s*,?\\s*(?:and|or)\\s+(?:on\\s+)?(?:${EACH}\\s+)?(?<weekdays>${DAYS_LIST}|${DAY_LIST}),?\\s+whichever\\s+comes(?:\\s+first)?`,
		({ days = '', weekdays = '' }) => ({ kind: 'either', monthDays: ordinalsIn(days), days: daysIn(weekdays) }),
	),
	phrase(
		`(?:on\\s+)?(?:${EACH}\\s+)?(?<weekdays>${DAYS}|${DAY})\\s+(?:that\\s+(?:are|is|falls?\\s+on)\\s+|falling\\s+on\\s+)(?:on\\s+)?the\\s+(?<days>${ORDINALS})`,
		({ days = '', weekdays = '' }) => ({ kind: 'both', monthDays: ordinalsIn(days), days: daysIn(weekdays) }),
	),
	phrase(`${EACH}\\s+(?<day>${DAY})\\s+the\\s+(?<days>${ORDINAL})`, ({ day = '', days = '' }) => ({
		kind: 'both',
		monthDays: ordinalsIn(days),
		days: daysIn(day),
	})),
	phrase('(?:but\\s+)?only\\s+in\\s+months\\s+that\\s+have\\s+(?:it|one|them)', () => ({ kind: 'short', how: 'skip' })),
	phrase('or\\s+(?:else\\s+)?(?:on\\s+)?the\\s+last\\s+day(?:\\s+(?:where|if|when|in\\s+shorter)[^,.]{0,30})?', () => ({
		kind: 'short',
		how: 'last',
	})),
];

const ADVERBS: Readonly<Record<string, string>> = {
	hourly: 'hour',
	daily: 'day',
	weekly: 'week',
	monthly: 'month',
	quarterly: 'quarter',
	yearly: 'year',
	annually: 'year',
};

const WEEKENDS: Doubt = {
	question: 'On both days of the weekend, or on one?',
	choices: [
		{ text: 'Saturdays and Sundays', phrase: 'on Saturdays and Sundays' },
		{ text: 'Saturdays', phrase: 'on Saturdays' },
		{ text: 'Sundays', phrase: 'on Sundays' },
	],
};

/** “Of the quarter” may be this one's only. */
function openLong({ openLong: long }: Readonly<Record<string, string | undefined>>): Said | undefined {
	if (long === undefined) return undefined;
	return {
		kind: 'never',
		message: `I can’t tell whether that is every ${long} or once.`,
		action: `Say “of every ${long}”, or name the day.`,
	};
}

function partOf(part: string | undefined): Said[] {
	return part === undefined ? [] : [dayPart(part)];
}

export function dayNames(days: readonly Weekday[]): string {
	const names = days.map((day) => WEEKDAY_NAMES[day]);
	return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function every(n: number, unit: string): Said {
	return n >= 1 && n <= 1_000 ? { kind: 'every', n, unit: unitOf(unit) } : { kind: 'never', message: 'I can’t tell how often that is.' };
}

function each(days: readonly Weekday[]): Said {
	return { kind: 'weekdays', days: [...new Set(days)], each: true };
}

export function daysIn(list: string): Weekday[] {
	return [...list.matchAll(new RegExp(`(?<!\\p{L})(?:${DAYS}|${DAY})(?!\\p{L})`, 'giu'))].map(([name]) => weekdayOf(name));
}

function daysFrom(first: Weekday, last: Weekday): Weekday[] {
	const count = ((last - first + 7) % 7) + 1;
	return Array.from({ length: count }, (_, at) => ALL_DAYS[(first + at) % 7] ?? 0);
}

function ordinalsIn(list: string): number[] {
	return [...new Set([...list.matchAll(new RegExp(`(?<!\\p{L})${ORDINAL}`, 'giu'))].map(([word]) => ordinalOf(word)))];
}

function monthsIn(list: string): number[] {
	return [...new Set([...list.matchAll(new RegExp(`(?<!\\p{L})${MONTH}`, 'giu'))].map(([word]) => monthOf(word)))];
}

function daysOf(groups: Readonly<Record<string, string | undefined>>): Said | undefined {
	const [days, of] = [ordinalsIn(groups.days ?? ''), monthsOf(groups)];
	// One day of one month is a date, which comes once.
	if (typeof of === 'object' && of.length === 1 && days.length === 1 && !isEach(groups)) return undefined;
	return { kind: 'month_days', days, of, each: isEach(groups) };
}

function isEach({ first, yearly }: Readonly<Record<string, string | undefined>>): boolean {
	return first !== undefined || yearly !== undefined;
}

function monthsOf({ each: eachMonth, long, months, first }: Readonly<Record<string, string | undefined>>): MonthsOf {
	if (months !== undefined) return monthsIn(months);
	if (long !== undefined) return long.toLowerCase() === 'year' ? 'year' : 'quarter';
	return eachMonth === undefined && first === undefined ? 'open' : 'every';
}

function nthOf(nths: string, day: string, of: MonthsOf, eachYear = false): Said {
	const nth = [...new Set([...nths.matchAll(new RegExp(NTH, 'gi'))].map(([word]) => ordinalOf(word)))];
	const lower = day.toLowerCase();
	const what: NthWhat = lower === 'day' ? 'day' : new RegExp(`^${WORKDAY}$`).test(lower) ? 'working' : weekdayOf(day);
	// “The fifth day” is a day of the month like any other.
	if (what === 'day' && !nth.includes(-1) && of !== 'quarter' && of !== 'year')
		return { kind: 'month_days', days: nth, of, each: eachYear };
	return { kind: 'nth', nth, what, of, each: eachYear };
}

function severalDays(days: readonly Weekday[]): Doubt {
	const names = dayNames(days);
	return {
		question: `Every ${names}, or once?`,
		choices: [
			{ text: `Every ${names}`, phrase: `every ${names}` },
			...days.map((day) => ({ text: `Once, on ${WEEKDAY_NAMES[day]}`, phrase: `on ${WEEKDAY_NAMES[day]}` })),
		],
	};
}

function fromTo(first: Weekday, last: Weekday): Doubt {
	const [from, to] = [WEEKDAY_NAMES[first], WEEKDAY_NAMES[last]];
	return {
		question: `Every week from ${from} to ${to}, or only once?`,
		choices: [
			{ text: 'Every week', phrase: `every ${from} to ${to}` },
			{ text: 'Only the coming ones', phrase: `every day starting ${from} until ${to}` },
		],
	};
}

function nthDay(nth: number, day: Weekday): Doubt {
	const name = WEEKDAY_NAMES[day];
	return {
		question: `Every ${nth} weeks on ${name}, or the ${ordinal(nth)} ${name} of each month?`,
		choices: [
			{ text: `Every ${nth} weeks on ${name}`, phrase: `every ${nth} weeks on ${name}` },
			{ text: `The ${ordinal(nth)} ${name} of every month`, phrase: `on the ${ordinal(nth)} ${name} of every month` },
		],
	};
}

function bi(word: string): Doubt {
	const [, unit = 'weekly'] = /^(?:bi|semi)(\w+)$/.exec(word) ?? [];
	if (unit === 'weekly')
		return {
			question: `What is “${word}”: every two weeks, or twice a week?`,
			choices: [
				{ text: 'Every two weeks', phrase: 'every 2 weeks' },
				{ text: 'Twice a week, on Monday and Thursday', phrase: 'every Monday and Thursday' },
				{ text: 'Twice a week, on Tuesday and Friday', phrase: 'every Tuesday and Friday' },
			],
		};
	if (unit === 'monthly')
		return {
			question: `What is “${word}”: every two months, or twice a month?`,
			choices: [
				{ text: 'Every two months', phrase: 'every 2 months' },
				{ text: 'Twice a month, on the 1st and the 15th', phrase: 'on the 1st and the 15th of every month' },
			],
		};
	return {
		question: `What is “${word}”: every two years, or twice a year?`,
		choices: [
			{ text: 'Every two years', phrase: 'every 2 years' },
			{ text: 'Twice a year', phrase: 'every 6 months' },
		],
	};
}
