import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as sqliteVec from 'sqlite-vec';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { connect } from '../src/db/driver.ts';
import { openStateDb } from '../src/db/open.ts';
import { createIndex } from '../src/memory/index/create-index.ts';
import { openIndexFile } from '../src/memory/index/index-file.ts';
import { IndexStore } from '../src/memory/index/index-store.ts';
import { createMemory } from '../src/memory/memory.ts';
import { nearestUnits } from '../src/memory/search/nearest.ts';
import { sentences } from './made-notes.ts';
import { median, quantile } from './numbers.ts';
import { residentMb } from './process-figures.ts';
import { DIMS, knownModel, type RealVectors, realVectors, vectorOf } from './scale-vectors.ts';

const PER_FILE = 200;
const TIMED_QUESTIONS = 200;
const COMPARED_QUESTIONS = 40;
const NEAREST = 20;

/** How search and index do as memory grows. Each size is built by one process and measured by another. */
export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({
		args,
		options: { sizes: { type: 'string', default: '10000,100000,500000' }, measure: { type: 'string' } },
	});
	const real = await realVectors({ timed: values.measure === undefined });
	if (values.measure !== undefined) return measure(values.measure, real);
	const figures: Record<string, unknown> = {};
	for (const size of values.sizes.split(',').map(Number)) {
		const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'));
		try {
			const built = await build(folder, size, real);
			console.error(`${size}: built, ${Math.round(built.index_per_s)} entries a second`);
			const searched = await inChild(['--measure', folder]);
			const compared = compareStages(folder, size, real);
			console.error(`${size}: ${JSON.stringify({ ...searched, ...compared })}`);
			const { cold_open_ms, ...rest } = searched;
			console.error(`${size}: opened and first answer after ${cold_open_ms} ms`);
			figures[size] = { ...rest, ...compared, ...built };
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}
	return figures;
}

function openProfile(folder: string, real: RealVectors, watch: boolean) {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const memory = createMemory({ db, folder, clock: systemClock, logger: silentLogger, embedding: knownModel(real), watch });
	return { db, memory };
}

/** Files, read into the ledger by the product; then the index is built anew over it, which is what is timed. */
async function build(folder: string, size: number, real: RealVectors): Promise<{ index_per_s: number; db_mb: number }> {
	mkdirSync(join(folder, 'memory'));
	const texts = sentences(size, 1);
	for (let file = 0; file * PER_FILE < size; file++) {
		const lines = texts.slice(file * PER_FILE, (file + 1) * PER_FILE).map((text, at) => `- ${file * PER_FILE + at} ${text}\n`);
		writeFileSync(join(folder, 'memory', `notes-${String(file).padStart(5, '0')}.md`), lines.join(''));
	}
	const { db, memory } = openProfile(folder, real, false);
	const readStarted = performance.now();
	await memory.ready;
	console.error(`${size}: files read in ${Math.round((performance.now() - readStarted) / 1000)} s`);
	await memory.close();
	db.close();
	for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `index.db${ending}`), { force: true });
	const again = openProfile(folder, real, false);
	const started = performance.now();
	await again.memory.settled();
	const seconds = (performance.now() - started) / 1000;
	const { done, embedded } = again.memory.status();
	if (done !== size || embedded !== size) throw new Error(`${done} of ${size} indexed, ${embedded} with vectors`);
	await again.memory.close();
	again.db.close();
	return { index_per_s: Math.round(size / seconds), db_mb: Math.round(statSync(join(folder, 'index.db')).size / 1e5) / 10 };
}

async function inChild(args: string[]): Promise<Record<string, number>> {
	const child = spawn(process.execPath, ['--no-warnings', join(import.meta.dirname, 'run.ts'), 'search-scale', ...args], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [code] = (await once(child, 'close')) as [number | null];
	if (code !== 0) throw new Error(`the measuring process ended with ${code}`);
	return JSON.parse(said) as Record<string, number>;
}

/** In a process of its own: the first answer, the time of many, memory, and how soon a saved file is found. */
async function measure(folder: string, real: RealVectors): Promise<Record<string, number>> {
	const asked = [...real.questions.keys()].slice(0, TIMED_QUESTIONS);
	const coldOpen = await openCold(folder, real, asked[0] as string);
	const { db, memory } = openProfile(folder, real, true);
	const search = (query: string) => memory.search({ query, mode: 'hybrid', filter: {}, limit: 20 });
	await memory.settled();
	for (const question of asked.slice(0, 20)) await search(question);
	const times: number[] = [];
	for (const question of asked) {
		const asking = performance.now();
		const { mode } = await search(question);
		times.push(performance.now() - asking);
		if (mode !== 'hybrid') throw new Error(`searched by ${mode}`);
	}
	const rss = residentMb(process.pid);
	const updates: number[] = [];
	for (let round = 0; round < 3; round++) {
		const lines = Array.from({ length: 50 }, (_, at) => `- Changed entry quokka${round} number ${at}\n`);
		const saving = performance.now();
		writeFileSync(join(folder, 'memory', 'notes-00000.md'), lines.join(''));
		const last = `Changed entry quokka${round} number 49`;
		while (!(await search(last)).hits.some(({ entry }) => entry.text === last)) {
			if (performance.now() - saving > 60_000) throw new Error('the changed file is not found after a minute');
			await sleep(10);
		}
		updates.push(performance.now() - saving);
		await memory.settled();
	}
	await memory.close();
	db.close();
	return {
		search_p50_ms: round1(quantile(times, 0.5)),
		search_p95_ms: round1(quantile(times, 0.95)),
		update_50_ms: Math.round(median(updates)),
		rss_mb: Math.round(rss),
		cold_open_ms: Math.round(coldOpen),
	};
}

/** From opening the index to its first answer. */
async function openCold(folder: string, real: RealVectors, question: string): Promise<number> {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const started = performance.now();
	const embedding = knownModel(real);
	const index = createIndex({ file: join(folder, 'index.db'), read: db.read, embedding, clock: systemClock, logger: silentLogger });
	await index.search({ query: question, mode: 'hybrid', filter: {}, limit: 20 });
	const took = performance.now() - started;
	await index.close();
	db.close();
	return took;
}

/** Two stages against sqlite-vec's scan of all vectors, in turns: time, and how many of its nearest 20 the two stages find. */
function compareStages(folder: string, size: number, real: RealVectors): { vs_bruteforce_ratio: number; recall20_vs_exact: number } {
	const opened = openIndexFile(join(folder, 'index.db'));
	if (!opened) throw new Error('the index is gone');
	const store = new IndexStore(opened, join(folder, 'index.db'));
	const brute = connect(join(folder, 'brute.db'));
	sqliteVec.load(brute);
	brute.exec(
		`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE v USING vec0(e float[${DIMS}] distance_metric=cosine)`,
	);
	const insert = brute.prepare('INSERT INTO v (rowid, e) VALUES (?, ?)');
	const bodies = store.read.prepare<[], { id: number; body: string }>('SELECT id, body FROM units').all();
	brute.transaction(() => {
		for (const { id, body } of bodies) {
			const number = /^\d+/.exec(body)?.[0];
			if (number !== undefined) insert.run(BigInt(id), asBlob(vectorOf(real, Number(number))));
		}
	})();
	const scan = brute.prepare<[Buffer], { rowid: number }>(`SELECT rowid FROM v WHERE e MATCH ? AND k = ${NEAREST}`);
	const [bruteTimes, stageTimes]: [number[], number[]] = [[], []];
	let found = 0;
	const vectors = [...real.questions.values()].slice(0, COMPARED_QUESTIONS);
	for (const vector of vectors) {
		const before = performance.now();
		const exact = scan.all(asBlob(vector)).map(({ rowid }) => rowid);
		const between = performance.now();
		const near = nearestUnits(store, vector, NEAREST);
		stageTimes.push(performance.now() - between);
		bruteTimes.push(between - before);
		found += exact.filter((id) => near.has(id)).length;
	}
	console.error(`${size}: all vectors ${round1(median(bruteTimes))} ms, two stages ${round1(median(stageTimes))} ms`);
	brute.close();
	store.close();
	return {
		vs_bruteforce_ratio: round1(median(bruteTimes) / median(stageTimes)),
		recall20_vs_exact: Math.round((found / (vectors.length * NEAREST)) * 1000) / 1000,
	};
}

function asBlob(vector: Float32Array): Buffer {
	return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

function round1(value: number): number {
	return Math.round(value * 10) / 10;
}
