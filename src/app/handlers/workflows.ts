import type { WorkflowName } from '../../domain/workflow.ts';
import type { WorkflowFolder } from '../../workflows/folder.ts';

export interface WorkflowsDeps {
	readonly folder: WorkflowFolder;
}

/** `workflows.*` of the contract. */
export function createWorkflowsHandlers({ folder }: WorkflowsDeps) {
	return {
		list: () => folder.list(),
		get: async ({ name }: { name: WorkflowName }) => {
			const { summary, text } = await folder.get(name);
			return { ...summary, text };
		},
		validate: async ({ text }: { text: string }) => ({ problems: folder.validate(text) }),
	};
}
