import type { Timing } from '../../src/domain/schedule.ts';

/** The weekdays as RRULE names them, Monday first. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `-1`: the last one. */
export const NTHS = [1, 2, 3, 4, -1] as const;
export type Nth = (typeof NTHS)[number];

export type MonthDay = { readonly day: number } | { readonly nth: Nth; readonly weekday: Weekday };

/** A timing as it is chosen by hand. `every`: each, each second, each third. `time`: 09:00. What is none of the others is edited as it is written. */
export type Pattern =
	| { readonly kind: 'once'; readonly date: string; readonly time: string }
	| { readonly kind: 'days'; readonly every: number; readonly time: string }
	| { readonly kind: 'weeks'; readonly every: number; readonly days: readonly Weekday[]; readonly time: string }
	| { readonly kind: 'months'; readonly every: number; readonly on: MonthDay; readonly time: string }
	| { readonly kind: 'years'; readonly month: number; readonly day: number; readonly time: string }
	| { readonly kind: 'interval'; readonly count: number; readonly unit: Unit }
	| { readonly kind: 'moment'; readonly at: number }
	| { readonly kind: 'cron'; readonly expression: string }
	| { readonly kind: 'rule'; readonly rule: string; readonly date: string; readonly time: string };

export type PatternKind = Pattern['kind'];

export const UNITS = ['minutes', 'hours', 'days'] as const;
export type Unit = (typeof UNITS)[number];
const SECONDS: Record<Unit, number> = { minutes: 60, hours: 3_600, days: 86_400 };

/** As it is written, whatever else could say it; any other timing as a pattern. */
export function writtenPattern(timing: Timing): Pattern {
	if (timing.kind === 'cron') return { kind: 'cron', expression: timing.expression };
	return timing.kind === 'rrule' ? { kind: 'rule', rule: timing.rule, ...split(timing.start) } : patternOf(timing);
}

export function patternOf(timing: Timing): Pattern {
	switch (timing.kind) {
		case 'at':
			return { kind: 'once', ...split(timing.local) };
		case 'moment':
			return { kind: 'moment', at: timing.at };
		case 'every': {
			const unit = UNITS.findLast((each) => timing.seconds % SECONDS[each] === 0) ?? 'minutes';
			return { kind: 'interval', count: timing.seconds / SECONDS[unit], unit };
		}
		case 'cron':
			return cronPattern(timing.expression) ?? writtenPattern(timing);
		case 'rrule':
			return rulePattern(timing.rule, timing.start) ?? writtenPattern(timing);
	}
}

/**
 * The timing of a pattern. `before`: what it was, whose zone is kept, and its start where that still counts. `today`: 2026-12-03 in that zone;
 * `now`: the anchor of a new interval.
 */
export function timingOf(pattern: Pattern, before: Timing, { today, now }: { today: string; now: number }): Timing {
	const zone = 'zone' in before && before.zone !== undefined ? { zone: before.zone } : {};
	switch (pattern.kind) {
		case 'once':
			return { kind: 'at', local: `${pattern.date}T${pattern.time}`, ...zone };
		case 'moment':
			return { kind: 'moment', at: pattern.at };
		case 'interval':
			return { kind: 'every', seconds: pattern.count * SECONDS[pattern.unit], anchor: before.kind === 'every' ? before.anchor : now };
		case 'cron':
			return { kind: 'cron', expression: pattern.expression, ...zone };
		case 'rule':
			return { kind: 'rrule', rule: pattern.rule, start: `${pattern.date}T${pattern.time}`, ...zone };
		default: {
			// A rule stays one: its start may be what keeps it from coming earlier.
			const expression = before.kind === 'rrule' ? undefined : cronOf(pattern);
			if (expression !== undefined) return { kind: 'cron', expression, ...zone };
			const started = before.kind === 'rrule' ? split(before.start).date : today;
			return { kind: 'rrule', rule: ruleOf(pattern), start: `${started}T${pattern.time}`, ...zone };
		}
	}
}

/** A first pattern of another kind, with what the one before says. `today`: as in `timingOf`. */
export function patternOfKind(kind: PatternKind, before: Timing, today: string): Pattern {
	const was = patternOf(before);
	const time = 'time' in was ? was.time : '09:00';
	const [, month = 1, day = 1] = today.split('-').map(Number);
	switch (kind) {
		case was.kind:
			return was;
		case 'once':
			return { kind, date: today, time };
		case 'days':
			return { kind, every: 1, time };
		case 'weeks':
			return { kind, every: 1, days: [weekdayOf(today)], time };
		case 'months':
			return { kind, every: 1, on: { day }, time };
		case 'years':
			return { kind, month, day, time };
		case 'interval':
			return { kind, count: 1, unit: 'hours' };
		case 'moment':
			return { kind, at: Date.parse(`${today}T${time}`) };
		case 'cron':
			return { kind, expression: (was.kind === 'rule' ? undefined : cronOf(was)) ?? cronOf({ kind: 'days', every: 1, time }) ?? '' };
		case 'rule':
			return {
				kind,
				rule: isRuled(was) ? ruleOf(was) : 'FREQ=DAILY',
				date: before.kind === 'rrule' ? split(before.start).date : today,
				time,
			};
		default:
			return kind satisfies never;
	}
}

type Ruled = Extract<Pattern, { kind: 'days' | 'weeks' | 'months' | 'years' }>;

function isRuled(pattern: Pattern): pattern is Ruled {
	return ['days', 'weeks', 'months', 'years'].includes(pattern.kind);
}

function split(local: string): { date: string; time: string } {
	return { date: local.slice(0, 10), time: local.slice(11) };
}

/** The weekday of a day such as 2026-12-03. */
function weekdayOf(day: string): Weekday {
	return WEEKDAYS[(new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7] ?? 'MO';
}

/** As a cron expression where one says it; undefined where it takes a rule. */
function cronOf(pattern: Pattern): string | undefined {
	if (!isRuled(pattern)) return undefined;
	const [hour = 0, minute = 0] = pattern.time.split(':').map(Number);
	switch (pattern.kind) {
		case 'days':
			return pattern.every === 1 ? `${minute} ${hour} * * *` : undefined;
		case 'weeks':
			return pattern.every === 1 ? `${minute} ${hour} * * ${cronDays(pattern.days)}` : undefined;
		case 'months':
			return pattern.every === 1 && 'day' in pattern.on && pattern.on.day > 0 ? `${minute} ${hour} ${pattern.on.day} * *` : undefined;
		case 'years':
			return `${minute} ${hour} ${pattern.day} ${pattern.month} *`;
	}
}

function cronDays(days: readonly Weekday[]): string {
	const numbers = sorted(days).map((day) => WEEKDAYS.indexOf(day) + 1);
	return numbers.join() === '1,2,3,4,5' ? '1-5' : numbers.map((number) => number % 7).join(',');
}

function ruleOf(pattern: Ruled): string {
	const interval = pattern.kind !== 'years' && pattern.every > 1 ? `;INTERVAL=${pattern.every}` : '';
	switch (pattern.kind) {
		case 'days':
			return `FREQ=DAILY${interval}`;
		case 'weeks':
			return `FREQ=WEEKLY${interval};BYDAY=${sorted(pattern.days).join(',')}`;
		case 'months':
			return `FREQ=MONTHLY${interval};${'day' in pattern.on ? `BYMONTHDAY=${pattern.on.day}` : `BYDAY=${pattern.on.nth}${pattern.on.weekday}`}`;
		case 'years':
			return `FREQ=YEARLY;BYMONTH=${pattern.month};BYMONTHDAY=${pattern.day}`;
	}
}

function sorted(days: readonly Weekday[]): Weekday[] {
	return WEEKDAYS.filter((day) => days.includes(day));
}

const CRON_DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** `1-5`, `MON,WED`, `0`: undefined where it is anything else. */
function cronWeekdays(field: string): Weekday[] | undefined {
	const numbers = field.split(',').flatMap((part): (number | undefined)[] => {
		const [from, to = from] = part.split('-').map(cronDay);
		if (from === undefined || to === undefined || to < from) return [undefined];
		return Array.from({ length: to - from + 1 }, (_, more) => from + more);
	});
	if (numbers.length === 0 || numbers.includes(undefined)) return undefined;
	return sorted(numbers.flatMap((number) => WEEKDAYS[((number ?? 0) + 6) % 7] ?? []));
}

function cronDay(word: string | undefined): number | undefined {
	if (word === undefined) return undefined;
	if (/^[0-7]$/.test(word)) return Number(word);
	const at = CRON_DAYS.indexOf(word.toUpperCase());
	return at < 0 ? undefined : at;
}

function whole(word: string | undefined, from: number, to: number): number | undefined {
	if (word === undefined || !/^-?\d{1,2}$/.test(word)) return undefined;
	const value = Number(word);
	return value >= from && value <= to ? value : undefined;
}

function cronPattern(expression: string): Pattern | undefined {
	const fields = expression.split(/\s+/);
	if (fields.length !== 5) return undefined;
	const [minute, hour] = [whole(fields[0], 0, 59), whole(fields[1], 0, 23)];
	if (minute === undefined || hour === undefined) return undefined;
	const time = `${two(hour)}:${two(minute)}`;
	const [, , dates = '', months = '', weekdays = ''] = fields;
	const [date, month] = [whole(dates, 1, 31), whole(months, 1, 12)];
	if (weekdays === '*') {
		if (dates === '*' && months === '*') return { kind: 'days', every: 1, time };
		if (date !== undefined && months === '*') return { kind: 'months', every: 1, on: { day: date }, time };
		if (date !== undefined && month !== undefined) return { kind: 'years', month, day: date, time };
		return undefined;
	}
	const days = dates === '*' && months === '*' ? cronWeekdays(weekdays) : undefined;
	return days && { kind: 'weeks', every: 1, days, time };
}

const two = (value: number): string => String(value).padStart(2, '0');

/** What of a rule a pattern can say; a rule with any other part is none. */
const RULE_PARTS = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH']);

function rulePattern(rule: string, start: string): Pattern | undefined {
	const parts = new Map(rule.split(';').map((part) => part.toUpperCase().split('=') as [string, string | undefined]));
	if ([...parts.keys()].some((name) => !RULE_PARTS.has(name))) return undefined;
	const every = parts.has('INTERVAL') ? whole(parts.get('INTERVAL'), 1, 99) : 1;
	const { time, date } = split(start);
	const [days, monthDay, month] = [parts.get('BYDAY'), parts.get('BYMONTHDAY'), parts.get('BYMONTH')];
	if (every === undefined || start.length > 16) return undefined;
	switch (parts.get('FREQ')) {
		case 'DAILY':
			return days || monthDay || month ? undefined : { kind: 'days', every, time };
		case 'WEEKLY': {
			const chosen = (days ?? weekdayOf(date)).split(',');
			if (monthDay || month || !chosen.every(isWeekday)) return undefined;
			return { kind: 'weeks', every, days: sorted(chosen), time };
		}
		case 'MONTHLY': {
			const on = month ? undefined : monthDayOf(days, monthDay ?? (days ? undefined : String(Number(date.slice(8)))));
			return on && { kind: 'months', every, on, time };
		}
		case 'YEARLY': {
			const [inMonth, onDay] = [whole(month, 1, 12), whole(monthDay, 1, 31)];
			if (days || every !== 1 || inMonth === undefined || onDay === undefined) return undefined;
			return { kind: 'years', month: inMonth, day: onDay, time };
		}
		default:
			return undefined;
	}
}

function monthDayOf(days: string | undefined, monthDay: string | undefined): MonthDay | undefined {
	const [, nth, weekday] = /^(-?\d)([A-Z]{2})$/.exec(days ?? '') ?? [];
	const known = NTHS.find((each) => each === Number(nth));
	if (known !== undefined && weekday !== undefined && isWeekday(weekday)) return monthDay ? undefined : { nth: known, weekday };
	const day = monthDay === '-1' ? -1 : whole(monthDay, 1, 31);
	return days || day === undefined ? undefined : { day };
}

function isWeekday(word: string): word is Weekday {
	return (WEEKDAYS as readonly string[]).includes(word);
}
