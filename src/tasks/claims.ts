import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { RunKind } from '../domain/run.ts';
import type { Schedule, Slot } from '../domain/schedule.ts';
import type { MissedWhy, Occurrence, OccurrenceId, TaskDraft } from '../domain/task.ts';
import { newestSlots, nextSlot, slots, slotTimes } from '../schedule/slots.ts';
import type { Ticker } from '../timer/ticker.ts';
import { freeSlots, isFree, type Older, unclaimedFrom } from './free-slots.ts';
import { claimedSlots } from './history-store.ts';
import { type Hindrance, joined, judgeMissed, LATE_MS, type LateSlot, noteOf, type Verdict } from './missed.ts';
import type { StoredOccurrence } from './occurrence-row.ts';
import { type Cause, endOccurrence, freeSlot, getOccurrence, insertOccurrence, joinMissed, setWhy } from './occurrence-store.ts';
import { type StoredTask, setClaimed, setStatus, setZone } from './task-store.ts';
import { countOpen, openOccurrences } from './turn-store.ts';
import { followsOwnersZone } from './zones.ts';

/** Timers whose `ref` is a task: its next slot. */
export const TASK_TIMER = 'task';
/** Timers whose `ref` is a task that a trigger fires: the end of its pause. */
export const PAUSE_TIMER = 'task_pause';
/** Slots of one outage that have a row each; older ones stand together as one. */
export const MOST_ROWS = 50;
/** Of one task that wait for their turn. */
export const MOST_QUEUED = 20;

export interface ClaimsDeps {
	readonly clock: Pick<Clock, 'now'>;
	readonly timers: Pick<Ticker, 'set' | 'clear'>;
	/** The owner's, now. */
	readonly zone: () => string;
	/** What kept work of this kind from going on at some time from `from` to `to`; undefined where nothing is known that did. */
	readonly hindrance: (db: ReadDb, from: Timestamp, to: Timestamp, work: RunKind) => Exclude<Hindrance, 'late'> | undefined;
}

/** What a claim made: rows that wait for their turn, runs that are to make room, and rows that the owner is told of. */
export interface Claimed {
	readonly queued: StoredOccurrence[];
	readonly replaced: StoredOccurrence[];
	readonly missed: StoredOccurrence[];
}

interface Unclaimed {
	readonly due: readonly Slot[];
	readonly older: readonly Older[];
}

type New = Pick<Occurrence, 'by'> & {
	readonly slot: Timestamp;
	readonly note?: string | undefined;
	readonly cause?: Cause;
	readonly payload?: Json | undefined;
};

/** A reminder is the owner's own wish: neither hours nor budgets hold it. */
export function workOf({ work }: Pick<TaskDraft, 'work'>): RunKind {
	return work.kind === 'reminder' ? 'chat' : 'task';
}

/** The schedule with the owner's pause; undefined where a trigger fires it. */
export function scheduleOf({ draft: { when }, pausedUntil }: Pick<StoredTask, 'draft' | 'pausedUntil'>): Schedule | undefined {
	if (when.kind !== 'schedule') return undefined;
	const until = Math.max(pausedUntil ?? 0, when.schedule.pausedUntil ?? 0);
	return until === 0 ? when.schedule : { ...when.schedule, pausedUntil: until };
}

/**
 * Gives each slot its row, once (R5): what came since `claimedTo` is claimed in one transaction with the timer of the next. Nothing between is
 * dropped: a slot runs, waits for its turn, or says in its row why it did not.
 */
export class Claims {
	readonly #deps: ClaimsDeps;

	constructor(deps: ClaimsDeps) {
		this.#deps = deps;
	}

	/** In the caller's transaction. */
	claim(tx: WriteDb, task: StoredTask, now: Timestamp): Claimed {
		const claimed: Claimed = { queued: [], replaced: [], missed: [] };
		const schedule = scheduleOf(task);
		if (!schedule || task.status === 'ended' || isPaused(task, now)) {
			this.#deps.timers.clear(tx, TASK_TIMER, task.id);
			return claimed;
		}
		const { newest, older } = newestSlots(schedule, unclaimedFrom(task, now), now, MOST_ROWS, this.#options(task));
		const pending = newest.findIndex(({ dueAt }) => dueAt > now);
		const due = pending < 0 ? newest : newest.slice(0, pending);
		const last = due.at(-1)?.at ?? older?.last;
		if (task.status === 'paused') setStatus(tx, task.id, 'on');
		if (last !== undefined) {
			const status = task.status === 'paused' ? 'on' : task.status;
			this.#decide(tx, { ...task, status }, this.#withoutRows(tx, task, schedule, { due, older }), now, claimed);
			setClaimed(tx, task.id, last);
		}
		this.arm(tx, last === undefined ? task : { ...task, claimedTo: last });
		return claimed;
	}

	/** In the caller's transaction: the timer of the next slot, and of none but that. Without one the task has ended. */
	arm(tx: WriteDb, task: StoredTask): void {
		const { timers, zone } = this.#deps;
		timers.clear(tx, TASK_TIMER, task.id);
		timers.clear(tx, PAUSE_TIMER, task.id);
		const schedule = scheduleOf(task);
		if (!schedule) {
			const { status, pausedUntil } = task;
			// No other pause, nor the hours, makes the owner's own last longer.
			if (status === 'paused' && pausedUntil !== undefined)
				timers.set(tx, { kind: PAUSE_TIMER, ref: task.id, dueAt: pausedUntil, work: 'chat' });
			return;
		}
		if (task.status === 'paused' && task.pausedUntil === undefined) return;
		setZone(tx, task.id, followsOwnersZone(schedule.timing) ? zone() : undefined);
		const next = nextSlot(schedule, task.claimedTo, this.#options(task));
		if (next) timers.set(tx, { kind: TASK_TIMER, ref: task.id, dueAt: next.dueAt, work: workOf(task.draft) });
		else if (task.status === 'on' || task.status === 'paused') setStatus(tx, task.id, 'ended');
	}

	/** In the caller's transaction: a trigger listens again where its pause is over. False: it does not. */
	endPause(tx: WriteDb, task: StoredTask, now: Timestamp): boolean {
		if (task.status !== 'paused' || isPaused(task, now) || scheduleOf(task)) return false;
		setStatus(tx, task.id, 'on');
		this.arm(tx, { ...task, status: 'on' });
		return true;
	}

	/** In the caller's transaction, where it has claimed what was due: a slot that came, and whose delay is not over, is not waited for any more. */
	skipDelayed(tx: WriteDb, task: StoredTask, note: string, now: Timestamp): void {
		const schedule = scheduleOf(task);
		if (!schedule || (task.status !== 'on' && task.status !== 'blocked')) return;
		const claimed: Claimed = { queued: [], replaced: [], missed: [] };
		for (const { at } of slots(schedule, task.claimedTo, now, this.#options(task)))
			this.#add(tx, task, { by: 'schedule', slot: at, state: 'skipped', why: 'owner', note }, now, claimed);
	}

	/** In the caller's transaction: an event, or the owner's *Run now*. `slot`: when it was to run. */
	occur(
		tx: WriteDb,
		task: StoredTask,
		given: { by: 'trigger' | 'owner'; slot: Timestamp; cause?: Cause; payload?: Json | undefined },
		now: Timestamp,
	): Claimed {
		const claimed: Claimed = { queued: [], replaced: [], missed: [] };
		const slot = freeSlot(tx, task.id, given.by, given.slot);
		const { by, cause, payload } = given;
		const one: New = { by, slot, ...(cause && { cause }), ...(payload !== undefined && { payload }) };
		if (by === 'owner') this.#enqueue(tx, task, one, now, claimed);
		else if (task.status === 'blocked') this.#addJoined(tx, task, one, 'blocked', now, claimed);
		else if (now - slot <= LATE_MS) this.#admit(tx, task, [one], now, claimed);
		else {
			const late = { slot: { at: slot, dueAt: slot }, hindrance: this.#hindranceAt(tx, task, slot) };
			const [verdict] = judgeMissed(task.draft.missed, [late], now, false);
			if (verdict?.state === 'queued') this.#admit(tx, task, [{ ...one, note: verdict.note }], now, claimed);
			else if (verdict) this.#add(tx, task, { ...one, ...verdict }, now, claimed);
		}
		return claimed;
	}

	/** What waited for its turn when everything stopped is late now: what becomes of it is the policy's to say, too. */
	judgeAgain(tx: WriteDb, task: StoredTask, occurrence: StoredOccurrence, now: Timestamp): StoredOccurrence | undefined {
		const hindrance = this.#deps.hindrance(tx, occurrence.createdAt, now, workOf(task.draft));
		if (now - occurrence.slot <= LATE_MS || hindrance === undefined) return undefined;
		const late: LateSlot = { slot: { at: occurrence.slot, dueAt: occurrence.slot }, hindrance };
		const [verdict] = judgeMissed(task.draft.missed, [late], now, false);
		if (!verdict || verdict.state === 'queued') return undefined;
		endOccurrence(tx, occurrence.id, { ...verdict, nothingToDeliver: true }, now);
		return getOccurrence(tx, occurrence.id);
	}

	/** After a clock was set back, some of what comes has its row already. */
	#withoutRows(
		tx: WriteDb,
		task: StoredTask,
		schedule: Schedule,
		{ due, older }: { due: readonly Slot[]; older: Older | undefined },
	): Unclaimed {
		const first = older?.first ?? due[0]?.at ?? 0;
		const rows = claimedSlots(tx, task.id, first, due.at(-1)?.at ?? older?.last ?? 0);
		if (rows.length === 0) return { due, older: older ? [older] : [] };
		const free = due.filter(({ at }) => isFree(rows, at));
		if (!older) return { due: free, older: [] };
		const options = this.#options(task);
		const passed = freeSlots(rows, slotTimes(schedule, older.first - 1, older.last, options), MOST_ROWS - free.length);
		return { due: [...passed.newest.flatMap((at) => slots(schedule, at - 1, at, options)), ...free], older: passed.older };
	}

	#decide(tx: WriteDb, task: StoredTask, { due, older }: Unclaimed, now: Timestamp, claimed: Claimed): void {
		if (task.status === 'blocked') {
			for (const each of older) this.#addOlder(tx, task, each, { state: 'missed', why: 'blocked' }, now, claimed);
			for (const { at } of due) {
				this.#addJoined(tx, task, { by: 'schedule', slot: at }, 'blocked', now, claimed);
			}
			return;
		}
		const inTime = due.filter(({ dueAt }) => now - dueAt <= LATE_MS);
		const late = due
			.filter(({ dueAt }) => now - dueAt > LATE_MS)
			.map((slot) => ({ slot, hindrance: this.#hindranceAt(tx, task, slot.dueAt) }));
		const grouped = older.map(({ first, last }) => ({ slot: { at: first, dueAt: last }, hindrance: this.#hindranceAt(tx, task, last) }));
		const judged = judgeMissed(task.draft.missed, [...grouped, ...late], now, inTime.length > 0);
		const [groups, verdicts] = [judged.slice(0, older.length), judged.slice(older.length)];
		// Where a newer one runs, there is nothing to see to.
		const runs = inTime.length > 0 || verdicts.some(({ state }) => state === 'queued');
		older.forEach((each, index) => {
			const verdict = groups[index];
			if (verdict && verdict.state !== 'queued')
				this.#addOlder(tx, task, each, { ...verdict, seen: runs && verdict.state === 'missed' }, now, claimed);
		});
		const toRun: New[] = [];
		late.forEach(({ slot }, index) => {
			const verdict = verdicts[index];
			if (verdict?.state === 'queued') toRun.push({ by: 'schedule', slot: slot.at, note: joined(verdict.note, noteOf(slot)) });
			else if (verdict)
				this.#add(tx, task, { by: 'schedule', slot: slot.at, ...verdict, seen: runs && verdict.state === 'missed' }, now, claimed);
		});
		for (const slot of inTime) toRun.push({ by: 'schedule', slot: slot.at, note: noteOf(slot) });
		this.#admit(tx, task, toRun, now, claimed);
	}

	/** By the overlap policy, against what was under way before them. */
	#admit(tx: WriteDb, task: StoredTask, all: readonly New[], now: Timestamp, claimed: Claimed): void {
		if (all.length === 0) return;
		const running = openOccurrences(tx, 'running', task.id);
		const queued = openOccurrences(tx, 'queued', task.id);
		const { overlap } = task.draft;
		if (running.length + queued.length > 0 && overlap === 'skip') {
			for (const one of all) this.#add(tx, task, { ...one, state: 'skipped', why: 'busy' }, now, claimed);
			return;
		}
		if (overlap === 'replace') {
			const begun = queued.filter(({ attempt }) => attempt > 0);
			for (const { id, attempt } of queued)
				endOccurrence(tx, id, { state: attempt > 0 ? 'stopped' : 'skipped', why: 'replaced', nothingToDeliver: true }, now);
			for (const { id } of running) setWhy(tx, id, 'replaced');
			claimed.replaced.push(...begun, ...running);
		}
		for (const one of all) this.#enqueue(tx, task, one, now, claimed);
	}

	#enqueue(tx: WriteDb, task: StoredTask, one: New, now: Timestamp, claimed: Claimed): void {
		const full = one.by !== 'owner' && countOpen(tx, 'queued', task.id) >= MOST_QUEUED;
		if (!full) this.#add(tx, task, { ...one, state: 'queued' }, now, claimed);
		// Events know no end, as times do.
		else if (one.by === 'trigger') this.#addJoined(tx, task, one, 'queue_full', now, claimed);
		else this.#add(tx, task, { ...one, state: 'missed', why: 'queue_full' }, now, claimed);
	}

	/** Of those that are missed for the same reason, one after the other, the first stands for all until the owner has seen it. */
	#addJoined(tx: WriteDb, task: StoredTask, one: New, why: 'blocked' | 'queue_full', now: Timestamp, claimed: Claimed): void {
		const { by, slot } = one;
		if (!joinMissed(tx, { taskId: task.id, by, why, slot })) this.#add(tx, task, { ...one, state: 'missed', why }, now, claimed);
	}

	#addOlder(
		tx: WriteDb,
		task: StoredTask,
		{ count, first, last }: Older,
		verdict: Exclude<Verdict, { state: 'queued' }> & { seen?: boolean },
		now: Timestamp,
		claimed: Claimed,
	): void {
		const more = count > 1 ? { count, lastSlot: last } : {};
		this.#add(tx, task, { by: 'schedule', slot: first, ...more, ...verdict }, now, claimed);
	}

	#add(
		tx: WriteDb,
		task: StoredTask,
		one: New & { state: Occurrence['state']; why?: MissedWhy; count?: number; lastSlot?: Timestamp; seen?: boolean },
		now: Timestamp,
		claimed: Claimed,
	): void {
		const id = newId<OccurrenceId>();
		if (!insertOccurrence(tx, { ...one, id, taskId: task.id }, now)) return;
		if (one.state === 'queued') claimed.queued.push(getOccurrence(tx, id));
		if ((one.state === 'missed' || one.state === 'asks') && !one.seen) claimed.missed.push(getOccurrence(tx, id));
	}

	#hindranceAt(tx: WriteDb, { draft }: StoredTask, at: Timestamp): Hindrance {
		return this.#deps.hindrance(tx, at, at, workOf(draft)) ?? 'late';
	}

	#options({ id }: Pick<StoredTask, 'id'>) {
		return { zone: this.#deps.zone(), seed: id };
	}
}

/** By the owner, and not over yet. */
export function isPaused({ status, pausedUntil }: Pick<StoredTask, 'status' | 'pausedUntil'>, now: Timestamp): boolean {
	return status === 'paused' && (pausedUntil === undefined || pausedUntil > now);
}
