import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import { InterruptId, type RunId } from '../domain/ids.ts';
import type { RunKind } from '../domain/run.ts';
import { isOwnersLook } from '../heartbeat/tick-store.ts';
import type { RunEngine } from '../run/engine.ts';
import { rootKind } from '../run/root-kind.ts';
import type { WorkPort } from '../run/work-port.ts';
import { Background } from '../timer/background.ts';
import type { DueListener } from '../timer/ticker.ts';
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

export interface Work extends Pick<Background, 'holdOn' | 'wouldHold' | 'status' | 'pauseAll' | 'resumeAll' | 'rulesChanged' | 'timers'> {
	/** For the run engine. */
	readonly port: WorkPort;
	/** Called whenever what was held may go on. Register before `start`. */
	onFreed(listener: () => void): void;
	/** Called before timers are told, at least once an hour: time has passed, or the clock was set. Register before `start`. */
	onLook(listener: () => void): void;
	onDue(kind: string, listener: DueListener): void;
	/** Once who is told of timers has taken up what it had: what is due is told now. */
	start(): void;
	close(): void;
}

/** Brings timers, the pause and the meter together with what they are for. */
export function createWork({ db, config, live, logger, clock }: WorkDeps): Work {
	const freed: (() => void)[] = [];
	const looked: (() => void)[] = [];
	const background = new Background({
		db,
		clock,
		logger,
		zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
		rules: () => config.get().settings,
		announce: (work) => live.announce({ type: 'work_changed', work }),
		onFreed: () => {
			for (const listener of freed) listener();
		},
		onLook: () => {
			for (const listener of looked) listener();
		},
	});
	const stopListening = config.onChange(() => background.rulesChanged());
	const workOf = (runId: RunId): RunKind => rootKind(db.read, runId) ?? 'chat';
	const { timers } = background;
	const port: WorkPort = {
		setTimer: (tx, { interruptId, runId, dueAt }) =>
			timers.set(tx, { kind: INTERRUPT_TIMER, ref: interruptId, dueAt, work: rootKind(tx, runId) ?? 'chat' }),
		clearTimer: (tx, interruptId) => timers.clear(tx, INTERRUPT_TIMER, interruptId),
		mayGoOn: (runId) => background.mayGoOn(workOf(runId), { anyHour: isOwnersLook(db.read, runId) }),
		spend: (tx, runId, usage, at) => background.spend(tx, rootKind(tx, runId) ?? 'chat', usage, at),
	};
	return {
		port,
		timers,
		onFreed: (listener) => void freed.push(listener),
		onLook: (listener) => void looked.push(listener),
		onDue: (kind, listener) => timers.onDue(kind, listener),
		holdOn: (work, how) => background.holdOn(work, how),
		wouldHold: (work, how) => background.wouldHold(work, how),
		status: () => background.status(),
		pauseAll: () => background.pauseAll(),
		resumeAll: () => background.resumeAll(),
		rulesChanged: () => background.rulesChanged(),
		start: () => timers.start(),
		close: () => {
			stopListening();
			background.close();
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
