import { type Schedule, Schedule as ScheduleShape } from '../../domain/schedule.ts';
import { minuteOf } from './clock-times.ts';
import { daysOf } from './day-rule.ts';
import { clock, type Day, longDay, momentOf, partsOf, plusDays, plusMonths, weekdayIn } from './days.ts';
import { ALL_DAYS } from './names.ts';
import { asks, impossible, notUnderstood, type Outcome, TWO_TASKS, unclear } from './outcome.ts';
import type { PartOf, TimeItem } from './parts.ts';
import { type DayPattern, firstOn, isOn, timingOf } from './pattern.ts';
import type { Phrases } from './phrases.ts';

/** A schedule of what comes again and again. */

export function recurring(phrases: Phrases): Outcome {
	const step = stepOf(phrases);
	if (step && 'kind' in step) return step;
	const days = daysOf(phrases, step !== undefined);
	if ('kind' in days) return days;
	const { pattern } = days;
	return step ? stepped(phrases, pattern, step) : daily(phrases, pattern);
}

/** In minutes. */
type Step = { readonly minutes: number };

function stepOf({ all }: Phrases): Step | Outcome | undefined {
	const steps = all('every').filter(({ unit }) => unit === 'minute' || unit === 'hour');
	if (steps.length > 1) return unclear('It says twice how often that is.', TWO_TASKS);
	const [step] = steps;
	if (!step) return undefined;
	const minutes = step.n * (step.unit === 'hour' ? 60 : 1);
	return minutes <= 7 * 24 * 60 ? { minutes } : unclear('Say that in days.');
}

function daily(phrases: Phrases, pattern: DayPattern): Outcome {
	const { all, one, words } = phrases;
	if (all('window').length > 0 || all('starting_time').length > 0) return notUnderstood();
	if (one('until_time')) return unclear('I can’t tell what ends at that time.', 'Say the day until which it goes on.');
	const midnight = isAnyDay(pattern) ? 'free' : pattern.weekdays && !pattern.monthDays && !pattern.nth ? 'day' : 'month_day';
	const minutes: number[] = [];
	for (const item of all('times').flatMap(({ items }) => items)) {
		const minute = minuteOf(item, { ...words, midnight });
		if (typeof minute !== 'number') return minute;
		minutes.push(minute);
	}
	if (minutes.length === 0) return phrases.whichTime();
	if (minutes.includes(1_440)) {
		if (minutes.length > 1) return unclear('I can’t tell when that is to be.');
		if (midnight === 'free') return scheduleOf(phrases, pattern, [0]);
		if (midnight === 'month_day') return unclear('I can’t tell which midnight that is.', 'Say the day after it, at 00:00.');
		return scheduleOf(phrases, { ...pattern, weekdays: (pattern.weekdays ?? []).map((day) => ALL_DAYS[(day + 1) % 7] ?? 0) }, [0]);
	}
	return scheduleOf(phrases, pattern, minutes);
}

function isAnyDay({ unit, n, weekdays, monthDays, nth, months }: DayPattern): boolean {
	return unit === 'day' && n === 1 && !weekdays && !monthDays && !nth && !months;
}

function stepped(phrases: Phrases, pattern: DayPattern, { minutes }: Step): Outcome {
	const { all, one, words, today, now, zone, named } = phrases;
	if (all('times').length > 0 || words.part !== undefined)
		return unclear('It says how often, and a time of day beside it.', 'Say “starting at …”, or “between … and …”.');
	const window = one('window');
	if (window) {
		const ends: number[] = [];
		for (const item of [window.from, window.to]) {
			const minute = minuteOf(item, { ...words, midnight: 'free' });
			if (typeof minute !== 'number') return backwards(window) ?? minute;
			ends.push(minute);
		}
		const [from = 0, to = 0] = ends;
		const asked = from >= to ? backwards(window) : undefined;
		if (asked) return asked;
		// Over midnight the later hours are another day's: of every day that is the same.
		if (from > to && !isAnyDay(pattern)) return unclear('I can’t tell on which days the hours after midnight are.', TWO_TASKS);
		return scheduleOf(phrases, pattern, timesWithin(from, to, minutes));
	}
	const untilTime = one('until_time');
	if (untilTime) {
		const minute = minuteOf(untilTime.item, { ...words, midnight: 'free' });
		if (typeof minute !== 'number') return minute;
		return asks(`Until ${clock(minute)} of today, or of every day?`, [
			[`Only today`, { start: untilTime.start, end: untilTime.end, text: `until ${clock(minute)} today` }],
			[
				`Every day from 00:00 to ${clock(minute)}`,
				{ start: untilTime.start, end: untilTime.end, text: `between 00:00 and ${clock(minute)}` },
			],
		]);
	}
	const anchor = one('starting_time');
	const limits = limitsOf(phrases);
	if ('kind' in limits) return limits;
	if (!anchor) {
		const steps = cronSteps(minutes, isAnyDay(pattern));
		const days = steps && cronDays(pattern);
		if (steps && days !== undefined)
			return made({ timing: { kind: 'cron', expression: `${steps} ${days}`, ...(named !== undefined && { zone: named }) }, ...limits });
	}
	if (!isAnyDay(pattern)) return notUnderstood();
	let at = Math.floor(now / 60_000) * 60_000;
	if (anchor) {
		const minute = minuteOf(anchor.item, { ...words, midnight: 'free' });
		if (typeof minute !== 'number') return minute;
		at = momentOf(limits.day ?? today.day, minute, zone);
	} else if (limits.from !== undefined) at = limits.from;
	return made({ timing: { kind: 'every', seconds: minutes * 60, anchor: at }, ...limits, ...(at > now && { from: at }) });
}

/** On the full hour and its even parts; what does not fit into them is counted from now. */
function cronSteps(minutes: number, anyDay: boolean): string | undefined {
	if (minutes === 1) return '* *';
	if (minutes < 60 && 60 % minutes === 0) return `*/${minutes} *`;
	if (minutes === 60) return '0 *';
	return !anyDay && minutes % 60 === 0 && 1_440 % minutes === 0 ? `0 */${minutes / 60}` : undefined;
}

function cronDays({ unit, n, weekdays, monthDays, nth, months, short, either }: DayPattern): string | undefined {
	if (n !== 1 || nth || short || either || (weekdays && monthDays) || unit === 'year') return undefined;
	if (monthDays?.some((day) => day < 0)) return undefined;
	const list = (numbers: readonly number[] | undefined): string => (numbers ? [...numbers].sort((a, b) => a - b).join(',') : '*');
	return `${list(monthDays)} ${list(months)} ${list(weekdays)}`;
}

/** “Between 9 and 5”: over night, or until 17:00? */
function backwards({ from, to }: PartOf<'window'>): Outcome | undefined {
	if (to.sure || from.sure || to.minute > from.minute || to.minute >= 720) return undefined;
	return asks(`Until ${clock(to.minute + 720)}, or until ${clock(to.minute)} of the next day?`, [
		[`From ${clock(from.minute)} to ${clock(to.minute + 720)}`, edit(from, clock(from.minute)), edit(to, clock(to.minute + 720))],
		[`From ${clock(from.minute)} to ${clock(to.minute)} of the next day`, edit(from, clock(from.minute)), edit(to, clock(to.minute))],
	]);
}

function edit({ start, end }: TimeItem, text: string): { start: number; end: number; text: string } {
	return { start, end, text };
}

/** From `from` on, before `to`; over midnight where it is earlier. */
function timesWithin(from: number, to: number, step: number): number[] {
	const end = to > from ? to : to + 1_440;
	const times: number[] = [];
	for (let at = from; at < end; at += step) times.push(at % 1_440);
	return times;
}

interface Limits {
	readonly from?: Schedule['from'];
	readonly until?: Schedule['until'];
	/** The day that it begins on, where that was said. */
	readonly day?: Day;
}

function limitsOf({ one, today, zone }: Phrases): Limits | Outcome {
	const [starting, until, lasting] = [one('starting'), one('until'), one('lasting')];
	if (starting && starting.day < today.day) return impossible(`${longDay(starting.day)} is past.`, 'Say a day that is still to come.');
	const isLater = starting !== undefined && starting.day > today.day;
	const from = isLater ? { from: momentOf(starting.day, 0, zone), day: starting.day } : {};
	if (until && lasting) return unclear('It says twice until when.');
	if (until) {
		const at = until.minute === undefined ? momentOf(plusDays(until.day, 1), 0, zone) - 1 : momentOf(until.day, until.minute, zone);
		return { ...from, until: at };
	}
	if (!lasting) return from;
	const { months, days } = lasting.amount;
	const begin = isLater ? { day: starting.day, minute: 0 } : today;
	const end = momentOf(plusDays(plusMonths(begin.day, months), days), begin.minute, zone);
	return { ...from, until: isLater ? end - 1 : end };
}

function scheduleOf(phrases: Phrases, pattern: DayPattern, minutes: readonly number[]): Outcome {
	const { today, named } = phrases;
	const limits = limitsOf(phrases);
	if ('kind' in limits) return limits;
	const begin = limits.day ?? today.day;
	const last = Math.max(...minutes);
	const isLeft = limits.day !== undefined || !isOn(pattern, begin) || last > today.minute;
	const start = firstOn(pattern, isLeft ? begin : plusDays(begin, 1));
	if (start === undefined || minutes.length === 0) return impossible('That never comes.', 'Look at the days again.');
	const shifted = inStep(pattern, start);
	const timing = timingOf(shifted, minutes, start, named);
	if (!timing) return unclear('I can’t put these times into one schedule.', TWO_TASKS);
	return made({
		timing,
		...(timing.kind === 'cron' && limits.from !== undefined && { from: limits.from }),
		...(limits.until !== undefined && { until: limits.until }),
	});
}

/** Counted in months or years it comes on the day that it began on, where nothing else is said. */
function inStep(pattern: DayPattern, start: Day): DayPattern {
	if (pattern.unit === 'week' && !pattern.weekdays) return { ...pattern, weekdays: [weekdayIn(start)] };
	const [, month, day] = partsOf(start);
	if (pattern.unit === 'month' && !pattern.monthDays && !pattern.nth && !pattern.weekdays) return { ...pattern, monthDays: [day] };
	if (pattern.unit === 'year' && !pattern.monthDays && !pattern.nth && !pattern.weekdays)
		return { ...pattern, monthDays: [day], months: [month] };
	return pattern;
}

function made(schedule: unknown): Outcome {
	const { day: _, ...rest } = schedule as Record<string, unknown>;
	return { kind: 'schedule', schedule: ScheduleShape.parse(rest) };
}
