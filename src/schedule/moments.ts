import type { Timestamp } from '../domain/ids.ts';
import { DAY } from './local-time.ts';
import type { Pattern } from './pattern.ts';
import type { ClockChange, ZoneClock } from './zone-clock.ts';

/** From what the wall shows to moments, through the changes of a zone's clocks. */

export interface Moment {
	readonly at: Timestamp;
	readonly note?: 'moved' | 'twice';
}

/** A source of moments, ascending, each once. */
export interface Moments {
	next(after: Timestamp): Moment | undefined;
}

/** No zone is further from UTC. */
const FARTHEST = 16 * 3_600_000;

interface Found extends Moment {
	readonly gap?: ClockChange;
}

/** When the wall shows `wall`: the first time; where it never does, the moment after the gap. Never earlier for a later wall. */
export function whenWallShows(wall: number, clock: ZoneClock): Found {
	const [earliest, latest] = [wall - FARTHEST, wall + FARTHEST];
	let offset = clock.offsetAt(earliest);
	for (let since = earliest; ; ) {
		const change = clock.firstChange(since, latest);
		const at = wall - offset;
		if (!change || at < change.at) {
			return { at, ...(change && at >= change.at + change.after - change.before && { note: 'twice' }) };
		}
		// By the old clocks it would be after the change, by the new ones before it.
		if (wall - change.after < change.at) return { at: change.at, note: 'moved', gap: change };
		offset = change.after;
		since = change.at;
	}
}

export function momentsOf(pattern: Pattern, clock: ZoneClock): Moments {
	return { next: (after) => (pattern.kind === 'fixed' ? nextFixed(pattern, clock, after) : nextWild(pattern, clock, after)) };
}

function nextFixed({ walls }: Pattern & { kind: 'fixed' }, clock: ZoneClock, after: Timestamp): Moment | undefined {
	for (let wall = walls.next(after + clock.offsetAt(after)); wall !== undefined; wall = walls.next(wall)) {
		const { at, note, gap } = whenWallShows(wall, clock);
		if (at <= after) continue;
		// The whole day is missing: what comes daily has that day none.
		if (gap && gap.after - gap.before >= DAY && comesInTheLengthAfter(gap, walls.next.bind(walls))) continue;
		return { at, ...(note && { note }) };
	}
	return undefined;
}

/** Each stretch between two changes goes by its own offset, both passes of what is shown twice among them. */
function nextWild(pattern: Pattern & { kind: 'wild' }, clock: ZoneClock, after: Timestamp): Moment | undefined {
	for (let start = after + 1; ; ) {
		const offset = clock.offsetAt(start);
		const wall = pattern.walls(offset).next(start + offset - 1);
		// A pattern that is over by one clock is so by the other, but for the hours between them.
		const change = clock.firstChange(start, wall === undefined ? start + DAY : wall - offset);
		if (!change) return wall === undefined ? undefined : { at: wall - offset };
		const next = pattern.walls(change.after);
		const inGap = wall !== undefined && wall < change.at + change.after;
		if (inGap && !comesInTheLengthAfter(change, (since) => next.next(since))) return { at: change.at, note: 'moved' };
		start = change.at;
	}
}

/** Whether a pattern has a time right after a gap, within its length: then it needs none for what the gap swallowed. */
function comesInTheLengthAfter({ at, before, after }: ClockChange, next: (since: number) => number | undefined): boolean {
	const wall = next(at + after - 1);
	return wall !== undefined && wall < at + after + (after - before);
}
