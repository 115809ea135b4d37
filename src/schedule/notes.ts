import type { Timestamp } from '../domain/ids.ts';
import type { Schedule, Slot, Timing } from '../domain/schedule.ts';
import type { Standpoint } from './check.ts';
import { chosen, parseCron } from './cron.ts';
import { eitherDay } from './cron-words.ts';
import { DAY, HOUR, wallAt } from './local-time.ts';
import { parseRule } from './rule.ts';
import { slots, zoneOf } from './slots.ts';
import { localText, wallOf } from './wall-text.ts';
import { counted, dateText, dateTimeText, durationWords, ordinal, WEEKDAY_NAMES } from './word-parts.ts';
import { zoneClock } from './zone-clock.ts';

/** What may surprise in a schedule that `checkSchedule` lets through, in sentences; none where nothing does. */
export function scheduleNotes(schedule: Schedule, { now, zone }: Standpoint): string[] {
	const itsZone = zoneOf(schedule.timing, zone);
	return [
		...eitherDayNote(schedule.timing),
		...stepNotes(schedule.timing),
		...rareDayNotes(schedule, now, zone),
		...clockNotes(schedule, now, zone),
		...(itsZone === zone || schedule.timing.kind === 'moment' || schedule.timing.kind === 'every'
			? []
			: [`Its times are those of ${itsZone}.`]),
		...limitNotes(schedule, now, itsZone),
	];
}

/** sch-6: with both day fields given, cron takes either. */
function eitherDayNote(timing: Timing): string[] {
	const days = timing.kind === 'cron' ? eitherDay(timing.expression) : undefined;
	if (!days) return [];
	return [`It runs on ${days.ofMonth} and also ${days.weekdays}: either is enough, so not only where both fall on one day.`];
}

/** Steps that do not fill their hour, day or month start anew with the next. */
function stepNotes(timing: Timing): string[] {
	if (timing.kind !== 'cron') return [];
	const { fields } = parseCron(timing.expression);
	const uneven = (field: string, length: number): number | undefined => {
		const step = Number(/^(?:[*?]|\d+-\d+)\/(\d+)$/.exec(field)?.[1]);
		return field.startsWith('*') && step > 1 && length % step !== 0 ? step : undefined;
	};
	const [minute, hour, day] = [uneven(fields.minute, 60), uneven(fields.hour, 24), uneven(fields.day, 1)];
	return [
		...(minute ? [`Every ${minute} minutes starts anew at each full hour, so the last pause of an hour is shorter.`] : []),
		...(hour ? [`Every ${hour} hours starts anew at midnight, so the last pause of a day is shorter.`] : []),
		...(day ? [`Every ${day} days starts anew on the 1st of each month.`] : []),
	];
}

function rareDayNotes(schedule: Schedule, now: Timestamp, zone: string): string[] {
	const { timing } = schedule;
	if (timing.kind !== 'cron' && timing.kind !== 'rrule') return [];
	const coming = slots(schedule, now, Number.MAX_SAFE_INTEGER, { zone, most: 3 });
	const next = coming[0] ? ` The next run is on ${dateText(wallOf(coming[0].local))}.` : '';
	if (coming.length > 0 && coming.every(({ local }) => local.slice(5, 10) === '02-29'))
		return [`29 February comes in leap years only.${next}`];
	const { latest, allMonths } = monthDaysOf(timing);
	const fifth = fifthWeekday(timing);
	const lists = timing.kind === 'rrule' ? parseRule(timing.rule).lists : {};
	return [
		...(latest > 28 && allMonths ? [`Months without a ${ordinal(latest)} have no run then. For the last day of each month, say so.`] : []),
		...(fifth ? [`Months without a fifth ${fifth} have no run then.`] : []),
		...(lists.BYWEEKNO?.some((week) => Math.abs(week) === 53) ? [`Few years have a week 53.${next}`] : []),
		...(lists.BYYEARDAY?.some((day) => Math.abs(day) === 366) ? [`Only leap years have a day 366.${next}`] : []),
	];
}

/** The latest day of a month that is named, and whether one of its months lacks it. */
function monthDaysOf(timing: Extract<Timing, { kind: 'cron' | 'rrule' }>): { latest: number; allMonths: boolean } {
	const lacking = (latest: number, months: readonly number[]): boolean =>
		months.some((month) => new Date(Date.UTC(2027, month, 0)).getUTCDate() < latest);
	if (timing.kind === 'cron') {
		const { read } = parseCron(timing.expression);
		const named = read.starDOM || !/^[\d,]+$/.test(parseCron(timing.expression).fields.day) ? [] : chosen(read.day, 1);
		const latest = Math.max(0, ...named);
		return { latest, allMonths: lacking(latest, chosen(read.month, 1)) };
	}
	const { frequency, days, lists } = parseRule(timing.rule);
	const inherits = frequency === 'MONTHLY' && days.length === 0 && !lists.BYMONTHDAY;
	const latest = Math.max(0, ...(inherits ? [Number(timing.start.slice(8, 10))] : (lists.BYMONTHDAY ?? [])));
	const each = lists.BYMONTH ?? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
	return { latest, allMonths: days.length === 0 && lacking(latest, each) };
}

function fifthWeekday(timing: Extract<Timing, { kind: 'cron' | 'rrule' }>): string | undefined {
	if (timing.kind === 'cron') {
		const { dayOfWeek, starDOW } = parseCron(timing.expression).read;
		return starDOW ? undefined : WEEKDAY_NAMES[dayOfWeek.indexOf(1 << 4)];
	}
	const { frequency, days, lists } = parseRule(timing.rule);
	const fifth = frequency === 'MONTHLY' || lists.BYMONTH ? days.find(({ nth }) => Math.abs(nth ?? 0) === 5) : undefined;
	return fifth && WEEKDAY_NAMES.find((name) => name.slice(0, 2).toUpperCase() === fifth.day);
}

/** So far ahead changes of the clocks are told. */
const CLOCKS_AHEAD = 366 * DAY;
/** Slots so near to a change may be touched by it. */
const NEAR = 26 * HOUR;

function clockNotes(schedule: Schedule, now: Timestamp, zone: string): string[] {
	const { timing } = schedule;
	const clock = zoneClock(zoneOf(timing, zone));
	const notes = new Map<string, string>();
	for (let change = clock.firstChange(now, now + CLOCKS_AHEAD); change; change = clock.firstChange(change.at, now + CLOCKS_AHEAD)) {
		if (timing.kind === 'every') return everyNote(timing.seconds);
		for (const slot of slots(schedule, Math.max(now, change.at - NEAR), change.at + NEAR, { zone, most: 2_000 })) {
			// One of each kind tells enough.
			if (slot.note && !notes.has(slot.note)) notes.set(slot.note, clockNote(slot));
		}
	}
	return [...notes.values()];
}

function clockNote({ local, note }: Slot): string {
	const [day, time] = [dateText(wallOf(local)), local.slice(11)];
	if (note === 'moved') return `On ${day} the clocks skip its time: it runs at ${time} then.`;
	return `On ${day} the clocks show ${time} twice: it runs the first time only.`;
}

function everyNote(seconds: number): string[] {
	if (seconds % (12 * 3600) !== 0) return [];
	return [`Every ${counted(seconds / 3600, 'hour')} counts real hours: after a change of the clocks it comes at another time of day.`];
}

function limitNotes({ from, until, pausedUntil, jitterSeconds }: Schedule, now: Timestamp, zone: string): string[] {
	const on = (at: Timestamp): string => dateTimeText(wallOf(localText(wallAt(at, zone))));
	return [
		...(from !== undefined && from > now ? [`It begins on ${on(from)}.`] : []),
		...(until === undefined ? [] : [`It ends on ${on(until)}.`]),
		...(pausedUntil !== undefined && pausedUntil > now ? [`It is paused until ${on(pausedUntil)}.`] : []),
		...(jitterSeconds > 0 ? [`Each run begins up to ${durationWords(jitterSeconds)} later.`] : []),
	];
}
