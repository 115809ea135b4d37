import { type Document, isAlias, isMap, isScalar, parseDocument, visit, type YAMLMap } from 'yaml';
import type { z } from 'zod';
import { sha256 } from '../base/sha256.ts';
import type { ModelRef } from '../domain/model.ts';
import { type WorkflowProblem, WorkflowStateName } from '../domain/workflow.ts';
import { checkDefinition } from './check.ts';
import type { Action, Assignment, Definition, Input, StateDefinition } from './definition.ts';
import { wordsOfIssue } from './issue-words.ts';
import { Locator, type Path } from './locate.ts';
import { ACTION_KEYS, DataName, StateShape, WorkflowShape } from './shape.ts';

/** A workflow file as text → its definition, or every problem with its line and column. Pure. */

export const MOST_BYTES = 1_000_000;
const MOST_PROBLEMS = 50;
/** Keys, values, lists and maps together; the largest workflow that anybody follows has some hundreds. What is checked takes their square. */
const MOST_NODES = 10_000;
const SAME_NAME = 'This name is there twice. Names must differ.';
/** Deeper than any workflow; YAML that is nested thousands deep exhausts the stack of whoever reads it. */
const MOST_DEPTH = 50;

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
	const refuse = (message: string, place = { line: 1, column: 1 }): Parsed => ({ version, problems: [{ ...place, message }] });
	if (Buffer.byteLength(text) > MOST_BYTES) return refuse('The file is larger than 1 MB.');
	const deep = tooDeep(text);
	if (deep) return refuse(`Nested deeper than ${MOST_DEPTH} levels.`, deep);
	const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, strict: true });
	const locator = new Locator(document, text);
	// One tab makes many errors behind it. Tags are told below, in other words.
	const errors = [...document.errors, ...document.warnings.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED')];
	const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT');
	const syntax = (tabs.length > 0 ? tabs : errors).slice(0, MOST_PROBLEMS).map(({ pos, message, code }) => ({
		...locator.at(pos[0]),
		message: syntaxWords(code, message),
	}));
	const problems = [...syntax, ...notPlain(document, locator)];
	if (problems.length > 0) return { version, problems: inOrder(problems) };
	if (isLarge(document)) return refuse(`There are more than ${MOST_NODES} names and values in it: split it into several workflows.`);
	if (!isMap(document.contents)) return refuse('A workflow file has `title`, `start` and `states`. See docs/workflows.md.');
	return { version, ...readShape(document.toJS(), locator, known) };
}

function isLarge(document: Document.Parsed): boolean {
	let nodes = 0;
	visit(document, () => {
		nodes += 1;
		return nodes > MOST_NODES ? visit.BREAK : undefined;
	});
	return nodes > MOST_NODES;
}

/** Aliases make a small text large, and tags make other things of it: neither has a use here. */
function notPlain(document: Document.Parsed, locator: Locator): WorkflowProblem[] {
	const problems: WorkflowProblem[] = [];
	visit(document, {
		Node: (_key, node) => {
			if (isAlias(node)) problems.push({ ...locator.at(node.range?.[0] ?? 0), message: 'Aliases (*name) are not used in workflow files.' });
			else if (node.anchor !== undefined)
				problems.push({ ...locator.at(node.range?.[0] ?? 0), message: 'Anchors (&name) are not used in workflow files.' });
			else if (node.tag?.startsWith('!') || (node.tag && !/^tag:yaml\.org,2002:(str|int|float|bool|null|seq|map)$/.test(node.tag)))
				problems.push({ ...locator.at(node.range?.[0] ?? 0), message: `Tags (${node.tag}) are not used in workflow files.` });
			if (isMap(node)) problems.push(...ofKeys(node, locator));
			return problems.length >= MOST_PROBLEMS ? visit.BREAK : undefined;
		},
	});
	return problems;
}

/** The library compares each key of a map with each other one, which takes minutes for a large one. */
function ofKeys(map: YAMLMap, locator: Locator): WorkflowProblem[] {
	const problems: WorkflowProblem[] = [];
	const names = new Set<string>();
	for (const { key } of map.items) {
		if (!isScalar(key)) problems.push({ ...locator.at(0), message: 'A key must be a plain word.' });
		else if (names.has(String(key.value))) problems.push({ ...locator.at(key.range?.[0] ?? 0), message: SAME_NAME });
		else names.add(String(key.value));
		if (problems.length >= MOST_PROBLEMS) break;
	}
	return problems;
}

function readShape(value: unknown, locator: Locator, known: Known | undefined): Omit<Parsed, 'version'> {
	const problems: WorkflowProblem[] = [];
	const tell = (issues: readonly z.core.$ZodIssue[], below: Path, of: unknown): void => {
		for (const issue of issues)
			for (const { path, message, onKey } of wordsOfIssue(issue, below, of)) problems.push(locator.problem(path, message, onKey));
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

/** The value as its shape has it. A key too many is told, and then left out, so that it does not hide what else is wrong. */
function readAs<Shape extends z.ZodType>(
	shape: Shape,
	value: unknown,
	tell: (issues: readonly z.core.$ZodIssue[]) => void,
): z.infer<Shape> | undefined {
	const first = shape.safeParse(value);
	if (first.success) return first.data;
	tell(first.error.issues);
	const extra = first.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
	if (extra.length < first.error.issues.length) return undefined;
	const copy = structuredClone(value);
	for (const { path, keys } of extra) {
		const holder = path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown> | undefined)?.[key], copy);
		for (const key of keys) if (typeof holder === 'object' && holder !== null) delete (holder as Record<string, unknown>)[key];
	}
	return shape.safeParse(copy).data;
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

function inOrder(problems: readonly WorkflowProblem[]): WorkflowProblem[] {
	const seen = new Set<string>();
	return [...problems]
		.sort((left, right) => left.line - right.line || left.column - right.column)
		.filter(({ line, column, message }) => {
			const key = `${line}:${column}:${message}`;
			return !seen.has(key) && seen.add(key) !== undefined;
		})
		.slice(0, MOST_PROBLEMS);
}

function syntaxWords(code: string, message: string): string {
	switch (code) {
		case 'TAB_AS_INDENT':
			return 'A tab can’t indent YAML. Use spaces.';
		case 'MULTIPLE_DOCS':
			return 'A workflow file holds one document: remove the line ---.';
		default:
			return message.split('\n', 1)[0] ?? message;
	}
}

/** Where brackets or indentation go deeper than any reader should follow. */
function tooDeep(text: string): { line: number; column: number } | undefined {
	let brackets = 0;
	for (const [at, line] of text.split('\n').entries()) {
		const indent = /^[ ]*(?:- )*/.exec(line)?.[0].length ?? 0;
		if (indent > MOST_DEPTH * 8 || (line.match(/- /g)?.length ?? 0) > MOST_DEPTH * 8) return { line: at + 1, column: 1 };
		for (const character of line) {
			if (character === '[' || character === '{') brackets += 1;
			else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
			if (brackets > MOST_DEPTH) return { line: at + 1, column: 1 };
		}
	}
	return undefined;
}
