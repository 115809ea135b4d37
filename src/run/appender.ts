import type { Logger } from '../base/logger.ts';
import type { WriteDb } from '../db/brands.ts';
import { isFullDisk } from '../db/errors.ts';
import type { RunId } from '../domain/ids.ts';
import type { Interrupt } from '../domain/run.ts';
import type { RunControl } from './control.ts';
import type { RunEvent } from './events.ts';
import type { RunLog } from './run-log.ts';
import type { RunState } from './state.ts';

const TRY_AGAIN_MS = 1_000;
/** Nothing is lost where one of these is not written: what it announces has not begun. */
const BEGINNINGS: ReadonlySet<RunEvent['type']> = new Set(['model_started', 'tool_started', 'interrupt_opened']);

/**
 * Appends for the driver, which must not lose the outcome of an effect because the disk is full just then: it keeps it in memory
 * and waits until there is room again. Once the owner has stopped the run, the reserve may be given up for it. Where the process
 * ends first, the journal says what it said, and recovery decides (R2).
 */
export class Appender {
	readonly #log: RunLog;
	readonly #logger: Logger;

	constructor(log: RunLog, logger: Logger) {
		this.#log = log;
		this.#logger = logger;
	}

	/** Does it once there is room. False where the run has to end first; then it was not done. */
	async whenRoom(runId: RunId, control: RunControl, act: () => void): Promise<boolean> {
		for (;;) {
			if (control.reason) return false;
			try {
				act();
				return true;
			} catch (error) {
				if (!isFullDisk(error)) throw error;
				this.#logger.warn('effect_waits_for_disk', { runId });
				await control.pause(TRY_AGAIN_MS);
			}
		}
	}

	/** The new state; undefined where the run was deleted, was stopped before it began the step, or the process ends before the disk takes it. */
	async append(
		runId: RunId,
		event: RunEvent,
		control: RunControl,
		also?: (tx: WriteDb, seq: number) => Interrupt[],
	): Promise<RunState | undefined> {
		for (;;) {
			if (this.#log.isGone(runId)) return undefined;
			const stopped = control.reason === 'stopped';
			if (stopped && BEGINNINGS.has(event.type)) return undefined;
			try {
				return this.#log.append(runId, event, also, { makesRoom: stopped });
			} catch (error) {
				if (!isFullDisk(error)) throw error;
				this.#logger.warn('journal_waits_for_disk', { runId, event: event.type });
				if (control.closing.aborted) return undefined;
				if (stopped) control.cannotSave(error);
				await control.pause(TRY_AGAIN_MS, stopped ? control.closing : control.signal);
			}
		}
	}
}
