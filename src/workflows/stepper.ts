import { openInterrupts } from '../approvals/approval-store.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { StateDb } from '../db/open.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { RunId, WorkflowInstanceId } from '../domain/ids.ts';
import type { ModelRef } from '../domain/model.ts';
import type { Blobs } from '../run/blobs.ts';
import { isAtRest } from '../run/children.ts';
import type { RunEngine } from '../run/engine.ts';
import { findRun, readEvents } from '../run/journal-store.ts';
import { workOf } from './action.ts';
import { stateOf } from './definition.ts';
import type { InstanceJournal, Loaded } from './journal.ts';
import { lacksModel, noModelToGoOn } from './needs-model.ts';
import { outcomeOf } from './outcome.ts';
import { commandFor, type LeftRun, timeoutAt } from './state.ts';

export interface StepperDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly engine: Pick<RunEngine, 'beginWork' | 'start' | 'stop' | 'settleWait'>;
	readonly blobs: Pick<Blobs, 'text'>;
	/** The owner's choice for work in the background; undefined where it is the one for chats. */
	readonly model: () => ModelRef | undefined;
	/** What that work is really done by: this choice, the one for chats, or the built-in responder. */
	readonly worker: () => ModelRef;
	readonly find: InstanceJournal['find'];
	readonly append: InstanceJournal['append'];
}

/** Carries out what the state of an instance asks for. Rejects with `RefusedEvent` where somebody else was first. */
export class Stepper {
	readonly #deps: StepperDeps;

	constructor(deps: StepperDeps) {
		this.#deps = deps;
	}

	/** One thing that the state asks for. False: nothing more by itself. `timeCame`: its timer was told, which never happens while all is paused. */
	async step(id: WorkflowInstanceId, timeCame: boolean): Promise<boolean> {
		const loaded = this.#deps.find(id);
		if (!loaded) return false;
		const command = commandFor(loaded.state);
		switch (command.kind) {
			case 'enter':
				if (command.left && !(await this.#letGo(command.left))) return false;
				this.#deps.append(id, { type: 'entered', to: command.to, at: this.#deps.clock.now() });
				return true;
			case 'begin':
				this.#begin(loaded);
				return true;
			case 'stop_run':
				await this.#deps.engine.stop(command.runId);
				this.#deps.append(id, { type: 'stopped', at: this.#deps.clock.now() });
				return true;
			case 'none':
				return (await this.#runEnded(id, loaded)) || (timeCame && this.#timeCame(id, loaded));
		}
	}

	/** The run, and that it is this state's, in one transaction: it is begun once (R1). */
	#begin({ instance, definition, state }: Loaded): void {
		const { at } = state;
		if (at.kind !== 'entered') return;
		const { clock, engine, model, worker } = this.#deps;
		const here = stateOf(definition, at.in.name);
		if (lacksModel(here, worker())) {
			this.#deps.append(instance.id, { type: 'failed', error: noModelToGoOn(here.name).shape, at: clock.now() });
			return;
		}
		const runId = newId<RunId>();
		this.#deps.append(instance.id, { type: 'action_began', runId, at: clock.now() }, (tx, now) => {
			engine.beginWork(tx, {
				model: here.action.kind === 'agent' ? model() : undefined,
				...workOf(now, at.in, at.again, clock.now()),
				id: runId,
				kind: 'workflow',
				sessionId: instance.sessionId,
				instanceId: instance.id,
				beginKey: `${instance.id}:${at.key}`,
			});
		});
		crashPoint('workflow.began');
		engine.start(runId);
	}

	async #runEnded(id: WorkflowInstanceId, { definition, state: { at } }: Loaded): Promise<boolean> {
		if (at.kind !== 'acting') return false;
		const { db, clock, blobs } = this.#deps;
		const run = findRun(db.read, at.runId);
		if (run && !isAtRest(run.status)) return false;
		crashPoint('workflow.ended');
		const { action } = stateOf(definition, at.in.name);
		const outcome = run ? await outcomeOf({ db: db.read, blobs }, run, action.kind) : { kind: 'stopped' as const };
		this.#deps.append(id, { type: 'action_ended', runId: at.runId, outcome, at: clock.now() });
		return true;
	}

	/** Only where the run has not ended: exactly one of both is written down. */
	#timeCame(id: WorkflowInstanceId, { definition, state }: Loaded): boolean {
		const now = this.#deps.clock.now();
		const due = timeoutAt(definition, state);
		if (due !== undefined && now >= due) this.#deps.append(id, { type: 'timed_out', at: now });
		else if (state.at.kind === 'resting' && now >= state.at.until) this.#deps.append(id, { type: 'retried', by: 'time', at: now });
		else return false;
		return true;
	}

	/** Ends the run of a state that was left. False: it ends by itself soon, and its end is told. */
	async #letGo({ runId, wake }: LeftRun): Promise<boolean> {
		const { db, engine } = this.#deps;
		const run = findRun(db.read, runId);
		if (!run || isAtRest(run.status)) return true;
		if (wake) {
			this.wake({ runId, wake });
			if (readEvents(db.read, runId).some(({ type }) => type === 'wait_ended')) return false;
		}
		await engine.stop(runId);
		return true;
	}

	/** Its wait ends by the event that it was left for. */
	wake({ runId, wake }: LeftRun): void {
		if (!wake) return;
		const { db, engine } = this.#deps;
		const sources: ContextSource[] = [{ kind: 'event', name: wake.name, label: wake.label }];
		const outcome = { type: 'event_came' as const, payload: wake.payload, label: wake.label, sources };
		for (const { id, detail } of openInterrupts(db.read, { runId })) if (detail.kind === 'event') engine.settleWait(id, outcome);
	}
}
