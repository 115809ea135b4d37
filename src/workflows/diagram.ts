import type { WorkflowDiagram } from '../domain/workflow.ts';
import { type Definition, isFinal, type StateDefinition, type Transition } from './definition.ts';
import { guardInWords } from './guard.ts';

/** A workflow as states and labelled arrows. Pure. */
export function diagramOf({ start, states }: Definition): WorkflowDiagram {
	const all = [...states.values()];
	return {
		start,
		states: all.map((state) => ({ name: state.name, title: state.title, action: state.action.kind, final: isFinal(state) })),
		transitions: all.flatMap((state) => [
			...state.transitions.map((transition) => ({ from: state.name, to: transition.to, when: whenInWords(state, transition) })),
			...(state.timeout ? [{ from: state.name, to: state.timeout.to, when: `after ${state.timeout.after}` }] : []),
		]),
	};
}

function whenInWords({ action }: StateDefinition, { on, when }: Transition): string {
	const outcome = on ?? (action.kind === 'event' ? action.name : '');
	return [outcome, ...(when ? [guardInWords(when)] : [])].filter((words) => words !== '').join(', if ');
}
