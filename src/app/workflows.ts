import { z } from 'zod';
import type { ToolRegistry } from '../tools/registry.ts';
import { WorkflowFolder } from '../workflows/folder.ts';
import type { Known } from '../workflows/parse.ts';
import { createWorkflowsHandlers } from './handlers/workflows.ts';
import type { ProfilePaths } from './profile-folder.ts';
import type { Handlers } from './router.ts';

export interface WorkflowsParts {
	readonly handlers: Handlers['workflows'];
}

export function createWorkflows({ paths, tools }: { paths: ProfilePaths; tools: ToolRegistry }): WorkflowsParts {
	const folder = new WorkflowFolder(paths.workflows, knownTools(tools));
	return { handlers: createWorkflowsHandlers({ folder }) };
}

function knownTools(registry: ToolRegistry): Known {
	return {
		tools: registry.names(),
		checkTool: (name, args) => {
			const checked = registry.find(name)?.schema.safeParse(args);
			return checked?.error && z.prettifyError(checked.error).replace(/^✖ /gm, '').replaceAll('\n', ' ').trim();
		},
	};
}
