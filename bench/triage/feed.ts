import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The labelled feeds beside this file. `README.md` says how they are written. */

export interface Labelled {
	/** As written: a key, several joined by `+`, `!key` for what is only near it, `-` for what has nothing to do with any. */
	readonly label: string;
	readonly keys: readonly string[];
	readonly title: string;
	readonly text: string;
}

export interface Feed {
	/** HEARTBEAT.md, without the keys. */
	readonly heartbeat: string;
	/** In the order of its lines. */
	readonly keys: readonly string[];
	readonly items: readonly Labelled[];
}

const KEY = /\[([a-z-]+)\] /g;

/** `tuning`: for setting bounds and weights. `measured`: for figures, and for nothing else. */
export function readFeed(name: 'tuning' | 'measured'): Feed {
	const folder = import.meta.dirname;
	const marked = readFileSync(join(folder, `${name}-interests.md`), 'utf8');
	const files = readdirSync(folder)
		.filter((file) => file.startsWith(name) && file.endsWith('.txt'))
		.toSorted();
	const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')).filter((line) => line.trim() !== '');
	return { heartbeat: marked.replace(KEY, ''), keys: [...marked.matchAll(KEY)].map(([, key = '']) => key), items: lines.map(labelled) };
}

function labelled(line: string): Labelled {
	const [label = '', title = '', text, ...more] = line.split(' | ');
	if (text === undefined || more.length > 0) throw new Error(`not “label | title | text”: ${line}`);
	return { label, keys: label === '-' || label.startsWith('!') ? [] : label.split('+'), title, text };
}
