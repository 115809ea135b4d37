import type { WriteDb } from '../db/brands.ts';
import { all, runOne, sql } from '../db/sql.ts';
import { parseJson } from '../domain/json.ts';
import { TaskDraft, TaskId } from '../domain/task.ts';
import { nextSlot } from '../schedule/slots.ts';
import { clearTimers } from '../timer/timer-store.ts';
import { TASK_TIMER } from './claims.ts';

/**
 * What becomes of tasks in these rows of the table after a text was taken out of them (M4): one whose times, zone or kind can't be read without it
 * has ended, and says nothing but `marker`; its history stays. In the transaction in which the text goes.
 */
export function settleForgottenTasks(tx: WriteDb, rowids: readonly number[], marker: string): void {
	const rows = all<{ id: string; draft: string; created_at: number }>(
		tx,
		sql`SELECT id, draft, created_at FROM tasks WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(rowids)}))`,
	);
	for (const { id, draft, created_at } of rows) {
		if (isReadable(draft)) continue;
		const ended = TaskDraft.parse({
			title: marker,
			when: { kind: 'schedule', schedule: { timing: { kind: 'moment', at: created_at } } },
			work: { kind: 'reminder', text: marker },
		});
		runOne(
			tx,
			sql`UPDATE tasks SET title = ${marker}, draft = ${JSON.stringify(ended)}, status = 'ended', trigger = NULL, zone = NULL, problem = NULL,
				claimed_to = max(claimed_to, ${created_at}) WHERE id = ${id}`,
		);
		clearTimers(tx, TASK_TIMER, TaskId.parse(id));
	}
}

function isReadable(text: string): boolean {
	const draft = TaskDraft.safeParse(parseJson(text)).data;
	if (draft?.when.kind !== 'schedule') return draft !== undefined;
	try {
		nextSlot(draft.when.schedule, 0, { zone: 'UTC' });
		return true;
	} catch {
		return false;
	}
}
