import type { Timing } from '../../domain/schedule.ts';
import { LocalTime, Schedule } from '../../domain/schedule.ts';
import { minuteOf } from './clock-times.ts';
import { clock, type Day, longDay, momentOf, nextWeekday, plusDays, plusMonths, weekdayIn } from './days.ts';
import { asks, impossible, notUnderstood, type Outcome, TWO_TASKS, unclear } from './outcome.ts';
import type { PartOf, Span, TimeItem } from './parts.ts';
import { firstOn } from './pattern.ts';
import type { Phrases } from './phrases.ts';

/** A schedule of what comes once. */

const HALF = 12 * 60;

export function oneOff(phrases: Phrases): Outcome {
	const { all, one } = phrases;
	const onlyOnce: readonly string[] = [
		'window',
		'until_time',
		'starting_time',
		'lasting',
		'except',
		'months',
		'short',
		'until',
		'starting',
	];
	const other = phrases.parts.find(({ kind }) => onlyOnce.includes(kind));
	if (other) return unclear('I can’t tell how often that is to be.', 'Say how often: “every day at 9:00 until 3 May …”.');
	const [days, weekdays, shifts] = [all('day'), all('weekdays'), all('in')];
	const items = all('times').flatMap(({ items: each }) => each);
	if (days.length > 1 || weekdays.length > 1 || shifts.length > 1 || items.length > 1)
		return unclear('It names more than one time.', TWO_TASKS);
	const [day, week, shift, item] = [days[0], weekdays[0], shifts[0], items[0]];
	if (shift) return day || week ? notUnderstood() : later(phrases, shift, item);
	if (week && day && !week.days.includes(weekdayIn(day.day))) return impossible(`${longDay(day.day)} is no such weekday.`);
	if (day && day.day < phrases.today.day) return impossible(`${longDay(day.day)} is past.`, 'Say a time that is still to come.');
	if (!item) return day || week ? phrases.whichTime() : whichDay(phrases);
	const isDay = day !== undefined || week !== undefined;
	const minute = minuteOf(item, { ...phrases.words, midnight: isDay ? 'day' : 'free' });
	if (typeof minute !== 'number') return minute;
	if (day) return onDay(phrases, day, item, minute);
	const only = one('weekdays');
	return only ? onWeekday(phrases, only, minute) : anyDay(phrases, item, minute);
}

function later({ now, today, zone, named, words }: Phrases, { amount }: PartOf<'in'>, item: TimeItem | undefined): Outcome {
	const { months, days, minutes } = amount;
	const day = plusDays(plusMonths(today.day, months), days);
	if (item) {
		if (minutes > 0) return notUnderstood();
		const minute = minuteOf(item, { ...words, midnight: 'day' });
		return typeof minute === 'number' ? at(day, minute, named) : minute;
	}
	if (words.part !== undefined) return unclear('I can’t tell at what time that is.', 'Say the time of day.');
	if (months + days === 0) return made({ kind: 'moment', at: now + minutes * 60_000 });
	if (minutes > 0) return made({ kind: 'moment', at: momentOf(day, today.minute, zone) + minutes * 60_000 });
	return at(day, today.minute, named);
}

function onDay({ today, named }: Phrases, day: PartOf<'day'>, item: TimeItem, minute: number): Outcome {
	if (day.day > today.day || minute > today.minute) return at(day.day, minute, named);
	if (day.date && !day.moves) {
		const next = firstOn({ unit: 'year', n: 1, monthDays: [day.date.day], months: [day.date.month] }, plusDays(day.day, 1));
		if (next !== undefined) return at(next, minute, named);
	}
	const choices: (readonly [string, Span & { text: string }, Span & { text: string }])[] = [];
	const evening = minute + HALF;
	if (!item.sure && minute < HALF && evening > today.minute)
		choices.push([`Today at ${clock(evening)}`, edit(day, `on ${longDay(today.day, false)}`), edit(item, clock(evening))]);
	const tomorrow = plusDays(today.day, 1);
	choices.push([`Tomorrow at ${clock(minute)}`, edit(day, `on ${longDay(tomorrow, false)}`), edit(item, clock(minute))]);
	return asks(`${clock(minute)} today is past. When do you mean?`, choices);
}

/** The next one; today's own where its time is still to come may be meant, or not. */
function onWeekday({ today, named }: Phrases, week: PartOf<'weekdays'>, minute: number): Outcome {
	const [weekday] = week.days;
	if (weekday === undefined || week.days.length > 1) return notUnderstood();
	const first = nextWeekday(today.day, weekday);
	if (first !== today.day) return at(first, minute, named);
	const inWeek = plusDays(first, 7);
	if (minute <= today.minute) return at(inWeek, minute, named);
	return asks(
		'Today, or in a week?',
		[first, inWeek].map((each) => [longDay(each), edit(week, `on ${longDay(each, false)}`)] as const),
	);
}

/** “In the morning”: of which day? */
function whichDay({ one }: Phrases): Outcome {
	const part = one('day_part');
	if (!part) return notUnderstood();
	return asks(
		'On which day?',
		['today', 'tomorrow'].map((day) => [day === 'today' ? 'Today' : 'Tomorrow', edit(part, `${day} in the ${part.part}`)] as const),
	);
}

/** A time alone is the next one of it. */
function anyDay({ today, named }: Phrases, item: TimeItem, minute: number): Outcome {
	if (minute > today.minute) return minute === 1_440 ? at(plusDays(today.day, 1), 0, named) : at(today.day, minute, named);
	const tomorrow = plusDays(today.day, 1);
	const evening = minute + HALF;
	if (item.sure || item.word !== undefined || minute >= HALF || evening <= today.minute) return at(tomorrow, minute, named);
	return asks(`${clock(minute)} today is past. When do you mean?`, [
		[`Today at ${clock(evening)}`, edit(item, clock(evening))],
		[`Tomorrow at ${clock(minute)}`, edit(item, `${clock(minute)} tomorrow`)],
	]);
}

function at(day: Day, minute: number, zone: string | undefined): Outcome {
	const local = minute === 1_440 ? `${plusDays(day, 1)}T00:00` : `${day}T${clock(minute)}`;
	return made({ kind: 'at', local: LocalTime.parse(local), ...(zone !== undefined && { zone }) });
}

function made(timing: Timing): Outcome {
	return { kind: 'schedule', schedule: Schedule.parse({ timing }) };
}

function edit({ start, end }: Span, text: string): Span & { text: string } {
	return { start, end, text };
}
