import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { temporaryHome } from '../support/apps.ts';
import { calls, type Reply, says, startModelServer } from '../support/model-server/index.ts';
import { programOf } from '../support/program.ts';
import type { MemoryLife } from '../support/run/memory-child.ts';
import { THOROUGH } from '../support/thorough.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/run/memory-child.ts', import.meta.url)));

async function live(options: MemoryLife): Promise<{ killed: boolean; out: string }> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
	let out = '';
	child.stdout.setEncoding('utf8').on('data', (data: string) => {
		out += data;
	});
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	if (signal === null) expect(code).toBe(0);
	return { killed: signal === 'SIGKILL', out };
}

/** None of these can be done twice without being seen. */
const STEPS: readonly Reply[] = [
	calls('write_file', { path: 'log.md', content: 'begun\n' }),
	calls('write_file', { path: 'log.md', content: 'gone on\n', mode: 'append' }),
	calls('patch_file', { path: 'log.md', edits: [{ find: 'gone on', replace: 'gone on, and on' }] }),
	calls('move_file', { from: 'log.md', to: 'done/log.md' }),
	calls('write_file', { path: 'done/log.md', content: 'ended\n', mode: 'append' }),
];

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
		return STEPS[messages.filter(({ role }) => role === 'tool').length] ?? says('It is done.');
	});
	return { home, modelUrl: server.openaiUrl, file: join(profileFolder, 'workspace', 'done', 'log.md') };
}

test.each<CrashPointName>(['workspace.intended', 'workspace.written', 'effect.done'])(
	'R1 R2 a run killed at %s, later in each life: each of its changes of a file is made once, and nobody is asked',
	async (at) => {
		const { home, modelUrl, file } = await stage();
		let kills = 0;
		for (let nth = 1; nth <= STEPS.length + 2; nth += THOROUGH ? 1 : 2) {
			const { killed, out } = await live({ home, modelUrl, die: { at, nth } });
			if (!killed) {
				const { status, parts } = JSON.parse(out) as { status: string; parts: { type: string; status?: string }[] };
				expect(status).toBe('complete');
				expect(parts.flatMap((part) => (part.type === 'tool' ? [part.status] : []))).toEqual(STEPS.map(() => 'done'));
				break;
			}
			kills += 1;
		}
		expect(kills).toBeGreaterThan(1);
		expect(readFileSync(file, 'utf8')).toBe('begun\ngone on, and on\nended\n');
	},
);
