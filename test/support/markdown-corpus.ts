import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const SIZE_LIMIT = 300_000;

export type MarkdownFile = { path: string; source: string };

/** Markdown that people wrote: this project's own and what its dependencies came with. */
export function markdownCorpus(limit = Number.POSITIVE_INFINITY): MarkdownFile[] {
	const paths = [...markdownIn(ROOT, 0), ...markdownIn(join(ROOT, 'docs'), 3), ...markdownIn(join(ROOT, 'node_modules'), 3)];
	return paths
		.filter((path) => statSync(path).size <= SIZE_LIMIT)
		.slice(0, limit)
		.map((path) => ({ path, source: readFileSync(path, 'utf8') }));
}

function markdownIn(folder: string, depth: number): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((item) => {
		const path = join(folder, item.name);
		if (item.isFile()) return /\.(md|markdown)$/i.test(item.name) ? [path] : [];
		return item.isDirectory() && depth > 0 ? markdownIn(path, depth - 1) : [];
	});
}
