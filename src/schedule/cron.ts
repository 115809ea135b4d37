import { Cron, CronPattern } from 'croner';
import { remembered } from '../base/remembered.ts';
import { DAY } from './local-time.ts';
import type { Pattern, WallPattern } from './pattern.ts';

/** Cron expressions: croner reads them and finds their days; the times of a day are ours, as clocks of zones are (`moments.ts`). */

const NAMES: Readonly<Record<string, string>> = {
	'@yearly': '0 0 1 1 *',
	'@annually': '0 0 1 1 *',
	'@monthly': '0 0 1 * *',
	'@weekly': '0 0 * * 0',
	'@daily': '0 0 * * *',
	'@midnight': '0 0 * * *',
	'@hourly': '0 * * * *',
};

export interface CronFields {
	readonly second: string;
	readonly minute: string;
	readonly hour: string;
	readonly day: string;
	readonly month: string;
	readonly weekday: string;
}

/** The fields of an expression of 5 or 6 fields, or of a name such as `@daily`; undefined where there are more or fewer. */
export function cronFields(expression: string): CronFields | undefined {
	const text = expression.trim();
	const fields = (NAMES[text.toLowerCase()] ?? text).split(/\s+/);
	const [second, minute, hour, day, month, weekday, more] = fields.length === 5 ? ['0', ...fields] : fields;
	if (!second || !minute || !hour || !day || !month || !weekday || more) return undefined;
	return { second, minute, hour, day, month, weekday };
}

export interface ParsedCron {
	readonly fields: CronFields;
	readonly read: CronPattern;
	readonly pattern: Pattern;
	/** Times of a day that fits, in milliseconds since its midnight, ascending. */
	readonly times: readonly number[];
}

/** Throws what croner throws where a field can't be read. */
export const parseCron = remembered(2_000, (expression): ParsedCron => {
	const fields = cronFields(expression);
	if (!fields) throw new TypeError('A cron expression has 5 or 6 fields.');
	const { second, minute, hour, day, month, weekday } = fields;
	const read = new CronPattern([second, minute, hour, day, month, weekday].join(' '), undefined, { mode: '6-part' });
	const days = new Cron(`0 0 0 ${day} ${month} ${weekday}`, { utcOffset: 0, mode: '6-part', paused: true });
	const times = timesOf(read);
	const walls = wallsOf(times, days);
	const wild = [second, minute].some((field) => /[*?/]/.test(field)) || read.hour.every(Boolean);
	return { fields, read, times, pattern: wild ? { kind: 'wild', walls: () => walls } : { kind: 'fixed', walls } };
});

function timesOf({ hour, minute, second }: CronPattern): number[] {
	const [hours, minutes, seconds] = [chosen(hour), chosen(minute), chosen(second)];
	return hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => ((h * 60 + m) * 60 + s) * 1000)));
}

/** Which places of a field are set, counted from `first`. */
export function chosen(field: readonly number[], first = 0): number[] {
	return field.flatMap((is, index) => (is ? [index + first] : []));
}

function wallsOf(ofDay: readonly number[], days: Cron): WallPattern {
	const earliest = ofDay[0] ?? 0;
	const latest = ofDay.at(-1) ?? 0;
	const known = new Map<number, number | undefined>();
	/** The first day that fits, from `day` on; days are counted since 1970. */
	function fitting(day: number): number | undefined {
		if (known.has(day)) return known.get(day);
		const found = days.nextRun(new Date(day * DAY - 1))?.getTime();
		const fits = found === undefined ? undefined : Math.round(found / DAY);
		if (known.size >= 1_000) known.clear();
		known.set(day, fits);
		return fits;
	}
	return {
		next(after) {
			const day = Math.floor(after / DAY);
			const past = after - day * DAY;
			if (past < latest && fitting(day) === day) return day * DAY + firstAfter(ofDay, past);
			const later = fitting(day + 1);
			return later === undefined ? undefined : later * DAY + earliest;
		},
	};
}

/** The first of `ascending` that is more than `value`, which the last one is. */
function firstAfter(ascending: readonly number[], value: number): number {
	let [low, high] = [0, ascending.length - 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((ascending[middle] as number) > value) high = middle;
		else low = middle + 1;
	}
	return ascending[low] as number;
}
