import type { Clock } from '../../base/clock.ts';
import type { StateDb, WriteDb } from '../../db/open.ts';
import type { Json } from '../../domain/json.ts';
import type { Label } from '../../domain/label.ts';
import { EVENT_PAYLOAD_CHARS } from '../../domain/run.ts';
import type { TaskId } from '../../domain/task.ts';
import type { Ticker } from '../../timer/ticker.ts';
import { deleteEvents, eventTimes, findWaitingTask, insertEvent, readEvents, waitingChars } from './event-store.ts';
import type { ClaimFired, TriggerEvent, WaitingTask } from './ports.ts';
import { quietUntil, standAsOne } from './quiet.ts';

/** Timers whose `ref` is a task with events that wait until it is quiet. */
export const QUIET_TIMER = 'task_quiet';

export interface GatherDeps {
	readonly db: StateDb;
	readonly clock: Pick<Clock, 'now'>;
	readonly timers: Pick<Ticker, 'set' | 'clear'>;
	readonly claim: ClaimFired;
	/** What comes with an event, without the secrets in it (S3). */
	readonly clean: (payload: Json, label: Label) => Json;
	/** After the transaction of a claim. */
	readonly claimed: () => void;
}

/**
 * Events of triggers: rows until it has been quiet, then one occurrence. Rows and their timer are one transaction, as are the occurrence and the end
 * of its rows: what happened is there once, whatever crashes. A pause and the active hours hold the timer, and the rows stay.
 */
export class Gathering {
	readonly #deps: GatherDeps;

	constructor(deps: GatherDeps) {
		this.#deps = deps;
	}

	/** In the caller's transaction, which knows the events once. Those with a key that waits already are none. */
	gather(tx: WriteDb, task: WaitingTask, events: readonly TriggerEvent[]): void {
		const now = this.#deps.clock.now();
		let room = EVENT_PAYLOAD_CHARS - waitingChars(tx, task.id);
		const fresh = events.filter(({ payload, item, ...event }) => {
			const cleaned = payload === undefined ? undefined : this.#deps.clean(payload, event.label);
			const named = item === undefined ? undefined : String(this.#deps.clean(item, event.label));
			// No more of it is ever told than this: a stream that is held for days must not fill the disk.
			const leavesOut = cleaned !== undefined && room <= 0;
			const isNew = insertEvent(tx, task.id, { ...event, item: named, ...(!leavesOut && { payload: cleaned }), leavesOut }, now);
			if (isNew && cleaned !== undefined) room -= JSON.stringify(cleaned).length;
			return isNew;
		});
		if (fresh.length > 0) this.#setTimer(tx, task);
	}

	/** Told that the quiet time may be over. */
	due(taskId: TaskId): void {
		const { db, clock, timers, claim, claimed } = this.#deps;
		const isClaimed = db.write((tx) => {
			timers.clear(tx, QUIET_TIMER, taskId);
			const task = findWaitingTask(tx, taskId);
			const times = eventTimes(tx, taskId);
			if (!task || !times) return false;
			const slot = quietUntil(times, task.quietSeconds);
			// The owner chose a longer quiet time meanwhile, or the clock was set back.
			if (slot > clock.now()) {
				this.#setTimer(tx, task);
				return false;
			}
			const fired = standAsOne(readEvents(tx, taskId), slot);
			deleteEvents(tx, taskId);
			claim(tx, taskId, fired);
			return true;
		});
		if (isClaimed) claimed();
	}

	/** In the transaction that pauses or ends the task: what it gathered is none. */
	drop(tx: WriteDb, taskId: TaskId): void {
		deleteEvents(tx, taskId);
		this.#deps.timers.clear(tx, QUIET_TIMER, taskId);
	}

	#setTimer(tx: WriteDb, { id, quietSeconds, work }: WaitingTask): void {
		const times = eventTimes(tx, id);
		if (!times) return;
		const { timers } = this.#deps;
		timers.clear(tx, QUIET_TIMER, id);
		timers.set(tx, { kind: QUIET_TIMER, ref: id, dueAt: quietUntil(times, quietSeconds), work });
	}
}
