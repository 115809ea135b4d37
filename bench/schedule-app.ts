import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { newId } from '../src/base/ids.ts';
import { silentLogger } from '../src/base/logger.ts';
import { openStateDb } from '../src/db/open.ts';
import { sql, value } from '../src/db/sql.ts';
import type { TaskDraft, TaskId } from '../src/domain/task.ts';
import { nextSlot } from '../src/schedule/slots.ts';
import { Claims, TASK_TIMER } from '../src/tasks/claims.ts';
import { getTask, insertTask } from '../src/tasks/task-store.ts';
import { clearTimers, setTimer } from '../src/timer/timer-store.ts';
import { median } from './numbers.ts';
import { lookAtProgram } from './process-figures.ts';
import { plannedTasks } from './schedule-plan.ts';

/** What scheduled tasks cost while none is due: the runtime process over a profile with so many of them, by turns with one over an empty profile. */

const ROUNDS = 3;
/** Later than the first look at back-ups after a start: both profiles get theirs of the day before anything is measured. */
const FIRST_LIFE_MS = 25_000;
const LONGEST_UNREST_MS = 120_000;
const HOUR_MS = 3_600_000;

const Opened = z.object({ openMs: z.number(), openProcessorMs: z.number() });
interface Figures extends z.infer<typeof Opened> {
	readonly idlePct: number;
}

/** `seconds`: of each look at the processor. */
export async function appFigures(
	tasks: number,
	seconds: number,
	seed: number,
): Promise<{ startup_10000_ms: number; idle_cpu_pct: number }> {
	const home = mkdtempSync(join(tmpdir(), 'hearth-schedule-'));
	try {
		const [full, empty] = ['full', 'empty'].map((name) => join(home, 'profiles', name)) as [string, string];
		for (const folder of [full, empty]) await life(folder, 0);
		makeTasks(full, draftsToCome(seed, tasks));
		for (const folder of [full, empty]) await life(folder, FIRST_LIFE_MS);
		const found = { full: [] as Figures[], empty: [] as Figures[] };
		for (let round = 1; round <= ROUNDS; round += 1) {
			for (const [name, folder] of [
				['empty', empty],
				['full', full],
			] as const) {
				const figures = await life(folder, seconds * 1_000);
				found[name].push(figures);
				console.error(`round ${round}, ${name}: ${JSON.stringify(figures)}`);
			}
		}
		const of = (name: 'full' | 'empty', figure: keyof Figures) => median(found[name].map((each) => each[figure]));
		console.error(`opening: ${Math.round(of('full', 'openMs'))} ms beside ${Math.round(of('empty', 'openMs'))} of an empty profile`);
		console.error(
			`its processor time: ${Math.round(of('full', 'openProcessorMs'))} ms beside ${Math.round(of('empty', 'openProcessorMs'))}`,
		);
		console.error(`at rest: ${of('full', 'idlePct')} % of a processor beside ${of('empty', 'idlePct')}`);
		return { startup_10000_ms: Math.round(of('full', 'openMs')), idle_cpu_pct: of('full', 'idlePct') };
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

/** None of them comes while it is measured. */
function draftsToCome(seed: number, count: number): TaskDraft[] {
	const now = Date.now();
	const drafts: TaskDraft[] = [];
	for (let tries = 1; drafts.length < count; tries += 1) {
		if (tries > 10) throw new Error('too few tasks have a time to come');
		for (const { draft } of plannedTasks(seed + tries, count)) {
			if (drafts.length === count || draft.when.kind !== 'schedule') continue;
			const next = nextSlot(draft.when.schedule, now, { zone: 'UTC', seed: '' });
			if (next && next.at > now + HOUR_MS) drafts.push(draft);
		}
	}
	return drafts;
}

/** As the owner's yes makes them, in one transaction. */
function makeTasks(folder: string, drafts: readonly TaskDraft[]): void {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const now = Date.now();
	const claims = new Claims({
		clock: { now: () => now },
		timers: { set: (tx, timer) => setTimer(tx, timer, now), clear: clearTimers },
		zone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
		hindrance: () => undefined,
	});
	db.write((tx) => {
		for (const draft of drafts) {
			const id = newId<TaskId>();
			insertTask(tx, { id, draft, label: 'owner', makeKey: id, claimedTo: now, createdAt: now });
			claims.arm(tx, getTask(tx, id));
		}
	});
	const armed = value<number>(db.read, sql`SELECT COUNT(*) FROM timers WHERE kind = ${TASK_TIMER}`);
	db.close();
	if (armed !== drafts.length) throw new Error(`${armed} of ${drafts.length} tasks wait for a time`);
}

/** One life of the runtime over this profile, looked at for so long once it is calm. */
async function life(folder: string, ms: number): Promise<Figures> {
	const seen = await lookAtProgram(join(import.meta.dirname, 'schedule-app-child.ts'), [folder], ms, LONGEST_UNREST_MS);
	return { ...Opened.parse(JSON.parse(seen.said)), idlePct: seen.idlePct };
}
