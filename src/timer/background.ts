import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { WorkStatus } from '../contract/methods/runs.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Usage } from '../domain/model.ts';
import type { RunKind } from '../domain/run.ts';
import { wallClock } from '../schedule/local-time.ts';
import { type Hold, holdOnRuns, type Situation, type WorkRules } from './holds.ts';
import { addSpending, readSpending, spentUnattended } from './spending-store.ts';
import { clearPaused, pausedSince, setPaused } from './switch-store.ts';
import { Ticker } from './ticker.ts';
import { countTimers } from './timer-store.ts';

const SHOWN_DAYS = 7;
/** Changes that come closer are told together. */
const TELL_MS = 200;

export interface BackgroundDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	/** The owner's time zone, an IANA name. */
	readonly zone: string;
	/** Read anew each time. */
	readonly rules: () => WorkRules;
	readonly announce: (work: WorkStatus) => void;
	/** What was held may go on: ask again. */
	readonly onFreed: () => void;
	/** Before timers are told: time has passed, or the clock was set. */
	readonly onLook?: () => void;
}

/** Work that goes on by itself: its timers, and whether it may: Pause all, active hours, the day's budget. */
export class Background {
	readonly timers: Ticker;
	readonly #deps: BackgroundDeps;
	/** A run was refused its next step. */
	#holding = false;
	#telling: NodeJS.Timeout | undefined;
	#closed = false;

	constructor(deps: BackgroundDeps) {
		this.#deps = deps;
		this.timers = new Ticker({
			...deps,
			situation: () => this.#situation(),
			onChange: () => this.#changed(),
			alsoAt: () => this.#freeAt(),
			onLook: () => {
				deps.onLook?.();
				this.#free();
			},
		});
	}

	/** False: it waits until `onFreed`. `anyHour`: the owner asked for it now. */
	mayGoOn(work: RunKind, how?: { anyHour: boolean }): boolean {
		return this.holdOn(work, how) === undefined;
	}

	/** Why work of this kind would not go on now. */
	wouldHold(work: RunKind, how?: { anyHour: boolean }): Hold | undefined {
		return holdOnRuns(work, this.#situation(), how);
	}

	/** Why work of this kind does not go on now; then it waits until `onFreed`. */
	holdOn(work: RunKind, how?: { anyHour: boolean }): Hold | undefined {
		const hold = this.wouldHold(work, how);
		if (hold && !this.#holding) {
			this.#holding = true;
			this.timers.rearm();
		}
		return hold;
	}

	/** In the transaction that finishes the model call. */
	spend(tx: WriteDb, work: RunKind, usage: Usage, at: Timestamp): void {
		addSpending(tx, wallClock(at, this.#deps.zone).day, work, usage);
		this.#changed();
	}

	/** Nothing that is paused already is paused anew. */
	pauseAll(): WorkStatus {
		const { db, clock } = this.#deps;
		db.write((tx) => setPaused(tx, clock.now()), { makesRoom: true });
		return this.#switched();
	}

	/** What became due meanwhile is told now, once, in order. */
	resumeAll(): WorkStatus {
		this.#deps.db.write(clearPaused, { makesRoom: true });
		return this.#switched();
	}

	/** The clock or the owner's rules may have changed: look at what is due and what may go on. */
	rulesChanged(): void {
		this.timers.look();
		this.#changed();
	}

	status(): WorkStatus {
		const { db } = this.#deps;
		const pausedAt = pausedSince(db.read);
		const hold = this.#hold();
		const nextDueAt = this.timers.nextAt();
		return {
			paused: pausedAt !== undefined,
			...(pausedAt !== undefined && { pausedAt }),
			...(hold && hold.why !== 'paused' && { held: hold }),
			timers: countTimers(db.read),
			...(nextDueAt !== undefined && { nextDueAt }),
			usage: readSpending(db.read, SHOWN_DAYS),
		};
	}

	close(): void {
		this.#closed = true;
		clearTimeout(this.#telling);
		this.timers.close();
	}

	#switched(): WorkStatus {
		this.timers.look();
		this.#tell();
		return this.status();
	}

	#situation(): Situation {
		const { db, clock, zone, rules } = this.#deps;
		const now = clock.now();
		const spent = spentUnattended(db.read, wallClock(now, zone).day);
		return { now, zone, paused: pausedSince(db.read) !== undefined, rules: rules(), spent };
	}

	#hold(): Hold | undefined {
		return holdOnRuns('workflow', this.#situation());
	}

	#free(): void {
		if (!this.#holding || this.#hold()) return;
		this.#holding = false;
		this.#deps.onFreed();
	}

	/** When what is held goes on by itself. */
	#freeAt(): Timestamp | undefined {
		const hold = this.#holding ? this.#hold() : undefined;
		return hold && hold.why !== 'paused' ? hold.until : undefined;
	}

	#changed(): void {
		if (this.#telling || this.#closed) return;
		this.#telling = setTimeout(() => this.#tell(), TELL_MS);
		this.#telling.unref();
	}

	#tell(): void {
		clearTimeout(this.#telling);
		this.#telling = undefined;
		if (!this.#closed) this.#deps.announce(this.status());
	}
}
