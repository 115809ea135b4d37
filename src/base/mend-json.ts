import { jsonrepair } from 'jsonrepair';

/** JSON as a model wrote it: as it stands, else mended (a missing bracket, quotes of another kind, a fence around it); undefined where it is none. */
export function parseMended(text: string): { value: unknown; repaired: boolean } | undefined {
	try {
		return { value: JSON.parse(text), repaired: false };
	} catch {
		return mended(text);
	}
}

function mended(text: string): { value: unknown; repaired: boolean } | undefined {
	try {
		return { value: JSON.parse(jsonrepair(text)), repaired: true };
	} catch {
		// Not JSON in any reading.
		return undefined;
	}
}
