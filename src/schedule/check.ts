import { CronPattern } from 'croner';
import { type HearthError, terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { LocalTime, Schedule } from '../domain/schedule.ts';
import { type CronFields, cronFields, parseCron } from './cron.ts';
import { parseRule } from './rule.ts';
import { FARTHEST_AHEAD, nextSlot, slots, timingMoments, zoneOf } from './slots.ts';
import { localText, wallOf } from './wall-text.ts';
import { durationWords } from './word-parts.ts';

export interface Standpoint {
	readonly now: Timestamp;
	/** The owner's zone. */
	readonly zone: string;
}

/** Throws `invalid_input` for a schedule that can't be read, comes too often, or never comes after `now`; the message says what and why. */
export function checkSchedule(schedule: Schedule, standpoint: Standpoint): void {
	const { timing } = schedule;
	if (timing.kind === 'cron') checkCron(timing.expression);
	if (timing.kind === 'rrule') checkRule(timing.rule);
	if (timing.kind === 'rrule') checkDate(timing.start);
	if (timing.kind === 'at') checkDate(timing.local);
	checkComes(schedule, standpoint);
	checkJitter(schedule, standpoint);
}

const FIELDS: Readonly<Record<keyof CronFields, { readonly name: string; readonly use: string }>> = {
	second: { name: 'second', use: 'one of 0 to 59' },
	minute: { name: 'minute', use: '0 to 59, *, lists such as 0,30 or steps such as */15' },
	hour: { name: 'hour', use: '0 to 23, *, lists such as 9,17, ranges such as 9-17 or steps such as */2' },
	day: { name: 'day of month', use: '1 to 31, *, L for the last, 15W for the workday next to the 15th' },
	month: { name: 'month', use: '1 to 12, JAN to DEC or *' },
	weekday: { name: 'weekday', use: '0 to 7 (0 and 7 are Sunday), SUN to SAT, FRI#2 for the second Friday, 5L for the last, or *' },
};

function checkCron(expression: string): void {
	const fields = cronFields(expression);
	if (!fields) {
		throw bad(
			`“${expression}” is no cron expression: it needs five fields (minute, hour, day of month, month, weekday), or six with the second first.`,
		);
	}
	for (const [key, { name, use }] of Object.entries(FIELDS) as [keyof CronFields, { name: string; use: string }][]) {
		if (!isReadable(key, fields[key])) throw bad(`The ${name} “${fields[key]}” can't be read. Use ${use}.`);
	}
	if (parseCron(expression).read.second.filter(Boolean).length > 1) throw tooOften();
}

function isReadable(key: keyof CronFields, value: string): boolean {
	const alone: CronFields = { second: '0', minute: '0', hour: '0', day: '*', month: '*', weekday: '*', [key]: value };
	try {
		new CronPattern(Object.values(alone).join(' '), undefined, { mode: '6-part' });
		return true;
	} catch (error) {
		if (error instanceof TypeError || error instanceof RangeError) return false;
		throw error;
	}
}

function checkRule(rule: string): void {
	const { frequency, interval, lists } = parseRule(rule);
	if ((frequency === 'SECONDLY' && interval < 60) || (lists.BYSECOND?.length ?? 0) > 1) throw tooOften();
}

/** JavaScript takes 31 April for 1 May. */
function checkDate(local: LocalTime): void {
	if (!localText(wallOf(local)).startsWith(local.slice(0, 16)))
		throw bad(`There is no day ${local.slice(0, 10)}.`, 'Choose a day that exists.');
}

function tooOften(): HearthError {
	return bad('It would come more than once a minute. A task comes once a minute at most.');
}

function checkComes(schedule: Schedule, { now, zone }: Standpoint): void {
	const { timing, hours, from, until, pausedUntil } = schedule;
	if (nextSlot(schedule, now, { zone })) return;
	const itsZone = zoneOf(timing, zone);
	const comes = timingMoments(timing, itsZone).next(now);
	if (!comes) {
		if (timing.kind === 'at') throw bad(`${timing.local.replace('T', ' ')} (${itsZone}) is past.`, 'Choose a later time.');
		if (timing.kind === 'moment') throw bad(`${new Date(timing.at).toISOString()} is past.`, 'Choose a later time.');
		if (timing.kind === 'rrule' && timingMoments(timing, itsZone).next(0)) throw bad('The rule has ended: it has no time after now.');
		if (timing.kind === 'cron') throw bad(`This never comes: no day fits “${timing.expression}”.`, 'Choose a day that exists.');
		throw bad('This never comes: no time fits the rule.', 'Choose a day that exists.');
	}
	if (Math.max(comes.at, from ?? 0, pausedUntil ?? 0) > now + FARTHEST_AHEAD)
		throw bad('It would first come more than 50 years from now.', 'Choose an earlier time.');
	if (until !== undefined && until <= now) throw bad('Its end is past.', 'Choose a later end, or none.');
	if (until !== undefined && Math.max(from ?? 0, pausedUntil ?? 0) > until)
		throw bad('It would end before it begins.', 'Choose a later end.');
	if (hours && nextSlot({ ...schedule, hours: undefined }, now, { zone })) {
		throw bad(`This never comes: none of its times is between ${hours.from} and ${hours.to}.`, 'Change its times or its hours.');
	}
	throw bad('This never comes: it ends before its first time.', 'Choose a later end.');
}

/** So many slots are looked at: a list of times shows its smallest distance within a day, rare ones have no need of a delay. */
const LOOKED_AT = 60;

function checkJitter(schedule: Schedule, { now, zone }: Standpoint): void {
	if (schedule.jitterSeconds === 0) return;
	const coming = slots(schedule, now, Number.MAX_SAFE_INTEGER, { zone, most: LOOKED_AT });
	const distances = coming.slice(1).map(({ at }, index) => (at - (coming[index]?.at ?? 0)) / 1000);
	const shortest = Math.min(...distances);
	if (schedule.jitterSeconds >= shortest) {
		throw bad(
			`A delay of up to ${durationWords(schedule.jitterSeconds)} is not shorter than the ${durationWords(shortest)} between two of its times.`,
			'Choose a shorter delay, or none.',
		);
	}
}

function bad(message: string, action = 'Correct it, or say it as a sentence.'): HearthError {
	return terminal('invalid_input', message, { action });
}
