import type { Logger } from '../base/logger.ts';
import { isFullDisk } from '../db/errors.ts';
import type { StateDb } from '../db/open.ts';
import type { Timestamp } from '../domain/ids.ts';
import { deleteOldOccurrences } from './history-store.ts';

/** What is kept of a task's history: its newest rows, and all of the last days. What is open, or waits for the owner's look, stays. */
export const KEPT_ROWS = 500;
export const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;
/** In one transaction. */
const AT_ONCE = 2_000;

export interface CollectDeps {
	readonly db: StateDb;
	readonly clock: { now(): Timestamp };
	readonly logger: Logger;
}

/** Cheap where there is nothing to collect. Never throws: the next time collects what is left. */
export function collectOccurrences({ db, clock, logger }: CollectDeps): void {
	try {
		const before = clock.now() - KEPT_DAYS * DAY_MS;
		while (db.write((tx) => deleteOldOccurrences(tx, { before, keep: KEPT_ROWS, most: AT_ONCE })) === AT_ONCE);
	} catch (error) {
		if (!isFullDisk(error)) logger.warn('tasks_not_collected', { error });
	}
}
