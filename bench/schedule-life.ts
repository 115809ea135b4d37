import { onTimers } from '../src/app/tasks.ts';
import { createWork, type Work } from '../src/app/work.ts';
import type { Clock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import type { StateDb } from '../src/db/open.ts';
import { all, run, sql, value } from '../src/db/sql.ts';
import { retryable } from '../src/domain/errors.ts';
import type { RunId } from '../src/domain/ids.ts';
import { hindranceBetween } from '../src/tasks/hindrance.ts';
import type { Standing, TaskDoer } from '../src/tasks/ports.ts';
import { Tasks } from '../src/tasks/tasks.ts';
import { lastAlive, setAlive } from '../src/timer/gap-store.ts';
import { pausedSince } from '../src/timer/switch-store.ts';

/** One life of timers and tasks as the app wires them, over a real database; only the clocks and what runs do are the benchmark's. */

const MINUTE = 60_000;
/** Shorter than what looks as if the process had been stopped. */
const LONGEST_STEP_MS = 140_000;

/** The clocks of a machine: it sleeps, its wall clock is set, and time passes only where it is said. */
export class Machine implements Clock {
	#wall: number;
	#ran = 0;
	#up = 0;

	constructor(wall: number) {
		this.#wall = wall;
	}
	now = (): number => this.#wall;
	monotonic = (): number => this.#ran;
	sinceBoot = (): number => this.#up;

	/** Awake. */
	pass(ms: number): void {
		this.#wall += ms;
		this.#ran += ms;
		this.#up += ms;
	}
	sleep(ms: number): void {
		this.#wall += ms;
		this.#up += ms;
	}
	/** The wall clock alone; less than 0: back. */
	set(ms: number): void {
		this.#wall += ms;
	}
}

/**
 * Runs are rows of a table of our own, written in the transaction that begins them: what really began. Reminders are over at once; the others
 * take some minutes, and one in twenty fails the first time. A run goes on in the next life.
 */
class Runs {
	readonly #db: StateDb;
	readonly #machine: Machine;
	/** When those that go on are over, by the clock of durations. */
	readonly ends = new Map<RunId, number>();

	constructor(db: StateDb, machine: Machine) {
		this.#db = db;
		this.#machine = machine;
	}

	readonly reminder: TaskDoer = {
		begin: (tx, { id }, occurrence) => {
			run(tx, sql`INSERT INTO bench_runs (id, task_id, slot, state) VALUES (${occurrence.id}, ${id}, ${occurrence.slot}, 'done')`);
			return { done: true };
		},
		start: () => undefined,
		retry: () => undefined,
		stop: async () => undefined,
		standing: () => ({ kind: 'stopped' }),
		used: () => ({ tokens: 0, costUsd: 0 }),
	};

	readonly prompt: TaskDoer = {
		begin: (tx, { id }, occurrence) => {
			run(tx, sql`INSERT INTO bench_runs (id, task_id, slot, state) VALUES (${occurrence.id}, ${id}, ${occurrence.slot}, 'running')`);
			return { runId: occurrence.id as string as RunId };
		},
		start: ({ runId }) => this.#goesOn(runId),
		retry: (_task, { runId }) => {
			this.#set(runId, 'running', 1);
			this.#goesOn(runId);
		},
		stop: async ({ runId }) => this.#set(runId, 'stopped'),
		standing: ({ runId }) => this.#standing(runId),
		used: () => ({ tokens: 10, costUsd: 0 }),
	};

	/** It is over. */
	end(runId: RunId): void {
		this.ends.delete(runId);
		const fails = hashOf(runId) % 20 === 0;
		const first = value(this.#db.read, sql`SELECT 1 FROM bench_runs WHERE id = ${runId} AND tries = 1`) !== undefined;
		this.#set(runId, fails && first ? 'failed' : 'done');
	}

	#goesOn(runId: RunId | undefined): void {
		if (runId && this.#standing(runId).kind === 'going_on')
			this.ends.set(runId, this.#machine.monotonic() + MINUTE * (1 + (hashOf(runId) % 5)));
	}

	#set(runId: RunId | undefined, state: string, tries = 0): void {
		this.#db.write((tx) => run(tx, sql`UPDATE bench_runs SET state = ${state}, tries = tries + ${tries} WHERE id = ${runId ?? ''}`));
		if (runId && state === 'stopped') this.ends.delete(runId);
	}

	#standing(runId: RunId | undefined): Standing {
		const said = { text: 'said', label: 'agent' as const };
		switch (value<string>(this.#db.read, sql`SELECT state FROM bench_runs WHERE id = ${runId ?? ''}`)) {
			case 'running':
				return { kind: 'going_on' };
			case 'done':
				return { kind: 'done', ...said };
			case 'failed':
				return { kind: 'failed', error: retryable('model_unreachable', 'It failed once.').shape, ...said };
			default:
				return { kind: 'stopped' };
		}
	}
}

function hashOf(id: string): number {
	return Number.parseInt(id.replaceAll('-', '').slice(-6), 16);
}

export function createRunsTable(db: StateDb): void {
	db.write((tx) =>
		run(
			tx,
			sql`CREATE TABLE IF NOT EXISTS bench_runs (id TEXT NOT NULL, task_id TEXT NOT NULL, slot INTEGER NOT NULL, state TEXT NOT NULL,
				tries INTEGER NOT NULL DEFAULT 1)`,
		),
	);
	db.write((tx) => run(tx, sql`CREATE INDEX IF NOT EXISTS bench_runs_by_id ON bench_runs (id)`));
}

/** What began, for who looks at the end. */
export function begunRuns(db: StateDb): { task_id: string; slot: number }[] {
	return all(db.read, sql`SELECT task_id, slot FROM bench_runs`);
}

export interface Life {
	readonly tasks: Tasks;
	readonly work: Work;
	/** So much time passes, awake; what comes due meanwhile happens in its time. */
	pass(ms: number): Promise<void>;
	/** All that is due by now has happened. */
	settle(): Promise<void>;
	/** In order, as on a quit. */
	close(): Promise<void>;
	/** As if it were killed: nothing more is written, not even that it ends. */
	die(): Promise<void>;
}

const NO_BUDGET = { tokens: null, costUsd: null };
const SETTINGS = {
	activeHours: null,
	taskRunsAtOnce: 2,
	budgets: { unattended: NO_BUDGET, chat: NO_BUDGET, heartbeat: NO_BUDGET, task: NO_BUDGET, workflow: NO_BUDGET },
};

/** `passed`: told each time that time has passed. */
export function beginLife(db: StateDb, machine: Machine, passed: () => void = () => undefined): Life {
	const config = { get: () => ({ settings: SETTINGS }), onChange: () => () => undefined } as unknown as Parameters<
		typeof createWork
	>[0]['config'];
	const announce = (): void => undefined;
	const work = createWork({ db, clock: machine, logger: silentLogger, config, live: { announce } });
	const runs = new Runs(db, machine);
	const tasks = new Tasks({
		db,
		clock: machine,
		logger: silentLogger,
		announce,
		timers: work.timers,
		zone: work.zone,
		hindrance: (tx, from, to, kind) => hindranceBetween(tx, { from, to, kind }, { hours: null, zone: work.zone() }),
		doers: { prompt: runs.prompt, workflow: runs.prompt, reminder: runs.reminder },
		deliver: async () => ({}),
		holds: (kind, how) => work.holdOn(kind, how) !== undefined,
		most: () => SETTINGS.taskRunsAtOnce,
		// By timers of the system's clock, which does not go with this one: the tests see to the pace.
		pace: { firstMs: 0, betweenMs: 0 },
		changed: () => undefined,
		triggers: { prepare: async () => () => undefined, paused: () => undefined, changed: () => undefined },
		permissions: { give: () => undefined, end: () => undefined },
		check: () => undefined,
		audited: () => undefined,
		allPaused: () => pausedSince(db.read) !== undefined,
	});
	onTimers(work, tasks.runner)();
	work.start();
	const { timers } = work;
	/** When the next slot is due by the wall clock. */
	let next = Number.NEGATIVE_INFINITY;
	const settle = async (): Promise<void> => {
		do {
			timers.look();
			await new Promise((resolve) => setImmediate(resolve));
			next = timers.nextAt() ?? Number.POSITIVE_INFINITY;
		} while (next <= machine.now());
	};
	const endRuns = (): void => {
		for (const [runId, at] of runs.ends) {
			if (at > machine.monotonic()) continue;
			runs.end(runId);
			tasks.runner.changed({ runId });
		}
	};
	return {
		tasks,
		work,
		settle,
		pass: async (ms) => {
			for (let left = ms; left > 0; ) {
				const nextRun = Math.min(Number.POSITIVE_INFINITY, ...runs.ends.values()) - machine.monotonic();
				const step = Math.max(1, Math.min(left, LONGEST_STEP_MS, nextRun, next - machine.now()));
				machine.pass(step);
				left -= step;
				passed();
				endRuns();
				await settle();
			}
		},
		close: async () => {
			await tasks.runner.close();
			work.close();
			db.close();
		},
		die: async () => {
			const alive = lastAlive(db.read);
			await tasks.runner.close();
			work.close();
			if (alive !== undefined) db.write((tx) => setAlive(tx, alive));
			db.close();
		},
	};
}
