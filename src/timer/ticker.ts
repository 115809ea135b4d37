import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { isFullDisk } from '../db/errors.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import type { Timestamp } from '../domain/ids.ts';
import { RunKind } from '../domain/run.ts';
import { nextDue, type Timer, tellable } from './due.ts';
import type { Situation } from './holds.ts';
import { claimDue, clearTimers, deleteTimer, earliestSlots, hasClaims, isClaimed, releaseClaims, setTimer, slotOf } from './timer-store.ts';

/** Node's timers do not count the machine's sleep, nor do they know when its clock is set: so late it is noticed without the shell's word. */
const LONGEST_SLEEP_MS = 3_600_000;
/** How soon to try again what the disk had no room for. */
const AGAIN_MS = 1_000;
/** Claimed in one go at most. */
const BATCH = 20;
/** How long slots are told one after another before the process does other things; those that are claimed and left are told next. */
const TURN_MS = 10;
/** So many are told however long they take. */
const LEAST = 4;

export interface TickerDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly situation: () => Situation;
	/** Timers were set, cleared or told. */
	readonly onChange: () => void;
	/** Beside slots: when something that is held goes on by itself; undefined where nothing is. */
	readonly alsoAt: () => Timestamp | undefined;
	/** Called at each look, before timers are told. */
	readonly onLook: () => void;
}

/**
 * Told that its slot has come. Idempotent: it may be told again after a crash. What it does should clear its timer in the transaction of its
 * effect; where it takes longer, the slot stays until its promise resolves. The others do not wait for that.
 */
export type DueListener = (ref: string) => void | Promise<void>;

/**
 * Tells each slot once, in order of due time, never before its time by the wall clock (dur-6). Between slots nothing runs: one `setTimeout` to
 * the next. A slot is claimed in one transaction and gone with its effect; what a crash leaves claimed is told again at the next start.
 */
export class Ticker {
	readonly #deps: TickerDeps;
	readonly #listeners = new Map<string, DueListener>();
	/** Claimed by this process and not told yet. */
	#claimed: Timer[] = [];
	#alarm: NodeJS.Timeout | undefined;
	#next: NodeJS.Immediate | undefined;
	#changed = false;
	#released = false;
	#state: 'new' | 'started' | 'closed' = 'new';

	constructor(deps: TickerDeps) {
		this.#deps = deps;
	}

	/** One listener a kind, before `start`. */
	onDue(kind: string, listener: DueListener): void {
		if (this.#listeners.has(kind)) throw new Error(`timers of kind ${kind} have a listener`);
		this.#listeners.set(kind, listener);
	}

	/** In the caller's transaction. The same slot is set once. */
	set(tx: WriteDb, timer: Omit<Timer, 'id'>): void {
		setTimer(tx, timer, this.#deps.clock.now());
		this.rearm();
	}

	/** In the caller's transaction: all slots of this matter. */
	clear(tx: WriteDb, kind: string, ref: string): void {
		clearTimers(tx, kind, ref);
		this.rearm();
	}

	/** The earliest slot of this matter, also while it is being told; undefined where there is none. */
	slot(kind: string, ref: string): Timestamp | undefined {
		return slotOf(this.#deps.db.read, kind, ref);
	}

	/** Only for who owns the profile: what the last process claimed and did not finish is told again. */
	start(): void {
		this.#state = 'started';
		this.look();
	}

	/** Tells what is due and sleeps until the next. Also for whoever knows that the clock or what holds has changed. */
	look(): void {
		if (this.#state !== 'started') return;
		clearTimeout(this.#alarm);
		clearImmediate(this.#next);
		try {
			this.#release();
			this.#deps.onLook();
			if (this.#tell()) this.#next = setImmediate(() => this.look());
			else this.#sleep();
		} catch (error) {
			if (!isFullDisk(error)) this.#deps.logger.error('timers_failed', { error });
			this.#sleepFor(AGAIN_MS);
		}
	}

	/** Sleeps until what comes next now: after the transaction under way, which may set thousands. */
	rearm(): void {
		if (this.#changed) return;
		this.#changed = true;
		queueMicrotask(() => {
			this.#changed = false;
			if (this.#state === 'closed') return;
			this.#deps.onChange();
			if (this.#state === 'started') this.#sleep();
		});
	}

	/** When a slot is told next as things stand; undefined where none is. */
	nextAt(): Timestamp | undefined {
		const slots = earliestSlots(this.#deps.db.read);
		for (const { work, dueAt } of this.#claimed) slots.set(work, Math.min(dueAt, slots.get(work) ?? dueAt));
		return nextDue(slots, this.#deps.situation());
	}

	close(): void {
		this.#state = 'closed';
		clearTimeout(this.#alarm);
		clearImmediate(this.#next);
	}

	#release(): void {
		if (this.#released) return;
		if (hasClaims(this.#deps.db.read)) this.#deps.logger.info('timers_told_again', { count: this.#deps.db.write(releaseClaims) });
		this.#released = true;
	}

	/** True where there may be more. */
	#tell(): boolean {
		const { db, clock, situation } = this.#deps;
		const now = clock.now();
		const works = tellable(RunKind.options, situation());
		const earliest = earliestSlots(db.read);
		// What was left of the turn before comes first.
		if (this.#nextClaimed() < 0 && works.some((work) => (earliest.get(work) ?? Number.POSITIVE_INFINITY) <= now)) {
			this.#claimed.push(...db.write((tx) => claimDue(tx, works, now, BATCH)));
			crashPoint('timer.claimed');
		}
		let told = 0;
		const until = clock.monotonic() + TURN_MS;
		for (let at = this.#nextClaimed(); at >= 0 && (told < LEAST || clock.monotonic() < until); at = this.#nextClaimed()) {
			const timer = this.#claimed[at] as Timer;
			this.#tellOne(timer);
			this.#claimed.splice(at, 1);
			told += 1;
		}
		if (told > 0) this.#deps.onChange();
		return told > 0;
	}

	/** What was told before may have changed what holds. */
	#nextClaimed(): number {
		if (this.#claimed.length === 0) return -1;
		const works = tellable(RunKind.options, this.#deps.situation());
		return this.#claimed.findIndex(({ work }) => works.includes(work));
	}

	#tellOne(timer: Timer): void {
		if (!isClaimed(this.#deps.db.read, timer.id)) return;
		const listener = this.#listeners.get(timer.kind);
		try {
			if (!listener) throw new Error(`nobody is told of timers of kind ${timer.kind}`);
			const working = listener(timer.ref);
			if (working) void this.#finish(timer, working);
			else this.#told(timer);
		} catch (error) {
			if (isFullDisk(error)) throw error;
			this.#failed(timer, error);
		}
	}

	/** Never rejects. */
	async #finish(timer: Timer, working: Promise<void>): Promise<void> {
		try {
			await working;
			if (this.#state === 'closed') return;
			this.#told(timer);
			this.#deps.onChange();
		} catch (error) {
			if (!isFullDisk(error)) this.#failed(timer, error);
			else {
				this.#claimed.unshift(timer);
				this.rearm();
			}
		}
	}

	#told({ id }: Timer): void {
		const { db } = this.#deps;
		crashPoint('timer.told');
		if (isClaimed(db.read, id)) db.write((tx) => deleteTimer(tx, id));
	}

	/** It stays claimed, so that the next start tells it again; the others need not wait for it. */
	#failed({ kind, ref, dueAt }: Timer, error: unknown): void {
		this.#deps.logger.error('timer_failed', { kind, ref, dueAt, error });
	}

	#sleep(): void {
		clearTimeout(this.#alarm);
		const times = [this.nextAt(), this.#deps.alsoAt()].filter((at) => at !== undefined);
		if (times.length === 0) return;
		const ms = Math.min(...times) - this.#deps.clock.now();
		this.#sleepFor(this.#claimed.length > 0 ? Math.max(AGAIN_MS, ms) : ms);
	}

	#sleepFor(ms: number): void {
		this.#alarm = setTimeout(() => this.look(), Math.min(LONGEST_SLEEP_MS, Math.max(0, ms)));
		this.#alarm.unref();
	}
}
