import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { isFullDisk } from '../db/errors.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import type { Timestamp } from '../domain/ids.ts';
import { dayEnds } from '../schedule/local-time.ts';
import type { Jump } from './clock-watch.ts';
import { budgetUsedSince, clearBudgetUsed, deleteOldGaps, insertGap, lastAlive, setAlive, setBudgetUsed } from './gap-store.ts';

/** How often a runtime that has anything to do at all says that it lives. One that has not says so when it next wakes: within an hour. */
const ALIVE_EVERY_MS = 10 * 60_000;
/** A wake is noticed so late at the most. */
const NOTICED_MS = 30_000;
/** Nothing asks for older ones: what was missed before has its row. */
const GAP_DAYS = 400;
const DAY_MS = 86_400_000;

export interface GapsDeps {
	readonly db: StateDb;
	readonly clock: Pick<Clock, 'now'>;
	readonly logger: Logger;
	readonly zone: () => string;
	/** The budget of tasks is used up now. */
	readonly budgetUsed: () => boolean;
}

/** Remembers when nothing went on by itself, and why: what fell into it can say so (sch-3). Never throws: without room on the disk it is not known later. */
export class Gaps {
	readonly #deps: GapsDeps;
	#alive = 0;

	constructor(deps: GapsDeps) {
		this.#deps = deps;
	}

	/** Only for who owns the profile: from the last sign of life to now nothing ran. `setBack`: by the clock it lived later than now. */
	begin(): { readonly setBack: boolean } {
		const { db, clock } = this.#deps;
		const now = clock.now();
		const last = lastAlive(db.read);
		this.#write((tx) => {
			if (last !== undefined) insertGap(tx, { startedAt: last, endedAt: now, why: 'closed' });
			deleteOldGaps(tx, now - GAP_DAYS * DAY_MS);
			setAlive(tx, now);
		});
		this.#alive = now;
		this.look();
		return { setBack: last !== undefined && last > now };
	}

	/** Time has passed, or something was used. Cheap. */
	look(): void {
		const now = this.#deps.clock.now();
		if (Math.abs(now - this.#alive) >= ALIVE_EVERY_MS) {
			this.#alive = now;
			this.#write((tx) => setAlive(tx, now));
		}
		this.#lookAtBudget(now);
	}

	/** The machine slept, or its clock was set forward. */
	jumped({ what, ms }: Jump): void {
		if (ms <= 0) return;
		const now = this.#deps.clock.now();
		const startedAt = now - ms - (what === 'woke' ? NOTICED_MS : 0);
		this.#write((tx) => insertGap(tx, { startedAt, endedAt: now, why: what === 'woke' ? 'asleep' : 'clock' }));
	}

	/** For the owner the wall clock was set forward by it: they went east. */
	zoneMoved(ms: number): void {
		this.jumped({ what: 'clock', ms });
	}

	close(): void {
		this.#write((tx) => setAlive(tx, this.#deps.clock.now()));
	}

	#lookAtBudget(now: Timestamp): void {
		const { db, zone, budgetUsed } = this.#deps;
		const since = budgetUsedSince(db.read);
		const used = budgetUsed();
		const over = since !== undefined && (!used || dayEnds(since, zone()) <= now);
		if (over) {
			this.#write((tx) => {
				insertGap(tx, { startedAt: since, endedAt: Math.min(now, dayEnds(since, zone())), why: 'budget_used' });
				clearBudgetUsed(tx);
			});
		}
		if (used && (since === undefined || over)) this.#write((tx) => setBudgetUsed(tx, now));
	}

	#write(change: (tx: WriteDb) => void): void {
		try {
			this.#deps.db.write(change);
		} catch (error) {
			if (!isFullDisk(error)) this.#deps.logger.error('gap_not_saved', { error });
		}
	}
}
