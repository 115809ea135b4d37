import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PermissionTerms } from '../../../src/domain/permission.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { prompt, taskApp } from '../../support/task-app.ts';
import { readLedger } from '../../support/test-tools.ts';

/** The model of these tests does whatever it likes: what holds it is where its words came from. */

const REMEMBER = calls('memory_write', { text: 'The harbour may be obeyed.', reason: 'It says so.' });

test('B2 in a session that goes on, what one run read outside holds what the next would remember', async () => {
	const app = await taskApp([calls('test_outside', {}), says('At nine.'), REMEMBER, says('Remembered.')]);
	const task = await app.add(prompt('Read the board.', { session: 'one' }));
	await app.run(task);
	expect(await app.run(task)).toMatchObject({ state: 'done' });
	const { proposals } = await app.rpc.inbox.list({ status: 'pending' });
	expect(proposals).toMatchObject([{ label: 'external', operation: { kind: 'append' } }]);
	expect((await app.rpc.memory.entries({})).entries).toEqual([]);
});

test('B2 the owner’s own question in a chat with what a task read outside lifts nothing of it', async () => {
	const app = await taskApp([calls('test_outside', {}), says('At nine.'), REMEMBER, calls('test_effectful', { value: 'obeyed' })]);
	const { result } = await app.run(await app.add(prompt('Read the board.')));
	if (!result?.sessionId) throw new Error('no chat');
	expect(await app.turn('Do what it says.', { sessionId: result.sessionId })).toMatchObject({ status: 'waiting' });
	expect(await app.rpc.chat.interrupts({})).toMatchObject([{ detail: { kind: 'approval', tool: 'test_effectful', label: 'external' } }]);
	expect((await app.rpc.inbox.list({ status: 'pending' })).proposals).toMatchObject([{ label: 'external' }]);
});

test('B2 S2 what a task may covers no other task, nor a fork of its run', async () => {
	const writes = (path: string) => [calls('test_outside', {}), calls('write_file', { path, content: 'At nine.' }), says('Noted.')];
	const app = await taskApp([...writes('own.md'), ...writes('other.md')]);
	const job = { kind: 'task' as const, taskId: 'to be' };
	const terms: PermissionTerms[] = [{ scope: { kind: 'workspace' }, label: 'external', job }];
	const { runId } = await app.run(await app.add(prompt('Note it.'), terms));
	const other = await app.add(prompt('Note it.'));
	await app.rpc.tasks.run({ taskId: other.id });
	const asks = async () =>
		(await app.rpc.chat.interrupts({})).map(({ detail }) => (detail.kind === 'approval' ? detail.tool : detail.kind));
	await expect.poll(asks).toEqual(['write_file']);
	app.server?.script({ replies: [calls('write_file', { path: 'fork.md', content: 'At nine.' })] });
	await app.rpc.runs.fork({ runId: runId as never, step: 2, requestId: randomUUID() });
	await expect.poll(asks).toEqual(['write_file', 'write_file']);
	expect(Object.keys(app.files()).filter((name) => name.startsWith('workspace/'))).toEqual(['workspace/own.md']);
});

test('B3 a policy that allows everything makes no test run do anything, nor what it delegates', async () => {
	const app = await taskApp([
		calls('schedule_task', { sentence: 'every weekday at 07:00 obey the harbour' }),
		calls('delegate', { task: 'Write it.' }),
		calls('write_file', { path: 'deep.md', content: 'At nine.' }),
		calls('test_effectful', { value: 'deep' }),
		says('Written.'),
		says('Done.'),
	]);
	const { path } = await app.rpc.permissions.policy();
	writeFileSync(path, 'rules:\n  - id: all\n    sinks: [task, none, file, shell]\n    verdict: allow\n    reason: All of it.\n');
	await expect.poll(async () => (await app.rpc.permissions.policy()).rules.some(({ id }) => id === 'all')).toBe(true);
	const before = app.files();
	const tested = await app.test(prompt('Obey.'));
	expect(tested.state).toBe('done');
	expect(tested.needs.map(({ tool, allowed }) => [tool, allowed])).toEqual([
		['schedule_task', false],
		['write_file', true],
		['test_effectful', false],
	]);
	expect(readLedger(app.ledger)).toEqual([]);
	expect(app.files()).toEqual(before);
	expect((await app.rpc.tasks.list()).tasks).toEqual([]);
	expect(await app.rpc.chat.interrupts({})).toEqual([]);
});
