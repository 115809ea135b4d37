import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Announce } from '../contract/announce.ts';
import type { LiveEvent } from '../contract/events.ts';
import type { StateDb } from '../db/open.ts';
import type { PermissionTerms } from '../domain/permission.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { PAUSE_TIMER, TASK_TIMER } from '../tasks/claims.ts';
import { collectOccurrences } from '../tasks/collect.ts';
import { RETRY_TIMER } from '../tasks/ends.ts';
import { hindranceBetween } from '../tasks/hindrance.ts';
import type { Runner } from '../tasks/runner.ts';
import { Tasks } from '../tasks/tasks.ts';
import type { Triggers } from '../tasks/triggers/triggers.ts';
import type { ViewDeps } from '../tasks/view.ts';
import { pausedSince } from '../timer/switch-store.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import type { Agent } from './agent.ts';
import { auditTask } from './audited.ts';
import type { ConfigStore } from './config.ts';
import { createTasksHandlers } from './handlers/tasks.ts';
import type { Live } from './live.ts';
import { withoutKnownSecrets } from './owners-words.ts';
import { createTaskReader } from './read-task.ts';
import type { Handlers } from './router.ts';
import { settledTerms } from './settled-terms.ts';
import { createTaskPermissions } from './task-permissions.ts';
import { createTaskTriggers, type TaskTriggersDeps } from './task-triggers.ts';
import { createTaskWork, type TaskWorkDeps } from './task-work.ts';
import type { Work } from './work.ts';

/** Changes that come closer are told together. */
const TELL_MS = 50;
/** Nobody looks at what is that old. */
const COLLECT_EVERY_MS = 24 * 3_600_000;
/** sch-4: after a start, others come first. */
const PACE = { firstMs: 10_000, betweenMs: 5_000 };

export interface TaskParts {
	readonly handlers: Handlers['tasks'];
	readonly tasks: Tasks;
	readonly triggers: Triggers;
	/** What waits for the stored keys goes on where they are unlocked. */
	secretsChanged(): void;
	/** After runs were recovered, before timers are told. `stays`: it is no start for one command. */
	start(how: { stays: boolean }): void;
	close(): Promise<void>;
}

export interface TaskPartsDeps extends Pick<TaskWorkDeps, 'inspector' | 'hold' | 'witness'> {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly config: Pick<ConfigStore, 'get'>;
	readonly live: Pick<Live, 'announce' | 'seq'>;
	readonly audit: AuditLog;
	readonly redactor: Redactor;
	readonly secrets: Pick<SecretStore, 'status'>;
	readonly work: Work;
	readonly agent: TaskWorkDeps['agent'] & Pick<Agent, 'recipient' | 'chatModel'>;
	readonly reminders: Pick<Reminders, 'setNow' | 'changed'>;
	readonly own: TaskTriggersDeps['own'];
	/** In place of the usual pace; tests only. */
	readonly pace?: { readonly firstMs: number; readonly betweenMs: number } | undefined;
}

/** Brings tasks together with the timers of their slots, the triggers that fire them, and those who do what they are for. */
export function createTaskParts(deps: TaskPartsDeps): TaskParts {
	const { db, clock, logger, config, live, work, agent, audit } = deps;
	const changed = togetherEach(TELL_MS, () => live.announce({ type: 'tasks_changed' }));
	const permissions = createTaskPermissions({ clock, audit, announce: live.announce });
	const { doers, deliver, tests, check } = createTaskWork({ ...deps, permissions });
	const allPaused = (): boolean => pausedSince(db.read) !== undefined;
	const triggers = createTaskTriggers({
		...deps,
		claim: (tx, taskId, fired) => tasks.runner.fired(tx, taskId, fired),
		claimed: () => tasks.runner.look(),
		onProblem: changed.soon,
	});
	const tasks = new Tasks({
		db,
		clock,
		logger,
		announce: live.announce,
		timers: work.timers,
		zone: work.zone,
		hindrance: (tx, from, to, kind) =>
			hindranceBetween(tx, { from, to, kind }, { hours: config.get().settings.activeHours, zone: work.zone() }),
		doers,
		deliver,
		holds: (kind, how) => work.holdOn(kind, how) !== undefined,
		most: () => config.get().settings.taskRunsAtOnce,
		pace: deps.pace ?? PACE,
		changed: changed.soon,
		triggers,
		permissions,
		check,
		audited: auditTask(audit),
		allPaused,
	});
	const { runner } = tasks;
	const view = (): ViewDeps => ({
		db: db.read,
		now: clock.now(),
		zone: work.zone(),
		allPaused: allPaused(),
		doers,
		triggerProblem: (id) => triggers.problem(id),
	});
	const startRunner = onTimers(work, runner);
	let collectedAt = clock.now();
	const collect = (): void => {
		collectedAt = clock.now();
		collectOccurrences({ db, clock, logger });
		tests.collect();
	};
	work.onLook(() => {
		if (Math.abs(clock.now() - collectedAt) >= COLLECT_EVERY_MS) collect();
	});
	agent.engine.onRunEnded(({ id, kind }) => {
		if (kind === 'task') runner.changed({ runId: id });
	});
	const read = createTaskReader({
		db: db.read,
		clock,
		logger,
		zone: work.zone,
		preview: (draft) => tasks.preview(draft),
		recipient: () => agent.recipient('chat'),
		model: agent.chatModel,
		meter: work.meter,
	});
	const settled = (all: readonly PermissionTerms[]) => Promise.all(all.map((terms) => settledTerms(terms, deps.own, clock.now())));
	const handlers = withSettledTerms(
		createTasksHandlers({ db, tasks, read, tests, tools: agent.unattendedTools, triggers, view, liveSeq: live.seq }),
		settled,
	);
	const lookAtKeys = (): void => {
		deps.secrets
			.status()
			.then(({ locked }) => {
				if (!locked) runner.unlocked();
			})
			.catch((error: unknown) => logger.warn('tasks_not_told_of_keys', { error }));
	};
	return {
		secretsChanged: lookAtKeys,
		handlers: withoutKnownSecrets(handlers, ['read', 'preview', 'add', 'update', 'test', 'trigger'], deps.redactor),
		tasks,
		triggers,
		start: (how) => {
			startRunner();
			collect();
			triggers.start(how);
			lookAtKeys();
		},
		close: async () => {
			changed.close();
			await triggers.close();
			await runner.close();
		},
	};
}

/** S2: what is permitted with a card, or for a test, is checked as what is permitted in Settings is. */
function withSettledTerms(
	handlers: Handlers['tasks'],
	settled: (all: readonly PermissionTerms[]) => Promise<PermissionTerms[]>,
): Handlers['tasks'] {
	return {
		...handlers,
		add: async (given, caller) => handlers.add({ ...given, permissions: await settled(given.permissions) }, caller),
		update: async (given, caller) => handlers.update({ ...given, permissions: await settled(given.permissions) }, caller),
		test: async (given, caller) => handlers.test({ ...given, permissions: await settled(given.permissions) }, caller),
	};
}

/** Slots come by timers, and wait while work is held. What is returned takes up what the last life left. */
export function onTimers(work: Work, runner: Runner): () => void {
	work.onDue(TASK_TIMER, (ref) => runner.due(ref));
	work.onDue(PAUSE_TIMER, (ref) => runner.pauseOver(ref));
	work.onDue(RETRY_TIMER, () => runner.look());
	work.onFreed(() => runner.look());
	work.onZone(() => runner.zoneChanged(work.zone()));
	work.onNoticed((noticed) => {
		if (noticed.what === 'clock' && noticed.ms < 0) runner.clockSetBack();
		if (noticed.what === 'woke') runner.judgeQueued();
	});
	return () => {
		const { setBack } = work.gaps.begin();
		runner.start();
		runner.zoneChanged(work.zone());
		if (setBack) runner.clockSetBack();
	};
}

/** Live events, heard by tasks too: what a task runs waits, goes on, is over. */
export function withTasks(live: Live, tasks: () => Pick<Tasks, 'runner'>): Live {
	const tell = (event: LiveEvent): void => {
		if (event.type === 'run_changed' && event.run.kind === 'task' && event.run.status !== 'running')
			tasks().runner.changed({ runId: event.run.id });
		if (event.type === 'workflow_changed') tasks().runner.changed({ instanceId: event.instance.id });
	};
	const announce: Announce = (event) => {
		live.announce(event);
		tell(event);
	};
	return { ...live, announce };
}

/** Calls `tell` once for what comes within `ms`. */
function togetherEach(ms: number, tell: () => void): { soon(): void; close(): void } {
	let timer: NodeJS.Timeout | undefined;
	return {
		soon: () => {
			timer ??= setTimeout(() => {
				timer = undefined;
				tell();
			}, ms).unref();
		},
		close: () => clearTimeout(timer),
	};
}
