import { z } from 'zod';

/** A value that survives JSON unchanged. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export const Json: z.ZodType<Json> = z.json() as z.ZodType<Json>;

/** What the text says, which a schema has to look at; undefined, which is no JSON value, where it is no JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Whether lists and objects lie deeper in each other than so many. Not by itself deep: what walks such a value may run out of its stack. */
export function isDeeperThan(value: unknown, most: number): boolean {
	let level: unknown[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > most) return true;
		level = level.flatMap((one) => (one === null || typeof one !== 'object' ? [] : Object.values(one))).filter(isNested);
	}
	return false;
}

function isNested(value: unknown): boolean {
	return value !== null && typeof value === 'object';
}

/** A value of ours as it is after it was written down and read: members that are undefined are not there. */
export function asJson(value: object | Json): Json {
	return JSON.parse(JSON.stringify(value)) as Json;
}

/** The same value for the same content, whatever the order of its keys. */
export function canonicalJson(value: Json): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
	if (value !== null && typeof value === 'object') {
		const members = Object.keys(value)
			.sort()
			.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
		return `{${members.join(',')}}`;
	}
	return JSON.stringify(value);
}
