import type { ReadDb } from '../db/brands.ts';
import { all, sql, value } from '../db/sql.ts';
import type { RunId, SessionId, Timestamp } from '../domain/ids.ts';
import type { RunKind, RunStatus, RunSummary } from '../domain/run.ts';
import { RunEvent } from './events.ts';
import { type RunRow, runOf } from './journal-store.ts';
import type { JournalRow } from './timeline-step.ts';

/** What views read of runs; nothing here writes. */

export interface RunFilter {
	readonly status?: readonly RunStatus[] | undefined;
	readonly kind?: readonly RunKind[] | undefined;
	readonly sessionId?: SessionId | undefined;
	/** Only those that began before this one. */
	readonly before?: RunId | undefined;
}

/** Newest first. */
export function listRuns(db: ReadDb, { status, kind, sessionId, before }: RunFilter, limit: number): RunSummary[] {
	const among = (column: ReturnType<typeof sql>, values: readonly string[] | undefined) =>
		values ? sql`AND ${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))` : sql``;
	return all<RunRow>(
		db,
		sql`SELECT * FROM runs WHERE true ${among(sql`status`, status)} ${among(sql`kind`, kind)}
			${sessionId === undefined ? sql`` : sql`AND session_id = ${sessionId}`}
			${before === undefined ? sql`` : sql`AND rowid < (SELECT rowid FROM runs WHERE id = ${before})`}
		ORDER BY rowid DESC LIMIT ${limit}`,
	).map(runOf);
}

/** Runs that were forked or restored from this one, oldest first. */
export function branchesOf(db: ReadDb, runId: RunId): RunSummary[] {
	return all<RunRow>(db, sql`SELECT * FROM runs WHERE from_run_id = ${runId} ORDER BY rowid`).map(runOf);
}

/** All events of a run in order, each with the time it was written; up to number `last` where that is given. */
export function readJournal(db: ReadDb, runId: RunId, last = Number.MAX_SAFE_INTEGER): JournalRow[] {
	return all<{ seq: number; at: Timestamp; event: string }>(
		db,
		sql`SELECT seq, at, event FROM journal WHERE run_id = ${runId} AND seq <= ${last} ORDER BY seq`,
	).map(({ seq, at, event }) => ({ seq, at, event: RunEvent.parse(JSON.parse(event)) }));
}

/** Whether the run itself, or the files that tools wrote, hold this content. */
export function namesContent(db: ReadDb, runId: RunId, hash: string): boolean {
	const found = sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM run_blobs WHERE run_id = ${runId} AND hash = ${hash})
		OR EXISTS (SELECT 1 FROM workspace_changes WHERE before_hash = ${hash} OR after_hash = ${hash})`;
	return value<number>(db, found) !== undefined;
}
