import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { entryHash } from '../../src/memory/identity.ts';
import { startApp, temporaryHome } from '../support/apps.ts';
import { calls, says, startModelServer } from '../support/model-server/index.ts';
import { programOf } from '../support/program.ts';
import type { MemoryLife } from '../support/run/memory-child.ts';
import { stride } from '../support/thorough.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/run/memory-child.ts', import.meta.url)));

/** One life, until it ends or dies. */
function live(options: MemoryLife): Promise<{ signal: NodeJS.Signals | null; out: string; stderr: string }> {
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

async function stage() {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(profileFolder, { recursive: true });
	writeFileSync(join(profileFolder, 'config.json'), '{"version":1,"embedding":{"kind":"off"}}');
	const server = await startModelServer();
	onTestFinished(() => server.close());
	// Decided by the request alone, so that it may be asked any number of times.
	server.script((request) => {
		const { messages } = request.body as { messages: { role: string }[] };
		const called = messages.some(({ role }) => role === 'tool');
		return called
			? says('It is done.')
			: calls('memory_write', { text: 'The dog is called Rex.', reason: 'They asked.', file: 'MEMORY.md' });
	});
	return { home, profileFolder, modelUrl: server.openaiUrl };
}

const POINTS: CrashPointName[] = ['step.started', 'effect.done', 'transaction.committed'];

test.each(POINTS)('R2 M3 S1 mem-5 killed at %s, later in each life: what the agent remembers is written once', async (at) => {
	const { home, profileFolder, modelUrl } = await stage();
	let kills = 0;
	for (let nth = 1; nth <= 40; nth += at === 'transaction.committed' ? stride(3) : 1) {
		const life = await live({ home, modelUrl, die: { at, nth } });
		expect(life.stderr).toBe('');
		if (life.signal !== 'SIGKILL') {
			expect(JSON.parse(life.out)).toMatchObject({ status: 'complete' });
			break;
		}
		kills += 1;
	}
	expect(kills).toBeGreaterThan(0);
	expect(readFileSync(join(profileFolder, 'MEMORY.md'), 'utf8').match(/Rex/g)).toHaveLength(1);
	const { rpc, close } = await startApp(home);
	const { entries } = await rpc.memory.entries({});
	expect(entries.filter(({ text }) => text.includes('Rex'))).toMatchObject([
		{ provenance: { author: 'agent', sources: [{ kind: 'message' }] } },
	]);
	// S1: one record with each thing that is done, and a log that is whole after every kill.
	expect(await rpc.audit.verify()).toMatchObject({ whole: true, breaks: [] });
	const { records } = await rpc.audit.list({ sinks: ['memory'], decisions: ['written'], limit: 100 });
	expect(
		records.filter(({ detail, textHash }) => detail?.to === 'MEMORY.md' && textHash === entryHash('The dog is called Rex.')),
	).toHaveLength(1);
	await close();
});

test('R2 B2 killed after a write was held, before the journal knew: it is held once', async () => {
	const { home, profileFolder, modelUrl } = await stage();
	const attach = 'A letter from outside.';
	expect((await live({ home, modelUrl, attach, die: { at: 'effect.done', nth: 1 } })).signal).toBe('SIGKILL');
	const last = await live({ home, modelUrl, attach });
	expect(last.stderr).toBe('');
	expect(JSON.parse(last.out)).toMatchObject({
		status: 'complete',
		parts: [{ result: { receipts: [{ outcome: 'held' }] } }, { type: 'text' }],
	});
	expect(existsSync(join(profileFolder, 'MEMORY.md')) && readFileSync(join(profileFolder, 'MEMORY.md'), 'utf8').includes('Rex')).toBe(
		false,
	);
	const { rpc, close } = await startApp(home);
	const { proposals } = await rpc.inbox.list({});
	expect(proposals).toHaveLength(1);
	const [held] = (await rpc.audit.list({ decisions: ['held'], limit: 10 })).records;
	expect(await rpc.audit.get({ seq: held?.seq ?? 0 })).toMatchObject({ proposal: { proposalId: proposals[0]?.id, status: 'pending' } });
	await close();
});
