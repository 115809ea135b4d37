import type { ReadDb } from '../db/brands.ts';
import { sql, value } from '../db/sql.ts';
import type { WorkflowInstanceId } from '../domain/ids.ts';
import type { RunSummary } from '../domain/run.ts';
import { RunBudget, TaskId } from '../domain/task.ts';

/** Whose runs are a task's: read off `task_occurrences` and `task_tests` by the run at the root of a tree. */

type Root = Pick<RunSummary, 'id' | 'instanceId'>;

/** The task that a run, or the instance that it is of, works for. A test works for none: there may be no task yet. */
export function taskOfRun(db: ReadDb, root: Root): TaskId | undefined {
	const id = value<string>(db, sql`SELECT task_id FROM task_occurrences WHERE ${isOf(root)} LIMIT 1`);
	return id === undefined ? undefined : TaskId.parse(id);
}

/** What all runs of an instance may use together, where a task started it and limits that. */
export function budgetOfInstance(db: ReadDb, instanceId: WorkflowInstanceId): RunBudget | undefined {
	const json = value<string>(
		db,
		sql`SELECT json_extract(t.draft, '$.budget') FROM task_occurrences o JOIN tasks t ON t.id = o.task_id WHERE o.instance_id = ${instanceId} LIMIT 1`,
	);
	return json === undefined ? undefined : RunBudget.parse(JSON.parse(json));
}

/** The owner wanted it now, by *Run now*, by a word to what was missed, or as a test: it keeps to no hours. */
export function isOwnersRun(db: ReadDb, root: Root): boolean {
	const asked = sql`SELECT 1 FROM task_occurrences WHERE (${isOf(root)}) AND (by = 'owner' OR seen = 1)
		UNION ALL SELECT 1 FROM task_tests WHERE run_id = ${root.id} LIMIT 1`;
	return value(db, asked) !== undefined;
}

function isOf({ id, instanceId }: Root) {
	return instanceId === undefined ? sql`run_id = ${id}` : sql`instance_id = ${instanceId}`;
}
