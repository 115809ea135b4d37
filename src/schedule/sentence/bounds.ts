import { MONTH_NAMES } from '../word-parts.ts';
import { amountOf, amountPattern, dateReaders } from './dates.ts';
import { type Day, lastOfMonth, longDay, mondayOf, partsOf, plusDays, plusMonths, realDay } from './days.ts';
import { ALL_DAYS, MONTH, monthOf, WEEKEND, type Weekday, WORKING_DAYS } from './names.ts';
import { phrase, type Read, type Reader, type Said, type Today } from './parts.ts';
import { daysIn } from './rules.ts';
import { after, readTime } from './times.ts';

/** From when, until when, and on which days not. */

const UNTIL =
	/(?:(?:and\s+)?(?:until|till?|up\s+to|through|ending|stop(?:ping)?|end(?:ing)?\s+on)\s+(?:and\s+including\s+|on\s+|at\s+)?)/iuy;
const STARTING =
	/(?:(?:and\s+)?(?:starting|beginning|start|from|as\s+of|as\s+from|commencing)\s+(?:on\s+|from\s+|at\s+|in\s+|with\s+)?)/iuy;
const TODAY = /\s+today(?![\p{L}\p{N}])/iuy;
const ONWARDS = /\s+on(?:wards?)?(?=[\s,.;:!]|$)/iuy;

const EXCEPT_DAYS = `(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)(?:\\s*(?:,|and|or|,\\s*and)\\s*(?:on\\s+)?(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)*`;

/** Days that a bound may name beside those of `dates.ts`. */
const bounds: readonly Reader[] = [
	phrase('(?:the\\s+)?(?:very\\s+)?end\\s+of\\s+(?:the\\s+month|this\\s+month)', (_, { day }) => ({ kind: 'day', day: lastOfMonth(day) })),
	phrase('(?:the\\s+)?end\\s+of\\s+next\\s+month', (_, { day }) => ({ kind: 'day', day: lastOfMonth(plusMonths(firstOf(day), 1)) })),
	phrase('(?:the\\s+)?end\\s+of\\s+(?:the|this)\\s+week', (_, { day }) => ({ kind: 'day', day: plusDays(mondayOf(day), 6) })),
	phrase('(?:the\\s+)?end\\s+of\\s+next\\s+week', (_, { day }) => ({ kind: 'day', day: plusDays(mondayOf(day), 13) })),
	phrase('(?:the\\s+)?end\\s+of\\s+(?:the|this)\\s+year', (_, { day }) => ({ kind: 'day', day: `${day.slice(0, 4)}-12-31` })),
	phrase(`(?:the\\s+)?end\\s+of\\s+(?<month>${MONTH})(?:\\s+(?<year>\\d{4}))?`, ({ month = '', year }, today) =>
		endOf(monthOf(month), year, today),
	),
	phrase('next\\s+week', (_, { day }) => ({ kind: 'day', day: plusDays(mondayOf(day), 7) })),
	phrase('next\\s+month', (_, { day }) => ({ kind: 'day', day: plusMonths(firstOf(day), 1) })),
	phrase('next\\s+year', (_, { day }) => ({ kind: 'day', day: `${Number(day.slice(0, 4)) + 1}-01-01` })),
	phrase('(?:now(?:\\s+on)?|immediately)', (_, { day }) => ({ kind: 'day', day })),
];
const WHOLE_MONTH = `(?<month>${MONTH})(?:\\s+(?<year>\\d{4}))?`;
const untilBounds: readonly Reader[] = [
	...bounds,
	phrase(WHOLE_MONTH, ({ month = '', year }, today) => wholeMonth(firstOfMonth(monthOf(month), year, today))),
];
const startingBounds: readonly Reader[] = [
	...bounds,
	phrase(WHOLE_MONTH, ({ month = '', year }, today) => ({ kind: 'day', day: firstOfMonth(monthOf(month), year, today) })),
];

export const boundReaders: readonly Reader[] = [
	(text, at, today) => bound(UNTIL, 'until', text, at, today),
	(text, at, today) => {
		const read = bound(STARTING, 'starting', text, at, today);
		return read && { ...read, end: after(ONWARDS, text, read.end) };
	},
	phrase(`for\\s+(?:the\\s+next\\s+|another\\s+)?${amountPattern('a')}`, (groups) => {
		const amount = amountOf(groups);
		return amount && amount.minutes === 0 ? { kind: 'lasting', amount } : undefined;
	}),
	phrase(
		`(?:,\\s*)?(?:(?:but\\s+not|except(?:\\s+for)?|excluding|other\\s+than|apart\\s+from|without)\\s+(?:on\\s+)?|but\\s+)(?<days>${EXCEPT_DAYS})`,
		({ days = '' }) => except(daysIn(days)),
	),
	phrase('(?:,\\s*)?(?:but\\s+not|except(?:\\s+for)?|excluding|without)\\s+(?:on\\s+|at\\s+)?(?:the\\s+)?weekends?', () => except(WEEKEND)),
	phrase('(?:,\\s*)?(?:but\\s+not|except(?:\\s+for)?|excluding|without)\\s+(?:on\\s+)?weekdays', () => except(WORKING_DAYS)),
	phrase(
		'(?:,\\s*)?(?:but\\s+not|except(?:\\s+for)?|excluding|without)\\s+(?:on\\s+|during\\s+)?(?:the\\s+)?(?:public\\s+|bank\\s+|school\\s+)?holidays?',
		() => ({ kind: 'never', message: 'I know no holidays.', action: 'Say the days without them, and pause the task when one comes.' }),
	),
];

function bound(start: RegExp, kind: 'until' | 'starting', text: string, at: number, today: Today): Read | undefined {
	const from = after(start, text, at);
	if (from === at) return undefined;
	const read = [...(kind === 'until' ? untilBounds : startingBounds), ...dateReaders]
		.flatMap((reader) => reader(text, from, today) ?? [])
		.reduce<Read | undefined>((best, each) => (best && best.end >= each.end ? best : each), undefined);
	if (read) {
		const said = read.said.length === 1 ? boundSaid(read.said[0], kind, text.slice(at, from), today) : undefined;
		return said && { said: [said], end: read.end };
	}
	// “From 9 to 17” is a window, and “from 9” alone nothing.
	const item = readTime(text, from, !/from\s+$/iu.test(text.slice(at, from)));
	const onDay = item && kind === 'until' ? after(TODAY, text, item.end) : 0;
	if (item && onDay > item.end) return { said: [{ kind: 'until', day: today.day, minute: item.minute }], end: onDay };
	return item && { said: [{ kind: kind === 'until' ? 'until_time' : 'starting_time', item }], end: item.end };
}

function boundSaid(said: Said | undefined, kind: 'until' | 'starting', words: string, today: Today): Said | undefined {
	if (said?.kind === 'day') return { kind, day: said.day };
	if (said?.kind === 'weekdays' && said.days.length === 1) return weekdayBound(said.days[0] ?? 0, kind, words, today);
	if (said?.kind === 'doubt') {
		const choices = said.doubt.choices.map(({ text, phrase: each }) => ({ text, phrase: `${words}${each.replace(/^on\s+/, '')}` }));
		return { ...said, doubt: { ...said.doubt, choices } };
	}
	if (said?.kind === 'never') return said;
	return undefined;
}

/** Today's own weekday may be today, or a week later. */
function weekdayBound(day: Weekday, kind: 'until' | 'starting', words: string, { day: today }: Today): Said {
	const first = plusDays(today, (day - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7);
	if (first !== today) return { kind, day: first };
	const choices = [first, plusDays(first, 7)].map((each) => ({ text: longDay(each), phrase: `${words}${longDay(each, false)}` }));
	return { kind: 'doubt', doubt: { question: 'Today, or in a week?', choices } };
}

function except(days: readonly Weekday[]): Said | undefined {
	return days.length > 0 && days.length < ALL_DAYS.length ? { kind: 'except', days } : undefined;
}

function endOf(month: number, year: string | undefined, { day }: Today): Said {
	const [from, now] = partsOf(day);
	const at = year === undefined ? from + (month < now ? 1 : 0) : Number(year);
	return { kind: 'day', day: lastOfMonth(firstDay(at, month)) };
}

/** The next such month that begins; of this year's own month, next year's. */
function firstOfMonth(month: number, year: string | undefined, { day }: Today): Day {
	const [from, now] = partsOf(day);
	return firstDay(year === undefined ? from + (month <= now ? 1 : 0) : Number(year), month);
}

function wholeMonth(first: Day): Said {
	const days: readonly [Day, string][] = [
		[first, 'its first day'],
		[lastOfMonth(first), 'its last day'],
	];
	return {
		kind: 'doubt',
		doubt: {
			question: `Which day of ${MONTH_NAMES[partsOf(first)[1] - 1]}?`,
			choices: days.map(([each, which]) => ({ text: `${longDay(each)}, ${which}`, phrase: longDay(each, false) })),
		},
	};
}

function firstDay(year: number, month: number): Day {
	return realDay(year, month, 1) ?? '2000-01-01';
}

function firstOf(day: Day): Day {
	return `${day.slice(0, 8)}01`;
}
