import { readFile } from 'node:fs/promises';
import { terminal } from '../../domain/errors.ts';
import { WorkflowName, type WorkflowProblem, type WorkflowSummary } from '../../domain/workflow.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';

export async function listWorkflows({ rpc, output }: CommandContext): Promise<number> {
	const workflows = await rpc.workflows.list();
	const rows = workflows.map(({ name, title, problems }) => [name, problems.length === 0 ? 'ready' : `${problems.length} problems`, title]);
	output.result(
		workflows,
		rows.length > 0 ? table([['WORKFLOW', 'STATE', 'TITLE'], ...rows]) : 'There is no file in workflows/ yet. See docs/workflows.md.',
	);
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

export async function showWorkflow({ rpc, output }: CommandContext, name: WorkflowName): Promise<number> {
	const workflow = await rpc.workflows.get({ name });
	output.result(workflow, describe(workflow));
	return EXIT.ok;
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
