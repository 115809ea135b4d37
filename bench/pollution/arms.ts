import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readTriageTask } from '../../src/model/triage/request.ts';
import { startEmbeddingServer } from '../../test/support/embedding-server.ts';
import { type RecordedRequest, startModelServer } from '../../test/support/model-server/index.ts';
import { seeded } from '../numbers.ts';
import { startFeeds } from './feed.ts';
import type { CellState, GroupState } from './life.ts';
import { lastMessageOf, modelFor, type Persona } from './model.ts';
import { type Arm, type Cell, type Group, groupsOf, postsOf } from './posts.ts';

/** One arm: its feeds, its model and the processes that live through its groups. */

export interface ArmRun {
	readonly arm: Arm;
	readonly persona: Persona;
	readonly seed: string;
	/** Absent: all there are. */
	readonly cells: number | undefined;
	/** Processes at a time. */
	readonly jobs: number;
	readonly folder: string;
}

/** What a model was given, by the canary in it. */
interface Given {
	look: boolean;
	/** A chat's prompt, results of its tools included: of the chat that the posts could have come into, of the next, of one after the owner approved. */
	own: boolean;
	next: boolean;
	after: boolean;
	summary: boolean;
}

export interface CellResult extends CellState {
	readonly cell: Cell;
	readonly given: Given;
}

export interface ArmResult {
	readonly arm: Arm;
	readonly persona: Persona;
	readonly cells: readonly CellResult[];
	readonly provenance: { readonly rows: number; readonly complete: number; readonly gaps: readonly string[] };
	readonly kills: number;
	readonly seconds: number;
}

const CHILD = join(import.meta.dirname, '..', 'pollution-life.ts');
const ENVIRONMENT = { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', '.tmp', 'compile-cache') };
/** Groups of one process: what grows with it stays small. */
const OF_A_PROCESS = 5;
/** Deaths of one group, and between which passings of a crash point. */
const KILLS = 4;
const EARLIEST = 30;
const LATEST = 900;
const CANARY = /QX[0-9KQVWXZ]{8}/g;

export async function runArm({ arm, persona, seed, cells, jobs, folder }: ArmRun): Promise<ArmResult> {
	const began = performance.now();
	const own = `${seed} ${arm} ${persona}`;
	const groups = within(groupsOf(own), cells);
	const feeds = await startFeeds();
	const server = await startModelServer();
	const embedding = await startEmbeddingServer();
	const given = new Map<string, Given>();
	const model = modelFor(persona);
	server.script((request) => {
		notice(given, request);
		// Prompts are long, and nobody reads them again.
		server.log.requests.length = server.log.flushes.length = embedding.requests.length = 0;
		return model(request);
	});
	for (const { cells: some } of groups) for (const cell of some) feeds.put(cell.id, cell.scenario.title, postsOf(cell));
	const random = seeded(Number.parseInt(seed, 10) + 1);
	const states = new Map<string, GroupState>();
	let kills = 0;
	const place = { arm, seed: own, modelUrl: server.openaiUrl, embedUrl: embedding.openaiUrl, feedUrl: feeds.url };

	async function life(some: readonly Group[], dieAt: number | undefined): Promise<boolean> {
		const options = { ...place, dieAt, groups: some.map(({ id, cells: { length } }) => ({ id, home: join(folder, id), cells: length })) };
		const child = spawn(process.execPath, [CHILD, JSON.stringify(options)], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
		createInterface({ input: child.stdout }).on('line', (line) => {
			const { id, state } = JSON.parse(line) as { id: string; state: GroupState };
			states.set(id, state);
			rmSync(join(folder, id), { recursive: true, force: true });
		});
		const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
			child.on('close', (...how) => resolve(how));
		});
		if (signal === 'SIGKILL' && dieAt !== undefined) return false;
		if (code !== 0) throw new Error(`A process of the arm ${arm} ended with ${signal ?? code}.`);
		return true;
	}

	async function liveThrough(some: readonly Group[]): Promise<void> {
		for (const { id } of some) mkdirSync(join(folder, id), { recursive: true });
		if (arm !== 'hearth_kill') return void (await life(some, undefined));
		for (const group of some)
			for (let deaths = 0; ; deaths += 1) {
				const over = await life([group], deaths < KILLS ? EARLIEST + Math.floor(random() * (LATEST - EARLIEST)) : undefined);
				if (over) break;
				kills += 1;
			}
	}

	try {
		const parts: Group[][] = [];
		for (let from = 0; from < groups.length; from += OF_A_PROCESS) parts.push(groups.slice(from, from + OF_A_PROCESS));
		let next = 0;
		const worker = async (): Promise<void> => {
			for (let n = next++; n < parts.length; n = next++) {
				await liveThrough(parts[n] ?? []);
				console.error(
					`${persona} ${arm}: ${states.size} of ${groups.length} profiles, ${Math.round((performance.now() - began) / 1000)} s`,
				);
			}
		};
		await Promise.all(Array.from({ length: jobs }, worker));
	} finally {
		await Promise.all([feeds.close(), server.close(), embedding.close()]);
	}
	const results = groups.flatMap((group): CellResult[] =>
		group.cells.map((cell) => {
			const state = states.get(group.id)?.cells.find(({ id }) => id === cell.id);
			if (!state) throw new Error(`Nothing is known of ${cell.id}.`);
			return { ...state, cell, given: given.get(cell.canary) ?? nothingGiven() };
		}),
	);
	const provenances = [...states.values()].map(({ provenance }) => provenance);
	return {
		arm,
		persona,
		cells: results,
		provenance: {
			rows: sum(provenances.map(({ rows }) => rows)),
			complete: sum(provenances.map(({ complete }) => complete)),
			gaps: [...new Set(provenances.flatMap(({ gaps }) => gaps))],
		},
		kills,
		seconds: (performance.now() - began) / 1000,
	};
}

/** Whole groups until there are so many cells; of the last one as many as are left. */
function within(groups: readonly Group[], cells = Number.POSITIVE_INFINITY): Group[] {
	let left = cells;
	return groups.flatMap((group): Group[] => {
		const some = group.cells.slice(0, left);
		left -= some.length;
		return some.length === 0 ? [] : [{ ...group, cells: some }];
	});
}

function notice(given: Map<string, Given>, { body }: RecordedRequest): void {
	const asked = lastMessageOf(body);
	for (const [canary] of JSON.stringify(body).matchAll(CANARY)) {
		const of = given.get(canary) ?? nothingGiven();
		given.set(canary, of);
		if (readTriageTask(asked.text)) of.look = true;
		else if (asked.isNotes) of.summary = true;
		else of[asked.session] = true;
	}
}

function nothingGiven(): Given {
	return { look: false, own: false, next: false, after: false, summary: false };
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((all, each) => all + each, 0);
}
