import { z } from 'zod';
import { MessageId, RunId, SessionId } from '../domain/ids.ts';
import { MemoryPath } from '../domain/memory.ts';
import { Message, MessagePart } from '../domain/message.ts';
import { Proposal } from '../domain/proposal.ts';
import { Reminder } from '../domain/reminder.ts';
import { Interrupt, RunSummary } from '../domain/run.ts';
import { OccurrenceId, TaskId } from '../domain/task.ts';
import { WorkflowInstance } from '../domain/workflow.ts';
import { InboxCounts, IndexStatus } from './methods/memory.ts';
import { WorkStatus } from './methods/runs.ts';
import { Health, SessionSummary } from './shapes.ts';

/**
 * What happened, announced to every view. Events carry the whole new value (or, for streamed text, its place), so that
 * applying one twice changes nothing.
 */
export const LiveEvent = z.discriminatedUnion('type', [
	z.object({ type: z.literal('session_changed'), session: SessionSummary }),
	z.object({ type: z.literal('session_deleted'), sessionId: SessionId }),
	/** A message was added or changed as a whole; also when another version of a turn was chosen (`headChanged`). */
	z.object({ type: z.literal('message_changed'), message: Message, headChanged: z.boolean().default(false) }),
	/**
	 * A reply under way grew: its parts from number `from` on, and everything else of it but its parts. Cheap however long the reply is. A view
	 * that holds fewer than `from` parts takes the message anew.
	 */
	z.object({
		type: z.literal('message_grew'),
		message: Message.omit({ parts: true }),
		from: z.number().int().nonnegative(),
		parts: z.array(MessagePart),
	}),
	/** Text that arrived: `text` belongs at UTF-16 offset `offset` of the text of part number `part`. */
	z.object({
		type: z.literal('message_delta'),
		sessionId: SessionId,
		messageId: MessageId,
		part: z.number().int().nonnegative(),
		kind: z.enum(['text', 'reasoning']),
		offset: z.number().int().nonnegative(),
		text: z.string(),
	}),
	z.object({ type: z.literal('run_changed'), run: RunSummary }),
	z.object({ type: z.literal('interrupt_changed'), interrupt: Interrupt }),
	/** The recovery scan finished; what it found unfinished and what became of it. */
	z.object({
		type: z.literal('recovered'),
		runs: z.array(z.object({ runId: RunId, sessionId: SessionId, outcome: z.enum(['resumed', 'interrupted', 'asked']) })),
	}),
	z.object({ type: z.literal('health_changed'), health: Health }),
	z.object({ type: z.literal('config_changed') }),
	z.object({ type: z.literal('models_changed') }),
	z.object({ type: z.literal('secrets_changed') }),
	/** Entries or headings of these files changed; views take them anew. */
	z.object({ type: z.literal('memory_changed'), files: z.array(MemoryPath) }),
	z.object({ type: z.literal('index_changed'), index: IndexStatus }),
	/** A proposal came, was decided, or turned stale. */
	z.object({ type: z.literal('proposal_changed'), proposal: Proposal }),
	z.object({ type: z.literal('inbox_changed'), counts: InboxCounts }),
	z.object({ type: z.literal('workflow_changed'), instance: WorkflowInstance }),
	/** Files of `workflows/` changed. */
	z.object({ type: z.literal('workflows_changed') }),
	z.object({ type: z.literal('work_changed'), work: WorkStatus }),
	/** Text that a call under way put out: `text` belongs at UTF-16 offset `offset` of it. Shown while it runs, and not kept: its result is. */
	z.object({
		type: z.literal('tool_output'),
		runId: RunId,
		messageId: MessageId,
		callId: z.string(),
		offset: z.number().int().nonnegative(),
		text: z.string(),
	}),
	/** Records were added; views take the newest anew. */
	z.object({ type: z.literal('audit_grew'), records: z.number().int() }),
	z.object({ type: z.literal('permissions_changed') }),
	/** A tool server was added, changed, connected, lost. */
	z.object({ type: z.literal('servers_changed') }),
	z.object({ type: z.literal('skills_changed') }),
	/** A source was added, changed, read. */
	z.object({ type: z.literal('sources_changed') }),
	/** A look began, ended or is held; the owner is asked, or answered. */
	z.object({ type: z.literal('heartbeat_changed') }),
	/** A look found something, and the owner is to be told: once a look. */
	z.object({ type: z.literal('findings_wait'), found: z.number().int().positive(), waiting: z.number().int().positive() }),
	/** A task was made, changed, ran, was missed. */
	z.object({ type: z.literal('tasks_changed') }),
	/** What a task has to tell the owner: announced once for each occurrence. `text` absent: its words are from outside, or it failed. */
	z.object({
		type: z.literal('task_told'),
		taskId: TaskId,
		occurrenceId: OccurrenceId,
		title: z.string(),
		what: z.enum(['result', 'failed', 'blocked', 'missed', 'asks']),
		text: z.string().optional(),
	}),
	z.object({ type: z.literal('reminders_changed') }),
	/** It is time for it: announced once. */
	z.object({ type: z.literal('reminder_due'), reminder: Reminder }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;

/**
 * One item of the live stream. `seq` grows by one within an `epoch` (one life of the runtime). The first item is always
 * `ready`: `gap: false` means that everything after the asked-for `afterSeq` follows, `gap: true` that the view must take
 * its snapshots anew because the epoch changed or the buffer no longer reaches back that far.
 */
export const LiveItem = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready'), epoch: z.string(), seq: z.number().int().nonnegative(), gap: z.boolean() }),
	z.object({ type: z.literal('event'), seq: z.number().int().positive(), event: LiveEvent }),
]);
export type LiveItem = z.infer<typeof LiveItem>;
