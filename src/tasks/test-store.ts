import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import { RunId, SessionId, type Timestamp } from '../domain/ids.ts';
import { TaskDraft, TestId } from '../domain/task.ts';

/** Rows of `task_tests`: drafts that the owner tried. What a test would have needed stands in the journal of its run. */

export interface StoredTest {
	readonly id: TestId;
	readonly draft: TaskDraft;
	/** Absent where nothing has to run to say what would happen. */
	readonly runId?: RunId;
	readonly sessionId?: SessionId;
	readonly createdAt: Timestamp;
}

interface Row {
	id: string;
	draft: string;
	run_id: string | null;
	session_id: string | null;
	created_at: number;
}

export function insertTest(tx: WriteDb, { id, draft, runId, sessionId, createdAt }: StoredTest): void {
	runOne(
		tx,
		sql`INSERT INTO task_tests (id, draft, run_id, session_id, created_at)
			VALUES (${id}, ${JSON.stringify(draft)}, ${runId ?? null}, ${sessionId ?? null}, ${createdAt})`,
	);
}

export function findTest(db: ReadDb, id: TestId): StoredTest | undefined {
	const row = get<Row>(db, sql`SELECT * FROM task_tests WHERE id = ${id}`);
	return row && testOf(row);
}

/** Throws `not_found`. */
export function getTest(db: ReadDb, id: TestId): StoredTest {
	const test = findTest(db, id);
	if (!test) throw terminal('not_found', 'That test is no longer kept.', { action: 'Test the task again.' });
	return test;
}

/** Over since long, or of no run. */
export function oldTests(db: ReadDb, before: Timestamp, limit: number): StoredTest[] {
	const rows = all<Row>(
		db,
		sql`SELECT t.* FROM task_tests t WHERE t.created_at < ${before} AND NOT EXISTS (
			SELECT 1 FROM runs r WHERE r.id = t.run_id AND r.status IN ('running', 'waiting', 'sleeping')) ORDER BY t.created_at LIMIT ${limit}`,
	);
	return rows.map(testOf);
}

export function deleteTest(tx: WriteDb, id: TestId): void {
	run(tx, sql`DELETE FROM task_tests WHERE id = ${id}`);
}

function testOf(row: Row): StoredTest {
	return {
		id: TestId.parse(row.id),
		draft: TaskDraft.parse(JSON.parse(row.draft)),
		...(row.run_id !== null && { runId: RunId.parse(row.run_id) }),
		...(row.session_id !== null && { sessionId: SessionId.parse(row.session_id) }),
		createdAt: row.created_at,
	};
}
