import type { Timestamp } from '../domain/ids.ts';
import type { Timing } from '../domain/schedule.ts';
import { parseCron } from '../schedule/cron.ts';
import { whenWallShows } from '../schedule/moments.ts';
import { parseRule } from '../schedule/rule.ts';
import { zoneClock } from '../schedule/zone-clock.ts';

/** What becomes of times on the wall when the owner's zone is another. Pure. */

/** Its times are the owner's, wherever they are. */
export function followsOwnersZone(timing: Timing): boolean {
	return timing.kind !== 'moment' && timing.kind !== 'every' && timing.zone === undefined;
}

/**
 * Up to where slots have their rows, in another zone. For the owner's clock on the wall the journey is a change of clocks: what it showed before,
 * it showed; what it never shows comes at once. So times of day that are named come once a day of the wall. What recurs within the day follows
 * real time.
 */
export function claimedInZone(timing: Timing, claimedTo: Timestamp, from: string, to: string): Timestamp {
	if (recursWithinDay(timing)) return claimedTo;
	return whenWallShows(claimedTo + zoneClock(from).offsetAt(claimedTo), zoneClock(to)).at;
}

function recursWithinDay(timing: Timing): boolean {
	if (timing.kind === 'cron') return parseCron(timing.expression).pattern.kind === 'wild';
	return timing.kind === 'rrule' && parseRule(timing.rule).wild;
}
