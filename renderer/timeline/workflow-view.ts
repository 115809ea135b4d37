import type { Json } from '../../src/domain/json.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import type { WorkflowDiagram, WorkflowInstance } from '../../src/domain/workflow.ts';

/** How a state stands to an instance. */
export type Where = 'now' | 'past' | 'next' | 'later';

/** States that an instance was in, without the one that it is in. */
function visited({ history, state }: WorkflowInstance): Set<string> {
	return new Set(history.map(({ to }) => to).filter((name) => name !== state));
}

/** How each state stands: where it is, where it was, and where it may go from here. Nothing is next after the end. */
export function whereabouts(instance: WorkflowInstance): Map<string, Where> {
	const { diagram, state, status } = instance;
	const past = visited(instance);
	const ended = status === 'done';
	const next = new Set(ended ? [] : diagram.transitions.flatMap(({ from, to }) => (from === state ? [to] : [])));
	return new Map(
		diagram.states.map(({ name }) => [name, name === state ? 'now' : past.has(name) ? 'past' : next.has(name) ? 'next' : 'later']),
	);
}

export interface FlowNode {
	/** Unique among the nodes of a flow: a state can come again. */
	readonly key: string;
	readonly name: string;
	readonly where: 'past' | 'now' | 'next';
}

/** States of the way so far that are shown; the ones before are counted. */
const MOST_PAST = 6;
const MOST_NEXT = 6;

/**
 * The way of an instance in one line: the states it was in, the one it is in, and what comes as long as there is only one way on. `earlier`: how
 * many of the first are left out.
 */
export function flowOf(instance: WorkflowInstance): { nodes: FlowNode[]; earlier: number } {
	const { history, state, diagram, status } = instance;
	const was = history.filter(({ stayed }) => stayed === undefined).map(({ to }) => to);
	// The last move led to where it is now.
	if (was.at(-1) === state) was.pop();
	const earlier = Math.max(0, was.length - MOST_PAST);
	const nodes: FlowNode[] = was.slice(earlier).map((name, index) => ({ key: `past-${earlier + index}`, name, where: 'past' }));
	nodes.push({ key: 'now', name: state, where: 'now' });
	const seen = new Set([state]);
	let from: string = state;
	while (status !== 'done' && nodes.length < MOST_PAST + MOST_NEXT) {
		const on = [...new Set(diagram.transitions.flatMap((each) => (each.from === from ? [each.to] : [])))];
		const [only] = on;
		if (only === undefined || on.length > 1 || seen.has(only)) break;
		nodes.push({ key: `next-${only}`, name: only, where: 'next' });
		seen.add(only);
		from = only;
	}
	return { nodes, earlier };
}

/** Colours of the app (styles/tokens.css): a picture can't read them. */
const COLOURS = {
	light: { now: ['#f1ecfa', '#64469b'], past: ['#e6f3e8', '#2a6637'], text: '#211d19' },
	dark: { now: ['#2d2541', '#c4abf1'], past: ['#1e3124', '#8acca0'], text: '#eee9e3' },
} as const;
const MOST_LABEL = 44;

/**
 * The diagram in Mermaid's words: a box for each state, a rounder one for an end. States are numbered there: their own names may be words of
 * the language. Also those that only an arrow names, as in a file that is not right yet.
 */
export function mermaidOf(diagram: WorkflowDiagram, where: ReadonlyMap<string, Where>, dark: boolean): string {
	const colours = COLOURS[dark ? 'dark' : 'light'];
	const finals = new Set(diagram.states.flatMap(({ name, final }) => (final ? [name] : [])));
	const names = namesOf(diagram);
	const id = new Map([...names].map((name, index) => [name, `s${index}`]));
	const lines = ['flowchart TB'];
	for (const kind of ['now', 'past'] as const) {
		const [fill, stroke] = colours[kind];
		lines.push(`classDef ${kind}State fill:${fill},stroke:${stroke},color:${colours.text},stroke-width:${kind === 'now' ? 2.5 : 1.5}px`);
	}
	for (const name of names) {
		const words = `"${name.replaceAll('_', ' ')}"`;
		lines.push(finals.has(name) ? `${id.get(name)}([${words}])` : `${id.get(name)}(${words})`);
		const at = where.get(name);
		if (at === 'now' || at === 'past') lines.push(`class ${id.get(name)} ${at}State`);
	}
	for (const { from, to, when } of diagram.transitions) {
		const label = plain(when);
		lines.push(`${id.get(from)} -->${label === '' ? '' : `|"${label}"|`} ${id.get(to)}`);
	}
	return lines.join('\n');
}

function namesOf({ start, states, transitions }: WorkflowDiagram): Set<string> {
	return new Set([
		...states.map(({ name }) => name),
		...(transitions.length > 0 ? [start] : []),
		...transitions.flatMap(({ from, to }) => [from, to]),
	]);
}

/** What a state is called in the drawing; null where it is not in it. */
export function nodeOf(diagram: WorkflowDiagram, name: string): string | null {
	const at = [...namesOf(diagram)].indexOf(name);
	return at < 0 ? null : `s${at}`;
}

/** Words that mean nothing to Mermaid. */
function plain(text: string): string {
	const words = text
		.replace(/[^\p{L}\p{N} .,()=!?'’“”<>/+-]/gu, ' ')
		.replace(/</g, '‹')
		.replace(/>/g, '›')
		.replace(/\s+/g, ' ')
		.trim();
	const letters = [...words];
	return letters.length > MOST_LABEL ? `${letters.slice(0, MOST_LABEL - 1).join('')}…` : words;
}

/** What the owner typed as a value: JSON where it is such, else the text itself. */
export function typedValue(text: string): Json {
	const typed = text.trim();
	if (typed === '') return null;
	if (!/^[[{"]|^(true|false|null)$|^-?\d/.test(typed)) return typed;
	try {
		const value = JSON.parse(typed) as Json;
		// 0049… and 1e3 are what was typed, and no numbers.
		return typeof value === 'number' && String(value) !== typed ? typed : value;
	} catch {
		// It only looks like JSON.
		return typed;
	}
}

/** A value as it is shown. */
export function shownValue(value: Json): string {
	return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

/** How an instance stands, as a run would say it. */
export function runLike({ status, waitsFor, dueAt }: WorkflowInstance): Pick<RunSummary, 'status' | 'step' | 'waitsFor' | 'waitsUntil'> {
	return {
		status,
		step: 0,
		...(status === 'sleeping' && { waitsFor: waitsFor === undefined ? 'timer' : 'event' }),
		...(dueAt !== undefined && { waitsUntil: dueAt }),
	};
}
