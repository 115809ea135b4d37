import type { ReadDb, WriteDb } from '../db/brands.ts';
import { get, run, sql } from '../db/sql.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';

/** The one row of `heartbeat_problem`: why looks stopped until the owner says go on. */

export interface Problem {
	readonly message: string;
	readonly action?: string;
	readonly at: Timestamp;
}

export function findProblem(db: ReadDb): Problem | undefined {
	const row = get<{ message: string; action: string | null; at: number }>(db, sql`SELECT message, action, at FROM heartbeat_problem`);
	return row && { message: row.message, ...(row.action !== null && { action: row.action }), at: row.at };
}

export function setProblem(tx: WriteDb, { message, action }: ErrorShape, at: Timestamp): void {
	run(tx, sql`INSERT OR REPLACE INTO heartbeat_problem (id, message, action, at) VALUES (1, ${message}, ${action ?? null}, ${at})`);
}

export function clearProblem(tx: WriteDb): void {
	run(tx, sql`DELETE FROM heartbeat_problem`);
}
