import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
const BUILT = join(PROJECT, '.tmp', 'programs');

/**
 * The file to start for a program given by its source. `test/run.mjs` builds those of `.config/vite.programs.ts` and says so in the environment;
 * a test that is run by itself starts the source. Throws for a program that is not in that list.
 */
export function programOf(source: string): string {
	if (process.env.HEARTH_TEST_PROGRAMS !== 'built') return source;
	const built = join(BUILT, relative(PROJECT, source).replace(/\.\w+$/, '.mjs'));
	if (!existsSync(built)) throw new Error(`${relative(PROJECT, source)} was not built: name it in .config/vite.programs.ts`);
	return built;
}
