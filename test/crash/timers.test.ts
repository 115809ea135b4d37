import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { liveOnce } from '../support/dying.ts';
import { programOf } from '../support/program.ts';
import { temporaryFolder } from '../support/sessions.ts';
import { readLedger } from '../support/test-tools.ts';
import { stride } from '../support/thorough.ts';
import type { TimerLifeOptions } from '../support/timer-life.ts';

const SCRIPT = programOf(fileURLToPath(new URL('../support/timer-life.ts', import.meta.url)));
const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 5, 1, 12);
const RUNS = 3;

const life = (options: TimerLifeOptions) => liveOnce<{ statuses: string[]; ends: number[]; timers: number }>(SCRIPT, options);

const POINTS: { at: CrashPointName; every: number }[] = [
	{ at: 'timer.claimed', every: 1 },
	{ at: 'timer.told', every: 1 },
	{ at: 'wait.ended', every: 1 },
	{ at: 'interrupt.opened', every: 2 },
	{ at: 'transaction.committed', every: stride(9) },
];

test.each(POINTS)(
	'R3 dur-6 killed at $at, later in each life: each wait ends once, when its time has come, whatever the clock',
	async ({ at, every }) => {
		const folder = temporaryFolder();
		let kills = 0;
		const lives = async (now: number) => {
			for (let nth = 1; ; nth += every) {
				const { signal, said } = await life({ folder, runs: RUNS, at: now, die: { at, nth } });
				if (signal === null) return said;
				kills += 1;
			}
		};
		expect(await lives(NOON)).toEqual({ statuses: Array(RUNS).fill('sleeping'), ends: Array(RUNS).fill(0), timers: RUNS });
		// The clock jumps back two hours: nobody wakes.
		expect(await lives(NOON - 2 * HOUR)).toMatchObject({ ends: Array(RUNS).fill(0), timers: RUNS });
		const over = { statuses: Array(RUNS).fill('done'), ends: Array(RUNS).fill(1), timers: 0 };
		expect(await lives(NOON + HOUR)).toEqual(over);
		expect(await lives(NOON - HOUR)).toEqual(over);
		expect(kills).toBeGreaterThan(0);
		const done = readLedger(join(folder, 'ledger.jsonl')).map(({ value }) => value);
		expect(done.toSorted()).toEqual(Array.from({ length: RUNS }, (_, number) => String(number)));
	},
);
