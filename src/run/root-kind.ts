import type { ReadDb } from '../db/brands.ts';
import { get, sql } from '../db/sql.ts';
import type { RunId } from '../domain/ids.ts';
import type { RunKind, RunSummary } from '../domain/run.ts';
import { type RunRow, runOf } from './journal-store.ts';

/** The run at the root of a run's tree: whose work it is. What a chat delegated is the chat's. Undefined where it is gone. */
export function rootRun(db: ReadDb, runId: RunId): RunSummary | undefined {
	const row = get<RunRow>(
		db,
		sql`WITH RECURSIVE line (id, parent) AS (
				SELECT id, parent_run_id FROM runs WHERE id = ${runId}
				UNION ALL
				SELECT r.id, r.parent_run_id FROM runs r JOIN line l ON r.id = l.parent
			)
			SELECT * FROM runs WHERE id = (SELECT id FROM line WHERE parent IS NULL)`,
	);
	return row && runOf(row);
}

export function rootKind(db: ReadDb, runId: RunId): RunKind | undefined {
	return rootRun(db, runId)?.kind;
}
