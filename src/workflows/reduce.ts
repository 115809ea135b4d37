import { assertNever } from '../domain/assert-never.ts';
import { type ContextSource, joinSources } from '../domain/context-source.ts';
import type { Json } from '../domain/json.ts';
import { joinLabels } from '../domain/label.ts';
import { type Definition, isFinal, type StateDefinition, stateOf } from './definition.ts';
import type { Datum, WorkflowEvent, WorkflowEventOf } from './events.ts';
import { endAction, move, takeOutcome } from './reduce-outcome.ts';
import {
	type Choice,
	type Data,
	type InstanceState,
	type Position,
	placeOf,
	type Signal,
	timeoutAt,
	valuesOf,
	type Within,
	withMove,
	withStay,
} from './state.ts';
import { fillValue, namesIn, rootOf, textOf } from './template.ts';
import { choicesOf, type Way } from './ways.ts';

/** `(definition, state, event) → state`: the only place where an instance's state changes. Pure. */

/** The event does not fit the state: it came too late, twice, or never could. */
export class RefusedEvent extends Error {}

const MOST_KEPT = 100;

export function fold(definition: Definition, events: Iterable<WorkflowEvent>): InstanceState | undefined {
	let state: InstanceState | undefined;
	for (const event of events) state = reduce(definition, state, event);
	return state;
}

/** Throws `RefusedEvent`. */
export function reduce(definition: Definition, state: InstanceState | undefined, event: WorkflowEvent): InstanceState {
	if (!state) {
		if (event.type !== 'started') throw new RefusedEvent(`${event.type} before it started`);
		const at: Position = { kind: 'moving', from: null, to: definition.start, why: 'start' };
		return { seq: 1, data: event.data, kept: [], history: [], at };
	}
	return { ...next(definition, state, event), seq: state.seq + 1 };
}

function next(definition: Definition, state: InstanceState, event: WorkflowEvent): InstanceState {
	const { at } = state;
	switch (event.type) {
		case 'started':
			return refuse(state, event);
		case 'entered':
			return enter(definition, state, event);
		case 'action_began':
			if (at.kind !== 'entered') return refuse(state, event);
			return {
				...state,
				history: state.history.map((move, index) => (index === state.history.length - 1 ? { ...move, runId: event.runId } : move)),
				at: { kind: 'acting', in: at.in, runId: event.runId, again: at.again },
			};
		case 'chosen':
			return choose(definition, state, event);
		case 'action_ended':
			if (at.kind !== 'acting' || at.runId !== event.runId) return refuse(state, event);
			return endAction(definition, state, at, event);
		case 'timed_out': {
			const due = timeoutAt(definition, state);
			if (due === undefined || event.at < due) return refuse(state, event);
			const { timeout } = stateOf(definition, placeOf(state));
			if (!timeout) return refuse(state, event);
			return leave(state, { to: timeout.to, why: `after ${timeout.after}` });
		}
		case 'signalled':
			return signal(definition, state, event);
		case 'retried':
			return retry(state, event);
		case 'stop_asked':
			return askToStop(state, event);
		case 'stopped':
			if (at.kind !== 'stopping') return refuse(state, event);
			return { ...state, at: { kind: 'stopped', in: at.in } };
		case 'failed':
			if (at.kind !== 'entered') return refuse(state, event);
			return { ...state, at: { kind: 'failed', in: at.in, error: event.error } };
		default:
			return assertNever(event);
	}
}

function enter(definition: Definition, state: InstanceState, event: WorkflowEventOf<'entered'>): InstanceState {
	const { at } = state;
	if (at.kind !== 'moving' || at.to !== event.to) return refuse(state, event);
	const seq = state.seq + 1;
	const entered = stateOf(definition, event.to);
	const within: Within = { name: event.to, since: event.at, attempt: 1 };
	const there: InstanceState = {
		...withMove(state, { seq, at: event.at, from: at.from, to: at.to, why: at.why }),
		data: assign(entered, state.data),
		at: { kind: 'entered', in: within, key: seq, again: false },
	};
	if (isFinal(entered)) return { ...there, at: { kind: 'done', in: within } };
	const { action } = entered;
	const kept = action.kind === 'event' ? there.kept.find(({ name }) => name === action.name) : undefined;
	return kept ? takeSignal(entered, { ...there, kept: there.kept.filter((each) => each !== kept) }, within, kept) : there;
}

function assign({ set }: StateDefinition, data: Data): Data {
	let changed = data;
	for (const assignment of set) {
		const values = valuesOf(changed);
		const { name } = assignment;
		if ('add' in assignment) {
			const before = Number(textOf(values[name]) || 0);
			// What is too large for a number stays the largest one: there is no infinity in JSON.
			const sum = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, (Number.isFinite(before) ? before : 0) + assignment.add));
			changed = { ...changed, [name]: { label: 'owner', ...changed[name], value: sum } };
		} else {
			const value = fillValue(assignment.value, values);
			changed = { ...changed, [name]: { value, ...madeOf(changed, namesIn(assignment.value)) } };
		}
	}
	return changed;
}

/** What these places bring in: the join over it, and where it came from. */
export function madeOf(data: Data, names: readonly string[]): Omit<Datum, 'value'> {
	const named = names.flatMap((name) => data[rootOf(name)] ?? []);
	const sources = joinSources(...named.map((datum) => datum.sources));
	return { label: joinLabels(...named.map(({ label }) => label)), ...(sources.length > 0 && { sources }) };
}

function choose(definition: Definition, state: InstanceState, event: WorkflowEventOf<'chosen'>): InstanceState {
	const { at } = state;
	if (at.kind !== 'acting' || at.runId !== event.runId) return refuse(state, event);
	const here = stateOf(definition, at.in.name);
	const chosen: Choice = { to: event.to, data: onlySaved(here, event.data), label: event.label, sources: event.sources };
	const choice = choicesOf(here, { ...valuesOf(state.data), ...chosen.data }).find(({ to }) => to === event.to);
	if (here.action.kind !== 'agent' || !choice?.open) return refuse(state, event);
	return { ...state, at: { ...at, chosen } };
}

function onlySaved({ save }: StateDefinition, data: Readonly<Record<string, Json>>): Record<string, Json> {
	return Object.fromEntries(Object.entries(data).filter(([name]) => save.has(name)));
}

function takeSignal(here: StateDefinition, state: InstanceState, within: Within, taken: Signal): InstanceState {
	const { at } = state;
	const label = here.action.kind === 'event' ? joinLabels(taken.label, here.action.label) : taken.label;
	const sources: ContextSource[] = [{ kind: 'event', name: taken.name, label }];
	const after = takeOutcome(here, state, within, taken.payload, { label, sources });
	return at.kind === 'acting' && after.at.kind === 'moving'
		? { ...after, at: { ...after.at, left: { runId: at.runId, wake: { ...taken, label } } } }
		: after;
}

function signal(definition: Definition, state: InstanceState, event: WorkflowEventOf<'signalled'>): InstanceState {
	const { at } = state;
	if (at.kind === 'done' || at.kind === 'stopped' || at.kind === 'stopping') return refuse(state, event);
	const { name, payload, label } = event;
	const came: Signal = { name, payload, label };
	if (at.kind === 'entered' || at.kind === 'acting' || at.kind === 'resting') {
		const here = stateOf(definition, at.in.name);
		if (here.action.kind === 'event' && here.action.name === name) {
			const after = takeSignal(here, state, at.in, came);
			// One that no transition is for changes nothing: it goes on waiting for one that leads on.
			return after.at.kind === 'moving' ? after : state;
		}
	}
	if (state.kept.length >= MOST_KEPT) return refuse(state, event);
	return { ...state, kept: [...state.kept, came] };
}

function retry(state: InstanceState, event: WorkflowEventOf<'retried'>): InstanceState {
	const { at } = state;
	const key = state.seq + 1;
	if (event.by === 'time') {
		if (at.kind !== 'resting' || event.at < at.until) return refuse(state, event);
		return { ...state, at: { kind: 'entered', in: { ...at.in, attempt: at.in.attempt + 1 }, key, again: false } };
	}
	if (at.kind !== 'failed' && at.kind !== 'stopped' && at.kind !== 'resting') return refuse(state, event);
	return {
		...withStay(state, event.at, 'retried'),
		at: { kind: 'entered', in: { name: at.in.name, since: event.at, attempt: 1 }, key, again: false },
	};
}

function askToStop(before: InstanceState, event: WorkflowEventOf<'stop_asked'>): InstanceState {
	const { at } = before;
	const state = withStay(before, event.at, 'stopped');
	switch (at.kind) {
		case 'acting':
			return { ...state, at: { kind: 'stopping', in: at.in, runId: at.runId } };
		case 'entered':
		case 'resting':
		case 'failed':
			return { ...state, at: { kind: 'stopped', in: at.in } };
		case 'moving': {
			const within: Within = { name: placeOf(state), since: event.at, attempt: 1 };
			return { ...state, at: at.left ? { kind: 'stopping', in: within, runId: at.left.runId } : { kind: 'stopped', in: within } };
		}
		default:
			return refuse(state, event);
	}
}

/** Leaves the state from wherever it is in it; a run under way is let go of. */
function leave(state: InstanceState, way: Way): InstanceState {
	const left = state.at.kind === 'acting' ? { left: { runId: state.at.runId } } : {};
	const moved = move(state, placeOf(state), way);
	return moved.at.kind === 'moving' ? { ...moved, at: { ...moved.at, ...left } } : moved;
}

function refuse(state: InstanceState, event: WorkflowEvent): never {
	throw new RefusedEvent(`${event.type} while ${state.at.kind} in ${placeOf(state)}`);
}
