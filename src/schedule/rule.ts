import { RRuleTemporal } from 'rrule-temporal';
import { remembered } from '../base/remembered.ts';
import type { LocalTime } from '../domain/schedule.ts';
import { type Moment, type Moments, momentsOf, whenWallShows } from './moments.ts';
import type { WallPattern } from './pattern.ts';
import { type RuleParts, readRule, writeRule } from './rule-parts.ts';
import { wallOf } from './wall-text.ts';
import { zoneClock } from './zone-clock.ts';

/**
 * Recurrence rules (RFC 5545). The library recurs on a clock without gaps; the changes of clocks are ours (`moments.ts`), since by the RFC a
 * time that does not exist is left out, and a task must not be.
 */

export const parseRule = remembered(2_000, readRule);

/** Throws a HearthError for a rule that can't be read. */
export function ruleMoments(rule: string, start: LocalTime, zone: string): Moments {
	const parts = parseRule(rule);
	const { until } = parts;
	const moments = parts.wild ? wildMoments(parts, start, zone) : fixedMoments(parts, start, zone);
	return until?.kind !== 'moment' ? moments : { next: (after) => atMost(moments.next(after), ({ at }) => at <= until.at) };
}

function fixedMoments(parts: RuleParts, start: LocalTime, zone: string): Moments {
	return momentsOf({ kind: 'fixed', walls: wallsUntil(parts, `${wallOf(start)} ${writeRule(parts, true)}`) }, zoneClock(zone));
}

/** What comes within a day follows real time from its start, so its phase on the wall moves with the clocks. */
function wildMoments(parts: RuleParts, start: LocalTime, zone: string): Moments {
	const clock = zoneClock(zone);
	const begins = whenWallShows(wallOf(start), clock).at;
	const rule = writeRule(parts, false);
	const moments = momentsOf({ kind: 'wild', walls: (offset) => wallsUntil(parts, `${begins + offset} ${rule}`) }, clock);
	if (parts.count === undefined) return moments;
	const { count } = parts;
	let known = firstOnes.get(`${rule} ${count} ${start} ${zone}`);
	if (!known) {
		known = theFirst(count, moments, begins);
		firstOnes.set(`${rule} ${count} ${start} ${zone}`, known);
	}
	const all = known;
	return { next: (after) => all.find(({ at }) => at > after) };
}

const firstOnes = new Map<string, readonly Moment[]>();

function theFirst(count: number, moments: Moments, begins: number): Moment[] {
	const found: Moment[] = [];
	for (let moment = moments.next(begins - 1); moment && found.length < count; moment = moments.next(moment.at)) found.push(moment);
	return found;
}

function wallsUntil({ until }: RuleParts, startAndRule: string): WallPattern {
	const walls = wallsOf(startAndRule);
	return until?.kind !== 'wall' ? walls : { next: (after) => atMost(walls.next(after), (wall) => wall <= until.wall) };
}

/** Of a start (a wall) and a rule, with a space between them. */
const wallsOf = remembered(2_000, (startAndRule): WallPattern => {
	const space = startAndRule.indexOf(' ');
	const start = new Date(Number(startAndRule.slice(0, space))).toISOString().replace(/[-:]|\.000/g, '');
	const rule = new RRuleTemporal({ rruleString: `DTSTART:${start}\nRRULE:${startAndRule.slice(space + 1)}`, cache: false });
	return {
		next(after) {
			try {
				return rule.next(new Date(after))?.epochMilliseconds;
			} catch (error) {
				// It looked ten thousand of its periods ahead.
				if (error instanceof Error && error.message.startsWith('Maximum ')) return undefined;
				throw error;
			}
		},
	};
});

function atMost<Value>(value: Value | undefined, holds: (value: Value) => boolean): Value | undefined {
	return value !== undefined && holds(value) ? value : undefined;
}
