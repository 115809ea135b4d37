import { isMap } from 'yaml';
import type { z } from 'zod';
import { sha256 } from '../base/sha256.ts';
import { wordsOfIssue } from '../base/yaml/issue-words.ts';
import type { Locator, Path } from '../base/yaml/locator.ts';
import { inOrder, readAs, readPlainYaml } from '../base/yaml/read.ts';
import type { ModelRef } from '../domain/model.ts';
import { type WorkflowProblem, WorkflowStateName } from '../domain/workflow.ts';
import { checkDefinition } from './check.ts';
import type { Action, Assignment, Definition, Input, StateDefinition } from './definition.ts';
import { keysAt } from './known-keys.ts';
import { ACTION_KEYS, DataName, StateShape, WorkflowShape } from './shape.ts';

/** A workflow file as text → its definition, or every problem with its line and column. Pure. */

export const MOST_BYTES = 1_000_000;

export interface Parsed {
	/** Of the text: the version. */
	readonly version: string;
	readonly problems: readonly WorkflowProblem[];
	/** Present where the text has the shape of a workflow, also with problems in its ways and names. */
	readonly definition?: Definition;
}

/** What has to be known to check names of tools; left out: they are not checked. */
export interface Known {
	/** What is wrong with this call, in words; undefined where nothing is. */
	checkTool(name: string, args: unknown): string | undefined;
	readonly tools: readonly string[];
}

export function parseWorkflow(text: string, known?: Known): Parsed {
	const version = sha256(text);
	const read = readPlainYaml(text, { file: 'workflow file', large: 'split it into several workflows', mostBytes: MOST_BYTES });
	if (!read.ok) return { version, problems: read.problems };
	const { document, locator } = read;
	if (!isMap(document.contents))
		return {
			version,
			problems: [{ line: 1, column: 1, message: 'A workflow file has `title`, `start` and `states`. See docs/workflows.md.' }],
		};
	return { version, ...readShape(document.toJS(), locator, known) };
}

function readShape(value: unknown, locator: Locator, known: Known | undefined): Omit<Parsed, 'version'> {
	const problems: WorkflowProblem[] = [];
	const tell = (issues: readonly z.core.$ZodIssue[], below: Path, of: unknown): void => {
		for (const issue of issues)
			for (const { path, message, onKey } of wordsOfIssue(issue, below, of, keysAt)) problems.push(locator.problem(path, message, onKey));
	};
	const whole = readAs(WorkflowShape, value, (issues) => tell(issues, [], value));
	const rawStates = statesOf(value);
	const states = new Map<WorkflowStateName, StateDefinition>();
	for (const [name, raw] of Object.entries(rawStates)) {
		const path = ['states', name];
		const checkedName = WorkflowStateName.safeParse(name);
		if (!checkedName.success) {
			problems.push(
				locator.problem(path, `“${name}” can’t be a state’s name. Use capital letters, digits and _, starting with a letter.`, true),
			);
		}
		const state = readAs(StateShape, raw ?? {}, (issues) => tell(issues, path, raw));
		if (!state) continue;
		const action = actionOf(state);
		if (typeof action === 'string') problems.push(locator.problem(path, `${name}: ${action}`, true));
		else if (checkedName.success) states.set(checkedName.data, stateOf(checkedName.data, state, action));
		for (const part of ['set', 'save'] as const) checkNames(state[part], [...path, part]);
	}
	if (whole) checkNames(whole.inputs, ['inputs']);
	function checkNames(of: Record<string, unknown>, path: Path): void {
		for (const name of Object.keys(of)) {
			const checked = DataName.safeParse(name);
			if (!checked.success)
				problems.push(locator.problem([...path, name], `“${name}”: ${checked.error.issues[0]?.message ?? 'not a name'}`, true));
		}
	}
	if (!whole) return { problems: inOrder(problems) };
	const { title, description, start } = whole;
	const definition: Definition = { title, description, start, inputs: inputsOf(whole.inputs), states };
	const complete = states.size === Object.keys(rawStates).length;
	problems.push(...checkDefinition(definition, { names: new Set(Object.keys(rawStates)), complete, known }, locator));
	return complete ? { problems: inOrder(problems), definition } : { problems: inOrder(problems) };
}

function statesOf(value: unknown): Record<string, unknown> {
	const states = (value as { states?: unknown }).states;
	return typeof states === 'object' && states !== null && !Array.isArray(states) ? (states as Record<string, unknown>) : {};
}

function inputsOf(shapes: z.infer<typeof WorkflowShape>['inputs']): Input[] {
	return Object.entries(shapes).map(([name, input]) => ({
		name,
		title: input.title ?? name,
		required: input.required ?? input.default === undefined,
		default: input.default,
	}));
}

function actionOf(shape: StateShape): Action | string {
	const given = ACTION_KEYS.filter((key) => shape[key] !== undefined);
	if (shape.label !== undefined && shape.event === undefined) return '`label` belongs to an `event`.';
	if (given.length > 1) return `a state has one action, and this has ${given.join(' and ')}.`;
	if (shape.agent) {
		const { prompt, tools, model, maxModelCalls } = shape.agent;
		return { kind: 'agent', prompt, tools, model: model === undefined ? undefined : modelRef(model), maxModelCalls };
	}
	if (shape.tool) return { kind: 'tool', ...shape.tool };
	if (shape.wait?.for) return { kind: 'wait', forMs: shape.wait.for.ms };
	if (shape.wait?.until !== undefined) return { kind: 'wait', until: shape.wait.until };
	if (shape.event !== undefined) return { kind: 'event', name: shape.event, label: shape.label ?? 'owner' };
	if (shape.ask) return { kind: 'ask', question: shape.ask.question, choices: shape.ask.choices ?? [] };
	if (shape.final) return { kind: 'none' };
	return `nothing happens here. Give it one of: ${ACTION_KEYS.join(', ')}.`;
}

function modelRef(text: string): ModelRef {
	const slash = text.indexOf('/');
	return { providerId: text.slice(0, slash) as ModelRef['providerId'], modelId: text.slice(slash + 1) };
}

function stateOf(name: WorkflowStateName, shape: StateShape, action: Action): StateDefinition {
	const { timeout, retries } = shape;
	return {
		name,
		title: shape.title ?? name,
		action,
		set: Object.entries(shape.set).map(
			([field, value]): Assignment => (typeof value === 'object' ? { name: field, add: value.add } : { name: field, value }),
		),
		save: new Map(Object.entries(shape.save)),
		transitions: shape.transitions,
		timeout: timeout && { afterMs: timeout.after.ms, after: timeout.after.text, to: timeout.to },
		retries: retries && { times: retries.times, waitMs: retries.wait?.ms ?? 0 },
	};
}
