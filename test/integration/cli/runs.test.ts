import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { RestoreRecord, RunDetail, StateAt } from '../../../src/contract/methods/runs.ts';
import type { RunSummary } from '../../../src/domain/run.ts';
import { cliHere, startCliAtTerminal } from '../../support/cli.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { runsApp } from '../../support/run/runs-app.ts';

const write = (path: string, content: string) => calls('write_file', { path, content });
const WORK = [write('a.txt', 'one'), calls('test_effectful', { value: 'letter' }), write('a.txt', 'two'), says('All done.')];

async function worked(more: Parameters<typeof runsApp>[0] = []) {
	const app = await runsApp([...WORK, ...more]);
	const { run } = await app.run('Do the work');
	const hearth = (...words: string[]) => cliHere(app.home, words);
	return { ...app, id: run.id, hearth, json: async <T>(...words: string[]) => JSON.parse((await hearth(...words, '--json')).stdout) as T };
}

test('R4 runs list, show and state tell what was done, step by step', async () => {
	const { id, hearth, json } = await worked();
	const [run] = await json<RunSummary[]>('runs', 'list', '--status', 'done');
	expect(run).toMatchObject({ id, title: 'Do the work' });
	expect(await json('runs', 'list', '--status', 'waiting', 'failed')).toEqual([]);
	const shown = (await hearth('runs', 'show', 'last')).stdout;
	expect(shown).toContain('Write a.txt');
	expect(shown).toMatch(/4 +done, has effects +Test, effectful: letter/);
	expect((await json<RunDetail>('runs', 'show', id.slice(0, 20))).steps).toHaveLength(7);
	expect((await hearth('runs', 'show', 'last', '--step', '2')).stdout).toContain('File created: a.txt');
	expect((await json<StateAt>('runs', 'state', 'last', '--step', '2')).files).toMatchObject([{ path: 'a.txt', bytes: 3 }]);
	expect((await hearth('runs', 'state', 'last')).stdout).toContain('All done.');
	expect(await hearth('runs', 'show', 'ffff')).toMatchObject({ code: 1, stderr: expect.stringContaining('no run “ffff”') });
	expect(await hearth('runs', 'list', '--status', 'asleep')).toMatchObject({ code: 2 });
}, 120_000);

test('R4 runs restore lists what is put back and what stays, and asks; a script needs --yes', async () => {
	const { home, work, effects, hearth, json } = await worked();
	expect(await hearth('runs', 'restore', 'last', '--step', '4')).toMatchObject({ code: 3, stderr: expect.stringContaining('--yes') });
	expect(await hearth('runs', 'restore', 'last')).toMatchObject({ code: 2, stderr: expect.stringContaining('--step') });

	const terminal = startCliAtTerminal(home, ['runs', 'restore', 'last', '--step', '2']);
	await terminal.says('[y/N]');
	expect(terminal.stdout).toContain('put back a.txt');
	expect(terminal.stdout).toMatch(/Side effects after it, which stay:\s+step 4, .*Test, effectful: letter/);
	terminal.child.stdin?.write('n\n');
	expect((await terminal.ended).code).toBe(0);
	expect(work('a.txt')).toBe('two');

	const record = await json<RestoreRecord>('runs', 'restore', 'last', '--step', '2', '--files', '--yes');
	expect(record).toMatchObject({ chat: false, files: true, memory: false });
	expect(work('a.txt')).toBe('one');
	expect((await hearth('runs', 'restore', 'last', '--undo', '--yes')).stdout).toContain('Taken back.');
	expect([work('a.txt'), effects()]).toEqual(['two', ['letter']]);
}, 120_000);

test('R4 runs fork and resume show the rest; cancel stops what waits', async () => {
	const { id, hearth, effects, rpc, until } = await worked([
		says('Another end.'),
		says('A third end.'),
		calls('ask_owner', { question: 'Which?' }),
	]);
	const forked = await hearth('runs', 'fork', id, '--step', '4', '--text', 'Other work');
	expect(forked).toMatchObject({ code: 0, stdout: 'Another end.\n', stderr: expect.stringContaining('Goes on in a chat of its own') });
	expect((await hearth('runs', 'restore', id, '--step', '4', '--chat', '--yes')).stdout).toContain('hearth runs resume');
	expect(await hearth('runs', 'resume', 'last')).toMatchObject({ code: 0, stdout: 'A third end.\n' });
	const { runId } = await rpc.chat.send({ text: 'Ask me', attachmentIds: [], requestId: '018f0000-0000-7000-8000-00000000000a' });
	await until(runId, 'waiting');
	expect((await hearth('runs', 'show', 'last')).stdout).toContain('Ask: Which?');
	expect((await hearth('runs', 'cancel', 'last')).stdout).toContain('Stopped.');
	expect(effects()).toEqual(['letter']);
}, 120_000);

test('R3 B2 runs signal wakes what waits for an event; what somebody else wrote keeps that label', async () => {
	const app = await runsApp([calls('wait_for_event', { name: 'paid', note: 'The invoice' }), says('Paid, then.')]);
	const { runId, sessionId } = await app.rpc.chat.send({ text: 'Wait for it', attachmentIds: [], requestId: newId<string>() });
	await app.until(runId, 'sleeping');
	expect(await cliHere(app.home, ['runs', 'signal', 'sent'])).toMatchObject({ code: 1, stdout: 'Nothing waits for that.\n' });
	expect((await cliHere(app.home, ['runs', 'signal', 'paid', '{"sum":3}'])).stdout).toBe('Told: 1 that waited for it.\n');
	await app.until(runId, 'done');
	const [, reply] = await app.messages(sessionId);
	expect(reply).toMatchObject({ label: 'external', parts: [{ type: 'tool', label: 'external' }, { type: 'text' }] });
}, 60_000);
