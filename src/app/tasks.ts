import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Announce } from '../contract/announce.ts';
import type { LiveEvent } from '../contract/events.ts';
import type { ReadDb, StateDb, WriteDb } from '../db/open.ts';
import { terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { PermissionId, PermissionTerms } from '../domain/permission.ts';
import type { RunKind } from '../domain/run.ts';
import type { TaskId } from '../domain/task.ts';
import { permissionEntry } from '../firewall/answers.ts';
import { endPermissionsOfTask, insertPermission } from '../firewall/permission-store.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import { isActive } from '../schedule/active-hours.ts';
import { TASK_TIMER } from '../tasks/claims.ts';
import { collectOccurrences } from '../tasks/collect.ts';
import { createPromptDoer } from '../tasks/doers/prompt.ts';
import { reminderDoer } from '../tasks/doers/reminder.ts';
import { RETRY_TIMER } from '../tasks/ends.ts';
import type { Hindrance } from '../tasks/missed.ts';
import type { TaskDoer } from '../tasks/ports.ts';
import { Tasks } from '../tasks/tasks.ts';
import type { Triggers } from '../tasks/triggers/triggers.ts';
import type { ViewDeps } from '../tasks/view.ts';
import { gapBetween } from '../timer/gap-store.ts';
import { pausedSince } from '../timer/switch-store.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import type { Agent } from './agent.ts';
import { auditTask } from './audited.ts';
import type { ConfigStore } from './config.ts';
import { createTasksHandlers } from './handlers/tasks.ts';
import type { Live } from './live.ts';
import { withoutKnownSecrets } from './owners-words.ts';
import type { Handlers } from './router.ts';
import { createTaskTriggers, type TaskTriggersDeps } from './task-triggers.ts';
import type { Work } from './work.ts';

/** Changes that come closer are told together. */
const TELL_MS = 50;
/** sch-4: after a start, others come first. */
const PACE = { firstMs: 10_000, betweenMs: 5_000 };

export interface TaskParts {
	readonly handlers: Handlers['tasks'];
	readonly tasks: Tasks;
	readonly triggers: Triggers;
	/** After runs were recovered, before timers are told. `stays`: it is no start for one command. */
	start(how: { stays: boolean }): void;
	close(): Promise<void>;
}

export interface TaskPartsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly config: Pick<ConfigStore, 'get'>;
	readonly live: Pick<Live, 'announce' | 'seq'>;
	readonly audit: AuditLog;
	readonly redactor: Redactor;
	readonly work: Work;
	readonly agent: Pick<Agent, 'engine'>;
	readonly reminders: Pick<Reminders, 'setNow' | 'changed'>;
	readonly own: TaskTriggersDeps['own'];
	/** In place of the usual pace; tests only. */
	readonly pace?: { readonly firstMs: number; readonly betweenMs: number } | undefined;
}

/** Brings tasks together with the timers of their slots, the triggers that fire them, and those who do what they are for. */
export function createTaskParts(deps: TaskPartsDeps): TaskParts {
	const { db, clock, logger, config, live, work, agent, reminders, audit } = deps;
	const changed = togetherEach(TELL_MS, () => live.announce({ type: 'tasks_changed' }));
	const refuses: TaskDoer = {
		...reminderDoer({ remind: () => refused(), told: () => undefined }),
		begin: () => refused(),
	};
	const doers = {
		prompt: createPromptDoer({
			db: db.read,
			engine: agent.engine,
			model: () => config.get().models.background ?? undefined,
			zone: work.zone,
		}),
		workflow: refuses,
		reminder: reminderDoer({
			remind: (tx, { key, ...words }) => reminders.setNow(tx, { ...words, stepKey: key }),
			told: reminders.changed,
		}),
	};
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
		hindrance: (tx, from, to, kind) => hindranceBetween(tx, { from, to, kind }, config.get().settings.activeHours, work.zone()),
		doers,
		deliver: async () => undefined,
		holds: (kind, how) => work.holdOn(kind, how) !== undefined,
		most: () => config.get().settings.taskRunsAtOnce,
		pace: deps.pace ?? PACE,
		changed: changed.soon,
		triggers,
		permissions: {
			give: (tx, taskId, terms) => givePermissions(tx, audit, clock.now(), taskId, terms),
			end: (tx, taskId) => void endPermissionsOfTask(tx, taskId, clock.now()),
		},
		check: () => undefined,
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
	work.onDue(TASK_TIMER, (ref) => runner.due(ref));
	work.onDue(RETRY_TIMER, () => runner.look());
	work.onFreed(() => runner.look());
	work.onZone(() => runner.zoneChanged(work.zone()));
	work.onNoticed((noticed) => {
		if (noticed.what === 'clock' && noticed.ms < 0) runner.clockSetBack();
		if (noticed.what === 'woke') runner.judgeQueued();
	});
	agent.engine.onRunEnded(({ id, kind }) => {
		if (kind === 'task') runner.changed({ runId: id });
	});
	const handlers = createTasksHandlers({ db, tasks, triggers, view, liveSeq: live.seq });
	return {
		handlers: withoutKnownSecrets(handlers, ['preview', 'add', 'update', 'trigger'], deps.redactor),
		tasks,
		triggers,
		start: (how) => {
			const { setBack } = work.gaps.begin();
			runner.start();
			runner.zoneChanged(work.zone());
			if (setBack) runner.clockSetBack();
			collectOccurrences({ db, clock, logger });
			triggers.start(how);
		},
		close: async () => {
			changed.close();
			await triggers.close();
			await runner.close();
		},
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

function refused(): never {
	throw terminal('tool_impossible', 'Tasks can’t run workflows yet.');
}

/** What stood in the way: a time when nothing went on, or the owner's hours as they are now. */
function hindranceBetween(
	db: ReadDb,
	{ from, to, kind }: { from: Timestamp; to: Timestamp; kind: RunKind },
	hours: Parameters<typeof isActive>[0] | null,
	zone: string,
): Exclude<Hindrance, 'late'> | undefined {
	const gap = gapBetween(db, from, to);
	if (gap !== undefined) return gap;
	return kind !== 'chat' && hours && !isActive(hours, from, zone) ? 'active_hours' : undefined;
}

function givePermissions(tx: WriteDb, audit: AuditLog, now: Timestamp, taskId: TaskId, all: readonly PermissionTerms[]): void {
	for (const given of all) {
		const terms: PermissionTerms = { ...given, job: { kind: 'task', taskId } };
		const id = newId<PermissionId>();
		insertPermission(tx, { id, terms, origin: 'owner', createdAt: now });
		audit.append(tx, [permissionEntry('granted', id, terms)]);
	}
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
