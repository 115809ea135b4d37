import { once } from 'node:events';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { silentLogger } from '../src/base/logger.ts';
import { createEmbeddedPort } from '../src/embed/adapters/embedded.ts';
import type { EmbeddingPort } from '../src/embed/port.ts';
import { quantile } from './numbers.ts';
import { residentMb } from './process-figures.ts';

const WORDS = (
	'the boiler was serviced in march and Caroline paid the plumber who came from Lisbon with two new valves while rent went up by ' +
	'ninety euros so we talked about moving closer to the school before winter and asked Miguel for the phone number of his landlord'
).split(' ');

/** Texts that differ, of so many words; the same in each run. */
function textsOf(count: number, words: number): string[] {
	return Array.from({ length: count }, (_, text) =>
		Array.from({ length: words }, (_, word) => WORDS[(text * 7 + word * (1 + (text % 5))) % WORDS.length]).join(' '),
	);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}

async function questions(port: EmbeddingPort, count: number): Promise<number[]> {
	const times: number[] = [];
	for (const text of textsOf(count, 9)) times.push(await timed(() => port.embed([`${text}?`], 'query')));
	return times;
}

/** The embedded model alone: how fast, how large, and whether the thread that asks stays free. */
export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({ args, options: { texts: { type: 'string', default: '1500' } } });
	const count = Number(values.texts);
	const before = { load: loadavg()[0], rss: residentMb(process.pid) };
	const port = createEmbeddedPort({ logger: silentLogger, idleMs: 200 });
	const starting = once(process, 'worker') as Promise<[Worker]>;
	const load = await timed(() => port.embed(['warm'], 'query'));
	const [worker] = await starting;
	const gone = once(worker, 'exit');
	await questions(port, 50);

	const alone = await questions(port, 200);
	console.error('questions done');
	const loop = monitorEventLoopDelay({ resolution: 1 });
	loop.enable();
	const short = textsOf(count, 24);
	const shortMs = await timed(() => port.embed(short, 'document'));
	const long = textsOf(Math.ceil(count / 15), 400);
	const longMs = await timed(() => port.embed(long, 'document'));
	loop.disable();
	console.error('documents done');
	const indexing = port.embed(long, 'document');
	const meanwhile = await questions(port, 100);
	await indexing;
	const loaded = residentMb(process.pid);
	// An idle model keeps no process alive.
	await Promise.race([gone, sleep(10_000)]);
	const unloaded = residentMb(process.pid);
	await port.close();
	return {
		load_ms: Math.round(load),
		query_p50_ms: round(quantile(alone, 0.5)),
		query_p95_ms: round(quantile(alone, 0.95)),
		query_while_indexing_p95_ms: round(quantile(meanwhile, 0.95)),
		short_texts_per_s: Math.round((short.length / shortMs) * 1000),
		long_texts_per_s: round((long.length / longMs) * 1000),
		asking_thread_held_max_ms: round(loop.max / 1e6),
		rss_before_mb: Math.round(before.rss),
		rss_loaded_mb: Math.round(loaded),
		rss_unloaded_mb: Math.round(unloaded),
		load_before: round(before.load ?? Number.NaN),
		load_after: round(loadavg()[0] ?? Number.NaN),
	};
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
