import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { WorkStatus } from '../contract/methods/runs.ts';
import { type BudgetState, SPENDING_DAYS, type SpendingReport } from '../contract/methods/spending.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Usage } from '../domain/model.ts';
import type { RunKind } from '../domain/run.ts';
import { BUDGET_NAMES, type BudgetName, isUsedUp, type SpendingKind } from '../domain/spending.ts';
import { dayAt, dayEnds } from '../schedule/local-time.ts';
import { insertGap } from './gap-store.ts';
import { type Hold, holdOnAll, holdOnRuns, type Situation, spentOfBudget, usedUpFor, type WorkRules } from './holds.ts';
import { addSpending, readSpending, spentOn } from './spending-store.ts';
import { clearPaused, pausedByRestoreOf, pausedSince, setPaused } from './switch-store.ts';
import { Ticker } from './ticker.ts';
import { countTimers } from './timer-store.ts';

const DAY_MS = 86_400_000;
/** Changes that come closer are told together. */
const TELL_MS = 200;

export interface BackgroundDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	/** The owner's time zone now, an IANA name. */
	readonly zone: () => string;
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
	/** Whose runs were refused their next step. */
	readonly #holding = new Map<string, { readonly work: RunKind; readonly how: { anyHour: boolean } }>();
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
	holdOn(work: RunKind, how = { anyHour: false }): Hold | undefined {
		const hold = this.wouldHold(work, how);
		const key = `${work} ${how.anyHour}`;
		if (hold && !this.#holding.has(key)) {
			this.#holding.set(key, { work, how });
			this.timers.rearm();
		}
		return hold;
	}

	/** The budget that is used up for this kind today: no model is called for it. */
	usedUp(kind: SpendingKind): BudgetState | undefined {
		const situation = this.#situation();
		const budget = usedUpFor(kind, situation);
		return budget && budgetState(budget, situation);
	}

	/** In the transaction that finishes the model call. */
	spend(tx: WriteDb, kind: SpendingKind, usage: Usage, at: Timestamp): void {
		const day = dayAt(at, this.#deps.zone());
		addSpending(tx, day, kind, usage, daysBefore(day, SPENDING_DAYS - 1));
		this.#changed();
	}

	/** The newest `days` days, today among them. */
	spending(days: number): SpendingReport {
		const situation = this.#situation();
		const { now, zone } = situation;
		const today = dayAt(now, zone);
		const from = daysBefore(today, days - 1);
		return {
			today,
			dayEndsAt: dayEnds(now, zone),
			from,
			budgets: BUDGET_NAMES.map((budget) => budgetState(budget, situation)),
			days: readSpending(this.#deps.db.read, from),
		};
	}

	/** Nothing that is paused already is paused anew. */
	pauseAll(): WorkStatus {
		const { db, clock } = this.#deps;
		db.write((tx) => setPaused(tx, clock.now()), { makesRoom: true });
		return this.#switched();
	}

	/** What became due meanwhile is told now, once, in order. */
	resumeAll(): WorkStatus {
		const { db, clock } = this.#deps;
		db.write(
			(tx) => {
				const startedAt = pausedSince(tx);
				if (startedAt !== undefined) insertGap(tx, { startedAt, endedAt: clock.now(), why: 'paused' });
				clearPaused(tx);
			},
			{ makesRoom: true },
		);
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
		const restoredFrom = pausedByRestoreOf(db.read);
		const situation = this.#situation();
		const hold = holdOnAll(situation);
		const nextDueAt = this.timers.nextAt();
		return {
			paused: pausedAt !== undefined,
			...(pausedAt !== undefined && { pausedAt }),
			...(restoredFrom !== undefined && { restoredFrom }),
			...(hold && hold.why !== 'paused' && { held: hold }),
			timers: countTimers(db.read),
			...(nextDueAt !== undefined && { nextDueAt }),
			budgets: BUDGET_NAMES.map((budget) => budgetState(budget, situation)),
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
		const { db, clock, rules } = this.#deps;
		const now = clock.now();
		const zone = this.#deps.zone();
		const spent = spentOn(db.read, dayAt(now, zone));
		return { now, zone, paused: pausedSince(db.read) !== undefined, rules: rules(), spent };
	}

	#free(): void {
		const free = [...this.#holding].filter(([, { work, how }]) => !this.wouldHold(work, how));
		if (free.length === 0) return;
		for (const [key] of free) this.#holding.delete(key);
		this.#deps.onFreed();
	}

	/** When something of what is held goes on by itself. */
	#freeAt(): Timestamp | undefined {
		const holds = [...this.#holding.values()].flatMap(({ work, how }) => this.wouldHold(work, how) ?? []);
		const times = holds.flatMap((hold) => (hold.why === 'paused' ? [] : [hold.until]));
		return times.length === 0 ? undefined : Math.min(...times);
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

function budgetState(budget: BudgetName, { now, zone, rules, spent }: Situation): BudgetState {
	const used = spentOfBudget(budget, spent);
	const limit = rules.budgets[budget];
	return { budget, ...used, limit, ...(isUsedUp(used, limit) && { until: dayEnds(now, zone) }) };
}

/** A calendar day, so many days earlier. */
function daysBefore(day: string, days: number): string {
	return new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
}
