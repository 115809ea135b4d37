// Some lives of the benchmark `schedule` in a process of its own, the last of which is killed: `node schedule-child.ts JSON`. Prints `killing` as
// that one begins; `done` where it came to its end.
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CRASH_POINTS, onCrashPoint } from '../src/base/crash-point.ts';
import { silentLogger } from '../src/base/logger.ts';
import { openStateDb, type StateDb, type WriteDb } from '../src/db/open.ts';
import { beginLife, type Life, Machine } from './schedule-life.ts';
import { type PlannedLife, plannedLives } from './schedule-plan.ts';

const Options = z.object({
	folder: z.string(),
	seed: z.number(),
	days: z.number(),
	restarts: z.number(),
	kills: z.number(),
	/** Lives by their number. */
	from: z.number(),
	to: z.number(),
	/** Where the last of them dies: when it passes that point for the nth time; absent: its parent kills it. */
	die: z.object({ at: z.enum(CRASH_POINTS), nth: z.number() }).optional(),
});
const options = Options.parse(JSON.parse(process.argv[2] ?? '{}'));
/** The end of the wall's time that was lived through, for who looks when this process is dead. */
const position = openSync(join(options.folder, 'position'), 'w');
/** What comes so soon after an event is no proof of anything. */
const CALM_AFTER_MS = 5 * 60_000;

const lives = plannedLives(options);
for (let number = options.from; number <= options.to; number += 1) await live(lives[number] as PlannedLife);
process.stdout.write('done\n');

async function live(plan: PlannedLife): Promise<void> {
	const machine = new Machine(plan.begins + plan.offset);
	const db = openStateDb({
		file: join(options.folder, 'state.db'),
		backupsFolder: join(options.folder, 'backups'),
		logger: silentLogger,
		clock: machine,
	});
	if (plan.end === 'killed') killThis();
	else withoutWaitingForTheDisk(db);
	const life = beginLife(db, machine, () => writeSync(position, String(machine.now()).padStart(16), 0));
	await life.settle();
	let at = plan.begins;
	const passTo = async (to: number, isCalm: boolean): Promise<void> => {
		if (to <= at) return;
		const began = machine.now();
		if (isCalm) note({ from: began + CALM_AFTER_MS });
		await life.pass(to - at);
		if (isCalm) note({ to: machine.now() });
		at = to;
	};
	let offset = plan.offset;
	for (const event of plan.events) {
		await passTo(event.at, offset === 0);
		at += await happen(event, machine, life);
		if (event.what === 'clock') offset += event.ms;
	}
	await passTo(plan.ends, offset === 0);
	// It came to its end before it was to die.
	if (plan.end === 'killed') process.kill(process.pid, 'SIGKILL');
	await (plan.end === 'closed' ? life.close() : life.die());
}

/** Returns how long it took. */
async function happen({ what, ms }: PlannedLife['events'][number], machine: Machine, life: Life): Promise<number> {
	if (what === 'clock') machine.set(ms);
	if (what === 'sleep') machine.sleep(ms);
	if (what === 'pause') {
		life.work.pauseAll();
		await life.pass(ms);
		life.work.resumeAll();
	}
	// Half of the time the shell says what it was; else the runtime notices at its next look.
	if (what !== 'pause' && ms % 2 === 0) life.work.noticed({ what: what === 'sleep' ? 'woke' : 'clock' });
	await life.settle();
	return what === 'clock' ? 0 : ms;
}

function note(line: object): void {
	appendFileSync(join(options.folder, 'calm.jsonl'), `${JSON.stringify(line)}\n`);
}

/** A simulated end of a life loses nothing of what the system has been given. */
function withoutWaitingForTheDisk(db: StateDb): void {
	let writer: WriteDb | undefined;
	db.write((tx) => {
		writer = tx;
	});
	writer?.pragma('synchronous = NORMAL');
}

function killThis(): void {
	process.stdout.write('killing\n');
	const { die } = options;
	let passed = 0;
	onCrashPoint((name) => {
		if (die?.at !== name) return;
		passed += 1;
		if (passed === die.nth) process.kill(process.pid, 'SIGKILL');
	});
}
