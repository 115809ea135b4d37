import { z } from 'zod';
import { Timestamp } from './ids.ts';

/** When something is to happen: the words of schedules, without their arithmetic (`src/schedule`). */

/** `2026-12-03T09:00`, with seconds where they matter: the clock on the wall in some zone. */
export const LocalTime = z
	.string()
	.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'Write it as 2026-12-03T09:00.');
export type LocalTime = z.infer<typeof LocalTime>;

/** A format takes long to make, and rows are read often; there are few zones. */
const knownZones = new Set<string>();

/** IANA name: `Europe/Berlin`. */
export const Zone = z.string().min(1).max(64).refine(isZone, 'There is no such time zone. Use a name such as Europe/Berlin.');

export function isZone(name: string): boolean {
	if (knownZones.has(name)) return true;
	try {
		new Intl.DateTimeFormat('en', { timeZone: name });
		// Offsets such as +02:00 are no zones: they know no summer time.
		if (!/^[A-Za-z]/.test(name)) return false;
	} catch {
		return false;
	}
	knownZones.add(name);
	return true;
}

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time like 08:00.');
/** A window of the day by the owner's clock, over midnight where `to` is before `from`. */
export const ActiveHours = z
	.object({ from: TimeOfDay, to: TimeOfDay }, 'Use two times, from and to, like 08:00 and 22:00; or none.')
	.refine(({ from, to }) => from !== to, 'The two times must differ. Without hours, work goes on all day.');
export type ActiveHours = z.infer<typeof ActiveHours>;

/** Absent: the owner's zone, whatever it is when the time comes. */
const zone = Zone.optional();

export const Timing = z.discriminatedUnion('kind', [
	/** Once, at this time on the wall. */
	z.object({ kind: z.literal('at'), local: LocalTime, zone }),
	/** Once, at this moment wherever the owner is. */
	z.object({ kind: z.literal('moment'), at: Timestamp }),
	/** Each `seconds` from `anchor` on, whatever clocks on walls do. */
	z.object({
		kind: z.literal('every'),
		seconds: z
			.number()
			.int()
			.min(60)
			.max(366 * 86_400),
		anchor: Timestamp,
	}),
	/** 5 fields, or 6 with seconds first. Where day of month and weekday are both given, either suffices (Vixie cron; sch-6). */
	z.object({ kind: z.literal('cron'), expression: z.string().trim().min(1).max(200), zone }),
	/** The value of an RRULE (RFC 5545) without its name: `FREQ=MONTHLY;BYDAY=-1FR`. `start`: its DTSTART, with the time of day. */
	z.object({ kind: z.literal('rrule'), rule: z.string().trim().min(1).max(1_000), start: LocalTime, zone }),
]);
export type Timing = z.infer<typeof Timing>;

export const MOST_JITTER_SECONDS = 3_600;

/** A timing within its limits. */
export const Schedule = z.object({
	timing: Timing,
	/** Each slot is due up to so much later: the same delay each time it is asked for, another one for each slot. */
	jitterSeconds: z.number().int().min(0).max(MOST_JITTER_SECONDS).default(0),
	/** Slots outside of these hours, by the clock of the timing's zone, are none. */
	hours: ActiveHours.optional(),
	/** The first and the last moment at which a slot may be. */
	from: Timestamp.optional(),
	until: Timestamp.optional(),
	/** Slots before it are none. */
	pausedUntil: Timestamp.optional(),
});
export type Schedule = z.infer<typeof Schedule>;

/**
 * One time at which a schedule comes round. `at` identifies it: the moment by the schedule itself. `dueAt`: with its jitter.
 * `moved`: the time on the wall does not exist that day, so it is the first minute after the gap; `local` is then what the wall shows.
 * `twice`: the wall shows that time twice, and this is the first. `clocks`: between the slot before and this one they were set.
 */
export const Slot = z.object({
	at: Timestamp,
	dueAt: Timestamp,
	local: LocalTime,
	/** `+01:00` */
	offset: z.string(),
	zone: z.string(),
	note: z.enum(['moved', 'twice']).optional(),
	clocks: z.enum(['forward', 'back']).optional(),
});
export type Slot = z.infer<typeof Slot>;
