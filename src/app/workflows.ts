import { z } from 'zod';
import type { Announce } from '../contract/announce.ts';
import { WorkflowInstanceId } from '../domain/ids.ts';
import type { RunEngine } from '../run/engine.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { WorkflowFolder } from '../workflows/folder.ts';
import { WORKFLOW_TIMER } from '../workflows/journal.ts';
import type { Known } from '../workflows/parse.ts';
import { Workflows, type WorkflowsDeps } from '../workflows/workflows.ts';
import { createWorkflowsHandlers } from './handlers/workflows.ts';
import type { Handlers } from './router.ts';
import type { Work } from './work.ts';

export interface WorkflowsParts {
	readonly handlers: Handlers['workflows'];
	readonly workflows: Workflows;
}

/** Brings workflows together with the engine that runs what their states do, and the timers that end their waits. */
export function createWorkflows(
	deps: Omit<WorkflowsDeps, 'folder' | 'timers' | 'engine'> & {
		readonly place: string;
		readonly tools: ToolRegistry;
		readonly engine: RunEngine;
		readonly work: Pick<Work, 'timers' | 'onDue'>;
		readonly liveSeq: () => number;
	},
): WorkflowsParts {
	const { place, tools, engine, work, liveSeq } = deps;
	const folder = new WorkflowFolder(place, knownTools(tools), () => deps.announce({ type: 'workflows_changed' }));
	const workflows = new Workflows({ ...deps, folder, timers: work.timers });
	engine.onRunEnded(({ instanceId }) => {
		if (instanceId !== undefined) void workflows.look(instanceId);
	});
	work.onDue(WORKFLOW_TIMER, (ref) => workflows.due(WorkflowInstanceId.parse(ref)));
	return { handlers: createWorkflowsHandlers({ folder, workflows, liveSeq }), workflows };
}

/** Live events of runs, heard by workflows too. */
export function heardBy(announce: Announce, workflows: () => Workflows): Announce {
	return (event) => {
		announce(event);
		if (event.type === 'run_changed') workflows().runChanged(event.run);
	};
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
