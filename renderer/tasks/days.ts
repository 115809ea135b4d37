import type { ComingDay } from '../../src/contract/methods/tasks.ts';
import { localDay } from '../../src/domain/local-day.ts';

/** Days of the strip, today first. */
const STRIP_DAYS = 14;

export interface StripDay {
	/** Such as 2026-12-03, by the owner's clock. */
	readonly day: string;
	/** Its first moment. */
	readonly from: number;
	/** Undefined until it is known. */
	readonly runs: number | undefined;
	/** At least so many. */
	readonly more: boolean;
}

/** First moment of the day `later` days after the one of `at`, by the owner's clock. */
export function dayStart(at: number, later = 0): number {
	const date = new Date(at);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime();
}

/** First moments of the days of the strip, and of the day after them. */
export function stripStarts(now: number): number[] {
	return Array.from({ length: STRIP_DAYS + 1 }, (_, later) => dayStart(now, later));
}

/** `counts`: of what comes on each day; undefined until it is known. */
export function stripDays(counts: readonly ComingDay[] | undefined, now: number): StripDay[] {
	return Array.from({ length: STRIP_DAYS }, (_, later) => {
		const from = dayStart(now, later);
		const { runs, more } = counts?.[later] ?? { runs: undefined, more: false };
		return { day: localDay(from), from, runs, more };
	});
}

/** The day that such a word names, from its first moment to the next one's. Undefined for 2026-02-31. */
export function dayOf(day: string): { from: number; to: number } | undefined {
	const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
	const from = new Date(year, month - 1, date).getTime();
	return localDay(from) === day ? { from, to: dayStart(from, 1) } : undefined;
}
