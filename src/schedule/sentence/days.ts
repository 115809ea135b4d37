import type { Timestamp } from '../../domain/ids.ts';
import { DAY } from '../local-time.ts';
import { whenWallShows } from '../moments.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from '../word-parts.ts';
import { zoneClock } from '../zone-clock.ts';
import type { Weekday } from './names.ts';

/** Days of the calendar, as `2026-12-03`. Pure. */

export type Day = string;

export interface Wall {
	readonly day: Day;
	/** Since midnight. */
	readonly minute: number;
}

/** What the wall shows in a zone. */
export function wallAt(at: Timestamp, zone: string): Wall {
	const text = new Date(at + zoneClock(zone).offsetAt(at)).toISOString();
	return { day: text.slice(0, 10), minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)) };
}

/** The moment at which the wall shows it; after the gap where it never does. `minute` may be 1440: the end of the day. */
export function momentOf(day: Day, minute: number, zone: string): Timestamp {
	return whenWallShows(utcOf(day) + minute * 60_000, zoneClock(zone)).at;
}

export function plusDays(day: Day, days: number): Day {
	return dayOf(utcOf(day) + days * DAY);
}

/** In a shorter month its last day. */
export function plusMonths(day: Day, months: number): Day {
	const [year, month, date] = partsOf(day);
	const first = new Date(Date.UTC(year, month - 1 + months, 1));
	const [toYear, toMonth] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
	return dayIn(toYear, toMonth, Math.min(date, daysIn(toYear, toMonth)));
}

export function weekdayIn(day: Day): Weekday {
	return new Date(utcOf(day)).getUTCDay() as Weekday;
}

/** The first such weekday from `day` on, that one among them. */
export function nextWeekday(day: Day, weekday: Weekday): Day {
	return plusDays(day, (weekday - weekdayIn(day) + 7) % 7);
}

/** The Monday of its week. */
export function mondayOf(day: Day): Day {
	return plusDays(day, -((weekdayIn(day) + 6) % 7));
}

export function partsOf(day: Day): [year: number, month: number, date: number] {
	const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
	return [year, month, date];
}

/** Undefined where the month has no such day. */
export function realDay(year: number, month: number, date: number): Day | undefined {
	return month >= 1 && month <= 12 && date >= 1 && date <= daysIn(year, month) ? dayIn(year, month, date) : undefined;
}

export function lastOfMonth(day: Day): Day {
	const [year, month] = partsOf(day);
	return dayIn(year, month, daysIn(year, month));
}

export function daysIn(year: number, month: number): number {
	return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** `3 December 2026`, with its weekday before it where that is wanted. */
export function longDay(day: Day, withWeekday = true): string {
	const [year, month, date] = partsOf(day);
	return `${withWeekday ? `${WEEKDAY_NAMES[weekdayIn(day)]} ` : ''}${date} ${MONTH_NAMES[month - 1]} ${year}`;
}

/** `09:00`; 1440 is `24:00`. */
export function clock(minute: number): string {
	return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function dayIn(year: number, month: number, date: number): Day {
	return dayOf(Date.UTC(year, month - 1, date));
}

function utcOf(day: Day): number {
	return Date.parse(`${day}T00:00:00Z`);
}

function dayOf(utc: number): Day {
	return new Date(utc).toISOString().slice(0, 10);
}
