import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, sql, value } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';

/** Rows of `work_gaps`: when nothing went on by itself, and why. Beside them, in `switches`, the last sign of life. */

/** In the order in which one is named where several were in the way. `clock`: it was set past that time. */
const GAP_WHYS = ['closed', 'asleep', 'paused', 'budget_used', 'clock'] as const;
export type GapWhy = (typeof GAP_WHYS)[number];

export interface Gap {
	readonly startedAt: Timestamp;
	readonly endedAt: Timestamp;
	readonly why: GapWhy;
}

/** Nothing where it has no length. */
export function insertGap(tx: WriteDb, { startedAt, endedAt, why }: Gap): void {
	if (endedAt <= startedAt) return;
	run(
		tx,
		sql`INSERT INTO work_gaps (started_at, ended_at, why) VALUES (${startedAt}, ${endedAt}, ${why})
			ON CONFLICT (started_at, why) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)`,
	);
}

/** What was in the way at some time from `from` to `to`. */
export function gapBetween(db: ReadDb, from: Timestamp, to: Timestamp): GapWhy | undefined {
	const whys = new Set(
		all<{ why: GapWhy }>(db, sql`SELECT why FROM work_gaps WHERE started_at <= ${to} AND ended_at >= ${from}`).map(({ why }) => why),
	);
	return GAP_WHYS.find((why) => whys.has(why));
}

/** All that ended before. */
export function deleteOldGaps(tx: WriteDb, before: Timestamp): void {
	run(tx, sql`DELETE FROM work_gaps WHERE ended_at < ${before}`);
}

/** When the runtime last said that it lives; undefined before it ever did. */
export function lastAlive(db: ReadDb): Timestamp | undefined {
	return value<number>(db, sql`SELECT at FROM switches WHERE name = 'alive'`);
}

export function setAlive(tx: WriteDb, now: Timestamp): void {
	run(tx, sql`INSERT INTO switches (name, at) VALUES ('alive', ${now}) ON CONFLICT (name) DO UPDATE SET at = excluded.at`);
}

/** Since when the day's budget is used up; undefined where it is not. */
export function budgetUsedSince(db: ReadDb): Timestamp | undefined {
	return value<number>(db, sql`SELECT at FROM switches WHERE name = 'budget_used'`);
}

export function setBudgetUsed(tx: WriteDb, now: Timestamp): void {
	run(tx, sql`INSERT INTO switches (name, at) VALUES ('budget_used', ${now}) ON CONFLICT (name) DO UPDATE SET at = excluded.at`);
}

export function clearBudgetUsed(tx: WriteDb): void {
	run(tx, sql`DELETE FROM switches WHERE name = 'budget_used'`);
}
