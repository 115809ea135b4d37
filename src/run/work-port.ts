import type { WriteDb } from '../db/brands.ts';
import type { InterruptId, RunId, Timestamp } from '../domain/ids.ts';
import type { Usage } from '../domain/model.ts';

/**
 * What the engine needs of timers, Pause all and the meter. They are its siblings (`src/timer`); `app` brings them together. What is done
 * within a transaction is undone with it.
 */
export interface WorkPort {
	/** The run's wait ends at this time: the engine is told by `settleWait`. Once for each interrupt. */
	setTimer(tx: WriteDb, timer: { interruptId: InterruptId; runId: RunId; dueAt: Timestamp }): void;
	/** The wait is over, however it ended. In the transaction that ends it, so that a timer that was told is told again only where it changed nothing. */
	clearTimer(tx: WriteDb, interruptId: InterruptId): void;
	/**
	 * May this run take its next step now? Chats and what they delegated always may; a workflow's runs not while all is paused, outside the
	 * active hours, or over the day's budget. `engine.goOn()` is called as soon as that may have changed.
	 */
	mayGoOn(runId: RunId): boolean;
	/** Adds to the day's spending, in the transaction that finishes the model call. */
	spend(tx: WriteDb, runId: RunId, usage: Usage, at: Timestamp): void;
}
