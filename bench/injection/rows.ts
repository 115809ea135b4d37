import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../src/base/sha256.ts';

/** One text of a set of texts that attack an agent, or look as if they did. A set is a file of JSON lines. */
const Line = z.object({
	id: z.string(),
	text: z.string(),
	label: z.enum(['attack', 'benign']),
	kind: z.string().default(''),
	source: z.string().default(''),
	licence: z.string().default(''),
});

export interface Row extends z.infer<typeof Line> {
	readonly set: string;
	readonly hash: string;
}

export function rowsOf(folder: string): Row[] {
	return setsOf(folder).flatMap((name) =>
		readFileSync(join(folder, name), 'utf8')
			.split('\n')
			.filter((line) => line.trim() !== '')
			.map((line) => {
				const row = Line.parse(JSON.parse(line));
				return { ...row, set: basename(name, '.jsonl'), hash: sha256(row.text) };
			}),
	);
}

export function setsOf(folder: string): string[] {
	return readdirSync(folder)
		.filter((name) => name.endsWith('.jsonl'))
		.sort();
}

/** Numbers from 0 to 1, the same for a seed. */
export function randomOf(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
	const random = randomOf(seed);
	return items
		.map((item) => ({ item, key: random() }))
		.sort((a, b) => a.key - b.key)
		.map(({ item }) => item);
}
