import { waitForChild } from '../approvals/approval-store.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadDb } from '../db/brands.ts';
import type { InterruptId, RunId } from '../domain/ids.ts';
import type { RunSummary, WaitOutcome } from '../domain/run.ts';
import { isAtRest, outcomeOfChild } from './children.ts';
import { findRun } from './journal-store.ts';
import type { Later } from './later.ts';

export interface EndingsDeps {
	readonly db: ReadDb;
	readonly logger: Logger;
	readonly later: Later;
	/** Ends a wait; does nothing where it has ended. */
	readonly settle: (interruptId: InterruptId, outcome: WaitOutcome) => void;
}

/** Tells who waits for the end of a run: the run that delegated it, and whoever listens. Told again, it changes nothing. */
export class Endings {
	readonly #deps: EndingsDeps;
	readonly #listeners = new Set<(run: RunSummary) => void>();

	constructor(deps: EndingsDeps) {
		this.#deps = deps;
	}

	listen(listener: (run: RunSummary) => void): void {
		this.#listeners.add(listener);
	}

	/** If it ended. Never throws: what fails is told again. */
	tell(runId: RunId): void {
		const { db, logger, later, settle } = this.#deps;
		try {
			const wait = waitForChild(db, runId);
			const outcome = wait && outcomeOfChild(db, runId);
			if (wait && outcome) settle(wait, outcome);
			const run = findRun(db, runId);
			if (run && isAtRest(run.status)) for (const listener of this.#listeners) listener(run);
		} catch (error) {
			logger.warn('end_not_told', { runId, error });
			later.again('end_not_told', () => this.tell(runId));
		}
	}
}
