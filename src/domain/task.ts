import { z } from 'zod';
import { sourceName } from './context-source.ts';
import { ErrorShape } from './errors.ts';
import { WatchedSourceId } from './heartbeat.ts';
import { MessageId, RunId, SessionId, Timestamp, WorkflowInstanceId } from './ids.ts';
import { Json } from './json.ts';
import { Label } from './label.ts';
import { ModelRef } from './model.ts';
import { PermissionTerms } from './permission.ts';
import { LONGEST_REMINDER, ReminderId } from './reminder.ts';
import { Schedule, Slot } from './schedule.ts';

/** The words of scheduled and triggered tasks (R5). */

export const TaskId = z.string().min(1).brand<'TaskId'>();
export type TaskId = z.infer<typeof TaskId>;
/** One time that a task was to run: a slot of its schedule, an event of its trigger, the owner's *Run now*. */
export const OccurrenceId = z.string().min(1).brand<'OccurrenceId'>();
export type OccurrenceId = z.infer<typeof OccurrenceId>;

/** Name that scripts call: `hearth trigger scan_done`. */
export const TriggerName = z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'Use small letters, digits, _ . -, starting with a letter.');
export type TriggerName = z.infer<typeof TriggerName>;

export const Trigger = z.discriminatedUnion('kind', [
	/**
	 * A file appears or changes: the file `path`, or one below the folder `path` whose name fits `names` (`*.pdf`). `mine`: the owner says that
	 * what lies there is their own.
	 */
	z.object({
		kind: z.literal('files'),
		path: z.string().min(1).max(4_000),
		names: z.string().min(1).max(200).optional(),
		mine: z.boolean().default(false),
	}),
	/** A source has a new finding, which waits in the inbox: the task learns that and how many, no word of it (B1). */
	z.object({ kind: z.literal('finding'), sourceId: WatchedSourceId.optional() }),
	/** An instance of this workflow comes to this state. */
	z.object({ kind: z.literal('workflow'), workflow: z.string().min(1).max(200), state: z.string().min(1).max(200) }),
	z.object({ kind: z.literal('app_start') }),
	/** The machine wakes from sleep. */
	z.object({ kind: z.literal('wake') }),
	/** The owner is back after at least so long. */
	z.object({ kind: z.literal('unlock'), idleMinutes: z.number().int().min(1).max(1_440) }),
	/** `hearth trigger NAME`. */
	z.object({ kind: z.literal('signal'), name: TriggerName }),
]);
export type Trigger = z.infer<typeof Trigger>;

export const TaskWhen = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('schedule'), schedule: Schedule }),
	/** What comes within `quietSeconds` of the event before is one occurrence with it. */
	z.object({ kind: z.literal('trigger'), trigger: Trigger, quietSeconds: z.number().int().min(0).max(3_600).default(5) }),
]);
export type TaskWhen = z.infer<typeof TaskWhen>;

/** Where what a run says goes. `chat`: a chat of the task's own. `file`: below `workspace/`; `{date}` and `{time}` in it stand for the slot's. */
export const TaskResult = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('chat') }),
	z.object({ kind: z.literal('notification') }),
	z.object({ kind: z.literal('inbox') }),
	z.object({ kind: z.literal('file'), path: z.string().min(1).max(300) }),
]);
export type TaskResult = z.infer<typeof TaskResult>;

export const TaskWork = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('prompt'),
		text: z.string().trim().min(1).max(20_000),
		/** A session of its own for each run, or one that goes on. */
		session: z.enum(['each', 'one']).default('each'),
		/** The choice for background work where left out. */
		model: ModelRef.optional(),
		/** The only tools that are offered and let through; all that work without the owner may use where left out. */
		tools: z.array(z.string()).max(200).optional(),
		result: TaskResult.default({ kind: 'chat' }),
	}),
	z.object({ kind: z.literal('workflow'), name: z.string().min(1).max(200), input: z.record(z.string(), Json).default({}) }),
	/** The owner is told these words. */
	z.object({ kind: z.literal('reminder'), text: z.string().trim().min(1).max(LONGEST_REMINDER) }),
]);
export type TaskWork = z.infer<typeof TaskWork>;

/** What becomes of slots that came while nothing could run. `every`: the newest `most` of them. `ask`: the owner says for each. */
export const MissedPolicy = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('skip') }),
	z.object({ kind: z.literal('once'), withinHours: z.number().int().min(1).max(720) }),
	z.object({ kind: z.literal('every'), most: z.number().int().min(1).max(20) }),
	z.object({ kind: z.literal('ask') }),
]);
export type MissedPolicy = z.infer<typeof MissedPolicy>;

/** What becomes of a slot that comes while the run before is not over. */
export const OverlapPolicy = z.enum(['queue', 'skip', 'replace']);
export type OverlapPolicy = z.infer<typeof OverlapPolicy>;

/** Of one run with what it delegates. Absent: no limit but the day's. `minutes`: while it works, not while it waits for the owner or sleeps. */
export const RunBudget = z.object({
	tokens: z.number().int().min(1).max(100_000_000).optional(),
	costUsd: z.number().positive().max(10_000).optional(),
	minutes: z.number().int().min(1).max(1_440).optional(),
});
export type RunBudget = z.infer<typeof RunBudget>;

/** `tries`: of one occurrence, going on at the step that failed. `stopAfter`: so many failed in a row, or one that only the owner can mend. */
export const FailurePolicy = z.object({
	tries: z.number().int().min(1).max(10).default(3),
	/** Before the second try; twice as long before each further one. */
	pauseSeconds: z.number().int().min(1).max(86_400).default(60),
	stopAfter: z.number().int().min(1).max(50).default(5),
});
export type FailurePolicy = z.infer<typeof FailurePolicy>;

function isVisible(text: string): boolean {
	return /[^\p{Default_Ignorable_Code_Point}\p{Z}\p{C}\p{M}\u2800]/u.test(text);
}

/** All of a task that the owner chooses: what a card shows, and what is confirmed. */
export const TaskDraft = z.object({
	/** One line that says something: it stands in lists, menus and notifications. */
	title: z.string().overwrite(sourceName).min(1).max(100).refine(isVisible, 'A title needs something that can be seen.'),
	when: TaskWhen,
	work: TaskWork,
	missed: MissedPolicy.default({ kind: 'once', withinHours: 12 }),
	overlap: OverlapPolicy.default('queue'),
	budget: RunBudget.default({}),
	failure: FailurePolicy.prefault({}),
	/** The owner's sentence that it was read from. */
	sentence: z.string().max(2_000).optional(),
});
export type TaskDraft = z.infer<typeof TaskDraft>;

/** `waiting`: for the owner, a time, an event. `asks`: what to do with a missed slot. `blocked`: stopped by itself until the owner says go on. */
export const TaskState = z.enum(['scheduled', 'overdue', 'running', 'waiting', 'missed', 'failed', 'blocked', 'paused', 'ended']);
export type TaskState = z.infer<typeof TaskState>;

/**
 * `queued`: waits for its turn, or for its next try. `missed`: nothing ran, and `why` says why; `asks`: as missed, and the owner decides.
 * `skipped`: by the overlap policy, or by the owner. Final ones: done, failed, missed, skipped, stopped.
 */
export const OccurrenceState = z.enum(['queued', 'running', 'done', 'failed', 'missed', 'asks', 'skipped', 'stopped']);
export type OccurrenceState = z.infer<typeof OccurrenceState>;

/** Why nothing ran at a slot. `clock`: the clock was set past it. `late`: its time to catch up was over. `many`: newer ones stand for it. */
export const MissedWhy = z.enum([
	'closed',
	'asleep',
	'paused',
	'active_hours',
	'budget_used',
	'clock',
	'busy',
	'queue_full',
	'late',
	'many',
	'owner',
	'replaced',
	'blocked',
]);
export type MissedWhy = z.infer<typeof MissedWhy>;

export const Occurrence = z.object({
	id: OccurrenceId,
	taskId: TaskId,
	title: z.string(),
	by: z.enum(['schedule', 'trigger', 'owner']),
	/** Of a schedule, the slot's `at`; else when it happened. With `taskId` and `by` it exists once. */
	slot: Timestamp,
	/** Of missed ones that stand as one row: how many, up to which slot. */
	count: z.number().int().positive(),
	lastSlot: Timestamp.optional(),
	state: OccurrenceState,
	why: MissedWhy.optional(),
	/** In one sentence: the reason, what was moved, what ran instead. */
	note: z.string().max(500).optional(),
	/** What fired it, by name, and whose words it brings. `items`: the first of what it was about, such as files by their names: words of that label. */
	cause: z
		.object({ name: z.string(), label: Label, events: z.number().int().positive(), items: z.array(z.string()).optional() })
		.optional(),
	attempt: z.number().int().nonnegative(),
	runId: RunId.optional(),
	sessionId: SessionId.optional(),
	instanceId: WorkflowInstanceId.optional(),
	reminderId: ReminderId.optional(),
	/** Where its result lies. */
	result: z
		.object({
			sessionId: SessionId.optional(),
			messageId: MessageId.optional(),
			file: z.string().optional(),
			proposalId: z.string().optional(),
		})
		.optional(),
	startedAt: Timestamp.optional(),
	endedAt: Timestamp.optional(),
	nextTryAt: Timestamp.optional(),
	error: ErrorShape.optional(),
	/** What it used. */
	tokens: z.number().int().nonnegative(),
	costUsd: z.number().nonnegative(),
});
export type Occurrence = z.infer<typeof Occurrence>;

export const Task = z.object({
	id: TaskId,
	draft: TaskDraft,
	state: TaskState,
	/** The join over everything that who proposed it could see, lifted to `approved` by the owner's yes to the card; `owner` where the owner made it. */
	label: Label,
	/** The chat that it was said in. */
	sessionId: SessionId.optional(),
	/** In the owner's words of the card: `Every weekday at 09:00`. */
	restated: z.string(),
	/** The zone that its times are in now. */
	zone: z.string(),
	/** Never past; absent where none comes, while it is paused, and while all is paused. */
	next: Slot.optional(),
	/** What waits, runs, asks, or failed last. */
	current: Occurrence.optional(),
	/** Missed ones that the owner has not seen to. */
	missed: z.array(Occurrence),
	occurrences: z.number().int().nonnegative(),
	failures: z.number().int().nonnegative(),
	/** Of `blocked`. */
	problem: ErrorShape.optional(),
	pausedUntil: Timestamp.optional(),
	createdAt: Timestamp,
});
export type Task = z.infer<typeof Task>;

/** A draft as the owner confirms it. `notes`: what may surprise (either of two day fields, a time that a day lacks, a model that costs money). */
export const TaskCard = z.object({
	draft: TaskDraft,
	/** When and what, in one sentence. */
	restated: z.string(),
	/** What of `restated` is to be checked first, word for word and in its order: when, what, where to. */
	strong: z.array(z.string()),
	zone: z.string(),
	next: z.array(Slot),
	notes: z.array(z.string()),
	/** SHA-256 of what is shown. */
	shownHash: z.string().length(64),
});
export type TaskCard = z.infer<typeof TaskCard>;

/** What a sentence says. Ambiguity is asked, never guessed. */
export const SentenceReading = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('card'), card: TaskCard, by: z.enum(['grammar', 'model']), model: z.string().optional() }),
	/** Each choice is a sentence that says it without doubt. */
	z.object({ kind: z.literal('asks'), question: z.string(), choices: z.array(z.object({ text: z.string(), sentence: z.string() })) }),
	/** `draft`: what was read, where only that is refused; the form can begin with it. */
	z.object({ kind: z.literal('unclear'), message: z.string(), action: z.string().optional(), draft: TaskDraft.optional() }),
]);
export type SentenceReading = z.infer<typeof SentenceReading>;

export const TestId = z.string().min(1).brand<'TestId'>();
export type TestId = z.infer<typeof TestId>;

/** What a run would have done and did not. `terms` absent: can't be permitted in advance, so it asks each time. `allowed`: it would not ask. */
export const TaskNeed = z.object({
	tool: z.string(),
	title: z.string(),
	what: z.string(),
	terms: PermissionTerms.optional(),
	allowed: z.boolean(),
});
export type TaskNeed = z.infer<typeof TaskNeed>;

/** A run of a draft that writes and sends nothing. `needs`: what it would have to be permitted, each to be granted to the task with its confirmation. */
export const TaskTest = z.object({
	id: TestId,
	draft: TaskDraft,
	state: z.enum(['running', 'done', 'failed', 'stopped']),
	runId: RunId.optional(),
	sessionId: SessionId.optional(),
	/** What it said. */
	text: z.string(),
	label: Label,
	needs: z.array(TaskNeed),
	tokens: z.number().int().nonnegative(),
	costUsd: z.number().nonnegative(),
	error: ErrorShape.optional(),
	createdAt: Timestamp,
});
export type TaskTest = z.infer<typeof TaskTest>;
