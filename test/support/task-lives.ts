import { randomUUID } from 'node:crypto';
import { onTimers } from '../../src/app/tasks.ts';
import { createWork, type Work } from '../../src/app/work.ts';
import type { Clock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { LiveEvent } from '../../src/contract/events.ts';
import type { Settings } from '../../src/contract/methods/profile.ts';
import type { StateDb } from '../../src/db/open.ts';
import { type ErrorShape, HearthError, terminal } from '../../src/domain/errors.ts';
import type { RunId } from '../../src/domain/ids.ts';
import type { Schedule } from '../../src/domain/schedule.ts';
import { TaskDraft, type TaskId } from '../../src/domain/task.ts';
import { hindranceBetween } from '../../src/tasks/hindrance.ts';
import { listOccurrences } from '../../src/tasks/history-store.ts';
import type { StoredOccurrence } from '../../src/tasks/occurrence-row.ts';
import type { Standing, TaskDoer } from '../../src/tasks/ports.ts';
import { Tasks } from '../../src/tasks/tasks.ts';
import { tasksStatus, type ViewDeps, viewTask, viewTasks } from '../../src/tasks/view.ts';
import { lastAlive, setAlive } from '../../src/timer/gap-store.ts';
import { pausedSince } from '../../src/timer/switch-store.ts';

/** Shorter than what looks like a process that was stopped. */
const STEP_MS = 50_000;

/** The clocks of a machine: it sleeps, its wall clock is set, and time passes only where the test says so. */
export class Machine implements Clock {
	at: number;
	#ran = 0;
	#up = 0;

	constructor(at: number) {
		this.at = at;
	}
	now = (): number => this.at;
	monotonic = (): number => this.#ran;
	sinceBoot = (): number => this.#up;

	/** It is awake. */
	pass(ms: number): void {
		this.at += ms;
		this.#ran += ms;
		this.#up += ms;
	}
	sleep(ms: number): void {
		this.at += ms;
		this.#up += ms;
	}
	/** The wall clock alone; less than 0: back. */
	set(ms: number): void {
		this.at += ms;
	}
}

/** What the runs of tests do: they stand in a table of the same database, so that a commit makes both or neither (R5). */
export class TestRuns {
	readonly #db: StateDb;
	/** How the next ones end; else each goes on until the test ends it. */
	atOnce: 'done' | undefined;
	refuses: ErrorShape | undefined;
	ended: (runId: RunId) => void = () => undefined;

	constructor(db: StateDb) {
		this.#db = db;
		db.write((tx) =>
			tx.exec(
				'CREATE TABLE IF NOT EXISTS test_runs (id TEXT PRIMARY KEY, state TEXT NOT NULL, error TEXT, tries INTEGER NOT NULL DEFAULT 1)',
			),
		);
	}

	readonly doer: TaskDoer = {
		begin: (tx, _task, { id }) => {
			if (this.refuses) throw new HearthError(this.refuses);
			const runId = `run-${id}` as RunId;
			tx.prepare('INSERT INTO test_runs (id, state) VALUES (?, ?)').run(runId, this.atOnce ?? 'running');
			return { runId };
		},
		start: ({ runId }) => {
			if (runId && this.#standing(runId).kind !== 'going_on') queueMicrotask(() => this.ended(runId));
		},
		retry: (_task, { runId }) => this.#set(runId, 'running', undefined, 1),
		stop: async ({ runId }) => this.#set(runId, 'stopped'),
		standing: ({ runId }) => this.#standing(runId),
		used: () => ({ tokens: 7, costUsd: 0.5 }),
	};

	/** Every run that ever began, and how it stands. */
	all(): { id: string; state: string; tries: number }[] {
		return this.#db.read.prepare('SELECT id, state, tries FROM test_runs ORDER BY rowid').all() as {
			id: string;
			state: string;
			tries: number;
		}[];
	}

	set({ runId }: Pick<StoredOccurrence, 'runId'>, state: 'running' | 'waiting' | 'done' | 'failed', error?: ErrorShape): void {
		this.#set(runId, state, error);
		if (runId) this.ended(runId);
	}

	#set(runId: string | undefined, state: string, error?: ErrorShape, tries = 0): void {
		this.#db.write((tx) =>
			tx
				.prepare('UPDATE test_runs SET state = ?, error = ?, tries = tries + ? WHERE id = ?')
				.run(state, error ? JSON.stringify(error) : null, tries, runId),
		);
	}

	#standing(runId: string | undefined): Standing {
		const row = this.#db.read.prepare('SELECT state, error FROM test_runs WHERE id = ?').get(runId) as
			| { state: string; error: string | null }
			| undefined;
		const said = { text: `said by ${runId}`, label: 'agent' as const };
		switch (row?.state) {
			case 'running':
				return { kind: 'going_on' };
			case 'waiting':
				return { kind: 'waiting' };
			case 'done':
				return { kind: 'done', ...said };
			case 'failed':
				return { kind: 'failed', error: JSON.parse(row.error ?? '{}') as ErrorShape, ...said };
			default:
				return { kind: 'stopped' };
		}
	}
}

export interface TasksLife {
	readonly tasks: Tasks;
	readonly work: Work;
	readonly runs: TestRuns;
	readonly machine: Machine;
	readonly told: Extract<LiveEvent, { type: 'task_told' }>[];
	readonly delivered: string[];
	settings: Pick<Settings, 'activeHours' | 'budgets' | 'taskRunsAtOnce'>;
	/** All that is due by now has happened. */
	settle(): Promise<void>;
	/** So much time passes, awake; all that comes due meanwhile happens in its time, to some seconds. */
	pass(ms: number): Promise<void>;
	add(draft: unknown): Promise<TaskId>;
	view(id: TaskId): ReturnType<typeof viewTask>;
	list(page: { offset: number; limit: number }): ReturnType<typeof viewTasks>;
	status(): ReturnType<typeof tasksStatus>;
	/** In order of their slots. */
	rows(id: TaskId): StoredOccurrence[];
	/** As if it were killed: nothing more is written, not even that it ends. */
	die(): void;
	close(): Promise<void>;
}

const NO_BUDGET = { tokens: null, costUsd: null };

/** One life of tasks over a database, with everything real but the clock and what runs do. */
export async function openTasksLife(
	db: StateDb,
	machine: Machine,
	given: {
		zone?: string;
		atOnce?: 'done' | undefined;
		delivered?: (id: string) => void;
		settings?: Partial<TasksLife['settings']>;
		pace?: { firstMs: number; betweenMs: number };
	} = {},
): Promise<TasksLife> {
	const told: TasksLife['told'] = [];
	const delivered: string[] = [];
	const announce = (event: LiveEvent): void => {
		if (event.type === 'task_told') told.push(event);
	};
	const budgets = { unattended: NO_BUDGET, chat: NO_BUDGET, heartbeat: NO_BUDGET, task: NO_BUDGET, workflow: NO_BUDGET };
	const life = { settings: { activeHours: null, budgets, taskRunsAtOnce: 2, ...given.settings } } as TasksLife;
	const config = { get: () => ({ settings: life.settings }), onChange: () => () => undefined } as unknown as Parameters<
		typeof createWork
	>[0]['config'];
	const work = createWork({ db, clock: machine, logger: silentLogger, config, live: { announce } });
	if (given.zone) work.noticed({ what: 'clock', zone: given.zone });
	const runs = new TestRuns(db);
	runs.atOnce = given.atOnce;
	const tasks = new Tasks({
		db,
		clock: machine,
		logger: silentLogger,
		announce,
		timers: work.timers,
		zone: work.zone,
		hindrance: (tx, from, to, kind) => hindranceBetween(tx, { from, to, kind }, { hours: life.settings.activeHours, zone: work.zone() }),
		doers: { prompt: runs.doer, workflow: runs.doer, reminder: runs.doer },
		deliver: async (_task, { id }) => {
			delivered.push(id);
			given.delivered?.(id);
			return {};
		},
		holds: (kind, how) => work.holdOn(kind, how) !== undefined,
		most: () => life.settings.taskRunsAtOnce,
		pace: given.pace ?? { firstMs: 0, betweenMs: 0 },
		changed: () => undefined,
		triggers: { prepare: async () => () => undefined, paused: () => undefined, changed: () => undefined },
		permissions: { give: () => undefined, end: () => undefined },
		check: () => undefined,
		audited: () => undefined,
		allPaused: () => pausedSince(db.read) !== undefined,
	});
	runs.ended = (runId) => tasks.runner.changed({ runId });
	onTimers(work, tasks.runner)();
	work.start();
	const view = (): ViewDeps => ({
		db: db.read,
		now: machine.now(),
		zone: work.zone(),
		allPaused: pausedSince(db.read) !== undefined,
		doers: { prompt: runs.doer, workflow: runs.doer, reminder: runs.doer },
		triggerProblem: () => undefined,
	});
	let over = false;
	Object.assign(life, {
		tasks,
		work,
		runs,
		machine,
		told,
		delivered,
		settle: async () => {
			// A look tells a batch; what it tells may make another timer due at once.
			for (let quiet = 0; quiet < 2; ) {
				work.timers.look();
				await new Promise((resolve) => setImmediate(resolve));
				const next = work.timers.nextAt();
				quiet = next !== undefined && next <= machine.now() ? 0 : quiet + 1;
			}
		},
		pass: async (ms: number) => {
			for (let left = ms; left > 0; left -= STEP_MS) {
				machine.pass(Math.min(STEP_MS, left));
				work.timers.look();
				await Promise.resolve();
			}
			await life.settle();
		},
		add: async (draft: unknown) => {
			const full = TaskDraft.parse(draft);
			const { shownHash } = tasks.preview(full);
			return tasks.add({ draft: full, shownHash, permissions: [], requestId: randomUUID() });
		},
		view: (id: TaskId) => viewTask(view(), id),
		list: (page: { offset: number; limit: number }) => viewTasks(view(), page),
		status: () => tasksStatus(view()),
		rows: (id: TaskId) => listOccurrences(db.read, { taskId: id, limit: 500 }).toReversed(),
		die: () => {
			over = true;
			const alive = lastAlive(db.read);
			void tasks.runner.close();
			work.close();
			if (alive !== undefined) db.write((tx) => setAlive(tx, alive));
		},
		close: async () => {
			if (over) return;
			over = true;
			await tasks.runner.close();
			work.close();
		},
	} satisfies Partial<TasksLife>);
	return life;
}

/** A task on a schedule, for tests. */
export function scheduled(timing: Schedule['timing'], more: Record<string, unknown> = {}): unknown {
	const { schedule, ...rest } = more;
	return {
		title: 'Test',
		when: { kind: 'schedule', schedule: { timing, ...(schedule as object | undefined) } },
		work: { kind: 'prompt', text: 'Do it.' },
		...rest,
	};
}

export const FAILS = terminal('tool_failed', 'It did not work.').shape;
