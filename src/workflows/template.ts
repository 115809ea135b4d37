import type { Json } from '../domain/json.ts';

/** `{{name}}` and `{{name.field}}` in texts of a workflow: plain substitution, no code. Pure. */

const PLACE = /\{\{\s*([^{}]*?)\s*\}\}/g;
export const FIELD_PATH = /^[a-z][a-z0-9_]{0,63}(\.[A-Za-z0-9_-]{1,64})*$/;

/** What every instance has beside its data. */
export const GIVEN_NAMES = ['today', 'now', 'workflow', 'state'] as const;

/** The paths that a text, or all texts in a value, name; as written, also where they are no names. */
export function namesIn(value: unknown): string[] {
	if (typeof value === 'string') return [...value.matchAll(PLACE)].map(([, name = '']) => name);
	if (Array.isArray(value)) return value.flatMap(namesIn);
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

/** The first word of a path: the name in the data. */
export function rootOf(path: string): string {
	return path.split('.', 1)[0] ?? '';
}

export function lookUp(data: Readonly<Record<string, Json>>, path: string): Json | undefined {
	let value: Json | undefined = data;
	for (const key of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
		value = (value as Record<string, Json>)[key];
	}
	return value;
}

/** What is not set becomes nothing; lists and objects become JSON. `shown`: how the text that comes to a place stands there. */
export function fillText(
	text: string,
	data: Readonly<Record<string, Json>>,
	shown: (text: string, path: string) => string = (value) => value,
): string {
	return text.replace(PLACE, (_all, path: string) => shown(textOf(lookUp(data, path)), path));
}

/** As `fillText` for every text in it; a text that is one place and nothing else becomes the value itself, a number say. */
export function fillValue(value: Json, data: Readonly<Record<string, Json>>): Json {
	if (typeof value === 'string') {
		const alone = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(value);
		return alone?.[1] === undefined ? fillText(value, data) : (lookUp(data, alone[1]) ?? '');
	}
	if (Array.isArray(value)) return value.map((each) => fillValue(each, data));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillValue(each, data)]));
}

export function textOf(value: Json | undefined): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
