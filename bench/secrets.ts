import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRedactor } from '../src/firewall/redact.ts';
import { quantile, seeded } from './numbers.ts';

/**
 * What it costs to take secrets out of a text, and how often text that holds none loses something: source files and manuals of packages, where a
 * handful of made-up passwords stands in examples and tests.
 */

const KNOWN = 50;
const TIMES = 1_000;
const KINDS = new Set(['.js', '.mjs', '.cjs', '.ts', '.json', '.md', '.yml', '.yaml']);
const LARGEST = 300_000;

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({
		args,
		options: { data: { type: 'string', default: 'node_modules' }, files: { type: 'string', default: '4000' } },
	});
	const redactor = createRedactor(randomBytes(32));
	for (let count = 0; count < KNOWN; count += 1) redactor.learn(randomBytes(24).toString('base64url'));
	const texts = filesBelow(values.data, Number(values.files)).map((file) => readFileSync(file, 'utf8'));
	const random = seeded(4);
	const pieces = texts.filter((text) => text.length > 5_000);
	const times: number[] = [];
	for (let time = 0; time < TIMES; time += 1) {
		const text = pieces[Math.floor(random() * pieces.length)] ?? '';
		const piece = text.slice(0, 4_096);
		const since = performance.now();
		redactor.redact(piece);
		times.push(performance.now() - since);
	}
	let removed = 0;
	let chars = 0;
	for (const text of texts) {
		chars += text.length;
		removed += redactor.redact(text).found;
	}
	return {
		p50_4kb_ms: round(quantile(times, 0.5)),
		p95_4kb_ms: round(quantile(times, 0.95)),
		files: texts.length,
		removed_per_million_chars: round((1_000_000 * removed) / Math.max(1, chars)),
	};
}

function filesBelow(folder: string, most: number): string[] {
	const found: string[] = [];
	const visit = (at: string): void => {
		for (const entry of readdirSync(at, { withFileTypes: true })) {
			if (found.length >= most) return;
			const path = join(at, entry.name);
			if (entry.isDirectory()) visit(path);
			else if (entry.isFile() && KINDS.has(extname(entry.name)) && statSync(path).size < LARGEST) found.push(path);
		}
	};
	visit(folder);
	return found;
}

function round(value: number): number {
	return Math.round(value * 1_000) / 1_000;
}
