import type { Schedule } from '../src/domain/schedule.ts';
import { TaskDraft } from '../src/domain/task.ts';
import { seeded } from './numbers.ts';

/** The simulated year of the benchmark `schedule`: its tasks and what happens to the machine, all from one seed. */

export const BEGINS = Date.UTC(2026, 0, 1);
/** The moment after so many days of it. */
export const endOf = (days: number): number => BEGINS + days * DAY;
/** Tasks may end and moments lie up to here. */
const YEAR_ENDS = Date.UTC(2027, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Summer time of both halves of the earth, half an hour, at midnight, at Ramadan, none, and offsets of quarters of an hour. */
export const ZONES = [
	'Europe/Berlin',
	'America/New_York',
	'Australia/Lord_Howe',
	'Africa/Casablanca',
	'America/Sao_Paulo',
	'Asia/Kolkata',
	'Europe/London',
	'Europe/Dublin',
	'Europe/Lisbon',
	'Europe/Athens',
	'Europe/Moscow',
	'Europe/Istanbul',
	'Europe/Chisinau',
	'Atlantic/Azores',
	'America/Los_Angeles',
	'America/Chicago',
	'America/St_Johns',
	'America/Halifax',
	'America/Havana',
	'America/Santiago',
	'America/Asuncion',
	'America/Nuuk',
	'America/Scoresbysund',
	'America/Mexico_City',
	'America/Phoenix',
	'Africa/Cairo',
	'Africa/El_Aaiun',
	'Africa/Johannesburg',
	'Asia/Beirut',
	'Asia/Jerusalem',
	'Asia/Gaza',
	'Asia/Tehran',
	'Asia/Kathmandu',
	'Asia/Tokyo',
	'Australia/Sydney',
	'Australia/Adelaide',
	'Pacific/Auckland',
	'Pacific/Chatham',
	'Antarctica/Troll',
	'UTC',
] as const;

/** A day of the calendar, whatever zone. `month` and `date` from 1, `weekday` 0 for Sunday. */
export interface CalendarDay {
	readonly month: number;
	readonly date: number;
	readonly weekday: number;
	readonly lastOfMonth: number;
	/** Whole weeks since a Monday in the past. */
	readonly week: number;
}

/** What a task's timing means, said without the code that reads it. Times are minutes since midnight on the wall. */
export type Meaning =
	| { readonly kind: 'named'; readonly zone: string; readonly time: number; fits(day: CalendarDay): boolean }
	| { readonly kind: 'hourly'; readonly zone: string; readonly minute: number }
	| { readonly kind: 'every'; readonly anchor: number; readonly seconds: number }
	| { readonly kind: 'once'; readonly zone: string; readonly wall: number }
	| { readonly kind: 'moment'; readonly at: number };

export interface PlannedTask {
	readonly draft: TaskDraft;
	readonly meaning: Meaning;
}

type Random = () => number;
const pick = <Value>(random: Random, values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
const whole = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1));

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
/** A Monday, in no zone. */
const RULES_START = '2024-01-01';

export function plannedTasks(seed: number, count: number): PlannedTask[] {
	const random = seeded(seed);
	return Array.from({ length: count }, (_, number) => {
		const { timing, meaning } = timingOf(random, number);
		const { from, until } =
			random() < 0.05 ? { from: BEGINS + whole(random, 30, 120) * DAY, until: BEGINS + whole(random, 200, 330) * DAY } : {};
		const draft = TaskDraft.parse({
			title: `Task ${number}`,
			when: {
				kind: 'schedule',
				schedule: { timing, jitterSeconds: random() < 0.2 ? whole(random, 1, 1_200) : 0, ...(from && { from }), ...(until && { until }) },
			},
			work: random() < 0.1 ? { kind: 'prompt', text: 'Look.' } : { kind: 'reminder', text: `Task ${number}` },
			missed: pick(random, [
				{ kind: 'skip' },
				{ kind: 'once', withinHours: whole(random, 1, 48) },
				{ kind: 'every', most: whole(random, 1, 5) },
				{ kind: 'ask' },
			]),
			overlap: pick(random, ['queue', 'skip', 'replace']),
		});
		return { draft, meaning };
	});
}

function timingOf(random: Random, number: number): { timing: Schedule['timing']; meaning: Meaning } {
	const zone = ZONES[number % ZONES.length] as string;
	// Small hours are those that clocks skip and show twice.
	const time = random() < 0.5 ? whole(random, 0, 239) : whole(random, 0, 1439);
	const [hour, minute] = [Math.floor(time / 60), time % 60];
	const start = `${RULES_START}T${new Date(time * MINUTE).toISOString().slice(11, 16)}`;
	const cron = (expression: string): Schedule['timing'] => ({ kind: 'cron', expression, zone });
	const rule = (text: string): Schedule['timing'] => ({ kind: 'rrule', rule: text, start, zone });
	const named = (timing: Schedule['timing'], fits: (day: CalendarDay) => boolean) => ({
		timing,
		meaning: { kind: 'named', zone, time, fits } as const,
	});
	const share = random();
	const weekday = whole(random, 0, 6);
	if (share < 0.0002) return { timing: cron(`${minute} * * * *`), meaning: { kind: 'hourly', zone, minute } };
	if (share < 0.004) return named(random() < 0.5 ? cron(`${minute} ${hour} * * *`) : rule('FREQ=DAILY'), () => true);
	if (share < 0.07) {
		const weekly = random() < 0.5 ? cron(`${minute} ${hour} * * ${weekday}`) : rule(`FREQ=WEEKLY;BYDAY=${CODES[weekday]}`);
		return named(weekly, (day) => day.weekday === weekday);
	}
	if (share < 0.3) {
		const date = whole(random, 1, 31);
		const monthly = random() < 0.5 ? cron(`${minute} ${hour} ${date} * *`) : rule(`FREQ=MONTHLY;BYMONTHDAY=${date}`);
		return named(monthly, (day) => day.date === date);
	}
	if (share < 0.4)
		return named(
			random() < 0.5 ? cron(`${minute} ${hour} L * *`) : rule('FREQ=MONTHLY;BYMONTHDAY=-1'),
			(day) => day.date === day.lastOfMonth,
		);
	if (share < 0.5) {
		const last = random() < 0.5 ? cron(`${minute} ${hour} * * ${weekday}L`) : rule(`FREQ=MONTHLY;BYDAY=-1${CODES[weekday]}`);
		return named(last, (day) => day.weekday === weekday && day.date + 7 > day.lastOfMonth);
	}
	if (share < 0.55) {
		const weeks = whole(random, 2, 4);
		// Weeks begin on Mondays; the rule's own week is the first.
		return named(rule(`FREQ=WEEKLY;INTERVAL=${weeks};BYDAY=${CODES[weekday]}`), (day) => day.weekday === weekday && day.week % weeks === 0);
	}
	if (share < 0.555) {
		const date = whole(random, 1, 31);
		return named(cron(`${minute} ${hour} ${date} * ${weekday}`), (day) => day.date === date || day.weekday === weekday);
	}
	if (share < 0.7) {
		const [seconds, anchor] = [whole(random, 4 * 86_400, 40 * 86_400), BEGINS + whole(random, 0, 40 * 86_400) * 1000];
		return { timing: { kind: 'every', seconds, anchor }, meaning: { kind: 'every', seconds, anchor } };
	}
	const wall = Math.floor((BEGINS + DAY + random() * (YEAR_ENDS - BEGINS - 2 * DAY)) / MINUTE) * MINUTE;
	if (share < 0.85) return { timing: { kind: 'moment', at: wall }, meaning: { kind: 'moment', at: wall } };
	return { timing: { kind: 'at', local: new Date(wall).toISOString().slice(0, 16), zone }, meaning: { kind: 'once', zone, wall } };
}

/** By true time. `clock`: the wall clock is set by `ms`. `pause`: all is paused, for `ms`. `sleep`: the machine sleeps for `ms`. */
export interface PlannedEvent {
	readonly at: number;
	readonly what: 'sleep' | 'pause' | 'clock';
	readonly ms: number;
}

export interface PlannedLife {
	readonly begins: number;
	readonly ends: number;
	/** By how much the wall clock is wrong as it begins. */
	readonly offset: number;
	readonly end: 'closed' | 'abrupt' | 'killed';
	readonly events: readonly PlannedEvent[];
}

export interface YearPlan {
	readonly seed: number;
	readonly days: number;
	readonly restarts: number;
	/** Of the restarts, those after a real SIGKILL. */
	readonly kills: number;
}

/** The clock is right again at the end. */
export function plannedLives({ seed, days, restarts, kills }: YearPlan): PlannedLife[] {
	const random = seeded(seed + 1);
	const cuts = Array.from({ length: restarts }, () => BEGINS + HOUR + random() * (days * DAY - 2 * HOUR)).sort((a, b) => a - b);
	const bounds = [BEGINS, ...cuts.map(Math.round), endOf(days) + HOUR];
	const lives: PlannedLife[] = [];
	let offset = 0;
	for (let number = 0; number <= restarts; number += 1) {
		const [begins, next] = [bounds[number] ?? 0, bounds[number + 1] ?? 0];
		const isLast = number === restarts;
		// Closed for a while, or started again at once.
		const closed = isLast || random() < 0.4 ? 0 : random() * (next - begins) * (random() < 0.2 ? 0.95 : 0.5);
		const ends = Math.max(begins + 1, Math.round(next - closed));
		const killed = !isLast && Math.floor(((number + 1) * kills) / restarts) > Math.floor((number * kills) / restarts);
		const events = eventsIn(random, begins, ends, offset);
		lives.push({ begins, ends, offset, end: killed ? 'killed' : random() < 0.5 ? 'abrupt' : 'closed', events });
		// The clock is set while it is closed, and set right again the next time.
		if (offset !== 0) offset = 0;
		else if (!isLast && number < restarts - 1 && random() < 0.03) offset = Math.round((random() - 0.4) * 2 * DAY);
	}
	return lives;
}

function eventsIn(random: Random, begins: number, ends: number, offset: number): PlannedEvent[] {
	const length = ends - begins;
	const within = (from: number, to: number): number => Math.round(begins + length * (from + random() * (to - from)));
	const kind = random();
	if (length < 10 * MINUTE || offset !== 0) return [];
	if (kind < 0.45) return [{ at: within(0.1, 0.6), what: 'sleep', ms: Math.round(length * random() * 0.35) }];
	if (kind < 0.5) return [{ at: within(0.1, 0.6), what: 'pause', ms: Math.round(length * random() * 0.35) }];
	if (kind < 0.56) {
		const ms = Math.round((random() < 0.5 ? 1 : -1) * (MINUTE + random() * random() * 3 * DAY));
		return [
			{ at: within(0.1, 0.4), what: 'clock', ms },
			{ at: within(0.5, 0.9), what: 'clock', ms: -ms },
		];
	}
	return [];
}
