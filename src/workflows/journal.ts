import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { terminal } from '../domain/errors.ts';
import type { WorkflowInstanceId } from '../domain/ids.ts';
import type { WorkflowName, WorkflowStateName } from '../domain/workflow.ts';
import type { Ticker } from '../timer/ticker.ts';
import type { Definition } from './definition.ts';
import type { WorkflowEvent } from './events.ts';
import { findInstance, insertEvent, readEvents, type StoredInstance, setInstanceState } from './instance-store.ts';
import { parseWorkflow } from './parse.ts';
import { fold, reduce } from './reduce.ts';
import { alarmAt, type InstanceState, placeOf } from './state.ts';

/** Timers whose `ref` is an instance. */
export const WORKFLOW_TIMER = 'workflow';

/** Definitions that are not parsed again. */
const MOST_KEPT = 50;

/** In the transaction of the move. */
export type TellEntered = (
	tx: WriteDb,
	entered: { instanceId: WorkflowInstanceId; workflow: WorkflowName; state: WorkflowStateName },
) => void;

export interface Loaded {
	readonly instance: StoredInstance;
	readonly definition: Definition;
	readonly state: InstanceState;
}

/** Instances as their rows have them, and the only way to change one: an event and what follows from it, in one transaction. */
export class InstanceJournal {
	readonly #db: StateDb;
	readonly #clock: Clock;
	readonly #timers: Pick<Ticker, 'set' | 'clear'>;
	readonly #entered: TellEntered;
	/** By their text, which *Forget* may change (M4). */
	readonly #definitions = new Map<string, Definition>();

	constructor(deps: { db: StateDb; clock: Clock; timers: Pick<Ticker, 'set' | 'clear'>; entered: TellEntered }) {
		this.#db = deps.db;
		this.#clock = deps.clock;
		this.#timers = deps.timers;
		this.#entered = deps.entered;
	}

	/** Undefined where it was deleted. */
	find(id: WorkflowInstanceId, db: ReadDb = this.#db.read): Loaded | undefined {
		const instance = findInstance(db, id);
		if (!instance) return undefined;
		const definition = this.#definitionOf(instance.definition);
		const state = fold(definition, readEvents(db, id));
		if (!state) throw new Error(`the instance ${id} has no events`);
		return { instance, definition, state };
	}

	#definitionOf(text: string): Definition {
		const known = this.#definitions.get(text);
		if (known) return known;
		const { definition } = parseWorkflow(text);
		if (!definition) {
			throw terminal('workflow_failed', 'This Hearth can’t read the workflow that the instance was started with.', {
				safe: 'The instance is kept as it is.',
				action: 'Start a new one from the file as it is now.',
			});
		}
		if (this.#definitions.size >= MOST_KEPT) this.#definitions.clear();
		this.#definitions.set(text, definition);
		return definition;
	}

	/** Throws `RefusedEvent` where it does not fit, and then nothing of it happened; `within` is part of the transaction. */
	append(id: WorkflowInstanceId, event: WorkflowEvent, within?: (tx: WriteDb, now: Loaded) => void): Loaded {
		const loaded = this.#db.write((tx) => {
			const before = this.find(id, tx);
			if (!before) throw terminal('not_found', 'That workflow instance no longer exists.');
			const state = reduce(before.definition, before.state, event);
			const after = { ...before, state };
			within?.(tx, after);
			insertEvent(tx, id, state.seq, event);
			setInstanceState(tx, id, placeOf(state), state.at, this.#clock.now());
			this.#setAlarm(tx, after);
			if (event.type === 'entered') this.#entered(tx, { instanceId: id, workflow: before.instance.workflow, state: event.to });
			return after;
		});
		crashPoint('workflow.moved');
		return loaded;
	}

	/** A slot that came too early for what it was for must be there again. */
	rearm(id: WorkflowInstanceId): void {
		this.#db.write((tx) => {
			const loaded = this.find(id, tx);
			if (loaded) this.#setAlarm(tx, loaded);
			else this.#timers.clear(tx, WORKFLOW_TIMER, id);
		});
	}

	#setAlarm(tx: WriteDb, { instance: { id }, definition, state }: Loaded): void {
		this.#timers.clear(tx, WORKFLOW_TIMER, id);
		const dueAt = alarmAt(definition, state);
		if (dueAt !== undefined) this.#timers.set(tx, { kind: WORKFLOW_TIMER, ref: id, dueAt, work: 'workflow' });
	}
}
