import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Seen from this file: in the source, and in what is built (`dist/runtime` or its `chunks`). */
const PLACES = ['../../assets/workflows', 'workflows', '../workflows'];

/** The workflows that come with Hearth, by file name. */
export async function exampleWorkflows(): Promise<[name: string, text: string][]> {
	const folder = PLACES.map((place) => path.resolve(import.meta.dirname, place)).find((place) => existsSync(place));
	if (folder === undefined) throw new Error('the workflows that come with Hearth are missing');
	const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
	return Promise.all(names.map(async (name): Promise<[string, string]> => [name, await readFile(path.join(folder, name), 'utf8')]));
}
