import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryable } from '../../src/domain/errors.ts';
import type { TaskId } from '../../src/domain/task.ts';
import type { StoredOccurrence } from '../../src/tasks/occurrence-row.ts';
import { temporaryStateDb } from '../support/sessions.ts';
import { Machine, scheduled, type TasksLife } from '../support/task-lives.ts';
import { tasksLife } from '../support/tasks.ts';
import { tries } from '../support/thorough.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The night in which Berlin sets its clocks forward lies within. */
const START = Date.UTC(2026, 2, 28, 20);
const ZONE = 'Europe/Berlin';

const CUT = retryable('network_cut', 'The line was cut.').shape;

/** When each comes, found in another way than Hearth does: by looking at each minute. */
const ORACLE = {
	often: (at: number) => at % (7 * MINUTE) === 0,
	hourly: (at: number) => at % HOUR === 0,
	daily: (at: number) => wallShows(at, '02:30') || at === Date.UTC(2026, 2, 29, 1),
} as const;
type Name = keyof typeof ORACLE;

const wall = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' });
function wallShows(at: number, time: string): boolean {
	return at % (30 * MINUTE) === 0 && wall.format(at) === time;
}

function slotsBetween(name: Name, from: number, to: number): number[] {
	const slots: number[] = [];
	for (let at = Math.ceil(from / MINUTE) * MINUTE; at <= to; at += MINUTE) if (ORACLE[name](at)) slots.push(at);
	return slots;
}

const TIMINGS = {
	often: { kind: 'every', seconds: 420, anchor: 0 },
	hourly: { kind: 'cron', expression: '0 * * * *', zone: 'UTC' },
	daily: { kind: 'cron', expression: '30 2 * * *', zone: ZONE },
} as const;

const policies = fc.record({
	missed: fc.constantFrom<object>({ kind: 'skip' }, { kind: 'once', withinHours: 2 }, { kind: 'every', most: 3 }, { kind: 'ask' }),
	overlap: fc.constantFrom('queue', 'skip', 'replace'),
});
const minutes = (from: number, to: number) => fc.integer({ min: from, max: to }).map((count) => count * MINUTE);
const steps = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ act: fc.constant('next' as const), late: fc.integer({ min: 0, max: 50_000 }) }) },
	{
		weight: 3,
		arbitrary: fc.record({ act: fc.constant('end' as const), nth: fc.nat(9), how: fc.constantFrom('done', 'failed', 'waiting') }),
	},
	{ weight: 2, arbitrary: fc.record({ act: fc.constant('sleep' as const), ms: minutes(1, 600) }) },
	{ weight: 2, arbitrary: fc.record({ act: fc.constant('set' as const), ms: minutes(-180, 180) }) },
	{ weight: 2, arbitrary: fc.record({ act: fc.constantFrom('kill', 'close'), ms: minutes(0, 400) }) },
	{ weight: 1, arbitrary: fc.record({ act: fc.constantFrom('pause', 'resume') }) },
	{ weight: 1, arbitrary: fc.record({ act: fc.constant('decide' as const), nth: fc.nat(9), how: fc.constantFrom('run', 'skip') }) },
);

/** How many slots had each end, over all lives: the test looks at all of them. */
const seen = new Map<string, number>();

test('R5 whatever sleeps, kills, clocks and pauses do: each slot is one row, and ran once, or says why it did not', async () => {
	const db = temporaryStateDb();
	await fc.assert(
		fc.asyncProperty(
			fc.record({ often: policies, hourly: policies, daily: policies }),
			fc.array(steps, { minLength: 5, maxLength: 30 }),
			async (given, script) => {
				db.write((tx) =>
					tx.exec('DELETE FROM tasks; DELETE FROM timers; DELETE FROM switches; DELETE FROM work_gaps; DROP TABLE IF EXISTS test_runs'),
				);
				const machine = new Machine(START);
				let life = await tasksLife(db, machine);
				const ids = new Map<Name, TaskId>();
				for (const name of ['often', 'hourly', 'daily'] as const) ids.set(name, await life.add(scheduled(TIMINGS[name], given[name])));
				const rows = (): StoredOccurrence[] => [...ids.values()].flatMap((id) => life.rows(id));
				for (const step of script) {
					switch (step.act) {
						case 'next':
							machine.pass(Math.max(0, (life.work.timers.nextAt() ?? machine.at + HOUR) - machine.at) + step.late);
							break;
						case 'end':
							endOne(life, rows(), step.nth, step.how as 'done');
							break;
						case 'sleep':
							machine.sleep(step.ms);
							break;
						case 'set':
							machine.set(step.ms);
							break;
						case 'kill':
						case 'close':
							if (step.act === 'kill') life.die();
							else await life.close();
							machine.sleep(step.ms);
							life = await tasksLife(db, machine);
							break;
						case 'pause':
							life.work.pauseAll();
							break;
						case 'resume':
							life.work.resumeAll();
							break;
						case 'decide':
							decideOne(life, rows(), step.nth, step.how as 'run');
							break;
					}
					await life.settle();
					for (const [name, id] of ids) check(name, life, id);
				}
				life.work.resumeAll();
				await life.settle();
				for (const [name, id] of ids) check(name, life, id);
				for (const { state, why } of rows()) seen.set(why ?? state, (seen.get(why ?? state) ?? 0) + 1);
				await life.close();
			},
		),
		{ numRuns: tries(25) },
	);
	// That it did something: what ran, what stood in the way, and what overlapped.
	for (const end of ['done', 'closed', 'asleep', 'clock', 'many', 'late']) expect(seen.get(end) ?? 0, end).toBeGreaterThan(0);
});

function endOne(life: TasksLife, rows: readonly StoredOccurrence[], nth: number, how: 'done' | 'failed' | 'waiting'): void {
	const running = rows.filter(({ state }) => state === 'running');
	const one = running[nth % Math.max(1, running.length)];
	if (one) life.runs.set(one, how, how === 'failed' ? CUT : undefined);
}

function decideOne(life: TasksLife, rows: readonly StoredOccurrence[], nth: number, how: 'run' | 'skip'): void {
	const open = rows.filter(({ state, seen: isSeen }) => state === 'asks' || (state === 'missed' && !isSeen));
	const one = open[nth % Math.max(1, open.length)];
	if (one && !(how === 'run' && life.work.status().paused)) life.tasks.decide(one.id, how);
}

function check(name: Name, life: TasksLife, id: TaskId): void {
	const rows = life.rows(id).filter(({ by }) => by === 'schedule');
	const now = life.machine.at;
	const covered: number[] = [];
	for (const { slot, lastSlot, count, state, why, note, runId } of rows) {
		const slots = lastSlot === undefined ? [slot] : slotsBetween(name, slot, lastSlot);
		expect(ORACLE[name](slot), `${name} ${new Date(slot).toISOString()} is no slot`).toBe(true);
		expect(slots).toHaveLength(count);
		covered.push(...slots);
		if (state === 'missed' || state === 'asks' || state === 'skipped') {
			expect(why).toBeDefined();
			expect(runId).toBeUndefined();
			if (why === 'many' || why === 'late') expect(note ?? why).toBeTruthy();
		}
		if (state === 'running' || state === 'done' || state === 'failed') expect(runId).toBeDefined();
		// What is still to come has no row but where it ran by a clock that was ahead.
		if (slot > now) expect(why).not.toBe('clock');
	}
	expect(new Set(covered).size, `${name} twice`).toBe(covered.length);
	if (!life.work.status().paused)
		expect(
			slotsBetween(name, START + 1, now).filter((slot) => !covered.includes(slot)),
			`${name} lost`,
		).toEqual([]);
	const runs = life.runs.all().map(({ id: runId }) => runId);
	expect(new Set(runs).size).toBe(runs.length);
	for (const { runId } of rows) if (runId) expect(runs).toContain(runId);
}
