import { z } from 'zod';

/** What is said between the runtime and the thread that reads calendars. */

export const READS_CALENDARS = 'read calendars';

export const CalendarJob = z.object({
	body: z.string(),
	/** Occurrences that start from here on … */
	from: z.number(),
	/** … to here; later ones only where their event was changed since `changedSince`. Milliseconds. */
	to: z.number(),
	changedSince: z.number().optional(),
	/** Numbers of events that an earlier thread did not get done with. */
	skip: z.array(z.number()),
	/** No event is begun after so many milliseconds. */
	timeMs: z.number(),
	/** One number: that of the event that is looked at, for whoever finds that the thread is stuck. */
	at: z.instanceof(SharedArrayBuffer),
});
export type CalendarJob = z.infer<typeof CalendarJob>;

/** One time that something in the calendar happens. */
export const Occurrence = z.object({
	uid: z.string(),
	/** Which one of a series, by when the rule has it; empty where there is no series. */
	which: z.string(),
	start: z.number(),
	end: z.number(),
	/** First and last day, where it has no hours: a day is one in every zone. */
	days: z.object({ first: z.string(), last: z.string() }).optional(),
	/** The zone that the event names. */
	zone: z.string().optional(),
	title: z.string(),
	place: z.string(),
	description: z.string(),
	organiser: z.string(),
	status: z.string(),
	url: z.string(),
	changedAt: z.number().optional(),
});
export type Occurrence = z.infer<typeof Occurrence>;

export const CalendarText = z.object({
	isCalendar: z.boolean(),
	title: z.string(),
	occurrences: z.array(Occurrence),
	/** Events that are not as the format has them. */
	broken: z.number(),
	/** Events that repeat more often than daily, of which only the first time counts. */
	tooOften: z.number(),
	/** There was no time for all of them. */
	isCut: z.boolean(),
});
export type CalendarText = z.infer<typeof CalendarText>;
