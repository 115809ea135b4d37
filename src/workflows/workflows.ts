import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { Announce } from '../contract/announce.ts';
import type { WriteDb } from '../db/brands.ts';
import { isFullDisk } from '../db/errors.ts';
import { HearthError, terminal, toErrorShape } from '../domain/errors.ts';
import type { RunId, SessionId, WorkflowInstanceId } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { EventName, RunSummary } from '../domain/run.ts';
import type { WorkflowInstance, WorkflowName, WorkflowStateName } from '../domain/workflow.ts';
import { isAtRest } from '../run/children.ts';
import { findRun } from '../run/journal-store.ts';
import { Later } from '../run/later.ts';
import { checkPayload, idUsedBefore } from '../run/refusals.ts';
import { beginSession } from '../sessions/session-store.ts';
import type { Ticker } from '../timer/ticker.ts';
import type { Tool } from '../tools/port.ts';
import { type Definition, stateOf } from './definition.ts';
import { WORKFLOW_JOURNAL_VERSION, type WorkflowEvent } from './events.ts';
import type { WorkflowFolder } from './folder.ts';
import {
	findByRequest,
	getInstance,
	insertEvent,
	insertInstance,
	instancesThatMayWaitFor,
	instancesToGoOn,
	listInstances,
} from './instance-store.ts';
import { InstanceJournal, type Loaded, type TellEntered } from './journal.ts';
import { moveTool } from './move-tool.ts';
import { noModelToStart, statesWithoutModel } from './needs-model.ts';
import { fold, RefusedEvent } from './reduce.ts';
import { eventsOf, neverWaitsFor, noSuchState, type Startable, startable, type WorkflowStart } from './start.ts';
import { isOver } from './state.ts';
import { Stepper, type StepperDeps } from './stepper.ts';
import { viewOf } from './view.ts';

export interface WorkflowsDeps extends Pick<StepperDeps, 'db' | 'clock' | 'engine' | 'blobs' | 'model' | 'worker'> {
	readonly logger: Logger;
	readonly announce: Announce;
	readonly folder: WorkflowFolder;
	readonly timers: Pick<Ticker, 'set' | 'clear'>;
	/** An instance is in a state now. */
	readonly entered: TellEntered;
}

/**
 * Instances of workflows. Each goes on by what its journal asks for, one thing at a time; what is held in memory can be lost at any moment.
 * Whoever has news of one (its run ended, its time came, an event) says `look`, any number of times.
 */
export class Workflows {
	readonly #deps: WorkflowsDeps;
	readonly #journal: InstanceJournal;
	readonly #stepper: Stepper;
	readonly #sequencer = new Sequencer();
	readonly #later: Later;
	/** What was told of each, so that a run at work is not told of for each of its steps. */
	readonly #told = new Map<WorkflowInstanceId, string>();
	readonly #runs = new Map<WorkflowInstanceId, string>();
	#closing = false;

	constructor(deps: WorkflowsDeps) {
		this.#deps = deps;
		this.#later = new Later(deps.logger);
		this.#journal = new InstanceJournal(deps);
		this.#stepper = new Stepper({ ...deps, find: (id) => this.#journal.find(id), append: (...given) => this.#append(...given) });
	}

	/** Throws `not_found`, `invalid_input`, `model_not_configured`. The same request starts one instance. */
	async start(input: WorkflowStart): Promise<WorkflowInstance> {
		const id = this.#deps.db.write((tx) => this.startIn(tx, input).instanceId);
		crashPoint('workflow.moved');
		await this.look(id);
		return this.get(id);
	}

	/** As `start`, in the caller's transaction; call `look` after the commit. */
	startIn(tx: WriteDb, input: WorkflowStart): { instanceId: WorkflowInstanceId; sessionId: SessionId } {
		const { clock } = this.#deps;
		const before = findByRequest(tx, input.requestId);
		if (before && before.workflow !== input.name) throw idUsedBefore();
		if (before) return { instanceId: before.id, sessionId: before.sessionId };
		const { definition, version, text, data } = this.check(input);
		const title = input.title || definition.title;
		const id = newId<WorkflowInstanceId>();
		const now = clock.now();
		const started: WorkflowEvent = { type: 'started', version: WORKFLOW_JOURNAL_VERSION, data, at: now };
		const sessionId = beginSession(tx, title, now, 'work');
		const instance = { id, workflow: input.name, title, version, definition: text, sessionId, createdAt: now };
		insertInstance(tx, { ...instance, requestId: input.requestId, state: definition.start });
		insertEvent(tx, id, fold(definition, [started])?.seq ?? 1, started);
		return { instanceId: id, sessionId };
	}

	/** Throws what `start` would throw now. */
	check(input: Pick<WorkflowStart, 'name' | 'data' | 'label' | 'extra'>): Startable {
		const found = startable(this.#deps.folder.get(input.name), input);
		const without = this.withoutModel(found.definition);
		if (without.length > 0) throw noModelToStart(without);
		return found;
	}

	/** Throws `not_found` where no instance of this workflow ever comes to this state. */
	checkState(name: WorkflowName, state: string): void {
		const { definition } = this.#deps.folder.get(name);
		if (definition && !definition.states.has(state as WorkflowStateName)) throw noSuchState(definition, name, state);
	}

	/** The states that nobody is there for, so that it can't be started now. */
	withoutModel(definition: Definition): WorkflowStateName[] {
		return statesWithoutModel(definition, this.#deps.worker());
	}

	/** Throws `not_found`. */
	get(id: WorkflowInstanceId): WorkflowInstance {
		getInstance(this.#deps.db.read, id);
		return viewOf(this.#deps.db.read, this.#load(id));
	}

	/** Newest first. One that can't be read any more is left out, and logged. */
	list(limit: number): WorkflowInstance[] {
		const { db } = this.#deps;
		return listInstances(db.read, limit).flatMap(({ id }) => this.#tryView(id) ?? []);
	}

	/**
	 * An event for one instance. What it does not wait for yet is kept for the state that does. Throws `not_found`, `conflict` where the
	 * instance is over, `invalid_input` where no state of it waits for such an event.
	 */
	async signal(id: WorkflowInstanceId, name: EventName, payload: Json, label: Label): Promise<WorkflowInstance> {
		const { definition } = this.#load(id);
		if (!eventsOf(definition).includes(name)) throw neverWaitsFor(definition, name);
		checkPayload(payload);
		this.#signal(id, name, payload, label);
		await this.look(id);
		return this.get(id);
	}

	/** Of all instances those that are in a state that waits for it. Says how many there were. Throws `invalid_input`. */
	signalAll(name: EventName, payload: Json, label: Label): number {
		checkPayload(payload);
		let told = 0;
		for (const id of instancesThatMayWaitFor(this.#deps.db.read, name)) {
			const { definition, state } = this.#tryLoad(id) ?? {};
			if (!definition || !state || state.at.kind === 'moving' || state.at.kind === 'stopping' || isOver(state)) continue;
			const { action } = stateOf(definition, state.at.in.name);
			if (action.kind !== 'event' || action.name !== name) continue;
			this.#signal(id, name, payload, label);
			void this.look(id);
			told += 1;
		}
		return told;
	}

	/** Enters the state of a failed or stopped instance again. Throws `not_found`, `conflict`. */
	retry(id: WorkflowInstanceId): Promise<WorkflowInstance> {
		return this.#byOwner(
			id,
			{ type: 'retried', by: 'owner', at: this.#deps.clock.now() },
			'Only a failed or stopped instance can be retried.',
		);
	}

	/** Stops what is under way. Throws `not_found`, `conflict`. */
	stop(id: WorkflowInstanceId): Promise<WorkflowInstance> {
		return this.#byOwner(id, { type: 'stop_asked', at: this.#deps.clock.now() }, 'It is over already.');
	}

	/** The ways out of the state that an agent's run is for, as a tool of that run. */
	ownTools(runId: RunId): Tool[] {
		const run = findRun(this.#deps.db.read, runId);
		const loaded = run?.instanceId && !isAtRest(run.status) ? this.#journal.find(run.instanceId) : undefined;
		if (loaded?.state.at.kind !== 'acting' || loaded.state.at.runId !== runId) return [];
		const here = stateOf(loaded.definition, loaded.state.at.in.name);
		if (here.action.kind !== 'agent') return [];
		const tool = moveTool(here, loaded.state.data, (choice) => {
			this.#append(loaded.instance.id, { type: 'chosen', runId, ...choice, at: this.#deps.clock.now() });
		});
		return tool ? [tool] : [];
	}

	/** Something of a run changed; an instance shows whether its run works, waits or sleeps. */
	runChanged({ id, instanceId, status, waitsUntil }: RunSummary): void {
		const shown = `${status}:${waitsUntil}`;
		if (instanceId === undefined || this.#runs.get(instanceId) === `${id}:${shown}`) return;
		this.#runs.set(instanceId, `${id}:${shown}`);
		const instance = this.#tryView(instanceId);
		if (instance) this.#tell(instance);
	}

	/** Instances that were on their way go on. Call once, after runs were recovered; timers are told by their own start. */
	recover(): void {
		for (const id of instancesToGoOn(this.#deps.db.read)) void this.look(id);
	}

	/** Does what the instance's state asks for, as far as it goes by itself. Never rejects. */
	look(id: WorkflowInstanceId): Promise<void> {
		return this.#sequencer.run(id, () => this.#goOn(id));
	}

	/** A timer of the instance came. */
	async due(id: WorkflowInstanceId): Promise<void> {
		await this.#sequencer.run(id, () => this.#goOn(id, true));
		this.#journal.rearm(id);
	}

	async close(): Promise<void> {
		this.#closing = true;
		this.#later.close();
		await this.#sequencer.idle();
	}

	async #goOn(id: WorkflowInstanceId, timeCame = false): Promise<void> {
		try {
			while (!this.#closing && (await this.#stepper.step(id, timeCame)));
		} catch (error) {
			// Somebody else was first: what they wrote is looked at.
			if (error instanceof RefusedEvent) this.#deps.logger.warn('workflow_event_refused', { instanceId: id, error });
			// Also while a run of it is being restored.
			else if (isFullDisk(error) || (error instanceof HearthError && error.kind === 'retryable'))
				this.#later.again('workflow_not_looked_at', () => void this.look(id));
			else this.#failed(id, error);
		}
	}

	#signal(id: WorkflowInstanceId, name: EventName, payload: Json, label: Label): void {
		const event = { type: 'signalled' as const, name, payload, label, at: this.#deps.clock.now() };
		const { state } = this.#ofOwner(id, event, 'It is over, or more events wait for it than are kept.');
		// At once, so that whoever tells all runs of the event does not tell this one a second time.
		if (state.at.kind === 'moving' && state.at.left) this.#stepper.wake(state.at.left);
	}

	async #byOwner(id: WorkflowInstanceId, event: WorkflowEvent, why: string): Promise<WorkflowInstance> {
		this.#ofOwner(id, event, why);
		await this.look(id);
		return this.get(id);
	}

	#ofOwner(id: WorkflowInstanceId, event: WorkflowEvent, why: string): Loaded {
		try {
			return this.#append(id, event);
		} catch (error) {
			if (!(error instanceof RefusedEvent)) throw error;
			throw terminal('conflict', `That does not fit this instance now. ${why}`, { safe: 'Nothing was changed.', cause: error });
		}
	}

	#append(...given: Parameters<InstanceJournal['append']>): Loaded {
		const loaded = this.#journal.append(...given);
		this.#tell(viewOf(this.#deps.db.read, loaded));
		return loaded;
	}

	#tryView(id: WorkflowInstanceId): WorkflowInstance | undefined {
		const loaded = this.#tryLoad(id);
		return loaded && viewOf(this.#deps.db.read, loaded);
	}

	/** Undefined where it was deleted or can't be read. Never throws: others go on with what they do. */
	#tryLoad(id: WorkflowInstanceId): Loaded | undefined {
		try {
			return this.#journal.find(id);
		} catch (error) {
			this.#deps.logger.error('workflow_unreadable', { instanceId: id, error });
			return undefined;
		}
	}

	#tell(instance: WorkflowInstance): void {
		const { id, state, status, dueAt, history } = instance;
		const shown = `${history.at(-1)?.seq}:${state}:${status}:${dueAt}:${instance.runId}`;
		if (this.#told.get(id) === shown) return;
		if (status === 'done' || status === 'failed' || status === 'stopped') {
			this.#told.delete(id);
			this.#runs.delete(id);
		} else this.#told.set(id, shown);
		this.#deps.announce({ type: 'workflow_changed', instance });
	}

	/** Throws `not_found`. */
	#load(id: WorkflowInstanceId): Loaded {
		const loaded = this.#journal.find(id);
		if (!loaded) throw terminal('not_found', 'That workflow instance no longer exists.');
		return loaded;
	}

	/** Something that no step foresaw. Where its state has no place for it, it stays as it is, and the next start looks again. */
	#failed(id: WorkflowInstanceId, error: unknown): void {
		this.#deps.logger.error('workflow_failed', { instanceId: id, error });
		try {
			this.#append(id, { type: 'failed', error: toErrorShape(error), at: this.#deps.clock.now() });
		} catch (second) {
			this.#deps.logger.error('workflow_stuck', { instanceId: id, error: second });
		}
	}
}
