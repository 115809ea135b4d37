import type { ReadDb, WriteDb } from '../db/brands.ts';
import { run, sql, value } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';

/** Rows of `switches`: one is there where it is on. */

/** Since when all is paused; undefined where it is not. */
export function pausedSince(db: ReadDb): Timestamp | undefined {
	return value<number>(db, sql`SELECT at FROM switches WHERE name = 'paused'`);
}

export function setPaused(tx: WriteDb, now: Timestamp): void {
	run(tx, sql`INSERT INTO switches (name, at) VALUES ('paused', ${now}) ON CONFLICT (name) DO NOTHING`);
}

/** All is paused since the profile was made of a back-up of this time; undefined where that is not why. */
export function pausedByRestoreOf(db: ReadDb): Timestamp | undefined {
	return value<number>(db, sql`SELECT at FROM switches WHERE name = 'restored'`);
}

/** A profile made of a back-up may stand beside the one that it was made of: nothing goes on in both by itself. */
export function setPausedByRestore(tx: WriteDb, madeAt: Timestamp, now: Timestamp): void {
	setPaused(tx, now);
	run(tx, sql`INSERT INTO switches (name, at) VALUES ('restored', ${madeAt}) ON CONFLICT (name) DO UPDATE SET at = ${madeAt}`);
}

export function clearPaused(tx: WriteDb): void {
	run(tx, sql`DELETE FROM switches WHERE name IN ('paused', 'restored')`);
}
