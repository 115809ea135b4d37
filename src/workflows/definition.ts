import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { ModelRef } from '../domain/model.ts';
import type { EventName } from '../domain/run.ts';
import type { WorkflowActionKind, WorkflowStateName } from '../domain/workflow.ts';
import type { Guard } from './guard.ts';

/** A workflow as its file has it, checked. Texts still hold their `{{places}}`. */
export interface Definition {
	readonly title: string;
	readonly description: string;
	readonly inputs: readonly Input[];
	readonly start: WorkflowStateName;
	readonly states: ReadonlyMap<WorkflowStateName, StateDefinition>;
}

export interface Input {
	readonly name: string;
	readonly title: string;
	readonly required: boolean;
	readonly default?: Json | undefined;
}

export interface StateDefinition {
	readonly name: WorkflowStateName;
	readonly title: string;
	readonly action: Action;
	/** Put into the data whenever the state is entered by a move. */
	readonly set: readonly Assignment[];
	/** By name in the data: where the value is in the outcome; of an agent, what the value is, in words. */
	readonly save: ReadonlyMap<string, string>;
	readonly transitions: readonly Transition[];
	readonly timeout?: { readonly afterMs: number; readonly after: string; readonly to: WorkflowStateName } | undefined;
	readonly retries?: { readonly times: number; readonly waitMs: number } | undefined;
}

export type Assignment = { readonly name: string } & ({ readonly add: number } | { readonly value: Json });

export type Action =
	| {
			readonly kind: 'agent';
			readonly prompt: string;
			readonly tools: readonly string[];
			readonly model?: ModelRef | undefined;
			readonly maxModelCalls?: number | undefined;
	  }
	| { readonly kind: 'tool'; readonly name: string; readonly args: Json }
	| { readonly kind: 'wait'; readonly forMs: number }
	/** An ISO date or time, by text with places. */
	| { readonly kind: 'wait'; readonly until: string }
	/** `label`: how far what comes with it is to be trusted at most. */
	| { readonly kind: 'event'; readonly name: EventName; readonly label: Label }
	| { readonly kind: 'ask'; readonly question: string; readonly choices: readonly string[] }
	/** A final state. */
	| { readonly kind: 'none' };

export interface Transition {
	readonly to: WorkflowStateName;
	/** The outcome that it is for: a choice, `error`, `skipped`. For an agent any other text tells it when to choose this. */
	readonly on?: string | undefined;
	readonly when?: Guard | undefined;
}

/** Outcomes that `on` may name whatever the action is. */
export const OUTCOMES = ['error', 'skipped'] as const;
export type SpecialOutcome = (typeof OUTCOMES)[number];

export function isSpecial(on: string | undefined): on is SpecialOutcome {
	return on !== undefined && (OUTCOMES as readonly string[]).includes(on);
}

/** Throws where there is none: a checked definition has all that it names. */
export function stateOf(definition: Definition, name: WorkflowStateName): StateDefinition {
	const state = definition.states.get(name);
	if (!state) throw new Error(`the workflow has no state ${name}`);
	return state;
}

export function isFinal(state: StateDefinition): boolean {
	return state.action.kind === 'none';
}

export type ActionKind = WorkflowActionKind;
