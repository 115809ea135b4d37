import { crashPoint } from '../../base/crash-point.ts';
import { newId } from '../../base/ids.ts';
import type { WriteDb } from '../../db/brands.ts';
import { sourceName } from '../../domain/context-source.ts';
import { type ErrorShape, terminal } from '../../domain/errors.ts';
import type { WatchedSourceId } from '../../domain/heartbeat.ts';
import type { WorkflowInstanceId } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import type { Label } from '../../domain/label.ts';
import type { TaskId, TaskWhen, TriggerName } from '../../domain/task.ts';
import { checkPayload } from '../../run/refusals.ts';
import { beganInstance, waitingTasks } from './event-store.ts';
import { lookAt } from './file-scan.ts';
import { forgetLooks } from './file-store.ts';
import { FileWatch, type FileWatchDeps, isSameTrigger, settleLook } from './file-watch.ts';
import { type GatherDeps, Gathering } from './gather.ts';
import type { TriggerEvent, WaitingTask } from './ports.ts';

export interface TriggersDeps extends GatherDeps, Omit<FileWatchDeps, 'gathering' | 'onProblem' | 'clock' | 'db'> {
	readonly clock: FileWatchDeps['clock'];
	/** What keeps a task's trigger from listening is another now. */
	readonly onProblem: (taskId: TaskId) => void;
}

/** An instance of a workflow has come to a state. */
export interface StateReached {
	readonly instanceId: WorkflowInstanceId;
	readonly workflow: string;
	readonly state: string;
}

/** Findings that wait for the owner now. Nothing of their text is known here (B1). */
export interface Found {
	readonly sourceId: WatchedSourceId;
	/** As the owner took it over. */
	readonly sourceTitle: string;
	readonly findings: number;
}

/**
 * What tasks wait for, beside times. Whoever knows of something says so in their own transaction (a state reached, findings held), or it is found
 * here (files, the machine); each is an event of each task that waits for it, once, and events become occurrences in `Gathering`.
 */
export class Triggers {
	readonly #deps: TriggersDeps;
	readonly #gathering: Gathering;
	readonly #watches = new Map<TaskId, FileWatch>();
	readonly #closing = new Set<Promise<void>>();
	#started = false;

	constructor(deps: TriggersDeps) {
		this.#deps = deps;
		this.#gathering = new Gathering(deps);
	}

	/** Once runs were recovered, and before timers are told. `stays`: it is a start of Hearth, and not of one command. */
	start({ stays }: { readonly stays: boolean }): void {
		this.#started = true;
		if (stays) this.#tell('app_start', () => ({ key: newId(), name: 'Hearth started', label: 'owner' }));
		this.changed();
	}

	/** After a transaction that added, changed, paused, resumed or removed tasks. */
	changed(): void {
		if (!this.#started) return;
		const wanted = new Map(waitingTasks(this.#deps.db.read, 'files').map((task) => [task.id, task.trigger]));
		for (const [id, watch] of this.#watches) {
			const trigger = wanted.get(id);
			if (trigger && isSameTrigger(trigger, watch.trigger)) continue;
			this.#watches.delete(id);
			this.#end(watch);
		}
		for (const [id, trigger] of wanted) {
			if (this.#watches.has(id) || trigger.kind !== 'files') continue;
			const onProblem = (): void => this.#deps.onProblem(id);
			const watch = new FileWatch({ ...this.#deps, gathering: this.#gathering, onProblem }, id, trigger);
			this.#watches.set(id, watch);
			watch.look();
		}
	}

	/**
	 * What a task that begins to listen has to note in its transaction: what lies in its folder already is no event. Rejects with `invalid_input`,
	 * `source_missing`, `source_refused`, `file_too_large` where it can't be listened for.
	 */
	async prepare(when: TaskWhen): Promise<(tx: WriteDb, taskId: TaskId) => void> {
		if (when.kind !== 'trigger' || when.trigger.kind !== 'files') return forgetLooks;
		const { trigger } = when;
		if (trigger.names !== undefined && /[\\/]/.test(trigger.names))
			throw terminal('invalid_input', 'The names of files are meant without their folders, such as *.pdf.', {
				action: 'Leave out the slash.',
			});
		// A folder that is not there is a slip of the pen; a file may come.
		const mayCome = trigger.names === undefined && /[^\\/]\.[^\\/.]+$/.test(trigger.path);
		return settleLook(trigger, await lookAt(trigger, this.#deps.own, { wasFile: mayCome }));
	}

	/** In the transaction that pauses or ends a task, or gives it another trigger: what came is none, and neither is what comes meanwhile. */
	paused(tx: WriteDb, taskId: TaskId): void {
		this.#gathering.drop(tx, taskId);
		forgetLooks(tx, taskId);
	}

	/** What keeps a task's trigger from listening; it heals by itself. */
	problem(taskId: TaskId): ErrorShape | undefined {
		return this.#watches.get(taskId)?.problem;
	}

	/** A script's word. Says how many tasks wait for it. Throws `invalid_input`. */
	signal(name: TriggerName, payload: Json, label: Label): number {
		checkPayload(payload);
		return this.#tell('signal', ({ trigger }) =>
			trigger.kind === 'signal' && trigger.name === name
				? { name: `hearth trigger ${name}`, label, payload: payload === null ? undefined : payload }
				: undefined,
		);
	}

	woke(): void {
		this.#tell('wake', () => ({ name: 'The machine woke', label: 'owner' }));
	}

	/** The owner is back. */
	unlocked(idleMinutes: number): void {
		this.#tell('unlock', ({ trigger }) =>
			trigger.kind === 'unlock' && idleMinutes >= trigger.idleMinutes ? { name: 'You came back', label: 'owner' } : undefined,
		);
	}

	/** In the transaction of the move. */
	reached(tx: WriteDb, { instanceId, workflow, state }: StateReached): void {
		for (const task of waitingTasks(tx, 'workflow')) {
			const { trigger } = task;
			if (trigger.kind !== 'workflow' || trigger.workflow !== workflow || trigger.state !== state) continue;
			if (beganInstance(tx, task.id, instanceId)) continue;
			const name = `Workflow ${workflow} reached ${state}`;
			this.#gathering.gather(tx, task, [{ name, label: 'owner', payload: { workflow, state, instance: instanceId } }]);
		}
	}

	/** In the transaction that takes them in. */
	found(tx: WriteDb, { sourceId, sourceTitle, findings }: Found): void {
		for (const task of waitingTasks(tx, 'finding')) {
			const { trigger } = task;
			if (trigger.kind !== 'finding' || (trigger.sourceId !== undefined && trigger.sourceId !== sourceId)) continue;
			const source = sourceName(sourceTitle);
			this.#gathering.gather(tx, task, [{ name: `New findings of “${source}”`, label: 'approved', payload: { source, findings } }]);
		}
	}

	/** Told that a task's quiet time may be over. */
	due(taskId: TaskId): void {
		this.#gathering.due(taskId);
	}

	async close(): Promise<void> {
		this.#started = false;
		for (const watch of this.#watches.values()) this.#end(watch);
		this.#watches.clear();
		await Promise.all(this.#closing);
	}

	#tell(kind: 'app_start' | 'wake' | 'unlock' | 'signal', eventFor: (task: WaitingTask) => TriggerEvent | undefined): number {
		const { db } = this.#deps;
		if (!waitingTasks(db.read, kind).some(eventFor)) return 0;
		const told = db.write((tx) => {
			const events = waitingTasks(tx, kind).flatMap((task) => {
				const event = eventFor(task);
				return event ? [{ task, event }] : [];
			});
			for (const { task, event } of events) this.#gathering.gather(tx, task, [event]);
			return events.length;
		});
		crashPoint('task.event');
		return told;
	}

	#end(watch: FileWatch): void {
		const ended = watch.close().finally(() => this.#closing.delete(ended));
		this.#closing.add(ended);
	}
}
