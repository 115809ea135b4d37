import { InvalidArgumentError } from 'commander';
import type { Json } from '../domain/json.ts';
import { EventName } from '../domain/run.ts';
import { WorkflowName } from '../domain/workflow.ts';
import {
	changeWorkflow,
	listWorkflows,
	showWorkflow,
	signalWorkflow,
	startWorkflow,
	validateWorkflow,
	workflowOf,
} from './commands/workflows.ts';
import { EXTERNAL, jsonOrText, MINE, type WhoseWords } from './event-payload.ts';
import type { CommandRoots } from './memory-commands.ts';

const INSTANCE = 'an instance: its id, or the beginning of one';

export function addWorkflowCommands({ group, withDoor }: CommandRoots): void {
	const workflows = group('workflows', 'named-state workflows: list, show, validate, start, signal, stop, retry');
	workflows
		.command('list')
		.description('the files of workflows/, also those with problems, and what was started')
		.action(withDoor(listWorkflows));
	workflows
		.command('show')
		.argument('<what>', 'a workflow, or an instance')
		.description('states, ways and inputs of a workflow; state, data and moves of an instance')
		.action((what: string) => withDoor((context) => showWorkflow(context, what))());
	workflows
		.command('validate')
		.argument('<file>', 'a file, or the name of a workflow')
		.description('problems of a workflow file with line and column; fails where there are any')
		.action((file: string) => withDoor((context) => validateWorkflow(context, file))());
	workflows
		.command('start')
		.argument('<workflow>', 'a workflow', workflowName)
		.option('-t, --title <title>', 'a name for this one')
		.option('-s, --set <name=value>', 'an input; may be given several times', inputOf, {})
		.description('start an instance')
		.action((name: WorkflowName, options: { title?: string; set?: Record<string, Json> }) =>
			withDoor((context) => startWorkflow(context, name, options), { takeUpRuns: true })(),
		);
	workflows
		.command('signal')
		.argument('<instance>', INSTANCE)
		.argument('<event>', 'the event’s name', eventName)
		.argument('[payload]', 'what comes with it: JSON, or a text')
		.addOption(EXTERNAL)
		.addOption(MINE)
		.description('tell an instance that something happened; what comes early is kept')
		.action((id: string, name: EventName, payload: string | undefined, whose: WhoseWords) =>
			withDoor((context) => signalWorkflow(context, id, name, payload, whose), { takeUpRuns: true })(),
		);
	for (const [how, description] of [
		['stop', 'stop an instance'],
		['retry', 'enter the state of a failed or stopped instance again'],
	] as const)
		workflows
			.command(how)
			.argument('<instance>', INSTANCE)
			.description(description)
			.action((id: string) => withDoor((context) => changeWorkflow(context, id, how), { takeUpRuns: true })());
}

function workflowName(given: string): WorkflowName {
	const name = WorkflowName.safeParse(workflowOf(given));
	if (!name.success) throw new InvalidArgumentError('That is no name of a workflow. See: hearth workflows list.');
	return name.data;
}

export function eventName(given: string): EventName {
	const name = EventName.safeParse(given);
	if (!name.success) throw new InvalidArgumentError(name.error.issues[0]?.message ?? 'That is no name of an event.');
	return name.data;
}

/** Adds one to those given before. */
export function inputOf(given: string, before: Record<string, Json> = {}): Record<string, Json> {
	const at = given.indexOf('=');
	if (at < 1) throw new InvalidArgumentError('Write it as name=value.');
	return { ...before, [given.slice(0, at).trim()]: jsonOrText(given.slice(at + 1)) };
}
