import { readFile } from 'node:fs/promises';
import { newId } from '../../base/ids.ts';
import { systemCode } from '../../base/system-code.ts';
import type { HearthClient } from '../../contract/contract.ts';
import { terminal } from '../../domain/errors.ts';
import type { WorkflowInstanceId } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import type { EventName } from '../../domain/run.ts';
import { type WorkflowInstance, WorkflowName, type WorkflowProblem, type WorkflowSummary } from '../../domain/workflow.ts';
import { type AtWork, allAtRest, atWork, whyNotAtWork, workNotes } from '../at-work.ts';
import { type CommandContext, dueText, when } from '../context.ts';
import { eventPayload, type WhoseWords } from '../event-payload.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { table } from '../output.ts';

const MOST_SHOWN = 50;
const OVER: readonly WorkflowInstance['status'][] = ['done', 'failed', 'stopped'];

export async function listWorkflows(context: CommandContext): Promise<number> {
	const { rpc, output } = context;
	const [workflows, ignored, { instances }] = await Promise.all([
		rpc.workflows.list(),
		rpc.workflows.ignored(),
		rpc.workflows.instances({ limit: MOST_SHOWN }),
	]);
	const now = await atWork(context);
	const files = workflows.map(({ name, title, problems }) => [
		name,
		problems.length === 0 ? 'ready' : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
		title,
	]);
	const begun = instances.map((instance) => [
		instance.id,
		when(instance.startedAt),
		instance.state,
		stateText(instance, now),
		instance.title,
	]);
	const text = [
		files.length > 0 ? table([['WORKFLOW', 'STATE', 'TITLE'], ...files]) : 'There is no file in workflows/ yet. See docs/workflows.md.',
		...ignored.map(({ file, why }) => `Not taken: ${file}. ${why}`),
		...(begun.length > 0 ? ['', table([['ID', 'BEGAN', 'STATE', 'STATUS', 'TITLE'], ...begun])] : []),
		...workNotes(now, instances.some(isOpen)).flatMap((note) => ['', note]),
	];
	output.result({ workflows, ignored, instances }, text.join('\n'));
	return EXIT.ok;
}

/** `file:line:column: message` a problem, so that an editor can jump there; fails where there is one. */
export async function validateWorkflow({ rpc, output }: CommandContext, given: string): Promise<number> {
	const text = given.includes('/') || given.endsWith('.yaml') ? await textOf(given) : undefined;
	if (text === undefined) {
		const name = WorkflowName.safeParse(workflowOf(given));
		if (!name.success) throw terminal('not_found', `The file ${given} can’t be read.`, { action: 'Look at its name.' });
		const { file, problems } = await rpc.workflows.get({ name: name.data });
		return tellProblems(output, file, problems);
	}
	const { problems } =
		text.length > 1_000_000
			? { problems: [{ line: 1, column: 1, message: 'The file is larger than 1 MB.' }] }
			: await rpc.workflows.validate({ text });
	return tellProblems(output, given, problems);
}

/** Undefined where there is none here: then it may be one of the profile. */
function textOf(path: string): Promise<string | undefined> {
	return readFile(path, 'utf8').catch((error: unknown) => {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw terminal('not_found', `The file ${path} can’t be read.`, { action: 'Look at its permissions.', cause: error });
	});
}

/** As it is written in hints and lists: `workflows/NAME.yaml`, or NAME. */
export function workflowOf(given: string): string {
	return given.replace(/^workflows\//, '').replace(/\.yaml$/, '');
}

function tellProblems(output: CommandContext['output'], file: string, problems: readonly WorkflowProblem[]): number {
	const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
	output.result({ file, problems }, lines.length > 0 ? lines.join('\n') : `${file}: no problems.`);
	return lines.length > 0 ? EXIT.failed : EXIT.ok;
}

/** A workflow by its name, or an instance of one by its id. */
export async function showWorkflow(context: CommandContext, given: string): Promise<number> {
	const { rpc, output } = context;
	const file = (await rpc.workflows.list()).find(({ name, file: path }) => given === name || given === path);
	if (file) output.result(file, describe(file));
	else {
		const instance = await findInstance(rpc, given);
		const now = await atWork(context);
		output.result(instance, [describeInstance(instance, now), ...workNotes(now, isOpen(instance))].join('\n'));
	}
	return EXIT.ok;
}

export async function startWorkflow(
	context: CommandContext,
	name: WorkflowName,
	{ title, set = {} }: { title?: string; set?: Record<string, Json> },
): Promise<number> {
	const { rpc } = context;
	const { inputs, problems } = await rpc.workflows.get({ name });
	const missing = inputs.filter((input) => input.required && !Object.hasOwn(set, input.name));
	if (problems.length === 0 && missing.length > 0)
		throw terminal('invalid_input', `Not given: ${missing.map((input) => `${input.name} (${input.title})`).join(', ')}.`, {
			safe: 'Nothing was started.',
			action: `Give it with: ${missing.map((input) => `--set ${input.name}=value`).join(' ')}`,
		});
	return told(context, await rpc.workflows.start({ name, title, data: set, requestId: newId<string>() }));
}

/** `payload`: JSON, or else a text. */
export async function signalWorkflow(
	context: CommandContext,
	id: string,
	name: EventName,
	payload: string | undefined,
	whose: WhoseWords,
): Promise<number> {
	const { rpc, output } = context;
	const before = await findInstance(rpc, id);
	const instance = await rpc.workflows.signal({ instanceId: before.id, name, ...eventPayload(payload, whose) });
	const code = await told(context, instance);
	if ((instance.kept?.length ?? 0) > (before.kept?.length ?? 0))
		output.note(`Kept: “${name}” came early, and waits for the state that takes it.`);
	else if (before.waitsFor === name && instance.history.at(-1)?.seq === before.history.at(-1)?.seq && instance.state === before.state)
		output.note(`“${name}” came, but no way out is for what came with it: it goes on waiting.`);
	return code;
}

export async function changeWorkflow(context: CommandContext, id: string, how: 'stop' | 'retry'): Promise<number> {
	const { rpc } = context;
	const { id: instanceId } = await findInstance(rpc, id);
	return told(context, await rpc.workflows[how]({ instanceId }));
}

/** Where this command is the runtime, an instance goes on only as long as it stays: until it waits, or is over. */
async function told(context: CommandContext, changed: WorkflowInstance): Promise<number> {
	const { rpc, door, output } = context;
	if (door.own) await allAtRest(rpc);
	const instance = door.own ? await rpc.workflows.instance({ instanceId: changed.id }) : changed;
	const now = await atWork(context);
	output.result(instance, describeInstance(instance, now));
	for (const note of workNotes(now, isOpen(instance))) output.note(note);
	if (instance.status === 'failed') return EXIT.failed;
	return instance.status === 'waiting' ? EXIT.needsOwner : EXIT.ok;
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

function isOpen({ status }: WorkflowInstance): boolean {
	return !OVER.includes(status);
}

export function stateText({ status, waitsFor, dueAt }: WorkflowInstance, now: AtWork): string {
	if (status === 'waiting') return 'waits for you';
	if (status === 'running') return whyNotAtWork(now, 'workflow') ?? status;
	if (status !== 'sleeping') return status;
	const what = waitsFor === undefined ? 'waits' : `waits for ${waitsFor}`;
	if (dueAt === undefined) return what;
	const over = dueAt <= Date.now() ? whyNotAtWork(now, 'workflow') : undefined;
	return `${what} until ${dueText(dueAt)}${over === undefined ? '' : `: ${over}`}`;
}

function describeInstance(instance: WorkflowInstance, now: AtWork): string {
	const { id, title, workflow, state, error, startedAt, data, kept = [], history, diagram } = instance;
	const here = diagram.states.find(({ name }) => name === state);
	return [
		`${title}  [${id}, ${workflow}], began ${when(startedAt)}`,
		`${state}${here && here.title !== state ? ` (${here.title})` : ''}: ${stateText(instance, now)}`,
		...(error ? [[error.message, error.action].filter(Boolean).join(' ')] : []),
		...Object.entries(data).map(([name, value]) => `  ${name}: ${oneLine(typeof value === 'string' ? value : JSON.stringify(value), 100)}`),
		...(kept.length > 0 ? [`Came early, and are kept: ${kept.join(', ')}`] : []),
		...(history.length > 0 ? ['Moves:'] : []),
		...history.map(
			({ at, from, to, why, stayed }) =>
				`  ${when(at)}  ${from === null || stayed ? '' : `${from} → `}${to}  (${oneLine(stayed ? `${why} by you` : why, 100)})`,
		),
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
