import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { startApp } from '../support/apps.ts';
import { calls, says } from '../support/model-server/index.ts';
import { programOf } from '../support/program.ts';
import type { RestoreLife } from '../support/run/restore-child.ts';
import { runsApp } from '../support/run/runs-app.ts';
import { stride } from '../support/thorough.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/run/restore-child.ts', import.meta.url)));

/** One life, until it ends or dies. */
function live(options: RestoreLife): Promise<{ signal: NodeJS.Signals | null; out: string; stderr: string }> {
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
		let out = '';
		let stderr = '';
		child.stdout.setEncoding('utf8').on('data', (data: string) => (out += data));
		child.stderr.setEncoding('utf8').on('data', (data: string) => (stderr += data));
		child.once('error', reject);
		child.once('close', (_, signal) => resolve({ signal, out, stderr }));
	});
}

const write = (path: string, content: string) => calls('write_file', { path, content });
const remember = (text: string) => calls('memory_write', { text, reason: 'It matters.', file: 'MEMORY.md' });

/** Steps: 2 a.txt one, 4 blue, 6 a.txt two, 8 sends, 10 b.txt, 12 red, 13 says. Restored to 4. */
async function worked() {
	const app = await runsApp([
		write('a.txt', 'one'),
		remember('The door is blue.'),
		write('a.txt', 'two'),
		calls('test_effectful', { value: 'letter' }),
		write('b.txt', 'new'),
		remember('The roof is red.'),
		says('All done.'),
	]);
	const { run } = await app.run('Do the work');
	await app.close();
	const now = () => ({
		a: app.work('a.txt'),
		b: app.work('b.txt'),
		memory: app.file('MEMORY.md').match(/door|roof/g),
		effects: app.effects(),
	});
	const then = { a: 'one', b: undefined, memory: ['door'], effects: ['letter'] };
	const after = { a: 'two', b: 'new', memory: ['door', 'roof'], effects: ['letter'] };
	expect(now()).toEqual(after);
	return { app, home: app.home, runId: run.id, messageId: run.messageId, sessionId: run.sessionId, now, then, after };
}

/** How a restore and its undo end up, whatever happened on the way. */
async function checkWhole(place: Awaited<ReturnType<typeof worked>>): Promise<void> {
	const { home, runId, messageId, sessionId, now, after } = place;
	expect(now()).toEqual(after);
	const { rpc, close } = await startApp(home);
	const { messages } = await rpc.sessions.messages({ sessionId });
	// One other version was made, and the first one is shown again.
	expect(messages.map(({ id, versions }) => [id, versions.length])).toEqual([
		[expect.any(String), 1],
		[messageId, 2],
	]);
	expect((await rpc.runs.get({ runId })).restores).toMatchObject([{ left: [], undoneAt: expect.any(Number) }]);
	await close();
}

test('R4 killed at each point of a restore, one after the other, and of its undo: both happen whole, and once', async () => {
	const place = await worked();
	const { home, runId, now, then } = place;
	const points = ['restore.files_back', 'restore.memory_back', 'restore.done'] as const;
	for (const [what, first] of [
		['restore', 'restore.intended'],
		['undo', 'restore.undo_intended'],
	] as const) {
		for (const at of [first, ...points])
			expect(await live({ home, runId, step: 4, what, die: { at, nth: 1 } })).toMatchObject({ signal: 'SIGKILL', stderr: '' });
		expect(await live({ home, runId, step: 4, what })).toMatchObject({ signal: null, stderr: '' });
		if (what === 'restore') expect(now()).toEqual(then);
	}
	await checkWhole(place);
}, 120_000);

test.each<[CrashPointName, number]>([
	['workspace.written', 1],
	['memory.written', 1],
	['transaction.open', stride(6)],
])(
	'R4 killed at %s, later in each life: a restore and its undo happen whole, and once',
	async (at, every) => {
		const place = await worked();
		const { home, runId, now, then } = place;
		let kills = 0;
		for (const what of ['restore', 'undo'] as const) {
			for (let nth = 1; ; nth += every) {
				const life = await live({ home, runId, step: 4, what, die: { at, nth } });
				expect(life.stderr).toBe('');
				if (life.signal !== 'SIGKILL') break;
				kills += 1;
				expect(nth).toBeLessThan(60);
			}
			if (what === 'restore') expect(now()).toEqual(then);
		}
		expect(kills).toBeGreaterThan(0);
		await checkWhole(place);
	},
	120_000,
);

test('R4 a restore that was cut off is finished by the next start alone, before anything else of the chat', async () => {
	const { home, runId, now, then } = await worked();
	expect((await live({ home, runId, step: 4, what: 'restore', die: { at: 'restore.files_back', nth: 1 } })).signal).toBe('SIGKILL');
	expect(await live({ home, runId, step: 4, what: 'start' })).toMatchObject({ signal: null, stderr: '' });
	expect(now()).toEqual(then);
	const { rpc, close } = await startApp(home);
	const { restores, branches } = await rpc.runs.get({ runId });
	expect(restores).toMatchObject([{ place: { runId, step: 4 }, left: [] }]);
	expect(branches).toMatchObject([{ status: 'stopped' }]);
	await close();
}, 60_000);

test.each<CrashPointName>(['run.forked', 'transaction.open'])(
	'R4 killed at %s, later in each life: one fork, and nothing is done again',
	async (at) => {
		const { app, home, runId, now, after } = await worked();
		app.server?.script(() => says('Forked.'));
		let kills = 0;
		for (let nth = 1; ; nth += stride(4)) {
			const life = await live({ home, runId, step: 8, what: 'fork', die: { at, nth } });
			expect(life.stderr).toBe('');
			if (life.signal !== 'SIGKILL') break;
			kills += 1;
			expect(nth).toBeLessThan(60);
		}
		expect(kills).toBeGreaterThan(0);
		expect(now()).toEqual(after);
		const { rpc, close } = await startApp(home);
		const { branches } = await rpc.runs.get({ runId });
		expect(branches).toHaveLength(1);
		const forked = await rpc.runs.get({ runId: branches[0]?.id ?? runId });
		expect(forked.steps).toHaveLength(9);
		expect(['done', 'interrupted']).toContain(forked.run.status);
		await close();
	},
	120_000,
);
