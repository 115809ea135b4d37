import { WEEKDAY_NAMES } from '../word-parts.ts';
import { type Day, lastOfMonth, longDay, mondayOf, nextWeekday, partsOf, plusDays, plusMonths, realDay, weekdayIn } from './days.ts';
import { DAY, FULL_DAY, MONTH, monthOf, NUMBER, numberOf, ORDINAL, ordinalOf, weekdayOf } from './names.ts';
import { type Amount, phrase, type Reader, type Said, type Today } from './parts.ts';
import { dayPart } from './times.ts';

/** Days as people name them, one at a time. What may be two days is a doubt. */

const UNITS = '(?:minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|years?)';
const ON = '(?:on\\s+)?';
const PARTS = '(?:\\s+(?:in the\\s+)?(?<part>morning|afternoon|evening|night))?';
/** Nobody plans further, and the calendar of a Date ends some day. */
const LAST_YEAR = 2089;

export const dateReaders: readonly Reader[] = [
	phrase(`today${PARTS}`, ({ part }, today) => dayWith(today.day, part)),
	phrase('this\\s+(?<part>morning|afternoon|evening)', ({ part }, today) => dayWith(today.day, part)),
	phrase('tonight', (_, today) => dayWith(today.day, 'night')),
	phrase(`(?:tomorrow|tmrw|tmr)${PARTS}`, ({ part }, today) => dayWith(plusDays(today.day, 1), part)),
	phrase(`(?:on\\s+)?(?:the\\s+)?day\\s+after\\s+tomorrow${PARTS}`, ({ part }, today) => dayWith(plusDays(today.day, 2), part)),
	phrase(`${ON}(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})`, ({ year, month, day }) => dated(Number(year), Number(month), Number(day))),
	phrase(`${ON}(?:the\\s+)?(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.(?:\\s?(?<year>\\d{4}))?`, ({ day, month, year }, today) =>
		named(Number(day), Number(month), year, today),
	),
	phrase(`${ON}(?<first>\\d{1,2})/(?<second>\\d{1,2})(?:/(?<year>\\d{4}))?`, ({ first, second, year }, today) =>
		slashed(Number(first), Number(second), year, today),
	),
	phrase(
		`${ON}(?:(?<weekday>${DAY}),?\\s+)?(?:the\\s+)?(?<day>\\d{1,2}(?:st|nd|rd|th)?|${ORDINAL})\\s+(?:of\\s+)?(?<month>${MONTH})(?:,?\\s+(?<year>\\d{4}))?`,
		({ weekday, day = '', month = '', year }, today) => onWeekday(weekday, named(ordinalOf(day), monthOf(month), year, today)),
	),
	phrase(
		`${ON}(?:(?<weekday>${DAY}),?\\s+)?(?<month>${MONTH})\\s+(?:the\\s+)?(?<day>\\d{1,2}(?:st|nd|rd|th)?|${ORDINAL})(?!\\d|:\\d)(?:,?\\s+(?<year>\\d{4}))?`,
		({ weekday, day = '', month = '', year }, today) => onWeekday(weekday, named(ordinalOf(day), monthOf(month), year, today)),
	),
	phrase(`${ON}(?:the\\s+)?(?<day>${ORDINAL})\\s+of\\s+(?<which>next|this)\\s+month`, ({ day = '', which }, today) =>
		inMonth(ordinalOf(day), which, today),
	),
	phrase(`(?:in\\s+)?(?<which>next|this)\\s+month,?\\s+on\\s+the\\s+(?<day>${ORDINAL})`, ({ day = '', which }, today) =>
		inMonth(ordinalOf(day), which, today),
	),
	phrase(`(?:on\\s+)?(?:the\\s+)?last\\s+day\\s+of\\s+(?<which>next|this)\\s+month`, ({ which }, today) => ({
		kind: 'day',
		day: lastOfMonth(which?.toLowerCase() === 'next' ? plusMonths(today.day, 1) : today.day),
	})),
	phrase(`(?:on\\s+)?(?:the\\s+)?last\\s+day\\s+of\\s+(?<month>${MONTH})\\s+(?<year>\\d{4})`, ({ month = '', year }, today) =>
		endOfMonth(monthOf(month), year, today),
	),
	phrase(`${ON}(?<day>${DAY})(?:\\s+(?:of\\s+|in\\s+)?next\\s+week)${PARTS}`, ({ day = '', part }, today) =>
		dayWith(inWeek(plusDays(today.day, 7), day), part),
	),
	phrase(`next\\s+week,?\\s+on\\s+(?<day>${DAY})${PARTS}`, ({ day = '', part }, today) =>
		dayWith(inWeek(plusDays(today.day, 7), day), part),
	),
	phrase(`${ON}(?<day>${DAY})\\s+week`, ({ day = '' }, today) => {
		const first = nextWeekday(today.day, weekdayOf(day));
		return first === today.day ? oneOf([first, weekLater(first)], 'Which day do you mean?') : { kind: 'day', day: weekLater(first) };
	}),
	phrase(`${ON}next\\s+(?<day>${DAY})${PARTS}`, ({ day = '', part }, today) => nextDay(day, part, today)),
	phrase(`${ON}this\\s+(?:coming\\s+)?(?<day>${DAY})${PARTS}`, ({ day = '', part }, today) => thisDay(day, part, today)),
	phrase(
		`(?:on\\s+(?:(?:the\\s+)?coming\\s+)?(?<day>${DAY})|(?:(?:the\\s+)?coming\\s+)?(?<full>${FULL_DAY}))${PARTS}`,
		({ day, full, part }) => [
			{ kind: 'weekdays', days: [weekdayOf(day ?? full ?? '')], each: false },
			...(part === undefined ? [] : [dayPart(part)]),
		],
	),
	phrase('(?:on\\s+|at\\s+)?(?:this|the|(?<next>next)|the coming)\\s+weekend', ({ next }, today) => {
		const saturday = nextWeekday(today.day, 6);
		// As “next Saturday” it may be this week’s or next week’s.
		const days = next === undefined ? [0, 1] : [0, 1, 7, 8];
		return oneOf(
			days.map((day) => plusDays(saturday, day)),
			'Which day of the weekend?',
		);
	}),
	phrase(`(?:in\\s+|some time\\s+|any time\\s+)?(?:next\\s+week|this\\s+week)(?!\\s+on)`, () => ({
		kind: 'doubt',
		doubt: {
			question: 'On which day of the week?',
			choices: [1, 2, 3, 4, 5].map((day) => ({ text: WEEKDAY_NAMES[day] ?? '', phrase: `on ${WEEKDAY_NAMES[day]} of next week` })),
		},
	})),
	phrase('(?:in\\s+)?next\\s+month(?!,?\\s+on)', (_, today) => ({
		kind: 'doubt',
		doubt: {
			question: 'On which day of next month?',
			choices: [1, partsOf(today.day)[2], 31].map((day) => {
				const date = sameDay(plusMonths(firstOf(today.day), 1), day);
				return { text: longDay(date), phrase: `on ${longDay(date)}` };
			}),
		},
	})),
	phrase(`in\\s+${amountPattern('a')}(?:\\s+(?:and\\s+|,\\s*)?${amountPattern('b')})?(?:\\s+from\\s+now|['’]s?\\s+time)?`, (groups) =>
		inAmount(groups),
	),
	phrase(`${amountPattern('a')}\\s+from\\s+now`, (groups) => inAmount(groups)),
	phrase('in\\s+(?:half\\s+an\\s+hour|an?\\s+half\\s+hour|a\\s+half\\s+an\\s+hour)', () => amount({ minutes: 30 })),
	phrase('in\\s+(?:a|one)\\s+quarter\\s+of\\s+an\\s+hour', () => amount({ minutes: 15 })),
	phrase('in\\s+three\\s+quarters\\s+of\\s+an\\s+hour', () => amount({ minutes: 45 })),
	phrase(`in\\s+(?<number>${NUMBER})\\s+(?:and\\s+a\\s+half\\s+hours|hours?\\s+and\\s+a\\s+half)`, ({ number = '' }) =>
		amount({ minutes: numberOf(number) * 60 + 30 }),
	),
	phrase(`in\\s+(?<number>${NUMBER})\\s+weeks?,?\\s+on\\s+(?:an?\\s+)?(?<day>${DAY})`, ({ number = '', day = '' }, today) => ({
		kind: 'day',
		day: inWeek(plusDays(today.day, 7 * numberOf(number)), day),
		moves: true,
	})),
	phrase(
		`(?<number>${NUMBER})\\s+(?<unit>days?|weeks?)\\s+(?:from|after)\\s+(?<from>today|tomorrow)`,
		({ number = '', unit = '', from }, today) => ({
			kind: 'day',
			day: plusDays(today.day, numberOf(number) * (/^w/i.test(unit) ? 7 : 1) + (from?.toLowerCase() === 'tomorrow' ? 1 : 0)),
			moves: true,
		}),
	),
	phrase(`(?:tomorrow|today)\\s+(?:in\\s+a\\s+)?week`, () => ({
		kind: 'never',
		message: 'I can’t tell which day that is.',
		action: 'Say the date, such as “on 3 May”.',
	})),
	phrase(`(?:at\\s+|by\\s+|on\\s+)?(?:the\\s+)?end\\s+of\\s+(?:the|this)\\s+month`, (_, today) => endOfThisMonth(today)),
	phrase('(?:at\\s+|by\\s+)?(?:the\\s+)?end\\s+of\\s+(?:every|each)\\s+month', () => endOfEachMonth()),
	phrase(`(?:at\\s+)?(?:the\\s+)?(?:end|start|beginning|middle)\\s+of\\s+(?:the|this|next|every|each)\\s+(?:week|year|month|day)`, () => ({
		kind: 'never',
		message: 'I can’t tell which day that is.',
		action: 'Name the day, such as “on Friday”, “on the 28th of every month” or “on 3 May”.',
	})),
];

export function amountPattern(group: string): string {
	return `(?<number_${group}>${NUMBER})\\s+(?<unit_${group}>${UNITS})`;
}

/** Undefined where a number or unit makes no sense. */
export function amountOf(groups: Readonly<Record<string, string | undefined>>): Amount | undefined {
	let [months, days, minutes] = [0, 0, 0];
	for (const group of ['a', 'b']) {
		const [written, unit] = [groups[`number_${group}`], groups[`unit_${group}`]?.toLowerCase()];
		if (written === undefined || unit === undefined) continue;
		const number = numberOf(written);
		if (unit.startsWith('min')) minutes += number;
		else if (unit.startsWith('h')) minutes += 60 * number;
		else if (unit.startsWith('d')) days += number;
		else if (unit.startsWith('w')) days += 7 * number;
		else if (unit.startsWith('f')) days += 14 * number;
		else if (unit.startsWith('mo')) months += number;
		else months += 12 * number;
	}
	return months + days + minutes > 0 && months <= 240 && days <= 7_400 ? { months, days, minutes } : undefined;
}

function inAmount(groups: Readonly<Record<string, string | undefined>>): Said | undefined {
	const read = amountOf(groups);
	return read && { kind: 'in', amount: read };
}

function amount(some: Partial<Amount>): Said {
	return { kind: 'in', amount: { months: 0, days: 0, minutes: 0, ...some } };
}

function dayWith(day: Day, part: string | undefined): Said[] {
	return [{ kind: 'day', day, moves: true }, ...(part === undefined ? [] : [dayPart(part)])];
}

function dated(year: number, month: number, day: number): Said {
	const real = year >= 1970 && year <= LAST_YEAR ? realDay(year, month, day) : undefined;
	return real === undefined ? { kind: 'never', message: 'There is no such day.' } : { kind: 'day', day: real };
}

/** A day without its year is the next one that comes, today among them. */
export function named(day: number, month: number, year: string | undefined, { day: today }: Today): Said {
	if (year !== undefined) return dated(Number(year), month, day);
	const [from] = partsOf(today);
	for (let at = from; at <= from + 8; at++) {
		const real = realDay(at, month, day);
		if (real !== undefined && real >= today) return { kind: 'day', day: real, date: { month, day } };
	}
	return { kind: 'never', message: 'There is no such day.' };
}

/** Day first in Europe, month first in America. */
function slashed(first: number, second: number, year: string | undefined, today: Today): Said | undefined {
	const days = [named(first, second, year, today), named(second, first, year, today)].flatMap((said) =>
		said.kind === 'day' ? [said] : [],
	);
	const [one, other] = days;
	if (!one) return { kind: 'never', message: 'There is no such day.' };
	if (!other || one.day === other.day) return one;
	const written = `${String(first).padStart(2, '0')}/${String(second).padStart(2, '0')}${year === undefined ? '' : `/${year}`}`;
	return oneOf([one.day, other.day], `Which day is ${written}?`);
}

/** A weekday that is said beside a date has to be its own. */
function onWeekday(weekday: string | undefined, said: Said): Said {
	if (weekday === undefined || said.kind !== 'day' || weekdayIn(said.day) === weekdayOf(weekday)) return said;
	const message = `${longDay(said.day, false)} is a ${WEEKDAY_NAMES[weekdayIn(said.day)]}, not a ${WEEKDAY_NAMES[weekdayOf(weekday)]}.`;
	return { kind: 'never', message, action: 'Say the date or the weekday that you mean.' };
}

function inMonth(day: number, which: string | undefined, { day: today }: Today): Said {
	const [year, month] = partsOf(which?.toLowerCase() === 'next' ? plusMonths(firstOf(today), 1) : today);
	return dated(year, month, day);
}

function endOfMonth(month: number, year: string | undefined, { day: today }: Today): Said {
	const [from, now] = partsOf(today);
	const at = year === undefined ? from + (month < now ? 1 : 0) : Number(year);
	return at > LAST_YEAR || at < 1970
		? { kind: 'never', message: 'There is no such day.' }
		: { kind: 'day', day: lastOfMonth(firstDay(at, month)) };
}

function firstDay(year: number, month: number): Day {
	return realDay(year, month, 1) ?? '2000-01-01';
}

function nextDay(name: string, part: string | undefined, { day: today }: Today): Said {
	const first = nextWeekday(plusDays(today, 1), weekdayOf(name));
	return withPart(
		oneOf([first, weekLater(first)], `Which ${WEEKDAY_NAMES[weekdayOf(name)]} is “next ${WEEKDAY_NAMES[weekdayOf(name)]}”?`),
		part,
	);
}

/** The one of this week, which ends on Sunday. */
function thisDay(name: string, part: string | undefined, { day: today }: Today): Said | Said[] {
	const day = inWeek(today, name);
	if (day >= today) return dayWith(day, part);
	return withPart(
		oneOf([weekLater(day), weekLater(weekLater(day))], `This week’s ${WEEKDAY_NAMES[weekdayOf(name)]} is past. Which one do you mean?`),
		part,
	);
}

function withPart(said: Extract<Said, { kind: 'doubt' }>, part: string | undefined): Said {
	if (part === undefined) return said;
	const choices = said.doubt.choices.map(({ text, phrase: words }) => ({ text, phrase: `${words} in the ${part}` }));
	return { ...said, doubt: { ...said.doubt, choices } };
}

function oneOf(days: readonly Day[], question: string): Extract<Said, { kind: 'doubt' }> {
	return {
		kind: 'doubt',
		doubt: { question, choices: days.map((day) => ({ text: longDay(day), phrase: `on ${longDay(day, false)}` })) },
	};
}

function endOfThisMonth({ day: today }: Today): Said {
	const last = lastOfMonth(today);
	return {
		kind: 'doubt',
		doubt: {
			question: 'Once at the end of this month, or at the end of every month?',
			choices: [
				{ text: `Once, on ${longDay(last)}`, phrase: `on ${longDay(last, false)}` },
				{ text: 'Every month on its last day', phrase: 'on the last day of every month' },
				{ text: 'Every month on its last working day', phrase: 'on the last working day of every month' },
			],
		},
	};
}

function endOfEachMonth(): Said {
	return {
		kind: 'doubt',
		doubt: {
			question: 'Which day is the end of the month?',
			choices: [
				{ text: 'Its last day', phrase: 'on the last day of every month' },
				{ text: 'Its last working day, Monday to Friday', phrase: 'on the last working day of every month' },
			],
		},
	};
}

function inWeek(day: Day, name: string): Day {
	return nextWeekday(mondayOf(day), weekdayOf(name));
}

function weekLater(day: Day): Day {
	return plusDays(day, 7);
}

function firstOf(day: Day): Day {
	return `${day.slice(0, 8)}01`;
}

/** In a shorter month its last day. */
function sameDay(month: Day, day: number): Day {
	const last = lastOfMonth(month);
	return day > partsOf(last)[2] ? last : `${month.slice(0, 8)}${String(day).padStart(2, '0')}`;
}
