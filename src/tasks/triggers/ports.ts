import type { WriteDb } from '../../db/brands.ts';
import type { Timestamp } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import type { Label } from '../../domain/label.ts';
import type { Occurrence, TaskId, Trigger } from '../../domain/task.ts';

/** The words between triggers, which gather what happens, and those who make occurrences of it. */

/** A task whose trigger listens: it is neither paused nor over. One that is blocked still gathers, so that its history says what came. */
export interface WaitingTask {
	readonly id: TaskId;
	readonly trigger: Trigger;
	readonly quietSeconds: number;
	/** Whether the active hours and the day's budget hold it. */
	readonly work: 'task' | 'chat';
}

/** Something that happened. */
export interface TriggerEvent {
	/** What happened, for people. No word of others, unless the owner chose it. */
	readonly name: string;
	/** Of its payload. */
	readonly label: Label;
	readonly payload?: Json | undefined;
	/** What it is about by its own name, such as a file's: a word of others where the label says so. */
	readonly item?: string | undefined;
	/** The same key for one task is one event, while it waits. */
	readonly key?: string | undefined;
}

/** Events that stand as one occurrence. */
export interface Fired {
	/** When the quiet time was over, whenever it is told. */
	readonly slot: Timestamp;
	readonly cause: NonNullable<Occurrence['cause']>;
	/** `{events, leftOut?}`: payloads of together at most `EVENT_PAYLOAD_CHARS` as JSON, and how many there was no room for. */
	readonly payload: Json | undefined;
}

/** In the transaction that takes the events away: one occurrence, run, queued or missed by the task's policies. */
export type ClaimFired = (tx: WriteDb, taskId: TaskId, fired: Fired) => void;
