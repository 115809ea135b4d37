import { z } from 'zod';
import { Timestamp } from '../../domain/ids.ts';
import { PermissionTerms } from '../../domain/permission.ts';
import { EventPayload, PayloadLabel } from '../../domain/run.ts';
import { Slot } from '../../domain/schedule.ts';
import {
	Occurrence,
	OccurrenceId,
	SentenceReading,
	Task,
	TaskCard,
	TaskDraft,
	TaskId,
	TaskTest,
	TestId,
	TriggerName,
} from '../../domain/task.ts';
import { method } from './base.ts';

const One = z.object({ taskId: TaskId });

export const TasksStatus = z.object({
	/** Tasks that are on, and those that are not. */
	on: z.number().int(),
	paused: z.number().int(),
	blocked: z.number().int(),
	ended: z.number().int(),
	running: z.number().int(),
	queued: z.number().int(),
	/** Missed rows that the owner has not seen to, and those that ask. */
	missed: z.number().int(),
	/** Tasks that need the owner: with a missed row that they have not seen to, with one that asks, and those that are blocked. */
	needOwner: z.number().int(),
	next: z.object({ taskId: TaskId, title: z.string(), at: Timestamp }).optional(),
});
export type TasksStatus = z.infer<typeof TasksStatus>;

/** Tasks of each part of the list, in its order. `now`: at work, or may need the owner. `events`: what a trigger fires. `off`: paused, ended. */
export const TaskParts = z.object({
	now: z.number().int(),
	coming: z.number().int(),
	events: z.number().int(),
	off: z.number().int(),
});
export type TaskParts = z.infer<typeof TaskParts>;

/** Tasks of one answer of `tasks.list`. */
export const MOST_LISTED = 200;

/** A run that comes, for a calendar. */
export const ComingRun = z.object({
	taskId: TaskId,
	title: z.string(),
	slot: Slot,
	/** Others of the same task come after it, and are left out. */
	goesOn: z.boolean().optional(),
});
export type ComingRun = z.infer<typeof ComingRun>;

/** How many runs come on a day. `more`: at least so many. */
export const ComingDay = z.object({ runs: z.number().int().nonnegative(), more: z.boolean() });
export type ComingDay = z.infer<typeof ComingDay>;

/** Scheduled and triggered tasks. Made and changed only by the owner's own doors; views learn of changes by `tasks_changed`. */
export const tasks = {
	/** Part by part, in each by what comes first. `offset`: of those that were answered already; where tasks change meanwhile, one may be twice. */
	list: method
		.input(
			z
				.object({ offset: z.number().int().nonnegative().default(0), limit: z.number().int().min(1).max(MOST_LISTED).default(MOST_LISTED) })
				.prefault({}),
		)
		.output(z.object({ tasks: z.array(Task), parts: TaskParts, status: TasksStatus, seq: z.number().int() })),
	get: method.input(One).output(Task),
	status: method.output(TasksStatus),
	/** What a sentence says, as a card; nothing is made. */
	read: method.input(z.object({ sentence: z.string().trim().min(1).max(2_000) })).output(SentenceReading),
	/** A draft as a card. Throws `invalid_input` for a schedule that never comes, an expression that can't be read, a path that is shut. */
	preview: method.input(z.object({ draft: TaskDraft })).output(TaskCard),
	/**
	 * `shownHash`: of the card that the owner saw; `stale` where it would be another now. `permissions`: standing ones for this task, of its test
	 * run. `requestId`: the same makes one.
	 */
	add: method
		.input(
			z.object({
				draft: TaskDraft,
				shownHash: z.string().length(64),
				permissions: z.array(PermissionTerms).max(50).default([]),
				requestId: z.uuid(),
			}),
		)
		.output(Task),
	/** What has begun goes on as it was begun. */
	update: method
		.input(One.extend({ draft: TaskDraft, shownHash: z.string().length(64), permissions: z.array(PermissionTerms).max(50).default([]) }))
		.output(Task),
	/** With its history and its standing permissions; what runs is stopped. */
	remove: method.input(One).output(z.void()),
	/** `until` absent: until the owner resumes it. Slots that come meanwhile are none. */
	pause: method.input(One.extend({ until: Timestamp.optional() })).output(Task),
	/** Also of one that is blocked. */
	resume: method.input(One).output(Task),
	/** Now, whatever the hour; queued where it is at work. */
	run: method.input(One).output(Occurrence),
	/** Of one that asks, was missed, or failed: it runs now, or is done with. */
	decide: method.input(z.object({ occurrenceId: OccurrenceId, how: z.enum(['run', 'skip']) })).output(Occurrence),
	stop: method.input(z.object({ occurrenceId: OccurrenceId })).output(Occurrence),
	/** Newest first. `before`: the last one of the page before. */
	history: method
		.input(
			z.object({
				taskId: TaskId.optional(),
				before: OccurrenceId.optional(),
				limit: z.number().int().min(1).max(500).default(50),
			}),
		)
		.output(z.object({ occurrences: z.array(Occurrence), hasMore: z.boolean() })),
	/** What comes from `from` on, by time. `eachMost`: of each task. */
	coming: method
		.input(
			z.object({
				from: Timestamp,
				to: Timestamp,
				taskId: TaskId.optional(),
				limit: z.number().int().min(1).max(1_000).default(200),
				eachMost: z.number().int().min(1).max(1_000).optional(),
			}),
		)
		.output(z.object({ runs: z.array(ComingRun), more: z.boolean() })),
	/** How much comes on each day. `starts`: first moments of days, ascending, and of the day after the last one. */
	comingDays: method.input(z.object({ starts: z.array(Timestamp).min(2).max(64) })).output(z.object({ days: z.array(ComingDay) })),
	/** The tools that work without the owner may have, for a task to name some of. `server`: of a tool server, by its title. */
	tools: method.output(
		z.object({ tools: z.array(z.object({ name: z.string(), title: z.string().optional(), server: z.string().optional() })) }),
	),
	/**
	 * Runs a draft so that nothing is written and nothing sent. `permissions`: of an earlier test, ticked; for this one only, so that what merely
	 * reads is done. `requestId`: the same makes one.
	 */
	test: method
		.input(z.object({ draft: TaskDraft, permissions: z.array(PermissionTerms).max(50).default([]), requestId: z.uuid() }))
		.output(TaskTest),
	testResult: method.input(z.object({ testId: TestId })).output(TaskTest),
	/** Tasks that wait for this name run. The payload is somebody else's word, unless its owner says that it is theirs (B2). */
	trigger: method
		.input(z.object({ name: TriggerName, payload: EventPayload, label: PayloadLabel }))
		.output(z.object({ tasks: z.number().int() })),
};
