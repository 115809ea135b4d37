import { z } from 'zod';
import { ContextSource } from '../../domain/context-source.ts';
import { ErrorShape } from '../../domain/errors.ts';
import { MessageId, RestoreId, RunId, SessionId, Timestamp, WorkflowInstanceId } from '../../domain/ids.ts';
import { Json } from '../../domain/json.ts';
import { Label } from '../../domain/label.ts';
import { ChangeId } from '../../domain/memory.ts';
import { Message } from '../../domain/message.ts';
import { ModelRef, Usage } from '../../domain/model.ts';
import { Noticed } from '../../domain/noticed.ts';
import { Plan } from '../../domain/plan.ts';
import { EventName, EventPayload, Interrupt, PayloadLabel, RunKind, RunPlace, RunStatus, RunSummary } from '../../domain/run.ts';
import { EffectClass, ToolCallStatus } from '../../domain/tool.ts';
import { method } from './base.ts';
import { BudgetChange, BudgetState, SPENDING_DAYS, SpendingReport } from './spending.ts';

/** A line of the timeline. `title` is one line for people; what went in and came out is asked for with `runs.step`. */
export const RunStep = z.object({
	step: z.number().int().positive(),
	kind: z.enum(['model', 'tool', 'approval', 'question', 'did_it_happen', 'timer', 'event', 'child']),
	title: z.string(),
	tool: z.string().optional(),
	effect: EffectClass.optional(),
	status: ToolCallStatus,
	label: Label.optional(),
	startedAt: Timestamp.optional(),
	finishedAt: Timestamp.optional(),
	usage: Usage.optional(),
	/** How often it was begun: more than 1 where it was redone after a crash or a failure. */
	tries: z.number().int().positive(),
	/** Of a step that delegated. */
	childRunId: RunId.optional(),
	/** A checkpoint stands after it: it can be inspected, restored and forked. */
	checkpoint: z.boolean(),
});
export type RunStep = z.infer<typeof RunStep>;

/** The process died. `at` and `wentOnAt` as far as they are known; `step` was under way, or was next. */
export const RunBreak = z.object({ step: z.number().int().positive(), at: Timestamp.optional(), wentOnAt: Timestamp });
export type RunBreak = z.infer<typeof RunBreak>;

export const RestoreRecord = z.object({
	id: RestoreId,
	place: RunPlace,
	chat: z.boolean(),
	files: z.boolean(),
	memory: z.boolean(),
	at: Timestamp,
	undoneAt: Timestamp.optional(),
	/** The run that goes on from there, where the chat was restored. */
	newRunId: RunId.optional(),
	/** What could not be put back, or not be undone, and why, in words. */
	left: z.array(z.object({ what: z.string(), why: z.string() })),
});
export type RestoreRecord = z.infer<typeof RestoreRecord>;

export const RunDetail = z.object({
	run: RunSummary,
	steps: z.array(RunStep),
	breaks: z.array(RunBreak),
	plan: Plan.optional(),
	error: ErrorShape.optional(),
	model: ModelRef.optional(),
	/** Open ones of this run. */
	interrupts: z.array(Interrupt),
	children: z.array(RunSummary),
	/** Runs that were forked or restored from this one. */
	branches: z.array(RunSummary),
	restores: z.array(RestoreRecord),
	/** Of a restore that was taken back, and not in the chat's chosen version: it can't be continued. */
	putAway: z.literal(true).optional(),
	seq: z.number().int(),
});
export type RunDetail = z.infer<typeof RunDetail>;

export const ChangedFile = z.object({
	/** Below `workspace/`. */
	path: z.string(),
	change: z.enum(['created', 'changed', 'deleted', 'moved']),
	bytes: z.number().int().nonnegative(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;
export const StepDetail = z.object({
	step: RunStep,
	/** What went in: arguments as JSON, or the prompt of a model call where it is kept. */
	input: z.string(),
	/** What came out: the result, or what the model wrote. */
	output: z.string(),
	/** Content hashes of texts that are too large to be here: `runs.content`. */
	inputRest: z.string().optional(),
	outputRest: z.string().optional(),
	/** Its stable key where it is idempotent, and why it was redone or not. */
	key: z.string().optional(),
	redone: z.string().optional(),
	files: z.array(ChangedFile),
	memory: z.array(z.object({ changeId: ChangeId, file: z.string(), text: z.string() })),
	error: ErrorShape.optional(),
	/** Of a model: all that it could see, by name. Of a tool: what its result was made from. The least trusted first. */
	sources: z.array(ContextSource),
});
export type StepDetail = z.infer<typeof StepDetail>;

/** The state at a checkpoint, as the agent knew it (R4). */
export const StateAt = z.object({
	place: RunPlace,
	at: Timestamp,
	status: RunStatus,
	label: Label,
	model: ModelRef.optional(),
	modelName: z.string().optional(),
	/** The conversation up to there; the last one is the reply as far as it was. */
	messages: z.array(Message),
	plan: Plan.optional(),
	toolState: z.array(z.object({ tool: z.string(), key: z.string(), value: Json })),
	/** Files that tools wrote, as they were then. */
	files: z.array(z.object({ path: z.string(), hash: z.string(), bytes: z.number().int() })),
	/** The prompt of the last model call before it: content hash for `runs.content`. */
	prompt: z.string().optional(),
	promptVersion: z.string().optional(),
	/** Names of the environment's variables that tools may see; never values. */
	environment: z.array(z.string()),
});
export type StateAt = z.infer<typeof StateAt>;

export const RestorePreview = z.object({
	place: RunPlace,
	/** Messages and steps that come after it; they stay as another version. */
	chat: z.object({ possible: z.boolean(), steps: z.number().int(), messages: z.number().int(), why: z.string().optional() }),
	/** `theirs`: changed since by somebody else; it is put back only where `files` is `all`. */
	files: z.array(z.object({ path: z.string(), action: z.enum(['put_back', 'bring_back', 'remove']), theirs: z.string().optional() })),
	/** What this run and its children wrote to memory after it. `why`: can't be undone. `comesBack`: written before, and taken back by a restore since. */
	memory: z.array(
		z.object({ changeId: ChangeId, file: z.string(), text: z.string(), why: z.string().optional(), comesBack: z.literal(true).optional() }),
	),
	/** Side effects after it that stay, whatever is restored. */
	effects: z.array(z.object({ runId: RunId, step: z.number().int(), tool: z.string(), title: z.string(), args: Json, at: Timestamp })),
	/** Why it would be refused now: what has to end first. */
	notNow: z.object({ error: ErrorShape, runId: RunId, instanceId: WorkflowInstanceId.optional() }).optional(),
});
export type RestorePreview = z.infer<typeof RestorePreview>;

const Run = z.object({ runId: RunId });
const Begun = z.object({ sessionId: SessionId, messageId: MessageId, runId: RunId });

export const runs = {
	/** Newest first. `before`: the last one of the page before. */
	list: method
		.input(
			z.object({
				status: z.array(RunStatus).optional(),
				kind: z.array(RunKind).optional(),
				sessionId: SessionId.optional(),
				before: RunId.optional(),
				limit: z.number().int().min(1).max(500).default(100),
			}),
		)
		.output(z.object({ runs: z.array(RunSummary), hasMore: z.boolean(), seq: z.number().int() })),
	get: method.input(Run).output(RunDetail),
	step: method.input(RunPlace).output(StepDetail),
	state: method.input(RunPlace).output(StateAt),
	/** A text that is kept by its hash: a large result, a prompt, a file of the workspace. Not found where it was forgotten. */
	content: method.input(z.object({ runId: RunId, hash: z.string().length(64) })).output(z.object({ text: z.string() })),
	restorePreview: method.input(RunPlace).output(RestorePreview),
	/**
	 * Puts back what is ticked, after a snapshot of what is there now. `safe`: files that nobody else changed since. Throws `conflict` while
	 * the run is at work.
	 */
	restore: method
		.input(RunPlace.extend({ chat: z.boolean(), files: z.enum(['no', 'safe', 'all']), memory: z.boolean(), requestId: z.uuid() }))
		.output(RestoreRecord),
	/** Puts back what a restore replaced. */
	undoRestore: method.input(z.object({ restoreId: RestoreId })).output(RestoreRecord),
	/**
	 * A new chat with a new run that goes on after this step, with the owner's message as edited and by another model where given. Finished
	 * steps are taken over and not done again.
	 */
	fork: method
		.input(RunPlace.extend({ text: z.string().max(200_000).optional(), model: ModelRef.optional(), requestId: z.uuid() }))
		.output(Begun),
	/** Ends one command under way; the run goes on, and is told that the owner ended it. Not found where it has ended already. */
	stopCall: method.input(Run.extend({ callId: z.string().min(1) })).output(z.void()),
	/** Goes on with an interrupted, failed or stopped run: `continue` after what it has, `retry` with the cut-off step anew. */
	resume: method.input(Run.extend({ how: z.enum(['continue', 'retry']) })).output(RunSummary),
	/** Tells every run and workflow that waits for this event. The payload is somebody else's word, unless its owner says that it is theirs (B2). */
	signal: method
		.input(z.object({ name: EventName, payload: EventPayload, label: PayloadLabel }))
		.output(z.object({ woken: z.number().int() })),
};

export const WorkStatus = z.object({
	/** No timer fires and no work of its own begins until it is taken back; chats go on. */
	paused: z.boolean(),
	pausedAt: Timestamp.optional(),
	/** Paused since this profile was made of a back-up of this time, which may stand beside the profile it is of. */
	restoredFrom: Timestamp.optional(),
	/** Not paused, but all work of its own waits: for the active hours, or for the next day's budget. */
	held: z.object({ why: z.enum(['active_hours', 'budget_used']), until: Timestamp }).optional(),
	/** Today's, in the order of their names. Those of one kind hold that kind alone. */
	budgets: z.array(BudgetState),
	/** Timers that are set. */
	timers: z.number().int(),
	/** When the next of them is told; absent while all is paused. */
	nextDueAt: Timestamp.optional(),
});
export type WorkStatus = z.infer<typeof WorkStatus>;

/** Work that goes on by itself: timers, workflows. */
export const work = {
	status: method.output(WorkStatus),
	pauseAll: method.output(WorkStatus),
	resumeAll: method.output(WorkStatus),
	/** What was used on the newest `days` local days, as far as it is kept. */
	spending: method.input(z.object({ days: z.number().int().min(1).max(SPENDING_DAYS).default(30) })).output(SpendingReport),
	/** Changes one budget: what it is now. */
	setBudget: method.input(BudgetChange).output(BudgetState),
	/** What the shell noticed of the machine: what is due is looked at now, and tasks that wait for it run. */
	noticed: method.input(Noticed).output(z.void()),
};
