import type { ReadDb } from '../db/brands.ts';
import { sql, value } from '../db/sql.ts';
import type { RunId } from '../domain/ids.ts';
import { RunKind } from '../domain/run.ts';

/** Whose work a run is: the kind of the run at the root of its tree. What a chat delegated is the chat's. Undefined where it is gone. */
export function rootKind(db: ReadDb, runId: RunId): RunKind | undefined {
	const found = value<string>(
		db,
		sql`WITH RECURSIVE line (id, parent, kind) AS (
				SELECT id, parent_run_id, kind FROM runs WHERE id = ${runId}
				UNION ALL
				SELECT r.id, r.parent_run_id, r.kind FROM runs r JOIN line l ON r.id = l.parent
			)
			SELECT kind FROM line WHERE parent IS NULL`,
	);
	return found === undefined ? undefined : RunKind.parse(found);
}
