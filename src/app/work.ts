import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { type ErrorShape, HearthError } from '../domain/errors.ts';
import { InterruptId, type RunId } from '../domain/ids.ts';
import type { Usage } from '../domain/model.ts';
import type { Noticed } from '../domain/noticed.ts';
import { SpendingKind } from '../domain/spending.ts';
import { isOwnersLook } from '../heartbeat/tick-store.ts';
import type { RunEngine } from '../run/engine.ts';
import { rootKind, rootRun } from '../run/root-kind.ts';
import type { WorkPort } from '../run/work-port.ts';
import { zoneClock } from '../schedule/zone-clock.ts';
import { isOwnersRun } from '../tasks/run-store.ts';
import { Background } from '../timer/background.ts';
import { ClockWatch, type Jump } from '../timer/clock-watch.ts';
import { Gaps } from '../timer/gaps.ts';
import { systemZone } from '../timer/system-zone.ts';
import type { DueListener } from '../timer/ticker.ts';
import { budgetError } from './budget-error.ts';
import type { ConfigStore } from './config.ts';
import type { Live } from './live.ts';

/** Timers whose `ref` is an interrupt. */
const INTERRUPT_TIMER = 'interrupt';

export interface WorkDeps {
	readonly db: StateDb;
	readonly config: Pick<ConfigStore, 'get' | 'onChange'>;
	readonly live: Pick<Live, 'announce'>;
	readonly logger: Logger;
	readonly clock: Clock;
}

export interface Work
	extends Pick<Background, 'holdOn' | 'wouldHold' | 'status' | 'spending' | 'pauseAll' | 'resumeAll' | 'rulesChanged' | 'timers'> {
	/** For the run engine. */
	readonly port: WorkPort;
	readonly meter: Meter;
	/** Whose use of models a run's is. Chats' where it is none, or gone. */
	kindOf(runId: RunId | undefined): SpendingKind;
	/** Called whenever what was held may go on. Register before `start`. */
	onFreed(listener: () => void): void;
	/** Called before timers are told, at least once an hour: time has passed, or the clock was set. Register before `start`. */
	onLook(listener: () => void): void;
	onDue(kind: string, listener: DueListener): void;
	/** Called before what is due by now is told. Register before `start`. */
	onNoticed(listener: (noticed: NoticedNow) => void): void;
	/** The shell's word; without it a sleep and a clock that was set are noticed, too, a little later. */
	noticed(noticed: Noticed): void;
	/** The owner's zone now, an IANA name. */
	zone(): string;
	/** Called before what is due by now is told, when the owner's zone is another than `before`. Register before `start`. */
	onZone(listener: (before: string) => void): void;
	/** When nothing went on by itself, and why. */
	readonly gaps: Gaps;
	/** Once who is told of timers has taken up what it had: what is due is told now. */
	start(): void;
	close(): void;
}

/** For model calls that are no run's: counted with the kind of work they are for. */
export interface Meter {
	/** Throws `budget_used` where no model may be called for this kind today. */
	check(kind: SpendingKind): void;
	/** Never throws: what was used is used, also where the disk is full. */
	used(kind: SpendingKind, usage: Usage): void;
}

/** What was noticed of the machine, by the shell or by the runtime itself. */
export type NoticedNow = Jump | Extract<Noticed, { what: 'unlocked' }>;

/** Brings timers, the pause and the meter together with what they are for. */
export function createWork({ db, config, live, logger, clock }: WorkDeps): Work {
	const freed: (() => void)[] = [];
	const looked: (() => void)[] = [];
	const noticing: ((noticed: NoticedNow) => void)[] = [];
	const moved: ((before: string) => void)[] = [];
	let [zone, ofSystem] = [systemZone(), systemZone()];
	/** The shell's word counts until the system's is another. */
	const lookAtZone = (told?: string): void => {
		const [before, system] = [zone, systemZone()];
		if (told !== undefined) zone = told;
		else if (system !== ofSystem) zone = system;
		ofSystem = system;
		if (zone === before) return;
		logger.info('zone_changed', { before, zone });
		gaps.zoneMoved(zoneClock(zone).offsetAt(clock.now()) - zoneClock(before).offsetAt(clock.now()));
		for (const listener of moved) listener(before);
	};
	const gaps = new Gaps({
		db,
		clock,
		logger,
		zone: () => zone,
		budgetUsed: () => background.wouldHold('task', { anyHour: true })?.why === 'budget_used',
	});
	const tellNoticed = (noticed: NoticedNow): void => {
		if (noticed.what !== 'unlocked') gaps.jumped(noticed);
		lookAtZone(noticed.zone);
		for (const listener of noticing) listener(noticed);
	};
	const background = new Background({
		db,
		clock,
		logger,
		zone: () => zone,
		rules: () => config.get().settings,
		announce: (work) => {
			live.announce({ type: 'work_changed', work });
			if (started) gaps.look();
		},
		onFreed: () => {
			for (const listener of freed) listener();
		},
		onLook: () => {
			watch.check();
			gaps.look();
			for (const listener of looked) listener();
		},
	});
	let started = false;
	const watch = new ClockWatch({ clock, onJump: tellNoticed, onLook: lookAtZone, onNoticed: () => background.rulesChanged() });
	const stopListening = config.onChange(() => background.rulesChanged());
	/** Work that somebody delegated is at no root. */
	const kindOf = (tx: ReadDb, runId: RunId): SpendingKind => SpendingKind.catch('chat').parse(rootKind(tx, runId));
	const used: Meter['used'] = (kind, usage) => {
		try {
			db.write((tx) => background.spend(tx, kind, usage, clock.now()), { makesRoom: true });
		} catch (error) {
			logger.error('spending_not_saved', { kind, ...usage, error });
		}
	};
	const budgetUsed = (kind: SpendingKind): ErrorShape | undefined => {
		const budget = background.usedUp(kind);
		return budget && budgetError(budget).shape;
	};
	const { timers } = background;
	const port: WorkPort = {
		setTimer: (tx, { interruptId, runId, dueAt }) =>
			timers.set(tx, { kind: INTERRUPT_TIMER, ref: interruptId, dueAt, work: rootKind(tx, runId) ?? 'chat' }),
		clearTimer: (tx, interruptId) => timers.clear(tx, INTERRUPT_TIMER, interruptId),
		mayGoOn: (runId) => {
			const root = rootRun(db.read, runId);
			// The owner asked for it now: a look, a run of a task, a test.
			const anyHour = root !== undefined && (isOwnersLook(db.read, root.id) || isOwnersRun(db.read, root));
			return background.mayGoOn(root?.kind ?? 'chat', { anyHour });
		},
		budgetUsed: (runId) => budgetUsed(kindOf(db.read, runId)),
		spend: (tx, runId, usage, at) => background.spend(tx, kindOf(tx, runId), usage, at),
		spendNow: (runId, usage) => used(kindOf(db.read, runId), usage),
	};
	return {
		port,
		meter: {
			check: (kind) => {
				const refused = budgetUsed(kind);
				if (refused) throw new HearthError(refused);
			},
			used,
		},
		kindOf: (runId) => (runId === undefined ? 'chat' : kindOf(db.read, runId)),
		timers,
		onFreed: (listener) => void freed.push(listener),
		onLook: (listener) => void looked.push(listener),
		onDue: (kind, listener) => timers.onDue(kind, listener),
		onNoticed: (listener) => void noticing.push(listener),
		noticed: (noticed) => {
			if (noticed.what === 'unlocked') tellNoticed(noticed);
			else watch.told(noticed.what, noticed.zone);
			background.rulesChanged();
		},
		holdOn: (work, how) => background.holdOn(work, how),
		wouldHold: (work, how) => background.wouldHold(work, how),
		status: () => background.status(),
		spending: (days) => background.spending(days),
		pauseAll: () => background.pauseAll(),
		resumeAll: () => background.resumeAll(),
		rulesChanged: () => background.rulesChanged(),
		zone: () => zone,
		onZone: (listener) => void moved.push(listener),
		gaps,
		start: () => {
			started = true;
			watch.start();
			timers.start();
		},
		close: () => {
			stopListening();
			watch.close();
			background.close();
			if (started) gaps.close();
			started = false;
		},
	};
}

/** Runs are told of the end of their waits, and of what no longer holds them. Before `start`. */
export function wakeRuns(work: Pick<Work, 'onDue' | 'onFreed'>, engine: Pick<RunEngine, 'settleWait' | 'goOn'>): void {
	work.onFreed(() => engine.goOn());
	work.onDue(INTERRUPT_TIMER, (ref) => {
		const id = InterruptId.parse(ref);
		// Which of the two it is depends on what it waits for; the other does nothing.
		engine.settleWait(id, { type: 'time_came' });
		engine.settleWait(id, { type: 'timed_out' });
	});
}
