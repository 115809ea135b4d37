import { z } from 'zod';
import { terminal } from '../domain/errors.ts';

/** Times as models write them. */
const LOCAL = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** `2026-12-03T09:00` on the clock of this machine, or with an offset or Z; a day alone is its first minute. Gives milliseconds. */
export const When = z
	.string()
	.trim()
	.refine(
		(text) => Number.isFinite(millisecondsOf(text)),
		'Write it as 2026-12-03T09:00, in local time, or with an offset such as +02:00.',
	);

const MINUTE_MS = 60_000;
export const MOST_MINUTES = 5 * 366 * 24 * 60;

/** Of a time, or of minutes from now. Throws `invalid_input` where both are given, or neither. */
export function dueOf({ at, in_minutes: minutes }: { at?: string | undefined; in_minutes?: number | undefined }, now: number): number {
	if ((at === undefined) === (minutes === undefined)) throw terminal('invalid_input', 'Give either at or in_minutes.');
	return at === undefined ? Math.ceil(now + (minutes ?? 0) * MINUTE_MS) : millisecondsOf(at);
}

/** NaN where it is no time, or a day that its month does not have: that would be read as one of the next month. */
export function millisecondsOf(text: string): number {
	const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
	if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return Number.NaN;
	if (WITH_ZONE.test(text)) return Date.parse(text);
	if (!LOCAL.test(text)) return Number.NaN;
	// A day alone would be read as one of UTC.
	return Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T'));
}
