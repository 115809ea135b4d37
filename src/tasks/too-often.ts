import type { ReadDb } from '../db/brands.ts';
import { sql, value } from '../db/sql.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { TaskId } from '../domain/task.ts';

/** Runs of one task within an hour that its trigger may fire. */
export const MOST_FIRED = 120;
const HOUR_MS = 3_600_000;

/** Two tasks whose workflows wake each other, or a folder that a run itself writes to, would go on for ever. Since it was last stopped. */
export function firesTooOften(db: ReadDb, taskId: TaskId, now: Timestamp): boolean {
	const fired = value<number>(
		db,
		sql`SELECT count(*) FROM task_occurrences WHERE task_id = ${taskId} AND by = 'trigger' AND state NOT IN ('missed', 'skipped')
			AND slot > ${now - HOUR_MS} AND rowid > coalesce((SELECT max(rowid) FROM task_occurrences
				WHERE task_id = ${taskId} AND by = 'trigger' AND why = 'blocked'), 0)`,
	);
	return (fired ?? 0) >= MOST_FIRED;
}

export function tooOften(): ErrorShape {
	return {
		kind: 'needs_owner',
		code: 'conflict',
		message: `What it waits for happened more than ${MOST_FIRED} times within an hour. Perhaps what it does fires it again.`,
		safe: 'It does not run by itself until you let it go on.',
		action: 'See in its history what fired it. A longer quiet time makes one run of many events. Then let it go on.',
	};
}
