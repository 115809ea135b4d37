import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newId } from '../src/base/ids.ts';
import { silentLogger } from '../src/base/logger.ts';
import { openStateDb } from '../src/db/open.ts';
import { sql, value } from '../src/db/sql.ts';
import type { MessageId, RunId } from '../src/domain/ids.ts';
import { WorkflowName } from '../src/domain/workflow.ts';
import { insertMessage } from '../src/sessions/message-store.ts';
import { beginSession, setHead } from '../src/sessions/session-store.ts';
import { waitForEventTool } from '../src/tools/wait-for-event.ts';
import { waitUntilTool } from '../src/tools/wait-until.ts';
import { startApp } from '../test/support/apps.ts';
import { type Harness, openHarness } from '../test/support/run/harness.ts';
import { median } from './numbers.ts';
import { lookAtProgram } from './process-figures.ts';

/**
 * What runs cost that wait for a time or an event far away: the runtime process over a profile with so many of them, beside one over an empty
 * profile. The rows are made by the engine itself, by the tools that wait: a fifth by instances of workflows, the others by turns of chats and by
 * runs without a workflow's instance. Both have had their back-ups of the day before it is measured.
 */

const ROOT = join(import.meta.dirname, '..');
const DAY_MS = 24 * 3_600_000;
/** Begun in one transaction. */
const BATCH = 250;
const LONGEST_UNREST_MS = 120_000;
/** Later than the first look at back-ups after a start. */
const FIRST_LIFE_MS = 25_000;
/** A state that waits for the owner's event, or gives up after a year. */
const WORKFLOW = `title: A long wait
start: WAIT
states:
  WAIT:
    title: Waiting for the papers
    event: papers_signed
    transitions:
      - to: COMPLETED
    timeout:
      after: 300 days
      to: COMPLETED
  COMPLETED:
    title: All is signed
    final: true
`;

interface Idle {
	readonly startMs: number;
	readonly processorPct: number;
	readonly residentMb: number;
}

export async function run(args: string[]): Promise<{ runs: number; cpu_pct: number; rss_delta_mb: number }> {
	const { values } = parseArgs({
		args,
		options: {
			runs: { type: 'string', default: '10000' },
			seconds: { type: 'string', default: '20' },
			rounds: { type: 'string', default: '3' },
		},
	});
	const runs = Number(values.runs);
	const home = mkdtempSync(join(tmpdir(), 'hearth-dormant-'));
	try {
		const [full, empty] = ['full', 'empty'].map((name) => join(home, 'profiles', name)) as [string, string];
		for (const folder of [full, empty]) await idle(folder, 0);
		const instances = Math.floor(runs / 5);
		await fallAsleep(full, runs - instances);
		await startWorkflows(home, full, instances);
		for (const folder of [full, empty]) await idle(folder, FIRST_LIFE_MS);
		checkAsleep(full, runs);
		const found = { full: [] as Idle[], empty: [] as Idle[] };
		for (let round = 1; round <= Number(values.rounds); round += 1) {
			for (const [name, folder] of [
				['empty', empty],
				['full', full],
			] as const) {
				const figures = await idle(folder, Number(values.seconds) * 1_000);
				found[name].push(figures);
				console.error(`round ${round}, ${name}: ${JSON.stringify(figures)}`);
			}
		}
		const of = (name: 'full' | 'empty', figure: keyof Idle) => median(found[name].map((each) => each[figure]));
		console.error(`start: ${of('full', 'startMs')} ms beside ${of('empty', 'startMs')} of an empty profile`);
		console.error(`processor: ${of('full', 'processorPct')} % beside ${of('empty', 'processorPct')} % of an empty profile`);
		return { runs, cpu_pct: of('full', 'processorPct'), rss_delta_mb: round1(of('full', 'residentMb') - of('empty', 'residentMb')) };
	} finally {
		rmSync(home, { recursive: true, force: true });
	}
}

/** Makes the runs, which go to sleep at their first step. */
async function fallAsleep(folder: string, runs: number): Promise<void> {
	const clock = { now: () => Date.now(), monotonic: () => performance.now() };
	const harness = openHarness({
		folder,
		clock,
		tools: [waitUntilTool(clock), waitForEventTool] as Parameters<typeof openHarness>[0]['tools'],
	});
	const began = performance.now();
	for (let made = 0; made < runs; made += BATCH) {
		const ids = harness.db.write((tx) =>
			Array.from({ length: Math.min(BATCH, runs - made) }, (_, index) => begin(harness, tx, made + index)),
		);
		for (const id of ids) harness.engine.start(id);
		await harness.until(() => !harness.engine.isAtWork(), 'runs to fall asleep');
	}
	console.error(`${runs} runs fell asleep in ${Math.round((performance.now() - began) / 1000)} s; ${harness.work.status().timers} timers`);
	await harness.close();
}

function begin({ engine }: Harness, tx: Parameters<Parameters<Harness['db']['write']>[0]>[0], number: number): RunId {
	const until = new Date(Date.now() + (30 + (number % 300)) * DAY_MS).toISOString();
	const call =
		number % 2 === 0
			? { tool: 'wait_until', args: { at: until, note: 'the appointment' } }
			: { tool: 'wait_for_event', args: { name: `signed_${number}`, note: 'the signed papers', until } };
	const script = [{ callId: 'call_0', tool: call.tool, args: JSON.stringify(call.args) }];
	const title = `Wait number ${number}`;
	if (number % 3 > 0) return engine.beginWork(tx, { kind: 'workflow', beginKey: title, title, task: title, label: 'owner', script }).runId;
	const id = newId<RunId>();
	const now = Date.now();
	const sessionId = beginSession(tx, title, now);
	const [asked, messageId] = [newId<MessageId>(), newId<MessageId>()];
	const message = { sessionId, createdAt: now };
	insertMessage(tx, {
		...message,
		id: asked,
		parentId: null,
		role: 'user',
		parts: [{ type: 'text', text: title }],
		status: 'complete',
		label: 'owner',
	});
	insertMessage(tx, {
		...message,
		id: messageId,
		parentId: asked,
		role: 'assistant',
		parts: [],
		status: 'streaming',
		label: 'agent',
		runId: id,
	});
	setHead(tx, sessionId, messageId);
	engine.begin(tx, { id, sessionId, messageId, script });
	return id;
}

/** Through the contract, as the owner starts them. */
async function startWorkflows(home: string, profileFolder: string, instances: number): Promise<void> {
	writeFileSync(join(profileFolder, 'workflows', 'long-wait.yaml'), WORKFLOW);
	const { rpc, close } = await startApp(home, { profileFolder });
	const began = performance.now();
	const name = WorkflowName.parse('long-wait');
	for (let number = 0; number < instances; number += 1)
		await rpc.workflows.start({ name, title: `Papers number ${number}`, data: {}, requestId: randomUUID() });
	while ((await rpc.runs.list({ status: ['running'] })).runs.length > 0) await sleep(100);
	console.error(`${instances} workflows started in ${Math.round((performance.now() - began) / 1000)} s`);
	await close();
}

function checkAsleep(folder: string, runs: number): void {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const count = value<number>(db.read, sql`SELECT COUNT(*) FROM runs WHERE status = 'sleeping'`);
	db.close();
	if (count !== runs) throw new Error(`${count} of ${runs} runs sleep`);
}

/** The runtime on its own over this profile, once it is calm, for so long. */
async function idle(folder: string, ms: number): Promise<Idle> {
	const seen = await lookAtProgram(join(ROOT, 'test/support/app-child/main.ts'), [folder], ms, LONGEST_UNREST_MS);
	return { startMs: seen.saidMs, processorPct: seen.idlePct, residentMb: round1(seen.residentMb) };
}

function round1(value: number): number {
	return Math.round(value * 10) / 10;
}
