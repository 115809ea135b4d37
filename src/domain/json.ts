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
