import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import type { z } from 'zod';
import { isDeeperThan, Json } from '../../domain/json.ts';

/** Of a schema, in characters of JSON. */
const MOST_CHARS = 50_000;
/** Of all that a check may have to look at, references followed: a small schema can stand for a huge one. */
const MOST_NODES = 20_000;
/** Of parts of a schema that leads back to itself: how often they may be looked at in one check. */
const MOST_LOOKS = 200_000;

export type ReadSchema = { readonly schema: z.ZodType<Json>; readonly parameters: Record<string, Json> } | { readonly problem: string };

/**
 * A server's JSON Schema as a check of arguments and as what a model is told. It is checked by interpreting it, never by making code of it,
 * and its patterns are left to the server: a regular expression of somebody else's can run for ever.
 */
export function readSchema(given: Json): ReadSchema {
	if (typeof given !== 'object' || given === null || Array.isArray(given) || given.type !== 'object')
		return { problem: 'The schema of its arguments is not one of an object.' };
	if (JSON.stringify(given).length > MOST_CHARS) return { problem: 'The schema of its arguments is too long.' };
	const plain = withoutPatterns(given) as Record<string, Json>;
	const size = sizeOf(plain);
	if (!size) return { problem: 'The schema of its arguments is too tangled, or leads elsewhere.' };
	const { $schema: _, ...parameters } = given;
	try {
		const check = new CfWorkerJsonSchemaValidator({ shortcircuit: false }).getValidator(plain);
		const schema = Json.superRefine((value, context) => {
			const problem = isTooMuch(size, value) ? 'they are nested too deeply to be checked' : problemOf(() => check(value));
			if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
		});
		// Finds out now whether it can be used at all.
		check({});
		return { schema, parameters };
	} catch {
		return { problem: 'The schema of its arguments can’t be read.' };
	}
}

function problemOf(check: () => { valid: boolean; errorMessage?: string | undefined }): string | undefined {
	try {
		const result = check();
		return result.valid ? undefined : (result.errorMessage ?? 'they do not fit');
	} catch {
		return 'they can’t be checked against its schema';
	}
}

/** Names of properties are no keywords. */
const MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

function withoutPatterns(schema: Json): Json {
	if (Array.isArray(schema)) return schema.map(withoutPatterns);
	if (typeof schema !== 'object' || schema === null) return schema;
	const kept = Object.entries(schema).filter(([key]) => key !== 'pattern' && key !== 'patternProperties' && key !== 'format');
	return Object.fromEntries(
		kept.map(([key, value]) => {
			if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') return [key, value];
			if (!MAPS.has(key) || typeof value !== 'object' || value === null || Array.isArray(value)) return [key, withoutPatterns(value)];
			return [key, Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, withoutPatterns(sub)]))];
		}),
	);
}

interface Size {
	readonly nodes: number;
	/** References that lead back to where they stand. */
	readonly returns: number;
}

/** Each level of a value may be looked at once for each way back: what grows so is bounded before it is begun. */
function isTooMuch({ nodes, returns }: Size, value: Json): boolean {
	return returns > 1 && isDeeperThan(value, Math.floor(Math.log(MOST_LOOKS / nodes) / Math.log(returns)));
}

/**
 * How large it is with its references followed, one that leads back to where it stands once. Undefined where they lead out of it, or to more
 * than can be looked at.
 */
function sizeOf(root: Record<string, Json>): Size | undefined {
	let left = MOST_NODES;
	let returns = 0;
	const open = new Set<Json>();
	const walk = (node: Json): boolean => {
		left -= 1;
		if (left < 0) return false;
		if (typeof node !== 'object' || node === null) return true;
		if (open.has(node)) {
			returns += 1;
			return true;
		}
		open.add(node);
		const inside = Array.isArray(node)
			? node.every(walk)
			: Object.entries(node).every(([key, value]) => (key === '$ref' && typeof value === 'string' ? followed(value) : walk(value)));
		open.delete(node);
		return inside;
	};
	const followed = (reference: string): boolean => {
		const target = targetOf(root, reference);
		return target !== undefined && walk(target);
	};
	return walk(root) ? { nodes: MOST_NODES - left, returns } : undefined;
}

/** What a JSON pointer of this very schema leads to. */
function targetOf(root: Json, reference: string): Json | undefined {
	if (reference === '#') return root;
	if (!reference.startsWith('#/')) return undefined;
	let at: Json | undefined = root;
	for (const part of reference.slice(2).split('/')) {
		if (typeof at !== 'object' || at === null) return undefined;
		const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
		at = Array.isArray(at) ? at[Number(key)] : Object.hasOwn(at, key) ? at[key] : undefined;
	}
	return at;
}
