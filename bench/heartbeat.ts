import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RUNTIME_FLAGS, runtimeEnvironment } from '../electron/main/runtime-child.ts';
import { dialSocket } from '../src/app/socket.ts';
import { silentLogger } from '../src/base/logger.ts';
import { type Connection, connect } from '../src/contract/client.ts';
import { openStateDb } from '../src/db/open.ts';
import { all, run as change, sql } from '../src/db/sql.ts';
import { WatchedBudget } from '../src/domain/heartbeat.ts';
import { type Feeds, startFeeds } from './heartbeat-feeds.ts';
import { quantile } from './numbers.ts';
import { calm, processorMs, residentMb } from './process-figures.ts';

/**
 * What background work costs: the whole runtime as a process of its own, with 200 sources on real loopback feeds that brought 50,000 items. Looks with
 * few news, by the built-in responder, and the time between looks; every entry that a feed published is looked for in the quarantine afterwards.
 */

const MINUTE = 60_000;
const AT_ONCE = 8;
/** Looks with nothing new. */
const QUIET = 5;
const LONGEST_UNREST_MS = 180_000;
const INTERESTS = `# What to watch

- When the bridge by the harbour is repaired
- Concerts of the choir in the theatre
- New opening hours of the library
- The market moves to another day
- Ferries that do not run
- Anything about the orchard meadow being sold
- Rain that floods the station
- School holidays
- The council votes on the tower
- A bakery that closes
`;

interface Runtime {
	readonly pid: number;
	readonly rpc: Connection['rpc'];
	/** Its wall clock goes on. */
	pass(ms: number): Promise<void>;
	stop(): Promise<void>;
}

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({
		args,
		options: {
			sources: { type: 'string', default: '200' },
			items: { type: 'string', default: '50000' },
			ticks: { type: 'string', default: '30' },
			news: { type: 'string', default: '10' },
			seconds: { type: 'string', default: '30' },
			seed: { type: 'string', default: '1' },
			words: { type: 'boolean', default: false },
		},
	});
	const [count, items] = [Number(values.sources), Number(values.items)];
	const profileFolder = join(mkdtempSync(join(tmpdir(), 'hearth-heartbeat-')), 'profiles', 'default');
	const feeds = await startFeeds({ feeds: count, entries: Math.round(items / count), seed: Number(values.seed) });
	mkdirSync(profileFolder, { recursive: true });
	if (values.words) writeFileSync(join(profileFolder, 'config.json'), JSON.stringify({ version: 1, embedding: { kind: 'off' } }));
	try {
		const first = await readFirst(profileFolder, feeds);
		const taken = new Taken();
		taken.count(profileFolder);
		countAsRead(profileFolder);
		writeFileSync(join(profileFolder, 'HEARTBEAT.md'), INTERESTS);
		const runtime = await start(profileFolder);
		let rss = 0;
		const quiet: number[] = [];
		for (let tick = 0; tick < QUIET; tick += 1) {
			await runtime.pass(35 * MINUTE);
			quiet.push(await look(runtime, 0));
			rss = Math.max(rss, residentMb(runtime.pid));
		}
		const looks: number[] = [];
		const processor: number[] = [];
		feeds.bytes();
		for (let tick = 0; tick < Number(values.ticks); tick += 1) {
			const news = feeds.goOn(Number(values.news));
			// All of them are due, whatever their jitter.
			await runtime.pass(35 * MINUTE);
			const before = processorMs(runtime.pid);
			looks.push(await look(runtime, news));
			processor.push(processorMs(runtime.pid) - before);
			rss = Math.max(rss, residentMb(runtime.pid));
		}
		const served = feeds.bytes();
		const idle = await idleBetweenLooks(runtime, Number(values.seconds) * 1_000);
		rss = Math.max(rss, idle.residentMb);
		await runtime.stop();
		taken.count(profileFolder);
		const found = taken.compared(feeds.published());
		console.error(JSON.stringify({ looks, processor, served }));
		return {
			sources: count,
			items: taken.items,
			tick_ms_p50: quantile(looks, 0.5),
			tick_ms_p95: quantile(looks, 0.95),
			quiet_tick_ms_p50: quantile(quiet, 0.5),
			tick_cpu_ms_p50: quantile(processor, 0.5),
			bytes_per_tick: Math.round(served.bodies / looks.length),
			first_read_ms: first.ms,
			first_read_bytes: first.bytes,
			rss_mb: Math.round(rss),
			idle_rss_mb: Math.round(idle.residentMb),
			idle_cpu_pct: idle.processorPct,
			rereads: found.rereads,
			skipped: found.skipped,
		};
	} finally {
		await feeds.close();
		rmSync(join(profileFolder, '..', '..'), { recursive: true, force: true });
	}
}

/** Adds all of them and reads each once: reading and keeping, without anybody who considers it. */
async function readFirst(profileFolder: string, feeds: Feeds): Promise<{ ms: number; bytes: number }> {
	const runtime = await start(profileFolder);
	const ids = [];
	for (const [at, url] of feeds.urls.entries()) {
		const place = { kind: 'feed', url, secretAddress: false } as const;
		ids.push((await runtime.rpc.sources.add({ title: `Paper ${at}`, place, budget: WatchedBudget.parse({ itemsPerDay: 10_000 }) })).id);
	}
	const began = performance.now();
	let [items, bytes] = [0, 0];
	const waiting = [...ids];
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			for (let sourceId = waiting.pop(); sourceId !== undefined; sourceId = waiting.pop()) {
				const tested = await runtime.rpc.sources.test({ sourceId });
				items += tested.items;
				bytes += tested.bytes;
			}
		}),
	);
	const ms = Math.round(performance.now() - began);
	console.error(`first reading: ${items} items, ${bytes} bytes, ${ms} ms; ${Math.round(residentMb(runtime.pid))} MB`);
	await runtime.stop();
	return { ms, bytes };
}

/** As if looks had considered all that there is: what is measured are looks with few news. */
function countAsRead(profileFolder: string): void {
	withDb(profileFolder, (db) =>
		db.write((tx) => change(tx, sql`UPDATE watched_items SET state = 'read', run_id = 'before', looked_at = 0`)),
	);
}

/** One look from the owner's word to its end, in milliseconds. */
async function look({ rpc, pid }: Runtime, news: number): Promise<number> {
	const began = performance.now();
	let tick = await rpc.heartbeat.run({});
	while (tick.endedAt === undefined) {
		await sleep(20);
		tick = await rpc.heartbeat.tick({ tickId: tick.id });
	}
	const ms = Math.round(performance.now() - began);
	if (tick.outcome !== 'done' && tick.outcome !== 'nothing_new') throw new Error(`a look ended ${tick.outcome}: ${tick.why ?? ''}`);
	console.error(
		`look: ${tick.sources} sources, ${tick.items} of ${news} new items, ${tick.findings} findings, ${ms} ms; ${Math.round(residentMb(pid))} MB`,
	);
	return ms;
}

/** Switched on, once the look that comes with it is over and nothing moves any more. */
async function idleBetweenLooks({ rpc, pid }: Runtime, ms: number): Promise<{ processorPct: number; residentMb: number }> {
	await rpc.settings.set({ heartbeat: true, heartbeatMinutes: 60 });
	await calm(pid, LONGEST_UNREST_MS);
	const before = processorMs(pid);
	await sleep(ms);
	return { processorPct: Math.round(((processorMs(pid) - before) / ms) * 10_000) / 100, residentMb: residentMb(pid) };
}

/** How often each published entry was taken in, by the number in its text. Texts that were considered long ago are collected on the way. */
class Taken {
	readonly #times = new Map<number, number>();
	#newest = -1;
	items = 0;

	/** Those that came since the last count. */
	count(profileFolder: string): void {
		withDb(profileFolder, (db) => {
			const rows = all<{ rowid: number; text: string }>(
				db.read,
				sql`SELECT rowid, text FROM watched_items WHERE rowid > ${this.#newest} ORDER BY rowid`,
			);
			for (const { rowid, text } of rows) {
				const number = Number(/\bReport (\d+) of this paper/.exec(text)?.[1]);
				this.#times.set(number, (this.#times.get(number) ?? 0) + 1);
				this.items += 1;
				this.#newest = rowid;
			}
		});
	}

	compared(published: number): { rereads: number; skipped: number } {
		const rereads = [...this.#times.values()].reduce((sum, times) => sum + times - 1, 0);
		return { rereads, skipped: Array.from({ length: published }, (_, at) => at).filter((number) => !this.#times.has(number)).length };
	}
}

function withDb(profileFolder: string, use: (db: ReturnType<typeof openStateDb>) => void): void {
	const db = openStateDb({ file: join(profileFolder, 'state.db'), backupsFolder: join(profileFolder, 'backups'), logger: silentLogger });
	try {
		use(db);
	} finally {
		db.close();
	}
}

async function start(profileFolder: string): Promise<Runtime> {
	// As the desktop shell starts it.
	const child = spawn(
		process.execPath,
		[...RUNTIME_FLAGS, '--no-warnings', join(import.meta.dirname, 'heartbeat-child.ts'), profileFolder],
		{
			stdio: ['pipe', 'pipe', 'inherit'],
			env: runtimeEnvironment(false),
		},
	);
	const gone = once(child, 'exit');
	const died = gone.then(([code]) => Promise.reject(new Error(`the runtime ended (code ${code})`)));
	died.catch(() => undefined);
	await Promise.race([once(child.stdout, 'data'), died]);
	const transport = await dialSocket(profileFolder);
	if (!transport) throw new Error('the runtime has no door');
	const { rpc, close } = await connect(transport, { client: 'test' });
	return {
		pid: child.pid ?? 0,
		rpc,
		pass: async (ms) => {
			child.stdin.write(`${ms}\n`);
			await Promise.race([once(child.stdout, 'data'), died]);
		},
		stop: async () => {
			close();
			if (child.exitCode === null && child.kill('SIGTERM')) await gone;
		},
	};
}
