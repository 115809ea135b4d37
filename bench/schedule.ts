import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CrashPointName } from '../src/base/crash-point.ts';
import { silentLogger } from '../src/base/logger.ts';
import { openStateDb } from '../src/db/open.ts';
import { nextSlot } from '../src/schedule/slots.ts';
import { quantile, seeded } from './numbers.ts';
import { appFigures } from './schedule-app.ts';
import { beginLife, createRunsTable, Machine } from './schedule-life.ts';
import { checkYear } from './schedule-look.ts';
import { BEGINS, endOf, type PlannedTask, plannedLives, plannedTasks, type YearPlan } from './schedule-plan.ts';

/**
 * A year of many tasks in forty zones on a machine that sleeps, is closed, paused and killed, and whose clock is set; compared at its end with
 * when the tasks must have come. Beside it how long the next slot takes, and what so many tasks cost the runtime.
 */

/** Where a life is killed, by turns; at other times its parent does it, at a time of its own. */
const DEATHS: readonly (CrashPointName | undefined)[] = [
	undefined,
	'task.claimed',
	'timer.claimed',
	undefined,
	'task.began',
	'timer.told',
	undefined,
	'task.ended',
	'task.settled',
];

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({
		args,
		options: {
			tasks: { type: 'string', default: '10000' },
			restarts: { type: 'string', default: '1000' },
			kills: { type: 'string', default: '110' },
			days: { type: 'string', default: '365' },
			seed: { type: 'string', default: '1' },
			seconds: { type: 'string', default: '20' },
			'no-app': { type: 'boolean', default: false },
		},
	});
	const count = Number(values.tasks);
	const plan = { seed: Number(values.seed), days: Number(values.days), restarts: Number(values.restarts), kills: Number(values.kills) };
	const { seed, restarts } = plan;
	const tasks = plannedTasks(seed, count);
	const nextMs = nextSlotMs(tasks, seed);
	const folder = mkdtempSync(join(tmpdir(), 'hearth-schedule-'));
	try {
		const began = performance.now();
		const ids = await makeTasks(folder, tasks);
		console.error(`${count} tasks made in ${seconds(began)} s`);
		const killed = await liveTheYear(folder, plan);
		console.error(`the year took ${seconds(began)} s; ${restarts} restarts, ${killed} of them by SIGKILL`);
		const found = checkYear(folder, tasks, ids, endOf(plan.days));
		for (const line of found.faults) console.error(line);
		const figures = values['no-app'] ? {} : await appFigures(count, Number(values.seconds), seed);
		const { slots, duplicates, silentMisses, wronglyMissed, ran, missed } = found;
		return {
			tasks: count,
			slots,
			restarts,
			kills: killed,
			ran,
			missed,
			duplicates,
			silent_misses: silentMisses,
			wrongly_missed: wronglyMissed,
			next_slot_p95_ms: Math.round(quantile(nextMs, 0.95) * 1000) / 1000,
			...figures,
			seed,
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Of each task at some moment of the year, the first time that its timing is seen. */
function nextSlotMs(tasks: readonly PlannedTask[], seed: number): number[] {
	const random = seeded(seed + 2);
	return tasks.flatMap(({ draft }) => {
		if (draft.when.kind !== 'schedule') return [];
		const after = BEGINS + Math.floor(random() * (endOf(365) - BEGINS));
		const began = performance.now();
		nextSlot(draft.when.schedule, after, { zone: 'Europe/Berlin', seed: draft.title });
		return [performance.now() - began];
	});
}

async function makeTasks(folder: string, tasks: readonly PlannedTask[]): Promise<string[]> {
	mkdirSync(join(folder, 'backups'));
	const machine = new Machine(BEGINS);
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger, clock: machine });
	createRunsTable(db);
	const life = beginLife(db, machine);
	const ids: string[] = [];
	for (const { draft } of tasks) ids.push(await life.tasks.make({ draft, label: 'owner', makeKey: draft.title }));
	await life.close();
	return ids;
}

/** Returns how many processes were killed. */
async function liveTheYear(folder: string, plan: YearPlan): Promise<number> {
	const lives = plannedLives(plan);
	const random = seeded(plan.seed + 3);
	let killed = 0;
	for (let from = 0; from < lives.length; ) {
		const found = lives.findIndex(({ end }, number) => number >= from && end === 'killed');
		const to = found < 0 ? lives.length - 1 : found;
		const at = DEATHS[killed % DEATHS.length];
		const die = at && { at, nth: 1 + Math.floor(random() * 4) };
		if (await liveOnce({ ...plan, folder, from, to, ...(die && { die }) }, found >= 0, random() * 400)) killed += 1;
		from = to + 1;
		if (killed % 10 === 0) console.error(`${from} of ${lives.length} lives`);
	}
	return killed;
}

/** One process. It is killed, at a crash point or `ms` into its last life, or comes to the end of it. True where it was killed. */
async function liveOnce(
	options: { folder: string; die?: object; [name: string]: unknown },
	isToDie: boolean,
	ms: number,
): Promise<boolean> {
	const child = spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, 'schedule-child.ts'), JSON.stringify(options)], {
		stdio: ['ignore', 'pipe', 'inherit'],
		env: { ...process.env, NODE_COMPILE_CACHE: join(options.folder, 'compiled') },
	});
	let said = '';
	child.stdout.on('data', (text: Buffer) => {
		said += String(text);
		if (isToDie && !options.die && said === 'killing\n') void sleep(ms).then(() => child.kill('SIGKILL'));
	});
	const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
	if (signal === 'SIGKILL') return true;
	if (code === 0 && said.endsWith('done\n')) return false;
	throw new Error(`lives ended with code ${code}, signal ${signal}; their database was in ${options.folder}`);
}

function seconds(began: number): number {
	return Math.round((performance.now() - began) / 1000);
}
