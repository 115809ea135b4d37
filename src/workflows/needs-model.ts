import { needsOwner } from '../domain/errors.ts';
import { BUILTIN_PROVIDER_ID, type ModelRef } from '../domain/model.ts';
import type { WorkflowStateName } from '../domain/workflow.ts';
import type { Definition, StateDefinition } from './definition.ts';

/** The built-in responder does no work: where it stood in for a model, a state's default way would be taken for a decision. Pure. */

/** `worker`: the model for work in the background, which a state's own `model` goes before. */
export function lacksModel({ action }: StateDefinition, worker: ModelRef): boolean {
	return action.kind === 'agent' && (action.model ?? worker).providerId === BUILTIN_PROVIDER_ID;
}

export function statesWithoutModel({ states }: Definition, worker: ModelRef): WorkflowStateName[] {
	return [...states.values()].filter((state) => lacksModel(state, worker)).map(({ name }) => name);
}

export function noModelToStart(states: readonly WorkflowStateName[]) {
	const many = states.length > 1;
	return needsOwner(
		'model_not_configured',
		`${states.join(', ')}: ${many ? 'these states are' : 'this state is'} done by a model, and none is chosen.`,
		{ safe: 'Nothing was started.', action: 'Choose a model in Settings → Models.' },
	);
}

export function noModelToGoOn(state: WorkflowStateName) {
	return needsOwner('model_not_configured', `${state} is done by a model, and none is chosen.`, {
		safe: 'What it did so far is kept, and it did not leave this state.',
		action: 'Choose a model in Settings → Models, and then enter the state again.',
	});
}
