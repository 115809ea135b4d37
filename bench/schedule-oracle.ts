import { shownAt } from '../test/support/schedule/oracle.ts';
import type { CalendarDay, Meaning } from './schedule-plan.ts';

/**
 * When the tasks of the benchmark `schedule` must come, found without the code under test: the calendar of `Date`, and what Intl says that the
 * wall shows.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** No zone changes its clocks twice within it. */
const STEP = 6 * HOUR;

/** The clocks stay as they are from `from` to before `to`; the wall shows `shift` more than UTC. */
interface Stretch {
	readonly from: number;
	readonly to: number;
	readonly shift: number;
}

export function stretchesOf(zone: string, from: number, to: number): Stretch[] {
	const shiftAt = (at: number): number => shownAt(at, zone) - at;
	const found: Stretch[] = [];
	let [began, shift] = [from, shiftAt(from)];
	for (let at = from; at < to; at += STEP) {
		if (shiftAt(at + STEP) === shift) continue;
		let change = at + MINUTE;
		while (shiftAt(change) === shift) change += MINUTE;
		found.push({ from: began, to: change, shift });
		[began, shift] = [change, shiftAt(change)];
	}
	return [...found, { from: began, to: to + STEP, shift }];
}

/** The moments with `begins < at <= ends` at which it must come, ascending. */
export function expectedMoments(meaning: Meaning, stretches: (zone: string) => Stretch[], begins: number, ends: number): number[] {
	const all = momentsOf(meaning, stretches, begins, ends).filter((at) => at > begins && at <= ends);
	return [...new Set(all)].sort((a, b) => a - b);
}

function momentsOf(meaning: Meaning, stretches: (zone: string) => Stretch[], begins: number, ends: number): number[] {
	switch (meaning.kind) {
		case 'moment':
			return [meaning.at];
		case 'once':
			return [firstShown(meaning.wall, stretches(meaning.zone))];
		case 'every': {
			const { anchor, seconds } = meaning;
			return Array.from({ length: Math.ceil((ends - anchor) / (seconds * 1000)) + 1 }, (_, times) => anchor + times * seconds * 1000);
		}
		case 'named':
			return days(begins - 2 * DAY, ends + 2 * DAY)
				.filter(({ day }) => meaning.fits(day))
				.map(({ midnight }) => firstShown(midnight + meaning.time * MINUTE, stretches(meaning.zone)));
		case 'hourly':
			return hourly(meaning.minute, stretches(meaning.zone));
	}
}

/** The first moment at which the wall shows it; the end of the gap that swallowed it. */
function firstShown(wall: number, stretches: readonly Stretch[]): number {
	for (const { from, to, shift } of stretches) {
		if (wall < from + shift) return from;
		if (wall < to + shift) return wall - shift;
	}
	return Number.NaN;
}

/** Real hours: each time that the wall shows the minute; where a gap swallowed it and no other comes within its length after it, its end. */
function hourly(minute: number, stretches: readonly Stretch[]): number[] {
	const found: number[] = [];
	const next = (wall: number): number => Math.ceil((wall - minute * MINUTE) / HOUR) * HOUR + minute * MINUTE;
	for (const [index, { from, to, shift }] of stretches.entries()) {
		const before = stretches[index - 1];
		const gap = before ? shift - before.shift : 0;
		if (gap > 0 && next(from + shift - gap) < from + shift && next(from + shift) >= from + shift + gap) found.push(from);
		for (let wall = next(from + shift); wall < to + shift; wall += HOUR) found.push(wall - shift);
	}
	return found;
}

/** A Monday. */
const FIRST_WEEK = Date.UTC(2024, 0, 1);

function days(from: number, to: number): { midnight: number; day: CalendarDay }[] {
	const found: { midnight: number; day: CalendarDay }[] = [];
	for (let midnight = Math.floor(from / DAY) * DAY; midnight <= to; midnight += DAY) {
		const date = new Date(midnight);
		found.push({
			midnight,
			day: {
				month: date.getUTCMonth() + 1,
				date: date.getUTCDate(),
				weekday: date.getUTCDay(),
				lastOfMonth: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
				week: Math.floor((midnight - FIRST_WEEK) / (7 * DAY)),
			},
		});
	}
	return found;
}
