import { sha256 } from '../base/sha256.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Schedule, Slot, Timing } from '../domain/schedule.ts';
import { activeFrom, isActive } from './active-hours.ts';
import { parseCron } from './cron.ts';
import { DAY } from './local-time.ts';
import { type Moment, type Moments, momentsOf, whenWallShows } from './moments.ts';
import { ruleMoments } from './rule.ts';
import { localText, offsetText, wallOf } from './wall-text.ts';
import { zoneClock } from './zone-clock.ts';

/** When a schedule comes round: arithmetic alone, without a clock of its own. */

export interface SlotOptions {
	/** The owner's zone, for a timing that names none. */
	readonly zone: string;
	/** What the delay within the jitter is drawn from: the task's id. */
	readonly seed?: string;
}

/** The slots with `from < at <= to`, of fifty years at most, ascending; the first `most` of them. Throws a HearthError where the timing can't be read. */
export function slots(schedule: Schedule, from: Timestamp, to: Timestamp, options: SlotOptions & { readonly most?: number }): Slot[] {
	const { most = Number.POSITIVE_INFINITY } = options;
	const { next, slotOf } = read(schedule, options);
	const found: Slot[] = [];
	// Without it the few that are asked for would be looked for in all of time.
	const end = Math.min(to, from + FARTHEST_AHEAD);
	for (let at = next(from, end); at && found.length < most; at = next(at.at, end)) found.push(slotOf(at));
	return found;
}

/** The first slot with `at > after`; none where it never comes again. */
export function nextSlot(schedule: Schedule, after: Timestamp, options: SlotOptions): Slot | undefined {
	const { next, slotOf } = read(schedule, options);
	const found = next(after, after + FARTHEST_AHEAD, MOST_OUTSIDE_HOURS);
	return found && slotOf(found);
}

/** Rare times lie decades apart: a Monday that is 29 February. */
export const FARTHEST_AHEAD = 50 * 366 * DAY;
/** Years of daily times, all the changes of clocks in them among these: when none of so many is within the hours, none is. */
const MOST_OUTSIDE_HOURS = 1_500;

export interface NewestSlots {
	/** Ascending. */
	readonly newest: Slot[];
	/** Of all before them, only how many there were, and their first and last `at`. */
	readonly older?: { readonly count: number; readonly first: Timestamp; readonly last: Timestamp };
}

/** The newest `most` (at least one) of the slots with `from < at <= to`: what a long absence left. */
export function newestSlots(schedule: Schedule, from: Timestamp, to: Timestamp, most: number, options: SlotOptions): NewestSlots {
	const { next, slotOf } = read(schedule, options);
	const ring: Moment[] = [];
	let [count, first, last] = [0, 0, 0];
	for (let found = next(from, to); found; found = next(found.at, to)) {
		const replaced = ring[count % most];
		if (replaced) {
			last = replaced.at;
			if (count === most) first = replaced.at;
		}
		ring[count++ % most] = found;
	}
	const start = count > most ? count % most : 0;
	const newest = [...ring.slice(start), ...ring.slice(0, start)].map(slotOf);
	return { newest, ...(count > most && { older: { count: count - most, first, last } }) };
}

/** When the slots with `from < at <= to` come, ascending, one after the other. */
export function* slotTimes(schedule: Schedule, from: Timestamp, to: Timestamp, options: SlotOptions): Generator<Timestamp> {
	const { next } = read(schedule, options);
	for (let found = next(from, to); found; found = next(found.at, to)) yield found.at;
}

/** The zone that a timing's times are in. */
export function zoneOf(timing: Timing, ownersZone: string): string {
	return ('zone' in timing && timing.zone) || ownersZone;
}

/** When the timing alone comes, whatever limits the schedule sets. */
export function timingMoments(timing: Timing, zone: string): Moments {
	switch (timing.kind) {
		case 'at': {
			const { at, note } = whenWallShows(wallOf(timing.local), zoneClock(zone));
			return once({ at, ...(note && { note }) });
		}
		case 'moment':
			return once({ at: timing.at });
		case 'every':
			return { next: (after) => ({ at: nextEvery(timing.anchor, timing.seconds * 1000, after) }) };
		case 'cron':
			return momentsOf(parseCron(timing.expression).pattern, zoneClock(zone));
		case 'rrule':
			return ruleMoments(timing.rule, timing.start, zone);
	}
}

function once(moment: Moment): Moments {
	return { next: (after) => (moment.at > after ? moment : undefined) };
}

function nextEvery(anchor: Timestamp, step: number, after: Timestamp): Timestamp {
	return after < anchor ? anchor : anchor + (Math.floor((after - anchor) / step) + 1) * step;
}

function read(schedule: Schedule, { zone: ownersZone, seed = '' }: SlotOptions) {
	const zone = zoneOf(schedule.timing, ownersZone);
	const moments = timingMoments(schedule.timing, zone);
	const next = (after: Timestamp, to: Timestamp, most?: number): Moment | undefined => nextWithin(schedule, moments, zone, after, to, most);
	return { next, slotOf: (moment: Moment): Slot => slotOf(schedule, moments, zone, seed, moment) };
}

function nextWithin(
	{ hours, from = 0, until = Number.POSITIVE_INFINITY, pausedUntil = 0 }: Schedule,
	moments: Moments,
	zone: string,
	after: Timestamp,
	to: Timestamp,
	mostOutside = Number.POSITIVE_INFINITY,
): Moment | undefined {
	const end = Math.min(to, until);
	const begin = Math.max(after, from - 1, pausedUntil - 1);
	// Libraries don't know all of the times that a schedule may begin at.
	if (begin >= end) return undefined;
	let found = moments.next(begin);
	for (let outside = 0; found && found.at <= end && outside < mostOutside; outside++) {
		if (!hours || isActive(hours, found.at, zone)) return found;
		found = moments.next(activeFrom(hours, found.at, zone) - 1);
	}
	return undefined;
}

/** Clocks that were set so long before a slot are no news with it. */
const CLOCKS_LOOK_BACK = 32 * DAY;

function slotOf(schedule: Schedule, moments: Moments, zone: string, seed: string, { at, note }: Moment): Slot {
	const clock = zoneClock(zone);
	const offset = clock.offsetAt(at);
	const change = clock.lastChange(at - CLOCKS_LOOK_BACK, at);
	const isFirstSince = change && !nextWithin(schedule, moments, zone, change.at - 1, at - 1);
	return {
		at,
		dueAt: at + delay(schedule.jitterSeconds, seed, at),
		local: localText(at + offset),
		offset: offsetText(offset),
		zone,
		...(note && { note }),
		...(isFirstSince && { clocks: change.after > change.before ? 'forward' : 'back' }),
	};
}

/** The same for the same slot of the same task; else any up to the limit. */
function delay(jitterSeconds: number, seed: string, at: Timestamp): number {
	if (jitterSeconds === 0) return 0;
	return (Number.parseInt(sha256(`${seed} ${at}`).slice(0, 12), 16) % (jitterSeconds + 1)) * 1000;
}
