import type { ReadDb } from '../db/brands.ts';
import { get, type Query, sql } from '../db/sql.ts';
import type { RunId, WorkflowInstanceId } from '../domain/ids.ts';
import type { RunUse } from './events.ts';

/** What runs used, each with all that it delegated, at whatever depth. */

export function usedByRun(db: ReadDb, runId: RunId): RunUse {
	return usedBelow(db, sql`SELECT id FROM runs WHERE id = ${runId}`);
}

/** All that an instance's states did. */
export function usedByInstance(db: ReadDb, instanceId: WorkflowInstanceId): RunUse {
	return usedBelow(db, sql`SELECT id FROM runs WHERE instance_id = ${instanceId} AND parent_run_id IS NULL`);
}

function usedBelow(db: ReadDb, roots: Query): RunUse {
	const used = get<RunUse>(
		db,
		sql`WITH RECURSIVE tree (id) AS (${roots} UNION SELECT r.id FROM runs r JOIN tree t ON r.parent_run_id = t.id)
			SELECT coalesce(sum(json_extract(m.usage, '$.inputTokens') + json_extract(m.usage, '$.outputTokens')), 0) AS tokens,
				coalesce(sum(json_extract(m.usage, '$.costUsd')), 0) AS costUsd, coalesce(sum(r.worked_ms), 0) AS ms
			FROM tree t JOIN runs r ON r.id = t.id JOIN messages m ON m.id = r.message_id`,
	);
	return used ?? { tokens: 0, costUsd: 0, ms: 0 };
}
