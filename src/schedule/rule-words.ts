import type { LocalTime } from '../domain/schedule.ts';
import { DAY, HOUR, MINUTE } from './local-time.ts';
import { parseRule } from './rule.ts';
import { type RuleDay, type RuleParts, WEEKDAYS } from './rule-parts.ts';
import { wallOf } from './wall-text.ts';
import {
	clockText,
	counted,
	dateText,
	dateTimeText,
	dayOfMonth,
	listed,
	monthName,
	monthNames,
	nthWord,
	timesOnDays,
	timesWords,
	weekdayWords,
} from './word-parts.ts';

/** What a recurrence rule says: `On the last Friday of every month at 09:00`. */
export function ruleInWords(rule: string, start: LocalTime): string {
	const parts = parseRule(rule);
	const wall = wallOf(start);
	if (parts.wild) return `${within(parts)}${endInWords(parts)}`;
	const all = timesOf(parts, wall);
	const picked = pickedTimes(parts, all);
	const times = picked ?? all;
	const of = picked ? { ...parts, lists: { ...parts.lists, BYSETPOS: undefined } } : parts;
	return `${timesOnDays(timesWords(times) ?? `at ${listed(times.map(clockText))}`, daysInWords(of, wall))}${endInWords(parts)}`;
}

function endInWords({ count, until }: RuleParts): string {
	if (count !== undefined) return count === 1 ? ', once' : `, ${count} times`;
	if (until?.kind === 'wall')
		return until.wall % DAY === DAY - 1000 ? `, until ${dateText(until.wall)}` : `, until ${dateTimeText(until.wall)}`;
	return until ? `, until ${dateTimeText(until.at)} UTC` : '';
}

function timesOf({ lists }: RuleParts, start: number): number[] {
	const date = new Date(start);
	const { BYHOUR = [date.getUTCHours()], BYMINUTE = [date.getUTCMinutes()], BYSECOND = [date.getUTCSeconds()] } = lists;
	const times = BYHOUR.flatMap((hour) =>
		BYMINUTE.flatMap((minute) => BYSECOND.map((second) => hour * HOUR + minute * MINUTE + second * 1000)),
	);
	return times.sort((a, b) => a - b);
}

/** Of the times of one day those that are meant, where the rule picks them by their places: 08:30 and 17:45 of four. */
function pickedTimes({ frequency, days, lists }: RuleParts, times: readonly number[]): number[] | undefined {
	const { BYSETPOS, BYMONTHDAY } = lists;
	if (!BYSETPOS || times.length < 2) return undefined;
	const [day, other] = days;
	const isOneDay =
		frequency === 'DAILY' ||
		(frequency === 'WEEKLY' && !other) ||
		(frequency === 'MONTHLY' && (day ? day.nth !== undefined && !other && !BYMONTHDAY : BYMONTHDAY?.length === 1));
	const picked = BYSETPOS.flatMap((place) => times.at(place > 0 ? place - 1 : place) ?? []);
	return isOneDay && picked.length === BYSETPOS.length ? picked.sort((a, b) => a - b) : undefined;
}

const UNITS = { YEARLY: 'year', MONTHLY: 'month', WEEKLY: 'week', DAILY: 'day', HOURLY: 'hour', MINUTELY: 'minute', SECONDLY: 'second' };

/** Of rules that come within a day. */
function within(parts: RuleParts): string {
	const { BYHOUR, BYMINUTE, BYSECOND } = parts.lists;
	const filters = [
		...(BYMINUTE ? [`at minute${BYMINUTE.length === 1 ? '' : 's'} ${listed(BYMINUTE.map(String))}`] : []),
		...(BYSECOND ? [`at second ${listed(BYSECOND.map(String))}`] : []),
		...(BYHOUR ? [`in the hour${BYHOUR.length === 1 ? '' : 's'} ${listed(BYHOUR.map(String))}`] : []),
		...dayFilters(parts),
	];
	return [`Every ${counted(parts.interval, UNITS[parts.frequency])}`, ...filters].join(', ');
}

function daysInWords(parts: RuleParts, start: number): string {
	const { frequency, interval, days, lists } = parts;
	const every = `Every ${counted(interval, UNITS[frequency])}`;
	if (lists.BYSETPOS) return withPositions(parts, lists.BYSETPOS, every);
	if (frequency === 'DAILY' || frequency === 'WEEKLY') {
		const weekdays =
			days.length > 0 ? days : frequency === 'WEEKLY' ? [{ day: WEEKDAYS[(new Date(start).getUTCDay() + 6) % 7] ?? 'MO' }] : [];
		const rest = dayFilters({ ...parts, days: [] }).map((filter) => ` ${filter}`);
		if (weekdays.length === 0) return `${every}${rest.join('')}`;
		const names = weekdayWords(numbersOf(weekdays));
		return interval === 1 ? `Every ${names}${rest.join('')}` : `${every} on ${names}${rest.join('')}`;
	}
	return frequency === 'MONTHLY' ? monthlyInWords(parts, start, every) : yearlyInWords(parts, start, every);
}

function monthlyInWords({ interval, days, lists }: RuleParts, start: number, every: string): string {
	const months = lists.BYMONTH ? monthNames(lists.BYMONTH) : 'every month';
	const which = daysOf(days, lists.BYMONTHDAY ?? (days.length > 0 ? undefined : [new Date(start).getUTCDate()]));
	return interval === 1 ? `On ${which(months)}` : `${every} on ${which(lists.BYMONTH && months)}`;
}

function yearlyInWords(parts: RuleParts, start: number, every: string): string {
	const { days, lists } = parts;
	const date = new Date(start);
	if (lists.BYWEEKNO || lists.BYYEARDAY) {
		const weekday = lists.BYWEEKNO && days.length === 0 ? ` on ${weekdayWords([date.getUTCDay()])}` : '';
		return `${every} ${dayFilters(parts).join(' ')}${weekday}`;
	}
	const { BYMONTH, BYMONTHDAY } = lists;
	const monthDays = BYMONTHDAY ?? (days.length > 0 ? undefined : [date.getUTCDate()]);
	if (BYMONTH === undefined && days.length > 0 && !BYMONTHDAY) {
		const numbered = days.some(({ nth }) => nth !== undefined);
		return numbered ? `${every} on ${daysOf(days, undefined)('the year')}` : `${every} on each ${weekdayWords(numbersOf(days))}`;
	}
	// Without a month, the days of a month alone are those of every month.
	const months = BYMONTH ?? (BYMONTHDAY ? undefined : [date.getUTCMonth() + 1]);
	const [month, otherMonth] = months ?? [];
	const [day, otherDay] = monthDays ?? [];
	if (month && day && day > 0 && !otherMonth && !otherDay && days.length === 0) return `${every} on ${day} ${monthName(month)}`;
	return `${every} on ${daysOf(days, monthDays)(months ? monthNames(months) : 'every month')}`;
}

/** Of a month: `the last Friday of May`, `the 1st and 15th of May`, `the 13th of May where it is a Friday`. */
function daysOf(days: readonly RuleDay[], monthDays: readonly number[] | undefined): (month?: string) => string {
	const dates = monthDays && `the ${listed(monthDays.map(dayOfMonth))}`;
	const of = (what: string, month: string | undefined): string => (month === undefined ? what : `${what} of ${month}`);
	if (days.length === 0) return (month) => of(dates ?? '', month);
	const plain = days.filter(({ nth }) => nth === undefined);
	const numbered = days.flatMap(({ day, nth }) => (nth === undefined ? [] : [`the ${nthWord(nth)} ${weekdayWords(numbersOf([{ day }]))}`]));
	const words = listed([...(plain.length > 0 ? [`${dates ? 'a' : 'every'} ${weekdayWords(numbersOf(plain))}`] : []), ...numbered]);
	return (month) => (dates ? `${of(dates, month)} where it is ${words}` : of(words, month));
}

/** The last workday of every month: the days that fit, and which of them. */
function withPositions(parts: RuleParts, positions: readonly number[], every: string): string {
	const { frequency, interval, days, lists } = parts;
	const which = `the ${listed(positions.map(nthWord))}`;
	const isPlain = days.length > 0 && days.every(({ nth }) => nth === undefined) && !lists.BYMONTHDAY && !lists.BYYEARDAY && !lists.BYWEEKNO;
	if (frequency === 'MONTHLY' && isPlain) {
		const months = lists.BYMONTH ? monthNames(lists.BYMONTH) : interval === 1 ? 'every month' : 'the month';
		const found = `${which} ${weekdayWords(numbersOf(days))} of ${months}`;
		return interval === 1 ? `On ${found}` : `${every} on ${found}`;
	}
	return `${every} on ${which} of these: ${dayFilters(parts).join(' ') || 'its times'},`;
}

function dayFilters({ days, lists }: RuleParts): string[] {
	const { BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY } = lists;
	return [
		...(BYWEEKNO ? [`in ${listed(BYWEEKNO.map((week) => (week > 0 ? `week ${week}` : `the ${nthWord(week)} week`)))}`] : []),
		...(BYYEARDAY ? [`on ${listed(BYYEARDAY.map((day) => (day > 0 ? `day ${day}` : `the ${nthWord(day)} day`)))} of the year`] : []),
		...(BYMONTHDAY ? [`on the ${listed(BYMONTHDAY.map(dayOfMonth))} of the month`] : []),
		...(days.length > 0 ? [`on ${daysOf(days, undefined)().replace(/^every /, '')}`] : []),
		...(BYMONTH ? [`in ${monthNames(BYMONTH)}`] : []),
	];
}

/** 0 is Sunday. */
function numbersOf(days: readonly RuleDay[]): number[] {
	return days.map(({ day }) => (WEEKDAYS.indexOf(day) + 1) % 7);
}
