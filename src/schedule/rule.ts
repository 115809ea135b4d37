import { RRuleTemporal } from 'rrule-temporal';
import { remembered } from '../base/remembered.ts';
import type { LocalTime } from '../domain/schedule.ts';
import { type Moment, type Moments, momentsOf, whenWallShows } from './moments.ts';
import type { WallPattern } from './pattern.ts';
import { type RuleParts, readRule, writeRule } from './rule-parts.ts';
import { stepWalls } from './step-rule.ts';
import { wallOf } from './wall-text.ts';
import { zoneClock } from './zone-clock.ts';

/**
 * Recurrence rules (RFC 5545). The library recurs on a clock without gaps, what comes within a day is our own (`step-rule.ts`); the changes of clocks are ours (`moments.ts`), since by the RFC a
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
	return momentsOf({ kind: 'fixed', walls: endingInTime(parts, wallsOf(`${wallOf(start)} ${writeRule(parts, true)}`)) }, zoneClock(zone));
}

/** What comes within a day follows real time from its start, so its phase on the wall moves with the clocks. */
function wildMoments(parts: RuleParts, start: LocalTime, zone: string): Moments {
	const clock = zoneClock(zone);
	const begins = whenWallShows(wallOf(start), clock).at;
	const rule = writeRule(parts, false);
	const byOffset = new Map<number, WallPattern>();
	const walls = (offset: number): WallPattern => {
		const known = byOffset.get(offset) ?? endingInTime(parts, stepWalls(parts as Parameters<typeof stepWalls>[0], begins + offset));
		byOffset.set(offset, known);
		return known;
	};
	const moments = momentsOf({ kind: 'wild', walls }, clock);
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

function endingInTime({ until }: RuleParts, walls: WallPattern): WallPattern {
	return until?.kind !== 'wall' ? walls : { next: (after) => atMost(walls.next(after), (wall) => wall <= until.wall) };
}

/** Of a start (a wall) and a rule, with a space between them. */
const wallsOf = remembered(2_000, (startAndRule): WallPattern => {
	const space = startAndRule.indexOf(' ');
	const start = new Date(Number(startAndRule.slice(0, space))).toISOString().replace(/[-:]|\.000/g, '');
	const text = startAndRule.slice(space + 1);
	const rule = new RRuleTemporal({ rruleString: `DTSTART:${start}\nRRULE:${text}`, cache: false, ...periodsOf(text) });
	return {
		next(after) {
			try {
				return rule.next(new Date(after))?.epochMilliseconds;
			} catch (error) {
				// It never comes.
				if (error instanceof Error && error.message.startsWith('Maximum ')) return undefined;
				throw error;
			}
		},
	};
});

/** The rarest, a weekday that is 29 February, comes every forty years: so many periods of a rule are looked through for each of its times. */
const PERIODS: Readonly<Record<string, number>> = { YEARLY: 120, MONTHLY: 1_400, WEEKLY: 3_000, DAILY: 10_000 };

function periodsOf(rule: string): { maxIterations: number } {
	const each = PERIODS[/FREQ=(\w+)/.exec(rule)?.[1] ?? ''] ?? 10_000;
	// The library follows a rule with a count from its start.
	return { maxIterations: each * (1 + Number(/COUNT=(\d+)/.exec(rule)?.[1] ?? 0)) };
}

function atMost<Value>(value: Value | undefined, holds: (value: Value) => boolean): Value | undefined {
	return value !== undefined && holds(value) ? value : undefined;
}
