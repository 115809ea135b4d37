import { readFile } from 'node:fs/promises';
import { newId } from '../../base/ids.ts';
import type { HearthClient } from '../../contract/contract.ts';
import { terminal } from '../../domain/errors.ts';
import type { WorkflowInstanceId } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import type { EventName } from '../../domain/run.ts';
import { type WorkflowInstance, WorkflowName, type WorkflowProblem, type WorkflowSummary } from '../../domain/workflow.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { table } from '../output.ts';

const MOST_SHOWN = 50;
const LOOK_MS = 50;

export async function listWorkflows({ rpc, output }: CommandContext): Promise<number> {
	const [workflows, { instances }] = await Promise.all([rpc.workflows.list(), rpc.workflows.instances({ limit: MOST_SHOWN })]);
	const files = workflows.map(({ name, title, problems }) => [
		name,
		problems.length === 0 ? 'ready' : `${problems.length} problems`,
		title,
	]);
	const begun = instances.map((instance) => [instance.id, when(instance.startedAt), instance.state, stateText(instance), instance.title]);
	const text = [
		files.length > 0 ? table([['WORKFLOW', 'STATE', 'TITLE'], ...files]) : 'There is no file in workflows/ yet. See docs/workflows.md.',
		...(begun.length > 0 ? ['', table([['ID', 'BEGAN', 'STATE', 'STATUS', 'TITLE'], ...begun])] : []),
	];
	output.result({ workflows, instances }, text.join('\n'));
	return EXIT.ok;
}

/** `file:line:column: message` a problem, so that an editor can jump there; fails where there is one. */
export async function validateWorkflow({ rpc, output }: CommandContext, given: string): Promise<number> {
	const name = WorkflowName.safeParse(given);
	if (name.success) {
		const { file, problems } = await rpc.workflows.get({ name: name.data });
		return tellProblems(output, file, problems);
	}
	const text = await readFile(given, 'utf8').catch((error: unknown) => {
		throw terminal('not_found', `The file ${given} can’t be read.`, { action: 'Look at its name.', cause: error });
	});
	const { problems } =
		text.length > 1_000_000
			? { problems: [{ line: 1, column: 1, message: 'The file is larger than 1 MB.' }] }
			: await rpc.workflows.validate({ text });
	return tellProblems(output, given, problems);
}

function tellProblems(output: CommandContext['output'], file: string, problems: readonly WorkflowProblem[]): number {
	const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
	output.result({ file, problems }, lines.length > 0 ? lines.join('\n') : `${file}: no problems.`);
	return lines.length > 0 ? EXIT.failed : EXIT.ok;
}

/** A workflow by its name, or an instance of one by its id. */
export async function showWorkflow({ rpc, output }: CommandContext, given: string): Promise<number> {
	const file = (await rpc.workflows.list()).find(({ name, file: path }) => given === name || given === path);
	if (file) output.result(file, describe(file));
	else {
		const instance = await findInstance(rpc, given);
		output.result(instance, describeInstance(instance));
	}
	return EXIT.ok;
}

export async function startWorkflow(
	{ rpc, door, output }: CommandContext,
	name: WorkflowName,
	options: { title?: string; set?: Record<string, Json> },
): Promise<number> {
	const started = await rpc.workflows.start({ name, title: options.title, data: options.set ?? {}, requestId: newId<string>() });
	return told(output, door.own ? await atRest(rpc, started) : started);
}

/** `payload`: JSON, or else a text. */
export async function signalWorkflow(
	{ rpc, door, output }: CommandContext,
	id: string,
	name: EventName,
	payload?: string,
): Promise<number> {
	const { id: instanceId } = await findInstance(rpc, id);
	const instance = await rpc.workflows.signal({ instanceId, name, payload: payload === undefined ? null : jsonOrText(payload) });
	return told(output, door.own ? await atRest(rpc, instance) : instance);
}

export async function changeWorkflow({ rpc, door, output }: CommandContext, id: string, how: 'stop' | 'retry'): Promise<number> {
	const { id: instanceId } = await findInstance(rpc, id);
	const instance = await rpc.workflows[how]({ instanceId });
	return told(output, door.own ? await atRest(rpc, instance) : instance);
}

function told(output: CommandContext['output'], instance: WorkflowInstance): number {
	output.result(instance, describeInstance(instance));
	if (instance.status === 'failed') return EXIT.failed;
	return instance.status === 'waiting' ? EXIT.needsOwner : EXIT.ok;
}

/** Where this command is the runtime, an instance goes on only as long as it stays: until it waits, or is over. */
async function atRest(rpc: HearthClient, { id: instanceId }: WorkflowInstance): Promise<WorkflowInstance> {
	for (;;) {
		const instance = await rpc.workflows.instance({ instanceId });
		if (instance.status !== 'running' || (await rpc.work.status()).paused) return instance;
		await new Promise((done) => setTimeout(done, LOOK_MS));
	}
}

export function jsonOrText(given: string): Json {
	try {
		return JSON.parse(given) as Json;
	} catch {
		return given;
	}
}

async function findInstance(rpc: HearthClient, given: string): Promise<WorkflowInstance> {
	if (given.length === 36) return rpc.workflows.instance({ instanceId: given as WorkflowInstanceId });
	const { instances } = await rpc.workflows.instances({ limit: 1000 });
	const matches = given === '' ? [] : instances.filter(({ id }) => id.startsWith(given));
	if (matches.length === 1 && matches[0]) return matches[0];
	throw terminal(
		'not_found',
		matches.length > 1 ? `“${given}” fits ${matches.length} instances.` : `There is no workflow or instance “${given.slice(0, 80)}”.`,
		{ action: 'List them with: hearth workflows list' },
	);
}

function stateText({ status, waitsFor, dueAt }: WorkflowInstance): string {
	if (status === 'waiting') return 'waits for you';
	if (status !== 'sleeping') return status;
	return `${waitsFor === undefined ? 'waits' : `waits for ${waitsFor}`}${dueAt === undefined ? '' : ` until ${when(dueAt)}`}`;
}

function describeInstance(instance: WorkflowInstance): string {
	const { id, title, workflow, state, error, startedAt, data, history, diagram } = instance;
	const here = diagram.states.find(({ name }) => name === state);
	return [
		`${title}  [${id}, ${workflow}], began ${when(startedAt)}`,
		`${state}${here && here.title !== state ? ` (${here.title})` : ''}: ${stateText(instance)}`,
		...(error ? [[error.message, error.action].filter(Boolean).join(' ')] : []),
		...Object.entries(data).map(([name, value]) => `  ${name}: ${oneLine(typeof value === 'string' ? value : JSON.stringify(value), 100)}`),
		...(history.length > 0 ? ['Moves:'] : []),
		...history.map(({ at, from, to, why }) => `  ${when(at)}  ${from === null ? '' : `${from} → `}${to}  (${oneLine(why, 100)})`),
	].join('\n');
}

function describe({ name, title, description, file, problems, inputs, diagram }: WorkflowSummary): string {
	const given = inputs.map((input) => `  ${input.name}${input.required ? '' : ' (may be left out)'}: ${input.title}`);
	const states = diagram?.states.map((state) => {
		const ways = diagram.transitions
			.filter(({ from }) => from === state.name)
			.map(({ to, when }) => `${to}${when === '' ? '' : ` (${when})`}`);
		return `  ${state.name}${state.name === diagram.start ? ' (start)' : ''}, ${state.final ? 'final' : state.action}: ${state.title}${ways.map((way) => `\n    → ${way}`).join('')}`;
	});
	return [
		`${title}  [${name}, ${file}]`,
		...(description === '' ? [] : [description]),
		...problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
		...(given.length > 0 ? ['Inputs:', ...given] : []),
		...(states ? ['States:', ...states] : []),
	].join('\n');
}
