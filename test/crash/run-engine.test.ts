import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import type { Message, ToolPart } from '../../src/domain/message.ts';
import type { ModelServer } from '../support/model-server/index.ts';
import { startModelServer } from '../support/model-server/index.ts';
import type { ChildOptions } from '../support/run/child.ts';
import { everyMessage } from '../support/run/harness.ts';
import { FINAL, type Life, live, WORK_CALLS, work } from '../support/run/lives.ts';
import { temporaryFolder } from '../support/sessions.ts';
import { readLedger } from '../support/test-tools.ts';

interface Stage {
	folder: string;
	server: ModelServer;
	life(options?: Partial<ChildOptions>, kill?: Parameters<typeof live>[1]): Promise<Life>;
}

async function stage(): Promise<Stage> {
	const folder = temporaryFolder();
	const server = await startModelServer();
	onTestFinished(() => server.close());
	server.script(work);
	return { folder, server, life: (options = {}, kill) => live({ folder, modelUrl: server.openaiUrl, ...options }, kill) };
}

function messages(folder: string): Message[] {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	try {
		return everyMessage(db);
	} finally {
		db.close();
	}
}

const times = (lives: readonly Life[], what: string, kind?: string) =>
	lives.flatMap((life) => life.lines).filter((line) => line.what === what && (kind === undefined || line.kind === kind)).length;

/** What must hold of the work however often the process died on the way. */
function checkWork({ folder, server }: Stage, lives: readonly Life[]): void {
	const [question, reply, ...more] = messages(folder);
	expect(more).toEqual([]);
	expect(question?.role).toBe('user');
	expect(reply?.status).toBe('complete');
	const tools = (reply?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool');
	expect(tools.map(({ tool, status }) => [tool, status])).toEqual([
		['test_pure', 'done'],
		['test_idempotent', 'done'],
		['test_effectful', 'done'],
		['ask_owner', 'done'],
	]);
	expect(reply?.parts.at(-1)).toEqual({ type: 'text', text: FINAL });
	// No effect twice, none left out.
	const ledger = readLedger(join(folder, 'ledger.jsonl'));
	const count = (tool: string) => ledger.filter((line) => line.tool === tool).length;
	expect(count('test_effectful')).toBe(1);
	expect(count('test_idempotent')).toBe(1);
	expect(count('test_pure')).toBeGreaterThanOrEqual(1);
	// R1: a model call is made again only where it was cut off and the owner said Retry.
	expect(server.log.requests.length).toBeLessThanOrEqual(WORK_CALLS + times(lives, 'interrupted'));
}

const POINTS: CrashPointName[] = [
	'chat.accepted',
	'journal.before_append',
	'journal.appended',
	'step.started',
	'effect.done',
	'stream.flushed',
	'interrupt.opened',
	'interrupt.answered',
	'run.finished',
];

test.each(POINTS)('R1 R2 killed at %s, later in each life: nothing lost, nothing twice', async (at) => {
	const on = await stage();
	const lives: Life[] = [];
	// Each journal event is a place to die: every second one is enough here, the soak takes all.
	for (let nth = 1; nth <= 40; nth += at.startsWith('journal') ? 2 : 1) {
		const life = await on.life({ die: { at, nth } });
		lives.push(life);
		expect(life.stderr).toBe('');
		if (life.signal !== 'SIGKILL') break;
	}
	expect(lives.filter((life) => life.signal === 'SIGKILL').length, 'kills').toBeGreaterThan(0);
	expect(lives.at(-1)).toMatchObject({ code: 0, signal: null });
	checkWork(on, lives);
});

test('dur-3 R2 killed inside an effect: the owner is asked, with tool, arguments and time; the effect is not repeated', async () => {
	const on = await stage();
	// The effectful tool is the third to run.
	await on.life({ die: { at: 'effect.done', nth: 3 } });
	expect(readLedger(join(on.folder, 'ledger.jsonl')).filter((line) => line.tool === 'test_effectful')).toHaveLength(1);
	const asked = await on.life({ questions: 'leave' });
	expect(asked.code).toBe(0);
	const [, waiting] = messages(on.folder);
	expect(waiting?.status).toBe('waiting');
	expect(waiting?.parts.filter((part) => part.type === 'tool').at(-1)).toMatchObject({ tool: 'test_effectful', status: 'unknown' });
	const last = await on.life();
	expect(times([last], 'asked', 'did_it_happen')).toBe(1);
	checkWork(on, [asked, last]);
});

test('R2 killed before an effect that was already announced: the owner says run again, and it happens once', async () => {
	const on = await stage();
	// Starts of steps: model, pure, idempotent, model, effectful.
	const first = await on.life({ die: { at: 'step.started', nth: 5 } });
	expect(readLedger(join(on.folder, 'ledger.jsonl')).some((line) => line.tool === 'test_effectful')).toBe(false);
	const last = await on.life();
	expect(times([last], 'asked', 'did_it_happen')).toBe(1);
	checkWork(on, [first, last]);
});

test('R3 an approval survives restarts and weeks, at no cost: nothing runs, then one answer lets it go on', async () => {
	const on = await stage();
	const WEEK = 7 * 24 * 3_600_000;
	for (const weeks of [0, 1, 3]) {
		const life = await on.life({ questions: 'leave', clockOffsetMs: weeks * WEEK });
		expect(life.lines.at(-1)).toEqual({ what: 'over', status: 'waiting' });
	}
	expect(on.server.log.requests).toHaveLength(2);
	// dur-6: the clock has jumped back in between; the order of steps does not depend on it.
	const last = await on.life({ clockOffsetMs: -2 * 3_600_000 });
	expect(last.lines.at(-1)).toEqual({ what: 'over', status: 'done' });
	checkWork(on, [last]);
});

test('R1 killed in mid-stream: the text stays, marked interrupted, no call is repeated by itself; Continue completes it', async () => {
	const on = await stage();
	const words = Array.from({ length: 60 }, (_, index) => `word${index} `).join('');
	on.server.script((request) => {
		const isContinue = JSON.stringify(request.body).includes('Your reply above was cut off');
		return isContinue ? { steps: [{ type: 'text', text: ' the end.' }] } : { steps: [{ type: 'stream', text: words, perSecond: 50 }] };
	});
	await on.life({ die: { at: 'stream.flushed', nth: 4 } });
	const left = await on.life({ interrupted: 'leave' });
	expect(left.lines.at(-1)).toEqual({ what: 'over', status: 'interrupted' });
	const [, cut] = messages(on.folder);
	expect(cut).toMatchObject({ status: 'interrupted', error: { code: 'run_interrupted' } });
	const text = cut?.parts[0]?.type === 'text' ? cut.parts[0].text : '';
	expect(text.length).toBeGreaterThan(20);
	expect(words.startsWith(text)).toBe(true);
	expect(on.server.log.requests).toHaveLength(1);
	await on.life({ interrupted: 'continue' });
	expect(messages(on.folder)[1]).toMatchObject({ status: 'complete', parts: [{ type: 'text' }] });
	expect(on.server.log.requests).toHaveLength(2);
});

test('R1 R2 killed at random times: nothing lost, nothing twice', async () => {
	const seed = Number(process.env.HEARTH_SEED ?? Date.now() % 1_000_000);
	console.log(`seed ${seed}`);
	let state = seed;
	const random = () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
	const on = await stage();
	const lives: Life[] = [];
	for (let number = 0; number < 40; number += 1) {
		const after = number < 8 ? random() * 400 : Number.POSITIVE_INFINITY;
		const life = await on.life({}, (child, line) => {
			if (line.what === 'sent' && Number.isFinite(after)) setTimeout(() => child.kill('SIGKILL'), after);
		});
		lives.push(life);
		if (life.signal !== 'SIGKILL') break;
	}
	expect(lives.at(-1)).toMatchObject({ code: 0, signal: null });
	checkWork(on, lives);
});
