import { expect, test } from 'vitest';
import { run, sql } from '../../../src/db/sql.ts';
import { comingDays, comingRuns } from '../../../src/tasks/coming.ts';
import { setFailures } from '../../../src/tasks/task-store.ts';
import { temporaryStateDb } from '../../support/sessions.ts';
import { Machine, scheduled } from '../../support/task-lives.ts';
import { tasksLife } from '../../support/tasks.ts';

const MINUTE = 60_000;

test('the list says first what needs the owner or is at work, then what comes by time, what events fire, what is off; page by page', async () => {
	const db = temporaryStateDb();
	const life = await tasksLife(db, new Machine(Date.parse('2026-06-01T09:55Z')));
	const add = (title: string, expression = '0 12 * * *', more = {}) =>
		life.add(scheduled({ kind: 'cron', expression, zone: 'UTC' }, { title, ...more }));
	const noon = await add('noon');
	const soon = await add('soon', '0 11 * * *');
	const event = await life.add({
		...(scheduled({ kind: 'moment', at: 0 }) as object),
		title: 'event',
		when: { kind: 'trigger', trigger: { kind: 'wake' } },
	});
	const paused = await add('paused');
	life.tasks.pause(paused, undefined);
	const ended = await life.add(scheduled({ kind: 'at', local: '2026-06-01T09:56', zone: 'UTC' }, { title: 'ended' }));
	life.runs.atOnce = 'done';
	await life.pass(2 * MINUTE);
	life.runs.atOnce = undefined;
	const works = await add('works', '58 9 * * *');
	const failed = await add('failed', '0 15 * * *');
	await life.pass(MINUTE + 5_000);
	const first = life.tasks.run(failed);
	await life.tasks.stop(first);
	db.write((tx) => {
		run(tx, sql`UPDATE task_occurrences SET state = 'failed' WHERE id = ${first}`);
		setFailures(tx, failed, 1);
	});
	const order = [failed, works, soon, noon, event, ended, paused];
	const { tasks, parts } = life.list({ offset: 0, limit: 50 });
	expect(tasks.map(({ id }) => id)).toEqual(order);
	expect(parts).toEqual({ now: 2, coming: 2, events: 1, off: 2 });
	expect(tasks).toEqual(order.map((id) => life.view(id)));
	expect(tasks.map(({ state }) => state)).toEqual(['failed', 'running', 'scheduled', 'scheduled', 'scheduled', 'ended', 'paused']);
	expect([0, 3, 6, 9].flatMap((offset) => life.list({ offset, limit: 3 }).tasks)).toEqual(tasks);
	expect(life.status()).toMatchObject({ on: 5, paused: 1, blocked: 0, ended: 1 });
});

test('a task each minute hides nothing of what the other days hold, and is cut short where runs are listed', async () => {
	const db = temporaryStateDb();
	const from = Date.parse('2026-06-01T00:00Z');
	const life = await tasksLife(db, new Machine(from));
	const minutely = await life.add(scheduled({ kind: 'every', seconds: 60, anchor: from }));
	const weekly = await life.add(scheduled({ kind: 'cron', expression: '0 8 * * 3', zone: 'UTC' }));
	const deps = { db: db.read, now: from + 1, zone: 'UTC', allPaused: false };
	const starts = Array.from({ length: 15 }, (_, day) => from + day * 1_440 * MINUTE);
	const days = await comingDays(deps, starts);
	expect(days.map(({ runs }) => runs)).toEqual([24, 24, 25, 24, 24, 24, 24, 24, 24, 25, 24, 24, 24, 24]);
	expect(days.every(({ more }) => more)).toBe(true);
	const { runs, more } = await comingRuns(deps, { from, to: from + 7 * 1_440 * MINUTE, limit: 100, eachMost: 10 });
	expect([runs.length, more, runs.at(-1)?.taskId]).toEqual([11, false, weekly]);
	expect(runs.map(({ goesOn }) => goesOn ?? false)).toEqual([...Array<boolean>(9).fill(false), true, false]);
	life.tasks.pause(minutely, undefined);
	expect((await comingDays(deps, starts)).map(({ runs, more }) => [runs, more]).slice(1, 4)).toEqual([
		[0, false],
		[1, false],
		[0, false],
	]);
});
