import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Ordinary prose that speaks to nobody's agent: this project's own documents, and those of the packages that it names. */

const PROJECT = join(import.meta.dirname, '..', '..');
/** UTF-16 units of a document. */
const MOST_UNITS = 6_000;

export function plainTexts(): { name: string; text: string }[] {
	const { devDependencies, dependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Record<
		string,
		Record<string, string>
	>;
	const own = globSync(['docs/**/*.md', '*.md', 'bench/README.md'], { cwd: PROJECT }).sort();
	const others = Object.keys({ ...devDependencies, ...dependencies })
		.sort()
		.map((name) => join('node_modules', name, 'README.md'));
	return [...own, ...others]
		.filter((name) => existsSync(join(PROJECT, name)))
		.map((name) => ({ name, text: readFileSync(join(PROJECT, name), 'utf8').slice(0, MOST_UNITS) }));
}
