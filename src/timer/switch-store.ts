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

export function clearPaused(tx: WriteDb): void {
	run(tx, sql`DELETE FROM switches WHERE name = 'paused'`);
}
