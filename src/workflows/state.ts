import type { ContextSource } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { EventName } from '../domain/run.ts';
import type { WorkflowMove, WorkflowStateName } from '../domain/workflow.ts';
import { type Definition, stateOf } from './definition.ts';
import type { Datum } from './events.ts';

/** An event that came before the instance waited for it. */
export interface Signal {
	readonly name: EventName;
	readonly payload: Json;
	readonly label: Label;
}

export type Data = Readonly<Record<string, Datum>>;

interface Common {
	/** Events folded so far. */
	readonly seq: number;
	readonly data: Data;
	readonly kept: readonly Signal[];
	/** The newest moves, oldest first. */
	readonly history: readonly WorkflowMove[];
}

const MOST_HISTORY = 500;

export function withMove(state: InstanceState, move: WorkflowMove): InstanceState {
	return { ...state, history: [...state.history, move].slice(-MOST_HISTORY) };
}

/** What the owner did with it where it is stands among its moves. */
export function withStay(state: InstanceState, at: Timestamp, stayed: 'stopped' | 'retried'): InstanceState {
	const name = placeOf(state);
	return withMove(state, { seq: state.seq + 1, at, from: name, to: name, why: stayed === 'stopped' ? 'stopped' : 'entered again', stayed });
}

/** Within a state. `since`: when it was entered, which its time-out counts from. */
export interface Within {
	readonly name: WorkflowStateName;
	readonly since: Timestamp;
	/** 1 for the first try of its action. */
	readonly attempt: number;
}

export interface Choice {
	readonly to: WorkflowStateName;
	readonly data: Readonly<Record<string, Json>>;
	readonly label: Label;
	readonly sources?: readonly ContextSource[] | undefined;
}

/** A run whose state was left while it was under way. `wake`: it waits for this event, and may end by it. */
export interface LeftRun {
	readonly runId: RunId;
	readonly wake?: Signal | undefined;
}

export type Position =
	/** Its way is decided; `left` ends first. */
	| {
			readonly kind: 'moving';
			readonly from: WorkflowStateName | null;
			readonly to: WorkflowStateName;
			readonly why: string;
			readonly left?: LeftRun;
	  }
	/** Its action is to be begun. `key`: unique for each time. `again`: it ended without the answer or choice that is needed. */
	| { readonly kind: 'entered'; readonly in: Within; readonly key: number; readonly again: boolean }
	| { readonly kind: 'acting'; readonly in: Within; readonly runId: RunId; readonly again: boolean; readonly chosen?: Choice }
	/** Waits before another try. */
	| { readonly kind: 'resting'; readonly in: Within; readonly until: Timestamp; readonly error: ErrorShape }
	| { readonly kind: 'stopping'; readonly in: Within; readonly runId: RunId }
	| { readonly kind: 'stopped'; readonly in: Within }
	| { readonly kind: 'failed'; readonly in: Within; readonly error: ErrorShape }
	| { readonly kind: 'done'; readonly in: Within };

export type InstanceState = Common & { readonly at: Position };

/** What the driver has to do next. `none`: it waits, is at work, or is over. */
export type Command =
	| { readonly kind: 'enter'; readonly to: WorkflowStateName; readonly left?: LeftRun | undefined }
	| { readonly kind: 'begin'; readonly name: WorkflowStateName; readonly key: number; readonly again: boolean }
	| { readonly kind: 'stop_run'; readonly runId: RunId }
	| { readonly kind: 'none' };

export function commandFor({ at }: InstanceState): Command {
	switch (at.kind) {
		case 'moving':
			return { kind: 'enter', to: at.to, left: at.left };
		case 'entered':
			return { kind: 'begin', name: at.in.name, key: at.key, again: at.again };
		case 'stopping':
			return { kind: 'stop_run', runId: at.runId };
		default:
			return { kind: 'none' };
	}
}

/** When the state's time-out comes; undefined where it has none, or is not in a state. */
export function timeoutAt(definition: Definition, { at }: InstanceState): Timestamp | undefined {
	if (at.kind !== 'entered' && at.kind !== 'acting' && at.kind !== 'resting') return undefined;
	const { timeout } = stateOf(definition, at.in.name);
	return timeout && at.in.since + timeout.afterMs;
}

/** When the instance has to be looked at next by itself. */
export function alarmAt(definition: Definition, state: InstanceState): Timestamp | undefined {
	const times = [timeoutAt(definition, state), state.at.kind === 'resting' ? state.at.until : undefined].filter(
		(time) => time !== undefined,
	);
	return times.length === 0 ? undefined : Math.min(...times);
}

/** The state it is in, or leaves. */
export function placeOf({ at }: InstanceState): WorkflowStateName {
	return at.kind === 'moving' ? (at.from ?? at.to) : at.in.name;
}

export function isOver({ at }: InstanceState): boolean {
	return at.kind === 'done' || at.kind === 'failed' || at.kind === 'stopped';
}

/** The data as texts and guards see it. */
export function valuesOf(data: Data): Record<string, Json> {
	return Object.fromEntries(Object.entries(data).map(([name, { value }]) => [name, value]));
}
