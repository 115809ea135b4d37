import { join } from 'node:path';

/**
 * `npm run -s bench -- NAME [flags]`: runs one benchmark and prints its figures as one JSON object in the last line.
 * Each benchmark is a file here that exports `run(args)`; README.md says what each measures and what it does not.
 */
const names = [
	'ages',
	'audit',
	'chat',
	'compaction',
	'checkpoint',
	'crash',
	'dormant',
	'embedding',
	'heartbeat',
	'injection',
	'kill-stream',
	'pollution',
	'screens',
	'secrets',
	'sentences',
	'recall',
	'responder',
	'schedule',
	'search-scale',
	'triage',
] as const;

const [name, ...args] = process.argv.slice(2);
if (!names.some((known) => known === name)) {
	if (name !== undefined) console.error(`There is no benchmark "${name}".`);
	console.error(`Usage: npm run -s bench -- NAME [flags]\nNames: ${names.join(', ')}`);
	process.exit(2);
}
const { run } = (await import(join(import.meta.dirname, `${name}.ts`))) as { run(args: string[]): Promise<Record<string, unknown>> };
console.log(JSON.stringify(await run(args)));
process.exit(0);
