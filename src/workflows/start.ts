import { didYouMean } from '../base/did-you-mean.ts';
import { terminal } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { EventName } from '../domain/run.ts';
import type { WorkflowName, WorkflowSummary } from '../domain/workflow.ts';
import type { Definition } from './definition.ts';
import type { Datum } from './events.ts';
import type { WorkflowFile } from './folder.ts';

/** What the owner gives an instance, or a task in their place. Pure. */

export interface WorkflowStart {
	readonly name: WorkflowName;
	readonly title?: string | undefined;
	readonly data: Readonly<Record<string, Json>>;
	/** Of the data; the owner's where left out. */
	readonly label?: Label | undefined;
	/** Given where the workflow asks for an input of this name. */
	readonly extra?: { readonly name: string; readonly value: Json; readonly label: Label } | undefined;
	/** The same starts one instance. */
	readonly requestId: string;
}

export interface Startable {
	readonly definition: Definition;
	readonly version: string;
	readonly text: string;
	readonly data: Record<string, Datum>;
}

/** Throws `invalid_input` where the file, or what is given, is not what it takes. */
export function startable(
	{ summary, text, definition }: WorkflowFile,
	{ data, label, extra }: Pick<WorkflowStart, 'data' | 'label' | 'extra'>,
): Startable {
	if (!definition) throw notStartable(summary);
	const asked = extra && definition.inputs.some(({ name }) => name === extra.name) ? extra : undefined;
	const given = inputsFor(definition, asked ? { ...data, [asked.name]: asked.value } : data, label);
	const brought = asked && { [asked.name]: { value: asked.value, label: asked.label } };
	return { definition, version: summary.version, text, data: { ...given, ...brought } };
}

const MOST_CHARS = 100_000;

/** `label`: of what is given. Throws `invalid_input`. */
function inputsFor({ inputs }: Definition, given: Readonly<Record<string, Json>>, label: Label = 'owner'): Record<string, Datum> {
	const names = inputs.map(({ name }) => name);
	// Not what every object has by birth: an input may be called `constructor`.
	const inputOf = (name: string): Json | undefined => (Object.hasOwn(given, name) ? given[name] : undefined);
	for (const name of Object.keys(given))
		if (!names.includes(name)) {
			throw terminal('invalid_input', `This workflow asks for nothing called “${name}”.${didYouMean(name, names)}`, {
				safe: 'Nothing was started.',
				action: names.length > 0 ? `It asks for: ${names.join(', ')}.` : 'It asks for nothing.',
			});
		}
	if (JSON.stringify(given).length > MOST_CHARS)
		throw terminal('invalid_input', 'What is given is too long.', { action: 'Put it into a file in workspace/, and name the file.' });
	const missing = inputs.filter(({ name, required }) => required && (inputOf(name) ?? '') === '');
	if (missing.length > 0) {
		throw terminal('invalid_input', `Not given: ${missing.map(({ name, title }) => `${name} (${title})`).join(', ')}.`, {
			safe: 'Nothing was started.',
			action: `Give them in the form, or on the command line with --set ${missing[0]?.name}=….`,
		});
	}
	const data: Record<string, Datum> = {};
	for (const { name, default: otherwise } of inputs) {
		const own = inputOf(name);
		const value = own ?? otherwise;
		if (value !== undefined) data[name] = { value, label: own === undefined ? 'owner' : label };
	}
	return data;
}

function notStartable({ file, problems }: WorkflowSummary) {
	const [first] = problems;
	const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
	return terminal('invalid_input', `${file}:${first?.line}:${first?.column}: ${first?.message ?? 'It can’t be read.'}${more}`, {
		safe: 'Nothing was started.',
		action: `See all of them with: hearth workflows validate ${file}`,
	});
}

export function neverWaitsFor(definition: Definition, name: EventName) {
	const names = eventsOf(definition);
	return terminal('invalid_input', `This workflow never waits for “${name}”.${didYouMean(name, names)}`, {
		safe: 'Nothing was changed.',
		action: names.length > 0 ? `It waits for: ${names.join(', ')}.` : 'It waits for no event.',
	});
}

export function eventsOf({ states }: Definition): EventName[] {
	return [...new Set([...states.values()].flatMap(({ action }) => (action.kind === 'event' ? [action.name] : [])))];
}

export function noSuchState({ states }: Definition, workflow: WorkflowName, state: string) {
	const names = [...states.keys()];
	return terminal('not_found', `The workflow ${workflow} has no state “${state.slice(0, 100)}”.${didYouMean(state, names)}`, {
		safe: 'Nothing was changed.',
		action: `Its states are ${names.join(', ')}.`,
	});
}
