import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { liveOnce } from '../support/dying.ts';
import { programOf } from '../support/program.ts';
import { temporaryFolder } from '../support/sessions.ts';
import type { TaskLifeOptions, TaskLifeSaid } from '../support/task-life.ts';
import { some, stride } from '../support/thorough.ts';

const SCRIPT = programOf(fileURLToPath(new URL('../support/task-life.ts', import.meta.url)));
const MINUTE = 60_000;
const START = Date.UTC(2026, 5, 1, 8, 45);

const life = (options: TaskLifeOptions) => liveOnce<TaskLifeSaid>(SCRIPT, options);

const POINTS: { at: CrashPointName; every: number }[] = [
	{ at: 'task.claimed', every: 2 },
	{ at: 'task.began', every: 2 },
	{ at: 'task.ended', every: stride(1) },
	{ at: 'task.settled', every: stride(1) },
	{ at: 'task.delivered', every: stride(1) },
	{ at: 'timer.claimed', every: stride(1) },
	{ at: 'timer.told', every: stride(1) },
	{ at: 'transaction.open', every: stride(9) },
	{ at: 'transaction.committed', every: stride(9) },
];

/** Where its row and its run, or its result, know different things; how timers are claimed has its own test. */
const OFTEN = POINTS.filter(({ at }) => at.startsWith('task.') || at === 'transaction.committed');

/** Each slot of the task up to then, by arithmetic. */
const slots = (everyMinutes: number, to: number): number[] => {
	const step = everyMinutes * MINUTE;
	return Array.from({ length: Math.floor(to / step) - Math.floor(START / step) }, (_, nth) => (Math.floor(START / step) + nth + 1) * step);
};

test.each(some(POINTS, (point) => OFTEN.includes(point)))(
	'R5 killed at $at, later in each life: each slot has one row, and what ran, ran once',
	async ({ at, every }) => {
		const folder = temporaryFolder();
		let kills = 0;
		const lives = async (now: number): Promise<TaskLifeSaid> => {
			for (let nth = 1; ; nth += every) {
				const { signal, said } = await life({ folder, at: now, die: { at, nth } });
				if (signal === null && said) return said;
				kills += 1;
			}
		};
		expect(await lives(START)).toEqual({ rows: [], runs: [], timers: 3 });
		// In time for all three.
		const nine = START + 15 * MINUTE;
		await lives(START + 5 * MINUTE);
		const inTime = await lives(nine);
		expect(inTime.rows.map(({ task, state, slot }) => [task, state, slot - nine])).toEqual([
			['often', 'done', -10 * MINUTE],
			['often', 'done', 0],
			['hourly', 'done', 0],
			['once', 'done', 0],
		]);
		// Three hours of nobody there.
		const late = nine + 183 * MINUTE;
		const { rows, runs, timers } = await lives(late);
		const of = (task: string) => rows.filter((row) => row.task === task);
		expect(of('often').map(({ slot }) => slot)).toEqual(slots(10, late));
		expect(of('hourly').map(({ slot }) => slot)).toEqual(slots(60, late));
		expect(of('once')).toHaveLength(1);
		expect(of('hourly').map(({ state, why }) => why ?? state)).toEqual(['done', 'closed', 'closed', 'closed']);
		expect(
			of('often')
				.map(({ state, why }) => why ?? state)
				.slice(2),
		).toEqual([...Array(15).fill('many'), 'done', 'done', 'done']);
		const done = rows.filter(({ state }) => state === 'done');
		expect(runs.map(({ id }) => id).toSorted()).toEqual(done.map(({ runId }) => runId).toSorted());
		expect(runs.every(({ state, tries }) => state === 'done' && tries === 1)).toBe(true);
		expect(timers).toBe(2);
		const delivered = readFileSync(join(folder, 'delivered.txt'), 'utf8').trim().split('\n');
		expect(new Set(delivered).size).toBe(done.length);
		expect(kills).toBeGreaterThan(0);
	},
);
