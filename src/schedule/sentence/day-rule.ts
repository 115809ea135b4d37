import { bothFields, type Counted, edit, onceOrEach, whichDay, whichDayOf, whichYears } from './day-questions.ts';
import { type Day, partsOf } from './days.ts';
import { ALL_DAYS, ordinal, type Weekday } from './names.ts';
import { asks, notUnderstood, type Outcome, TWO_TASKS, unclear } from './outcome.ts';
import type { Part, PartOf } from './parts.ts';
import type { DayPattern } from './pattern.ts';
import { type Phrases, put } from './phrases.ts';
import { dayNames } from './rules.ts';

/** On which days it comes, of all that a sentence says of them. */

type Days = { readonly pattern: DayPattern } | Outcome;

const QUARTER_STARTS = [1, 4, 7, 10];
const QUARTER_ENDS = [3, 6, 9, 12];

/** `isStepped`: many times on each of these days; then any day will do. */
export function daysOf(phrases: Phrases, isStepped: boolean): Days {
	const { all, one } = phrases;
	const counted = all('every').filter(({ unit }) => unit !== 'minute' && unit !== 'hour');
	const weekdays = all('weekdays');
	const [dates, nths, special] = [all('month_days'), all('nth'), [...all('both'), ...all('either')]];
	const every = countedOf(counted, weekdays.length > 0);
	if (every && 'kind' in every) return every;
	const perDay = perOf(phrases);
	if (perDay) return perDay;
	if (dates.length + nths.length + special.length > 1 || weekdays.length > 1) return unclear('It names its days twice.', TWO_TASKS);
	const [date, nth, both] = [dates[0], nths[0], special[0]];
	const inMonths = one('months');
	const open = inMonths && !inMonths.each && every?.unit !== 'year' ? whichYears(phrases, inMonths) : undefined;
	if (open) return open;
	const months = inMonths?.months;
	const day = one('day');
	if (both) return specialDays(both, every, weekdays);
	if (day) return yearly(day, every, weekdays);
	if (date && weekdays[0]) return bothFields(date, weekdays[0]);
	if (nth) return weekdays[0] ? notUnderstood() : nthDays(phrases, nth, every, months);
	if (date) return monthDays(phrases, date, every, months);
	return plain(phrases, every, weekdays[0], months, isStepped);
}

/** “Every day” beside something else that says it is no more than that. */
function countedOf(counted: readonly PartOf<'every'>[], hasWeekdays: boolean): Counted | Outcome | undefined {
	const real = counted.filter(({ n, unit }) => !(n === 1 && unit === 'day' && (hasWeekdays || counted.length > 1)));
	const [first, second] = real.length > 0 ? real : counted;
	if (second && (second.n !== first?.n || second.unit !== first.unit)) return unclear('It says twice how often that is.', TWO_TASKS);
	if (!first || first.unit === 'minute' || first.unit === 'hour') return undefined;
	const { n, unit, start, end } = first;
	return { n, unit, start, end };
}

const PER_WEEK: Readonly<Record<number, readonly (readonly Weekday[])[]>> = {
	2: [
		[1, 4],
		[2, 5],
	],
	3: [
		[1, 3, 5],
		[2, 4, 6],
	],
};
const PER_DAY: Readonly<Record<number, readonly string[]>> = {
	2: ['at 08:00 and 20:00', 'at 09:00 and 18:00'],
	3: ['at 08:00, 12:00 and 18:00', 'at 08:00, 14:00 and 20:00'],
	4: ['at 08:00, 12:00, 16:00 and 20:00'],
};

/** “Twice a day” says nothing of when: the times beside it do. */
function perOf({ all, parts }: Phrases): Days | undefined {
	const [per] = all('per');
	if (!per) return undefined;
	const times = all('times').flatMap(({ items }) => items).length;
	const weekdays = all('weekdays').flatMap(({ days }) => days);
	if (per.unit === 'day') {
		if (times === per.count)
			return parts.some(({ kind }) => kind === 'weekdays')
				? { pattern: { unit: 'week', n: 1, weekdays } }
				: { pattern: { unit: 'day', n: 1 } };
		const offered = PER_DAY[per.count];
		if (times > 0 || !offered) return unclear(`It says ${per.count} times a day, and I can’t tell at which.`, 'Name each time of day.');
		return asks(
			'At which times of the day?',
			offered.map((words) => [words.replace(/^at /, ''), edit(per, `every day ${words}`)] as const),
		);
	}
	if (per.unit === 'week') {
		if (weekdays.length === per.count) return { pattern: { unit: 'week', n: 1, weekdays } };
		const offered = PER_WEEK[per.count];
		if (weekdays.length > 0 || !offered)
			return unclear(`It says ${per.count} times a week, and I can’t tell on which days.`, 'Name each day.');
		return asks(
			'On which days of the week?',
			offered.map((days) => [dayNames(days), edit(per, `every ${dayNames(days)}`)] as const),
		);
	}
	const dates = all('month_days').flatMap(({ days, of }) => (of === 'open' || of === 'every' ? days : []));
	if (dates.length === per.count && weekdays.length === 0) return { pattern: { unit: 'month', n: 1, monthDays: dates } };
	return unclear('I can’t tell on which days of the month.', 'Name them, as in “on the 1st and the 15th of every month”.');
}

function specialDays(both: PartOf<'both' | 'either'>, every: Counted | undefined, weekdays: readonly Part[]): Days {
	if (weekdays.length > 0 || (every && !(every.n === 1 && every.unit === 'month'))) return notUnderstood();
	const { monthDays: on, days } = both;
	return { pattern: { unit: 'month', n: 1, monthDays: on, weekdays: days, ...(both.kind === 'either' && { either: true }) } };
}

/** A date without its year, each year; or a date that something begins to count from. */
function yearly(day: PartOf<'day'>, every: Counted | undefined, weekdays: readonly Part[]): Days {
	if (weekdays.length > 0 || every?.unit !== 'year' || !day.date)
		return unclear('It names a day, and how often beside it.', 'Say “starting” before the day on which it begins.');
	return { pattern: { unit: 'year', n: every.n, monthDays: [day.date.day], months: [day.date.month] } };
}

function nthDays(phrases: Phrases, part: PartOf<'nth'>, every: Counted | undefined, months: readonly number[] | undefined): Days {
	const { nth, what } = part;
	const of = ofMonths(part, every, months);
	if (of === undefined) return every ? notUnderstood() : onceOrEach(phrases, part, { unit: 'month', n: 1, nth: { nth, what } });
	if (nth.some((each) => each > 5 || (what === 'day' && each > 0 && of === 'quarter'))) return notUnderstood();
	if (of === 'year' || of === 'quarter') {
		const isLast = nth.every((each) => each < 0);
		if (!isLast && nth.some((each) => each !== 1)) return unclear('I can’t tell which day that is.');
		const inMonths = of === 'year' ? [isLast ? 12 : 1] : isLast ? QUARTER_ENDS : QUARTER_STARTS;
		return { pattern: { unit: 'month', n: 1, nth: { nth, what }, months: inMonths } };
	}
	return { pattern: { unit: 'month', n: of.n, nth: { nth, what }, ...(of.months && { months: of.months }) } };
}

function monthDays(phrases: Phrases, part: PartOf<'month_days'>, every: Counted | undefined, months: readonly number[] | undefined): Days {
	const { days } = part;
	if (days.some((day) => day < 1 || day > 31)) return unclear('There is no such day of a month.');
	const of = ofMonths(part, every, months);
	if (of === undefined) return every ? notUnderstood() : onceOrEach(phrases, part, { unit: 'month', n: 1, monthDays: days });
	if (of === 'year') return { pattern: { unit: 'year', n: 1, monthDays: days, months: [1] } };
	if (of === 'quarter') return { pattern: { unit: 'year', n: 1, monthDays: days, months: QUARTER_STARTS } };
	const longest = of.months ? Math.min(...of.months.map((month) => LENGTHS[month - 1] ?? 31)) : 28;
	const missing = days.filter((day) => day > longest);
	const [short] = phrases.all('short');
	if (of.months && days.some((day) => of.months?.every((month) => day > (LENGTHS[month - 1] ?? 31))))
		return unclear('There is no such day.');
	const unit = of.months && of.n === 1 ? 'year' : 'month';
	const pattern: DayPattern = { unit, n: of.n, monthDays: days, ...(of.months && { months: of.months }) };
	// 29 February is a day of its own: who names it knows that.
	if (missing.length === 0 || short?.how === 'skip' || (of.months?.length === 1 && of.months[0] === 2)) return { pattern };
	if (short) return days.length === 1 ? { pattern: { ...pattern, short: 'last' } } : notUnderstood();
	const names = missing.map(ordinal).join(' and the ');
	const end = Math.max(...phrases.parts.map((each) => each.end));
	return asks(`Not every month has the ${names}. What then?`, [
		['Only in months that have it', put(end, ' only in months that have it')],
		...(days.length === 1 ? [[`On the last day of a shorter month`, put(end, ' or else on the last day')] as const] : []),
	]);
}

const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

type Of = { readonly n: number; readonly months?: readonly number[] } | 'quarter' | 'year' | undefined;

/** Of which months a day is one. Undefined: that is not said. */
function ofMonths({ of, each }: PartOf<'nth' | 'month_days'>, every: Counted | undefined, months: readonly number[] | undefined): Of {
	const own = typeof of === 'object' ? of : months;
	if (own) {
		const isSaid = each || months !== undefined || every?.unit === 'year';
		return isSaid && (!every || every.n === 1) ? { n: 1, months: own } : undefined;
	}
	if (of === 'quarter' || of === 'year') return every ? undefined : of;
	if (every?.unit === 'month') return { n: every.n };
	if (every?.unit === 'quarter' && every.n === 1) return 'quarter';
	return of === 'every' && !every ? { n: 1 } : undefined;
}

function plain(
	phrases: Phrases,
	every: Counted | undefined,
	week: PartOf<'weekdays'> | undefined,
	months: readonly number[] | undefined,
	isStepped: boolean,
): Days {
	const except = phrases.all('except').flatMap(({ days }) => days);
	const starting = phrases.one('starting');
	const inMonths = months && { months };
	if (week || (every?.unit === 'day' && except.length > 0) || (!every && isStepped && except.length > 0)) {
		if (every && !(every.unit === 'week' || (every.unit === 'day' && every.n === 1))) return notUnderstood();
		const days = (week?.days ?? ALL_DAYS).filter((day) => !except.includes(day));
		if (days.length === 0) return unclear('Then no day is left.');
		return { pattern: { unit: 'week', n: every?.unit === 'week' ? every.n : 1, weekdays: days, ...inMonths } };
	}
	if (except.length > 0) return notUnderstood();
	if (!every) return isStepped ? { pattern: { unit: 'day', n: 1, ...inMonths } } : notUnderstood();
	if (months && every.unit !== 'day') return every.unit === 'year' ? whichDayOf(months[0] ?? 1, every) : notUnderstood();
	if (every.unit === 'day') return { pattern: { unit: 'day', n: every.n, ...inMonths } };
	if (every.unit === 'quarter')
		return every.n === 1 ? { pattern: { unit: 'year', n: 1, monthDays: [1], months: QUARTER_STARTS } } : notUnderstood();
	if (starting && sameEachTime(every, starting.day)) return { pattern: { unit: every.unit, n: every.n } };
	return whichDay(every);
}

function sameEachTime({ unit }: Counted, day: Day): boolean {
	return unit === 'week' || partsOf(day)[2] <= 28;
}
