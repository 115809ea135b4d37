import { localMinute } from '../../src/domain/local-day.ts';

/** Where a day's hours begin that the owner means with a word. */
const MORNING = 8;
const EVENING = 18;
/** Earlier than this before it, this evening is not worth waiting for. */
const LEAST_MS = 3_600_000;

export const SNOOZES = ['evening', 'tomorrow', 'week'] as const;
export type Snooze = (typeof SNOOZES)[number];

/** When it comes back, by the owner's clock; undefined where that word means nothing now. Times in milliseconds. */
export function snoozeUntil(choice: Snooze, now: number): number | undefined {
	const date = new Date(now);
	switch (choice) {
		case 'evening': {
			const evening = new Date(now).setHours(EVENING, 0, 0, 0);
			return evening - now >= LEAST_MS ? evening : undefined;
		}
		case 'tomorrow':
			date.setDate(date.getDate() + 1);
			return date.setHours(MORNING, 0, 0, 0);
		case 'week':
			// The coming Monday; on a Monday the next.
			date.setDate(date.getDate() + ((8 - date.getDay()) % 7 || 7));
			return date.setHours(MORNING, 0, 0, 0);
		default:
			return choice satisfies never;
	}
}

/** As a field for date and time has it: the owner's own clock, to the minute. */
export function fieldTime(at: number): string {
	return localMinute(at).replace(' ', 'T');
}

/** What such a field says, in milliseconds; undefined while it says nothing whole. */
export function timeOf(field: string): number | undefined {
	const at = field === '' ? Number.NaN : new Date(field).getTime();
	return Number.isNaN(at) ? undefined : at;
}
