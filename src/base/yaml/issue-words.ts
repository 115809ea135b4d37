import type { z } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import type { Path } from './locator.ts';

/** A problem of a shape, in words for whoever wrote the file. */
export interface Told {
	readonly path: Path;
	readonly message: string;
	readonly onKey: boolean;
}

const KINDS: Readonly<Record<string, string>> = {
	string: 'a text',
	number: 'a number',
	int: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	record: 'a list of names with values',
	object: 'a list of names with values',
};

/** `value`: what the shape was held against, which lies at `below` in the file. `keysAt`: those that there can be. */
export function wordsOfIssue(issue: z.core.$ZodIssue, below: Path, value: unknown, keysAt: (path: Path) => readonly string[]): Told[] {
	const path = [...below, ...issue.path] as Path;
	const name = [...path].reverse().find((key) => typeof key === 'string') ?? 'the file';
	if (issue.code === 'unrecognized_keys')
		return issue.keys.map((key) => ({
			path: [...path, key],
			message: `There is no “${key}” here.${didYouMean(key, keysAt(path))}`,
			onKey: true,
		}));
	if (issue.code === 'invalid_type') {
		if (lookUpIn(value, issue.path) === undefined)
			return [{ path: path.slice(0, -1), message: `\`${String(name)}\` is missing.`, onKey: true }];
		const kind = KINDS[issue.expected];
		if (kind !== undefined && issue.message.startsWith('Invalid input'))
			return [{ path, message: `\`${String(name)}\` must be ${kind}.`, onKey: false }];
	}
	if (issue.code === 'invalid_union') return [{ path, message: `\`${String(name)}\` can’t be this.`, onKey: false }];
	if (issue.code === 'too_big' || issue.code === 'too_small') {
		const [bound, most] = issue.code === 'too_big' ? [issue.maximum, 'at most'] : [issue.minimum, 'at least'];
		const of = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' entries' : '';
		const own = /^(Too (big|small)|Invalid)/.test(issue.message) ? `\`${String(name)}\` has ${most} ${bound}${of}.` : issue.message;
		return [{ path, message: own, onKey: false }];
	}
	const onKey = issue.code === 'custom' && issue.params?.onKey === true;
	return [{ path, message: issue.message === 'Invalid input' ? `\`${String(name)}\` can’t be this.` : issue.message, onKey }];
}

function lookUpIn(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}
