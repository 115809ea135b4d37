import { didYouMean } from '../base/did-you-mean.ts';
import { terminal } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import type { EventName } from '../domain/run.ts';
import type { WorkflowSummary } from '../domain/workflow.ts';
import type { Definition } from './definition.ts';
import type { Datum } from './events.ts';

/** What the owner gives an instance. Pure. */

const MOST_CHARS = 100_000;

/** Throws `invalid_input`. */
export function inputsFor({ inputs }: Definition, given: Readonly<Record<string, Json>>): Record<string, Datum> {
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
			action: 'Give them and start it again.',
		});
	}
	const data: Record<string, Datum> = {};
	for (const { name, default: otherwise } of inputs) {
		const value = inputOf(name) ?? otherwise;
		if (value !== undefined) data[name] = { value, label: 'owner' };
	}
	return data;
}

export function notStartable({ file, problems }: WorkflowSummary) {
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
