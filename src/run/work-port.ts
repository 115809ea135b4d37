import type { WriteDb } from '../db/brands.ts';
import type { ErrorShape } from '../domain/errors.ts';
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
	 * May this run take its next step now? Chats and what they delegated always may; other runs not while all is paused, outside the
	 * active hours, or over a budget of the day. `engine.goOn()` is called as soon as that may have changed.
	 */
	mayGoOn(runId: RunId): boolean;
	/**
	 * Asked before each model call: why none may be made for this run today; undefined where one may. So each run goes beyond a limit by one call
	 * at most. Runs that `mayGoOn` holds wait; the others end with it.
	 */
	budgetUsed(runId: RunId): ErrorShape | undefined;
	/** Adds to the day's spending, in the transaction that finishes the model call. */
	spend(tx: WriteDb, runId: RunId, usage: Usage, at: Timestamp): void;
	/** As above, of a call beside the run's own, or of one that the journal does not get to know the end of. */
	spendNow(runId: RunId, usage: Usage): void;
}
