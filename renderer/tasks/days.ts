import type { ComingRun } from '../../src/contract/methods/tasks.ts';
import { localDay } from '../../src/domain/local-day.ts';

/** Days of the strip, today first. */
export const STRIP_DAYS = 14;

export interface StripDay {
	/** Such as 2026-12-03, by the owner's clock. */
	readonly day: string;
	/** Its first moment, and that of the day after. */
	readonly from: number;
	readonly to: number;
	/** Undefined where it is not known: more runs come before it than were asked for. */
	readonly runs: number | undefined;
}

/** First moment of the day `later` days after the one of `at`, by the owner's clock. */
export function dayStart(at: number, later = 0): number {
	const date = new Date(at);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime();
}

/** How many runs each of the coming days has. `more`: there are others after the last of `runs`. */
export function stripDays(runs: readonly ComingRun[], more: boolean, now: number): StripDay[] {
	const counts = new Map<string, number>();
	for (const { slot } of runs) counts.set(localDay(slot.dueAt), (counts.get(localDay(slot.dueAt)) ?? 0) + 1);
	const known = more ? runs.at(-1)?.slot.dueAt : undefined;
	return Array.from({ length: STRIP_DAYS }, (_, later) => {
		const from = dayStart(now, later);
		const day = localDay(from);
		return { day, from, to: dayStart(now, later + 1), runs: known !== undefined && from > known ? undefined : (counts.get(day) ?? 0) };
	});
}

/** The day that such a word names, from its first moment to the next one's. Undefined for 2026-02-31. */
export function dayOf(day: string): { from: number; to: number } | undefined {
	const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
	const from = new Date(year, month - 1, date).getTime();
	return localDay(from) === day ? { from, to: dayStart(from, 1) } : undefined;
}
