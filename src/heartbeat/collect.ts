import type { Logger } from '../base/logger.ts';
import { isFullDisk } from '../db/errors.ts';
import type { StateDb } from '../db/open.ts';
import type { RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { deleteSession } from '../sessions/session-store.ts';
import { quotedItems } from './digest-store.ts';
import { collectItems } from './item-store.ts';
import { deleteOldTicks, sessionsOfOldLooks } from './tick-store.ts';

/** What is kept of background work, and how long. What is known of items (their keys) stays: nothing is read twice. */

const DAY = 24 * 60 * 60_000;
/** Texts of items that were considered; what a finding quotes that waits is kept until it is decided. */
export const ITEM_DAYS = 30;
export const MOST_READ_ITEMS = 20_000;
/** Prompts and answers of looks, for whoever wants to see what a model was given. */
export const RUN_DAYS = 7;
export const MOST_TICKS = 500;
/** Sessions deleted in one transaction. */
const AT_ONCE = 20;

export interface CollectDeps {
	readonly db: StateDb;
	readonly clock: { now(): Timestamp };
	readonly logger: Logger;
	/** Their journals are missing from now on, and that is right so. */
	readonly gone: (runIds: readonly RunId[]) => void;
}

/** Cheap where there is nothing to collect. Never throws: the next look collects what is left. */
export function collectLooks({ db, clock, logger, gone }: CollectDeps): void {
	try {
		const now = clock.now();
		for (;;) {
			const old = sessionsOfOldLooks(db.read, now - RUN_DAYS * DAY, AT_ONCE);
			if (old.length === 0) break;
			db.write((tx) => {
				for (const sessionId of new Set(old.map((each): SessionId => each.sessionId))) deleteSession(tx, sessionId);
			});
			gone(old.map(({ runId }) => runId));
		}
		const spare = quotedItems(db.read);
		const items = db.write((tx) => {
			deleteOldTicks(tx, MOST_TICKS);
			return collectItems(tx, { before: now - ITEM_DAYS * DAY, keep: MOST_READ_ITEMS, spare });
		});
		if (items > 0) logger.info('items_collected', { items });
	} catch (error) {
		if (!isFullDisk(error)) logger.warn('looks_not_collected', { error });
	}
}
