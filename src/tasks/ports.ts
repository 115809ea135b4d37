import type { WriteDb } from '../db/brands.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { RunId, SessionId, WorkflowInstanceId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { ReminderId } from '../domain/reminder.ts';
import type { Occurrence, TaskDraft, TaskId } from '../domain/task.ts';

/** The words between tasks, which claim slots, and those who do what a task is for. */

/** A task as its doer needs it. */
export interface TaskForWork {
	readonly id: TaskId;
	readonly draft: TaskDraft;
	readonly label: Label;
	/** The one running session, where it has one already. */
	readonly sessionId: SessionId | undefined;
	/** The chat that its results go to, where there is one already. */
	readonly chatId: SessionId | undefined;
}

/** An occurrence about to run. */
export interface OccurrenceForWork extends Occurrence {
	/** What fired it: another's words unless its cause says otherwise. */
	readonly payload: Json | undefined;
	readonly causeSources: readonly ContextSource[];
}

/** What was begun, as its row keeps it. */
export interface Begun {
	readonly runId?: RunId;
	readonly sessionId?: SessionId;
	readonly instanceId?: WorkflowInstanceId;
	readonly reminderId?: ReminderId;
	/** Over with its beginning: a reminder. */
	readonly done?: true;
}

/** How an occurrence's work stands. */
export type Standing =
	| { readonly kind: 'going_on' }
	/** For the owner, a time, an event. */
	| { readonly kind: 'waiting' }
	| { readonly kind: 'done'; readonly text: string; readonly label: Label }
	| { readonly kind: 'failed'; readonly error: ErrorShape; readonly text: string; readonly label: Label }
	| { readonly kind: 'stopped' };

/** Does what tasks of one kind are for. All of it may be asked again after a crash, and does nothing twice. */
export interface TaskDoer {
	/** In the transaction that makes the occurrence running: both or neither (R5). Throws a HearthError where it can't be begun: then it failed. */
	begin(tx: WriteDb, task: TaskForWork, occurrence: OccurrenceForWork): Begun;
	/** After the commit. */
	start(occurrence: Occurrence): void;
	/** Goes on with what failed, at the step that failed: finished steps are not done again (sch-5). */
	retry(task: TaskForWork, occurrence: Occurrence): void;
	stop(occurrence: Occurrence): Promise<void>;
	standing(occurrence: Occurrence): Standing;
	/** What it used so far. */
	used(occurrence: Occurrence): { readonly tokens: number; readonly costUsd: number };
}

/** Puts what an occurrence said where it belongs, once, whatever crashes: under the key of the occurrence. Resolves to where that is. */
export type DeliverResult = (
	task: TaskForWork,
	occurrence: Occurrence,
	standing: Extract<Standing, { kind: 'done' | 'failed' }>,
) => Promise<Occurrence['result']>;
