import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findRun } from '../src/run/journal-store.ts';
import { calls, says, startModelServer } from '../test/support/model-server/index.ts';
import { openHarness } from '../test/support/run/harness.ts';
import { testTools } from '../test/support/test-tools.ts';
import { quantile } from './numbers.ts';

/**
 * What it costs to write a step down, early and late in a long run: runs of a thousand steps (a model call and a tool by turns, results of
 * 600 characters, each twentieth of 20,000) on a real state.db. A step's time is that of all its journal transactions, with what is announced
 * of them. Bytes are what state.db and the blobs grew by, for a step.
 */

const AROUND = 10;

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({ args, options: { steps: { type: 'string', default: '1000' }, runs: { type: 'string', default: '5' } } });
	const steps = Number(values.steps);
	const early: number[] = [];
	const late: number[] = [];
	let bytes = 0;
	const server = await startModelServer();
	let made = 0;
	server.script(() => {
		made += 1;
		if (made * 2 > steps) return says('Done.');
		return calls('test_idempotent', { value: `piece ${made}`, length: made % 20 === 0 ? 20_000 : 600 });
	});
	try {
		for (let turn = 1; turn <= Number(values.runs); turn += 1) {
			const folder = mkdtempSync(join(tmpdir(), 'hearth-checkpoint-'));
			made = 0;
			const tools = testTools(join(folder, 'ledger.jsonl'), { outputCap: 40_000 });
			// A database is whole in its file once it is closed.
			await openHarness({ folder }).close();
			const before = bytesOf(folder);
			const harness = openHarness({ folder, modelUrl: server.openaiUrl, maxModelCalls: steps, contextTokens: 128_000, tools });
			const spent = new Map<number, number>();
			const { log } = harness.engine;
			const append = log.append.bind(log);
			log.append = (runId, ...rest) => {
				const { step } = log.load(runId).state.progress;
				const started = performance.now();
				const state = append(runId, ...rest);
				spent.set(step, (spent.get(step) ?? 0) + performance.now() - started);
				return state;
			};
			const { runId } = await harness.send(harness.newSession(), 'Work through all of it.');
			while (findRun(harness.db.read, runId)?.status === 'running') await sleep(20);
			await harness.close();
			bytes += (bytesOf(folder) - before) / steps;
			for (const [step, ms] of spent) {
				if (Math.abs(step - 10) <= AROUND) early.push(ms);
				if (Math.abs(step - (steps - AROUND)) <= AROUND) late.push(ms);
			}
			console.error(`run ${turn}: ${spent.size} steps, ${Math.round(bytes / turn)} bytes a step`);
			rmSync(folder, { recursive: true });
		}
	} finally {
		await server.close();
	}
	const figure = (values: number[], share: number) => Math.round(quantile(values, share) * 100) / 100;
	return {
		write_p50_ms_step10: figure(early, 0.5),
		write_p95_ms_step10: figure(early, 0.95),
		[`write_p50_ms_step${steps}`]: figure(late, 0.5),
		[`write_p95_ms_step${steps}`]: figure(late, 0.95),
		bytes_per_step: Math.round(bytes / Number(values.runs)),
	};
}

/** What lies on the disk of the profile but the test tools' own ledger. */
function bytesOf(folder: string): number {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name !== 'ledger.jsonl')
		.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
