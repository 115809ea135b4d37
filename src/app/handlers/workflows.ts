import type { WorkflowFolder } from '../../workflows/folder.ts';
import { noModelToStart } from '../../workflows/needs-model.ts';
import type { Workflows } from '../../workflows/workflows.ts';
import type { Handlers } from '../router.ts';

export interface WorkflowsDeps {
	readonly folder: WorkflowFolder;
	readonly workflows: Workflows;
	/** The number of the last live event. */
	readonly liveSeq: () => number;
}

/** `workflows.*` of the contract. What comes through it is the owner's word. */
export function createWorkflowsHandlers({ folder, workflows, liveSeq }: WorkflowsDeps): Handlers['workflows'] {
	return {
		list: () => folder.list(),
		ignored: () => folder.ignored(),
		get: async ({ name }) => {
			const { summary, text, definition } = folder.get(name);
			const without = definition ? workflows.withoutModel(definition) : [];
			return { ...summary, text, ...(without.length > 0 && { hindrance: noModelToStart(without).shape }) };
		},
		validate: async ({ text }) => ({ problems: folder.validate(text) }),
		start: (input) => workflows.start(input),
		signal: ({ instanceId, name, payload, label }) => workflows.signal(instanceId, name, payload, label),
		instances: async ({ limit }) => ({ instances: workflows.list(limit), seq: liveSeq() }),
		instance: async ({ instanceId }) => workflows.get(instanceId),
		retry: ({ instanceId }) => workflows.retry(instanceId),
		stop: ({ instanceId }) => workflows.stop(instanceId),
	};
}
