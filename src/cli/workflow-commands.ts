import { InvalidArgumentError } from 'commander';
import { WorkflowName } from '../domain/workflow.ts';
import { listWorkflows, showWorkflow, validateWorkflow } from './commands/workflows.ts';
import type { CommandRoots } from './memory-commands.ts';

export function addWorkflowCommands({ group, withDoor }: CommandRoots): void {
	const workflows = group('workflows', 'named-state workflows: list, show, validate');
	workflows.command('list').description('the files of workflows/, also those with problems').action(withDoor(listWorkflows));
	workflows
		.command('show')
		.argument('<workflow>', 'a workflow', workflowName)
		.description('states, ways and inputs of a workflow')
		.action((name: WorkflowName) => withDoor((context) => showWorkflow(context, name))());
	workflows
		.command('validate')
		.argument('<file>', 'a file, or the name of a workflow')
		.description('problems of a workflow file with line and column; fails where there are any')
		.action((file: string) => withDoor((context) => validateWorkflow(context, file))());
}

function workflowName(given: string): WorkflowName {
	const name = WorkflowName.safeParse(given.replace(/^workflows\//, '').replace(/\.yaml$/, ''));
	if (!name.success) throw new InvalidArgumentError('That is no name of a workflow. See: hearth workflows list.');
	return name.data;
}
