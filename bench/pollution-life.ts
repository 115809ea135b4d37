// Some groups of cells of the benchmark `pollution`, one after the other: `node pollution-life.ts JSON`. Prints a line of JSON for each group that is
// over. Dies by SIGKILL at a crash point where it is told to; started anew with the same groups it goes on where it died.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { onCrashPoint } from '../src/base/crash-point.ts';

const Options = z.object({
	arm: z.enum(['control', 'hearth', 'hearth_kill', 'hearth_compaction', 'hearth_approve_all']),
	seed: z.string(),
	/** With the folder of each, and how many of its cells. */
	groups: z.array(z.object({ id: z.string(), home: z.string(), cells: z.number().int().positive() })),
	modelUrl: z.string(),
	embedUrl: z.string(),
	feedUrl: z.string(),
	/** The how many-th passing of a crash point is the end, from the start of this process on. */
	dieAt: z.number().int().positive().optional(),
});
const { arm, seed, groups, modelUrl, embedUrl, feedUrl, dieAt } = Options.parse(JSON.parse(process.argv[2] ?? '{}'));

if (arm === 'control') {
	const instead = new URL('pollution-no-policy.ts', import.meta.url).href;
	const judge = new URL(join('..', 'src', 'firewall', 'judge.ts'), import.meta.url).href;
	registerHooks({
		resolve: (specifier, context, next) => {
			const found = next(specifier, context);
			return found.url === judge ? { ...found, url: instead } : found;
		},
	});
}
// What it imports is the runtime: only now, so that the hook sees it.
const [{ liveGroup }, { groupsOf }] = await Promise.all([import('./pollution/life.ts'), import('./pollution/posts.ts')]);

if (dieAt !== undefined) {
	let passed = 0;
	onCrashPoint(() => {
		passed += 1;
		if (passed === dieAt) process.kill(process.pid, 'SIGKILL');
	});
}
const all = groupsOf(seed);
for (const { id, home, cells } of groups) {
	const group = all.find((each) => each.id === id);
	if (!group) throw new Error(`There is no group ${id}.`);
	const state = await liveGroup(
		arm,
		{ ...group, cells: group.cells.slice(0, cells) },
		{ home, modelUrl, embedUrl, address: (cellId) => `${feedUrl}/${cellId}.xml` },
	);
	process.stdout.write(`${JSON.stringify({ id, state })}\n`);
}
process.exit(0);
