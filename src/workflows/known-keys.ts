import type { Path } from '../base/yaml/locator.ts';
import { STATE_KEYS, WORKFLOW_KEYS } from './shape.ts';

const KEYS_BELOW: Readonly<Record<string, readonly string[]>> = {
	agent: ['prompt', 'tools', 'model', 'maxModelCalls'],
	tool: ['name', 'args'],
	wait: ['for', 'until'],
	ask: ['question', 'choices'],
	timeout: ['after', 'to'],
	retries: ['times', 'wait'],
	transitions: ['to', 'on', 'when'],
	set: ['add'],
	inputs: ['title', 'required', 'default'],
};

/** Keys that there can be at a place of a workflow file. */
export function keysAt(path: Path): readonly string[] {
	if (path.length === 0) return WORKFLOW_KEYS;
	if (path.length === 2 && path[0] === 'states') return STATE_KEYS;
	const group = [...path].reverse().find((key) => typeof key === 'string' && key in KEYS_BELOW);
	return group === undefined ? [] : (KEYS_BELOW[group] ?? []);
}
