import { assertNever } from '../domain/assert-never.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import { joinLabels } from '../domain/label.ts';
import type { WorkflowStateName } from '../domain/workflow.ts';
import { type Definition, type StateDefinition, stateOf } from './definition.ts';
import type { Datum, WorkflowEventOf } from './events.ts';
import { type Choice, type Data, type InstanceState, type Position, valuesOf, type Within, withStay } from './state.ts';
import { lookUp, textOf } from './template.ts';
import { defaultWay, specialWay, type Way, wayOut } from './ways.ts';

/** Where an instance goes by what came of a state's action. Pure. */

export type Acting = Extract<Position, { kind: 'acting' }>;

export function endAction(definition: Definition, state: InstanceState, at: Acting, event: WorkflowEventOf<'action_ended'>): InstanceState {
	const here = stateOf(definition, at.in.name);
	const { outcome } = event;
	if (outcome.kind === 'stopped') return { ...withStay(state, event.at, 'stopped'), at: { kind: 'stopped', in: at.in } };
	// What was chosen holds, also where the agent's last words were lost after it.
	if (at.chosen) {
		const { to, data, ...made } = at.chosen;
		const saved = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, datumOf(value, made)]));
		return move({ ...state, data: { ...state.data, ...saved } }, at.in.name, { to, why: 'chosen by the agent' });
	}
	switch (outcome.kind) {
		case 'failed':
			return failAction(here, state, at.in, outcome.error, event.at);
		case 'skipped': {
			const way = specialWay(here, 'skipped', 'skipped', valuesOf(state.data)) ?? wayOut(here, undefined, 'skipped', valuesOf(state.data));
			return way ? move(state, at.in.name, way) : stuck(state, at.in, 'it was skipped, and no transition is for that');
		}
		case 'done':
			return here.action.kind === 'agent'
				? endWithoutChoice(here, state, at.in, at.again, event.at)
				: takeOutcome(here, state, at.in, outcome.value, outcome);
		default:
			return assertNever(outcome);
	}
}

function failAction(here: StateDefinition, state: InstanceState, within: Within, error: ErrorShape, now: number): InstanceState {
	if (here.retries && within.attempt <= here.retries.times && error.code !== 'tool_impossible')
		return { ...state, at: { kind: 'resting', in: within, until: now + here.retries.waitMs, error } };
	const way = specialWay(here, 'error', `error: ${error.message}`, valuesOf(state.data));
	return way ? move(state, within.name, way) : { ...state, at: { kind: 'failed', in: within, error } };
}

function endWithoutChoice(here: StateDefinition, state: InstanceState, within: Within, again: boolean, now: number): InstanceState {
	const to = defaultWay(here);
	if (to !== undefined) return move(state, within.name, { to, why: 'done' });
	if (!again) return { ...state, at: { kind: 'entered', in: within, key: state.seq + 1, again: true } };
	return failAction(here, state, within, workflowError(`In ${within.name} the agent ended without choosing where to go, twice.`), now);
}

/** `made`: the trust of the value, and what it was made from. */
export function takeOutcome(here: StateDefinition, state: InstanceState, within: Within, value: Json, made: Made): InstanceState {
	const { action } = here;
	const answer = action.kind === 'ask' ? chosenAnswer(action.choices, textOf(value)) : undefined;
	const data = {
		...state.data,
		...saveFrom(here, answer ?? value, action.kind === 'event' ? { ...made, label: joinLabels(made.label, action.label) } : made),
	};
	const words =
		action.kind === 'ask' ? `“${answer}”` : action.kind === 'event' ? action.name : action.kind === 'wait' ? 'the time came' : 'done';
	const way = wayOut(here, answer, words, valuesOf(data));
	if (way) return move({ ...state, data }, within.name, way);
	// What no transition is for is asked again, or waited for again: anything can be answered or signalled.
	if (action.kind === 'event' || (action.kind === 'ask' && !action.choices.includes(answer ?? '')))
		return { ...state, at: { kind: 'entered', in: within, key: state.seq + 1, again: true } };
	return stuck({ ...state, data }, within, 'no transition’s guard holds for what came of it');
}

/** The choice that was meant: letters’ case and spaces around do not matter. */
function chosenAnswer(choices: readonly string[], answer: string): string {
	const plain = answer.trim().toLowerCase();
	return choices.find((choice) => choice.trim().toLowerCase() === plain) ?? answer.trim();
}

type Made = Pick<Choice, 'label' | 'sources'>;

function datumOf(value: Json, { label, sources }: Made): Datum {
	return { value, label, ...(sources && { sources: [...sources] }) };
}

function saveFrom({ save }: StateDefinition, value: Json, made: Made): Data {
	return Object.fromEntries(
		[...save].map(([name, from]) => {
			const [, ...path] = from.split('.');
			const taken = path.length === 0 ? value : (lookUp({ it: asObject(value) }, ['it', ...path].join('.')) ?? null);
			return [name, datumOf(taken, made)];
		}),
	);
}

/** A tool's result is a text; one that is JSON can be looked into. */
function asObject(value: Json): Json {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as Json;
	} catch {
		return value;
	}
}

export function move(state: InstanceState, from: WorkflowStateName, { to, why }: Way): InstanceState {
	return { ...state, at: { kind: 'moving', from, to, why } };
}

function stuck(state: InstanceState, within: Within, why: string): InstanceState {
	return { ...state, at: { kind: 'failed', in: within, error: workflowError(`${within.name} has no way on: ${why}.`) } };
}

function workflowError(message: string): ErrorShape {
	return {
		kind: 'needs_owner',
		code: 'workflow_failed',
		message,
		safe: 'What it did so far is kept.',
		action: '“Enter the state again” tries once more; a new instance takes the file as it is now.',
	};
}
