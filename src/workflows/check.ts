import { didYouMean } from '../base/did-you-mean.ts';
import type { Locator, Path } from '../base/yaml/locator.ts';
import type { Json } from '../domain/json.ts';
import type { WorkflowProblem, WorkflowStateName } from '../domain/workflow.ts';
import { millisecondsOf } from '../tools/when.ts';
import { type Definition, isFinal, isSpecial, type StateDefinition, type Transition } from './definition.ts';
import type { Known } from './parse.ts';
import { FIELD_PATH, GIVEN_NAMES, namesIn, rootOf } from './template.ts';

/** What the shapes can't say of a workflow: names that must exist, and ways through it. Pure. */

interface Scope {
	/** All states that the file names, also those with problems of their own. */
	readonly names: ReadonlySet<string>;
	/** No state has problems of its own, so that the ways between them are known. */
	readonly complete: boolean;
	readonly known: Known | undefined;
}

/** More than anybody reads. */
const MOST_TOLD = 500;

type Tell = (path: Path, message: string, onKey?: boolean) => void;

export function checkDefinition(definition: Definition, scope: Scope, locator: Locator): WorkflowProblem[] {
	const problems: WorkflowProblem[] = [];
	const tell: Tell = (path, message, onKey = false) => {
		if (problems.length < MOST_TOLD) problems.push(locator.problem(path, message, onKey));
	};
	if (scope.names.size === 0) tell(['states'], 'There is no state.', true);
	else if (!scope.names.has(definition.start)) tell(['start'], noState(definition.start, scope));
	const fields = fieldsOf(definition);
	for (const state of definition.states.values()) {
		checkWays(state, scope, tell);
		checkFields(state, scope.complete ? fields : undefined, tell);
		if (scope.known) checkTools(state, scope.known, tell);
	}
	// A name that is mistaken cuts ways off: what could not be reached by them is no news.
	const whole = [definition.start, ...[...definition.states.values()].flatMap(waysOf)].every((name) => definition.states.has(name));
	if (scope.complete && whole) checkGraph(definition, tell);
	return problems;
}

/** Names that the data can have at some time. */
function fieldsOf({ inputs, states }: Definition): Set<string> {
	const names = new Set<string>([...GIVEN_NAMES, ...inputs.map(({ name }) => name)]);
	for (const { set, save } of states.values()) for (const name of [...set.map((each) => each.name), ...save.keys()]) names.add(name);
	return names;
}

function checkWays(state: StateDefinition, scope: Scope, tell: Tell): void {
	const { name, action, transitions, timeout } = state;
	const path = ['states', name];
	if (isFinal(state)) {
		const extra = (['timeout', 'retries'] as const).filter((key) => state[key] !== undefined);
		if (transitions.length > 0) tell([...path, 'transitions'], `${name} is final: nothing comes after it.`, true);
		for (const key of extra) tell([...path, key], `${name} is final: it does nothing that \`${key}\` could be for.`, true);
		return;
	}
	const usual = transitions.filter(({ on }) => !isSpecial(on));
	if (transitions.length === 0 && !timeout)
		tell(path, `${name} has no way out. Give it \`transitions\`, or make it \`final: true\`.`, true);
	else if (usual.length === 0) tell(path, `${name} has no way out for when all goes well.`, true);
	for (const [at, { to }] of transitions.entries()) if (!scope.names.has(to)) tell([...path, 'transitions', at, 'to'], noState(to, scope));
	if (timeout && !scope.names.has(timeout.to)) tell([...path, 'timeout', 'to'], noState(timeout.to, scope));
	const told = (at: number, key: string, message: string) => tell([...path, 'transitions', at, key], message);
	if (action.kind === 'agent') checkAgentWays(transitions, told);
	else checkOutcomeWays(state, told);
	if (action.kind === 'ask') {
		for (const choice of action.choices)
			if (!usual.some(({ on }) => on === undefined || on === choice))
				tell([...path, 'transitions'], `The choice “${choice}” leads nowhere.`, true);
		if (action.choices.length === 0 && !usual.some(({ on }) => on === undefined))
			tell([...path, 'transitions'], 'The owner may answer anything here: add a transition without `on`.', true);
	}
	if (
		action.kind === 'wait' &&
		'until' in action &&
		namesIn(action.until).length === 0 &&
		Number.isNaN(millisecondsOf(action.until.trim()))
	)
		tell([...path, 'wait', 'until'], `“${action.until}” is no date. Write 2026-12-24, 2026-12-24T09:00, or {{a_field}} of the data.`);
}

/** An agent chooses by the name of the state, so that each may be named once. */
function checkAgentWays(transitions: readonly Transition[], told: (at: number, key: string, message: string) => void): void {
	for (const [at, { to, on }] of transitions.entries()) {
		const before = transitions.slice(0, at).find((each) => each.to === to && isSpecial(each.on) === isSpecial(on));
		if (before) told(at, 'to', `Ambiguous: the agent chooses by the state’s name, and ${to} is named twice.`);
	}
}

/** The first transition that fits is taken: one behind another that always fits is never taken. */
function checkOutcomeWays(state: StateDefinition, told: (at: number, key: string, message: string) => void): void {
	const { action, transitions } = state;
	const allowed = action.kind === 'ask' ? action.choices : [];
	for (const [at, { to, on }] of transitions.entries()) {
		const anyText = action.kind === 'ask' && action.choices.length === 0;
		if (on !== undefined && !isSpecial(on) && !anyText && !allowed.includes(on)) {
			const outcomes = [...allowed, 'error', 'skipped'];
			told(at, 'on', `“${on}” is no outcome of this state.${didYouMean(on, outcomes)} They are: ${outcomes.join(', ')}.`);
		}
		const hides = transitions
			.slice(0, at)
			.some((each) => each.when === undefined && (each.on === on || (each.on === undefined && !isSpecial(on))));
		if (hides) told(at, 'to', `Ambiguous: the way to ${to} is never taken, a transition before it always fits.`);
	}
}

function checkFields(state: StateDefinition, fields: ReadonlySet<string> | undefined, tell: Tell): void {
	const path = ['states', state.name];
	const check = (given: string, at: Path): void => {
		if (!FIELD_PATH.test(given)) tell(at, `{{${given}}} can’t be a name in the data. Use {{name}} or {{name.part}}.`);
		else if (fields && !fields.has(rootOf(given)))
			tell(at, `Nothing puts “${rootOf(given)}” into the data.${didYouMean(rootOf(given), [...fields])}`);
	};
	for (const [at, text] of textsOf(state)) for (const name of namesIn(text)) check(name, [...path, ...at]);
	for (const [at, { when = [] }] of state.transitions.entries())
		for (const { field } of when) check(field, [...path, 'transitions', at, 'when', field]);
	for (const assignment of state.set)
		if ('value' in assignment) for (const name of namesIn(assignment.value)) check(name, [...path, 'set', assignment.name]);
	if (state.action.kind === 'agent') return;
	for (const [name, from] of state.save) {
		const sources = SOURCES[state.action.kind];
		if (sources.length === 0) tell([...path, 'save'], 'This action has nothing to save.', true);
		else if (!sources.includes(rootOf(from)))
			tell(
				[...path, 'save', name],
				`“${from}” is not what this action gives.${didYouMean(from, sources)} It gives: ${sources.join(', ')}.`,
			);
	}
}

/** What `save` can name of each kind of action, before the first dot. */
const SOURCES: Readonly<Record<'tool' | 'event' | 'ask' | 'wait' | 'none', readonly string[]>> = {
	tool: ['result'],
	event: ['payload'],
	ask: ['answer'],
	wait: [],
	none: [],
};

function textsOf({ action }: StateDefinition): [at: Path, text: Json][] {
	switch (action.kind) {
		case 'agent':
			return [[['agent', 'prompt'], action.prompt]];
		case 'tool':
			return [[['tool', 'args'], action.args]];
		case 'wait':
			return 'until' in action ? [[['wait', 'until'], action.until]] : [];
		case 'ask':
			return [[['ask', 'question'], action.question]];
		case 'event':
		case 'none':
			return [];
	}
}

function checkTools({ name, action }: StateDefinition, known: Known, tell: Tell): void {
	const unknown = (tool: string) => `There is no tool “${tool}”.${didYouMean(tool, known.tools)} The tools are: ${known.tools.join(', ')}.`;
	if (action.kind === 'agent')
		for (const [at, tool] of action.tools.entries())
			if (!known.tools.includes(tool)) tell(['states', name, 'agent', 'tools', at], unknown(tool));
	if (action.kind !== 'tool') return;
	if (!known.tools.includes(action.name)) {
		tell(['states', name, 'tool', 'name'], unknown(action.name));
		return;
	}
	// What comes in by places is known only when it runs.
	const problem = namesIn(action.args).length > 0 ? undefined : known.checkTool(action.name, action.args);
	if (problem !== undefined) tell(['states', name, 'tool', 'args'], `${action.name} does not take this: ${problem}`, true);
}

/** Every state can be reached, and from every state that can be reached some final state can. */
function checkGraph(definition: Definition, tell: Tell): void {
	const next = new Map([...definition.states.values()].map((state) => [state.name, waysOf(state)] as const));
	const reached = closure([definition.start], (name) => next.get(name) ?? []);
	const finals = [...definition.states.values()].filter((state) => isFinal(state) && reached.has(state.name)).map(({ name }) => name);
	for (const { name } of definition.states.values())
		if (!reached.has(name)) tell(['states', name], `${name} can’t be reached from ${definition.start}.`, true);
	if (finals.length === 0) {
		tell(['states'], 'No final state can be reached: give one `final: true` and a way to it.', true);
		return;
	}
	const back = new Map<WorkflowStateName, WorkflowStateName[]>();
	for (const [from, ways] of next) for (const to of ways) back.set(to, [...(back.get(to) ?? []), from]);
	const ends = closure(finals, (name) => back.get(name) ?? []);
	for (const name of reached) if (!ends.has(name)) tell(['states', name], `From ${name} no final state can be reached.`, true);
}

export function waysOf({ transitions, timeout }: StateDefinition): WorkflowStateName[] {
	return [...transitions.map(({ to }) => to), ...(timeout ? [timeout.to] : [])];
}

function closure<T>(from: readonly T[], next: (item: T) => readonly T[]): Set<T> {
	const seen = new Set(from);
	for (const item of seen) for (const each of next(item)) seen.add(each);
	return seen;
}

function noState(name: string, { names }: Scope): string {
	return `There is no state ${name}.${didYouMean(name, [...names])}`;
}
