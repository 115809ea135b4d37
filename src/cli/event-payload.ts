import { Option } from 'commander';
import { terminal } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import { atTerminal } from './ask.ts';
import { oneLine } from './memory-text.ts';

export interface WhoseWords {
	readonly external?: boolean;
	readonly mine?: boolean;
}

export const EXTERNAL = new Option('--external', 'somebody else wrote what comes with it').conflicts('mine');
export const MINE = new Option('--mine', 'you wrote what comes with it; a script is not believed otherwise');

/**
 * What comes with an event, and whose words it is (B2): the owner's where it is typed at a terminal, somebody else's where a script hands it on,
 * unless the owner says otherwise.
 */
export function eventPayload(given: string | undefined, { external, mine }: WhoseWords): { payload: Json; label: 'owner' | 'external' } {
	if (given === undefined) return { payload: null, label: 'owner' };
	return { payload: jsonOrText(given), label: mine || (!external && atTerminal()) ? 'owner' : 'external' };
}

/** Throws `invalid_input` for what was meant as JSON: a broken object must not arrive as a text. */
export function jsonOrText(given: string): Json {
	try {
		return JSON.parse(given) as Json;
	} catch (error) {
		if (!/^\s*[{[]/.test(given)) return given;
		throw terminal('invalid_input', `It begins like JSON, but is none: ${oneLine(given, 80)}`, {
			safe: 'Nothing was sent.',
			action: 'Look at its quotes and brackets. A text that begins so is written as JSON, too: \'"[so] it begins"\'',
			cause: error,
		});
	}
}
