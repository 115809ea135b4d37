import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { StateDb } from '../../src/db/open.ts';
import type { Json } from '../../src/domain/json.ts';
import { TaskDraft, TaskId, type Trigger } from '../../src/domain/task.ts';
import { createRedactor } from '../../src/firewall/redact.ts';
import { payloadWith } from '../../src/run/redact-event.ts';
import { insertTask } from '../../src/tasks/task-store.ts';
import type { FilePaces } from '../../src/tasks/triggers/file-watch.ts';
import { QUIET_TIMER } from '../../src/tasks/triggers/gather.ts';
import type { ClaimFired, Fired } from '../../src/tasks/triggers/ports.ts';
import { Triggers } from '../../src/tasks/triggers/triggers.ts';
import { Background } from '../../src/timer/background.ts';
import { NO_RULES } from './timers.ts';

/** As in life, but quicker. */
export const QUICK: FilePaces = { settle: 40, settleEmpty: 200, sign: 5, poll: 50, rest: 60_000 };

export interface TriggersLife {
	readonly triggers: Triggers;
	readonly background: Background;
	/** What was claimed, in order. */
	readonly fired: ({ taskId: TaskId } & Fired)[];
	/** Of each file that a claim named, the name below `folder`. */
	files(folder: string): string[];
	/** A task that listens; what lies there already is no event. */
	task(trigger: Trigger, more?: { quietSeconds?: number }): Promise<TaskId>;
	close(): Promise<void>;
}

interface Opened {
	readonly triggers: Triggers;
	readonly background: Background;
	close(): Promise<void>;
}

/** Triggers over a database with real timers, not started. `home`: the owner's. */
export function openTriggers(
	db: StateDb,
	{ home, clock, paces, isNetwork, claim }: { home: string; clock: Clock; paces: FilePaces; isNetwork: boolean; claim: ClaimFired },
): Opened {
	const background = new Background({
		db,
		clock,
		logger: silentLogger,
		zone: () => 'UTC',
		rules: () => NO_RULES,
		announce: () => undefined,
		onFreed: () => undefined,
	});
	const hearth = join(home, '.hearth');
	const redactor = createRedactor(Buffer.alloc(32));
	const triggers = new Triggers({
		db,
		clock,
		logger: silentLogger,
		own: { hearth, workspace: join(hearth, 'profiles', 'default', 'workspace'), home },
		timers: background.timers,
		clean: (payload, label) => payloadWith(payload, label, redactor),
		claim,
		claimed: () => undefined,
		onProblem: () => undefined,
		isNetwork: async () => isNetwork,
		paces,
	});
	background.timers.onDue(QUIET_TIMER, (ref) => triggers.due(TaskId.parse(ref)));
	let closed: Promise<void> | undefined;
	const close = (): Promise<void> => {
		closed ??= triggers.close().then(() => background.close());
		return closed;
	};
	return { triggers, background, close };
}

/** One life of triggers; claims are noted. */
export function triggersLife(
	db: StateDb,
	given: { home: string; clock?: Clock; paces?: Partial<FilePaces>; isNetwork?: boolean; starts?: boolean },
): TriggersLife {
	const clock = given.clock ?? systemClock;
	const fired: TriggersLife['fired'] = [];
	const claim: ClaimFired = (_tx, taskId, one) => void fired.push({ taskId, ...one });
	const paces = { ...QUICK, ...given.paces };
	const opened = openTriggers(db, { home: given.home, clock, paces, isNetwork: given.isNetwork ?? false, claim });
	onTestFinished(opened.close);
	if (given.starts ?? true) {
		opened.triggers.start({ stays: true });
		opened.background.timers.start();
	}
	return {
		...opened,
		fired,
		files: (folder) => fired.flatMap(({ payload }) => filesOf(payload, folder)),
		task: (trigger, more) => addTask(db, opened.triggers, trigger, { now: clock.now(), ...more }),
	};
}

/** Of each file that a payload names, the name below `folder`. */
export function filesOf(payload: Json | undefined, folder: string): string[] {
	const { events } = payload as { events: { file: string }[] };
	return events.map(({ file }) => file.slice(folder.length + 1).replaceAll('\\', '/'));
}

export async function addTask(
	db: StateDb,
	triggers: Triggers,
	trigger: Trigger,
	{ quietSeconds = 0, now = 1 }: { quietSeconds?: number; now?: number } = {},
): Promise<TaskId> {
	const draft = TaskDraft.parse({
		title: 'A task',
		when: { kind: 'trigger', trigger, quietSeconds },
		work: { kind: 'prompt', text: 'Look at it.' },
	});
	const id = newId<TaskId>();
	const listen = await triggers.prepare(draft.when);
	db.write((tx) => {
		insertTask(tx, { id, draft, label: 'owner', makeKey: id, claimedTo: now, createdAt: now });
		listen(tx, id);
	});
	triggers.changed();
	return id;
}
