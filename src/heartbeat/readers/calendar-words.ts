import { z } from 'zod';

/** What is said between the runtime and the thread that reads calendars. */

export const CalendarJob = z.object({
	job: z.literal('read a calendar'),
	body: z.string(),
	/** Occurrences that start from here on … */
	from: z.number(),
	/** … to here; later ones only where their event was changed since `changedSince`. Milliseconds. */
	to: z.number(),
	changedSince: z.number().optional(),
	/** Numbers of events that an earlier thread did not get done with. */
	skip: z.array(z.number()),
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

export const CalendarWord = z.discriminatedUnion('type', [
	/** The event of this number is looked at next. */
	z.object({ type: z.literal('begin'), event: z.number() }),
	z.object({ type: z.literal('occurrence'), occurrence: Occurrence }),
	z.object({ type: z.literal('end'), title: z.string(), isCalendar: z.boolean(), broken: z.number(), tooOften: z.number() }),
]);
export type CalendarWord = z.infer<typeof CalendarWord>;
