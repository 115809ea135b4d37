import { expect, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { collectOccurrences, KEPT_DAYS, KEPT_ROWS } from '../../../src/tasks/collect.ts';
import { findTask } from '../../../src/tasks/task-store.ts';
import { temporaryStateDb } from '../../support/sessions.ts';
import { Machine, scheduled } from '../../support/task-lives.ts';
import { tasksLife } from '../../support/tasks.ts';

const DAY = 86_400_000;

test('R5 history is kept as long as it says; slots whose rows are gone are not claimed again, wherever the clock is set to', async () => {
	const db = temporaryStateDb();
	const machine = new Machine(Date.UTC(2026, 0, 1));
	const life = await tasksLife(db, machine);
	const id = await life.add(scheduled({ kind: 'every', seconds: 86_400, anchor: 0 }, { missed: { kind: 'skip' } }));
	const made = 20 + KEPT_ROWS;
	for (let day = 0; day < made; day += 40) {
		machine.sleep(40 * DAY);
		await life.settle();
	}
	const before = life.rows(id).length;
	collectOccurrences({ db, clock: machine, logger: silentLogger });
	const rows = db.read.prepare('SELECT slot FROM task_occurrences ORDER BY slot').pluck().all() as number[];
	expect(before).toBe(KEPT_ROWS);
	expect(rows).toHaveLength(KEPT_ROWS);
	const oldest = rows[0] ?? 0;
	expect(oldest).toBeLessThan(machine.at - KEPT_DAYS * DAY);
	expect(findTask(db.read, id)?.collectedTo).toBe(oldest - DAY);
	machine.set(oldest - 5 * DAY - machine.at);
	await life.settle();
	expect(life.view(id).next?.at).toBeGreaterThan(oldest - DAY);
});
