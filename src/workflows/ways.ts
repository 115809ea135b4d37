import type { Json } from '../domain/json.ts';
import type { WorkflowStateName } from '../domain/workflow.ts';
import { isSpecial, type SpecialOutcome, type StateDefinition, type Transition } from './definition.ts';
import { guardInWords, holds } from './guard.ts';
import { lookUp } from './template.ts';

/** Which way out of a state is open. Pure. */

export interface Way {
	readonly to: WorkflowStateName;
	readonly why: string;
}

type Values = Readonly<Record<string, Json>>;

/** The first transition that fits what came of the action. `answer`: of the owner. */
export function wayOut(state: StateDefinition, answer: string | undefined, words: string, values: Values): Way | undefined {
	const fits = state.transitions.find(
		(transition) => !isSpecial(transition.on) && (transition.on === undefined || transition.on === answer) && isOpen(transition, values),
	);
	return fits && { to: fits.to, why: withGuard(words, fits) };
}

/** The way for an error or a skip, where the state has one. */
export function specialWay(state: StateDefinition, outcome: SpecialOutcome, words: string, values: Values): Way | undefined {
	const fits = state.transitions.find((transition) => transition.on === outcome && isOpen(transition, values));
	return fits && { to: fits.to, why: withGuard(words, fits) };
}

/** What an agent may choose from: with the words that its state's file gives for each, and whether its guard holds now. */
export function choicesOf(
	state: StateDefinition,
	values: Values,
): { to: WorkflowStateName; words: string; open: boolean; guard: string }[] {
	return state.transitions
		.filter(({ on }) => !isSpecial(on))
		.map((transition) => ({
			to: transition.to,
			words: transition.on ?? '',
			open: isOpen(transition, values),
			guard: transition.when ? guardInWords(transition.when) : '',
		}));
}

/** Where an agent goes that ends without a choice: the only way that is always open. */
export function defaultWay(state: StateDefinition): WorkflowStateName | undefined {
	const open = state.transitions.filter(({ on, when }) => !isSpecial(on) && when === undefined);
	return open.length === 1 ? open[0]?.to : undefined;
}

function isOpen({ when }: Transition, values: Values): boolean {
	return when === undefined || holds(when, (field) => lookUp(values, field));
}

function withGuard(words: string, { when }: Transition): string {
	return when ? `${words}, ${guardInWords(when)}` : words;
}
