import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/db/driver.ts';
import { messageText } from '../../../src/domain/message.ts';
import { startApp } from '../../support/apps.ts';
import { calls, fails, says } from '../../support/model-server/index.ts';
import { prompt, taskApp } from '../../support/task-app.ts';
import { readLedger } from '../../support/test-tools.ts';

const lastSaid = async (app: Awaited<ReturnType<typeof taskApp>>, sessionId: string) => {
	const { messages } = await app.rpc.sessions.messages({ sessionId: sessionId as never, limit: 100 });
	return messages.map((message) => `${message.role} ${message.label}: ${messageText(message)}`);
};

test('R5 results go to one chat of the task’s own, in order, each once; its run is told whose it is and what fired it', async () => {
	const app = await taskApp([says('Two ferries today.'), says('Three ferries today.')]);
	const task = await app.add(prompt('How many ferries are there?'));
	const first = await app.run(task);
	expect(first).toMatchObject({ state: 'done', by: 'owner', attempt: 1 });
	const second = await app.run(task);
	expect(second.result?.sessionId).toBe(first.result?.sessionId);
	expect(second.runId).not.toBe(first.runId);
	expect(second.sessionId).not.toBe(first.sessionId);
	const said = await lastSaid(app, first.result?.sessionId ?? '');
	expect(said).toEqual([
		expect.stringMatching(/^user agent: This is a run of the task “Ferries”, which the owner wanted now, on /),
		'assistant agent: Two ferries today.',
		expect.stringMatching(/^user agent: /),
		'assistant agent: Three ferries today.',
	]);
	expect((await app.rpc.sessions.list()).sessions.map(({ title }) => title)).toEqual(['Ferries']);
	expect(app.system(0)).toMatch(/# A task of the owner's\n\nThis is a run of a task that the owner made/);
	expect(app.told()).toMatchObject([
		{ what: 'result', title: 'Ferries', text: 'Two ferries today.' },
		{ what: 'result', text: 'Three ferries today.' },
	]);
});

test('B4 the title of a task that others had a part in is no word of the agent in its chat', async () => {
	const app = await taskApp([says('Two ferries today.')]);
	const task = await app.add(prompt('How many ferries are there?'));
	const db = connect(join(app.profileFolder, 'state.db'));
	db.prepare("UPDATE tasks SET label = 'approved'").run();
	db.close();
	const { result } = await app.run(task);
	expect((await lastSaid(app, result?.sessionId ?? ''))[0]).toMatch(/^user approved: This is a run of the task “Ferries”/);
});

test('one running session: each run reads what those before it said', async () => {
	const app = await taskApp([says('Two ferries.'), says('One more than yesterday.')]);
	const task = await app.add(prompt('How many ferries are there?', { session: 'one' }));
	const [first, second] = [await app.run(task), await app.run(task)];
	expect(second.sessionId).toBe(first.sessionId);
	expect(JSON.stringify(app.server?.log.requests[1]?.body)).toContain('Two ferries.');
});

test('B1 what a task read outside is in its own chat, in no notification, and found by no other chat', async () => {
	const app = await taskApp([
		calls('test_outside', {}),
		says('The ferry to Lindau leaves at nine.'),
		calls('search_chats', { query: 'Lindau' }),
		says('Nothing.'),
		calls('search_chats', { query: 'Lindau' }),
		says('At nine.'),
		says('Lindau, at nine.'),
		calls('search_chats', { query: 'Lindau' }),
		says('Nothing.'),
	]);
	const task = await app.add(prompt('Read the board.'));
	const { result, runId } = await app.run(task);
	expect(app.told()).toEqual([expect.objectContaining({ what: 'result', title: 'Ferries' })]);
	expect(app.told()[0]).not.toHaveProperty('text');
	expect((await lastSaid(app, result?.sessionId ?? '')).at(-1)).toBe('assistant external: The ferry to Lindau leaves at nine.');
	const askedElsewhere = async () => {
		const asked = await app.turn('When does the ferry leave?');
		expect(JSON.stringify(asked.parts)).toContain('Nothing in the chats holds “Lindau”.');
		expect(asked.label).not.toBe('external');
	};
	await askedElsewhere();
	// In its own chat it is there, and what is said there is said after text from outside.
	const own = await app.turn('And when does it leave?', { sessionId: result?.sessionId });
	expect(own.label).toBe('external');
	// A fork of the run is as much its own.
	const fork = await app.rpc.runs.fork({ runId: runId as never, step: 2, requestId: randomUUID() });
	await expect.poll(async () => (await app.rpc.runs.get({ runId: fork.runId })).run.status).toBe('done');
	expect((await lastSaid(app, fork.sessionId)).at(-1)).toBe('assistant external: Lindau, at nine.');
	await askedElsewhere();
});

test('B1 B2 a result from outside waits in the inbox as a finding of the task, and is noted by the owner', async () => {
	const app = await taskApp([calls('test_outside', {}), says('The ferry leaves at nine.')]);
	const task = await app.add(prompt('Read the board.', { result: { kind: 'inbox' } }));
	const { result, id } = await app.run(task);
	const { proposals } = await app.rpc.inbox.list({ status: 'pending', findings: true });
	expect(proposals).toMatchObject([
		{
			id: result?.proposalId,
			operation: { kind: 'notice', text: 'The ferry leaves at nine.' },
			label: 'external',
			rule: 'task_result',
			finding: { sourceTitle: 'Ferries', task: { taskId: task.id, occurrenceId: id } },
		},
	]);
	const [proposal] = proposals;
	if (!proposal) throw new Error('nothing waits');
	await app.rpc.inbox.reject({ proposalId: proposal.id, shownHash: proposal.shownHash });
	expect(await app.rpc.inbox.undo({ proposalId: proposal.id })).toMatchObject({ status: 'pending' });
	const discussed = await app.rpc.inbox.discuss({ proposalId: proposal.id, requestId: randomUUID() });
	expect(discussed).toMatchObject({ sessionId: expect.any(String) });
	expect(await app.rpc.inbox.approve({ proposalId: proposal.id, shownHash: proposal.shownHash })).toMatchObject({
		receipt: { outcome: 'noted' },
	});
	expect((await app.rpc.memory.entries({ limit: 100 })).entries).toEqual([]);
});

test('a result goes to a file of the workspace with its label and its place in the ledger; the day stands in its name', async () => {
	const app = await taskApp([
		calls('test_outside', {}),
		says('The ferry leaves at nine.'),
		calls('read_file', { path: 'ferries/today.md' }),
		says('I read it.'),
	]);
	const task = await app.add(prompt('Read the board.', { result: { kind: 'file', path: 'ferries/today.md' } }));
	const { result } = await app.run(task);
	expect(result).toEqual({ file: 'ferries/today.md' });
	expect(readFileSync(join(app.profileFolder, 'workspace', 'ferries', 'today.md'), 'utf8')).toBe('The ferry leaves at nine.\n');
	expect(app.told()).toEqual([]);
	expect((await app.turn('Read the file.')).label).toBe('external');
	await expect(app.add(prompt('x', { result: { kind: 'file', path: '../out.md' } }))).rejects.toMatchObject({ code: 'invalid_input' });
	await expect(app.add(prompt('x', { result: { kind: 'file', path: 'reports/' } }))).rejects.toMatchObject({ code: 'invalid_input' });
	await expect(app.add(prompt('x', { tools: ['send_letters'] }))).rejects.toMatchObject({ code: 'tool_unknown' });
});

test('a failure that only the owner can mend is told, blocks the task at once, and nothing of it passes for a result', async () => {
	const app = await taskApp([fails({ type: 'auth' }), says('Better.')]);
	const task = await app.add(prompt('How many ferries are there?'));
	expect(await app.run(task)).toMatchObject({ state: 'failed', attempt: 1, error: { kind: 'needs_owner' } });
	await expect.poll(() => app.told()).toEqual([expect.objectContaining({ what: 'failed' }), expect.objectContaining({ what: 'blocked' })]);
	expect(app.told().every((event) => event.text === undefined)).toBe(true);
	expect(await app.rpc.tasks.get({ taskId: task.id })).toMatchObject({ state: 'blocked', problem: { code: 'model_auth' } });
	expect((await app.rpc.sessions.list()).sessions).toEqual([]);
});

test('R2 sch-5 a failed run is tried again at the step that failed: what was done stays done', async () => {
	const broken = fails({ type: 'rate_limit', retryAfter: '0.01' });
	const app = await taskApp([calls('test_idempotent', { value: 'booked' }), broken, broken, broken, broken, says('Booked.')]);
	const task = await app.add(prompt('Book a seat.'));
	await app.rpc.tasks.run({ taskId: task.id });
	const done = await app.until(task, ({ state, result }) => state === 'done' && result !== undefined);
	expect(done).toMatchObject({ attempt: 2 });
	expect(readLedger(app.ledger)).toHaveLength(1);
});

const WORKFLOW = `title: Sail
inputs:
  to: Where to
  event: { title: What fired it, required: false }
start: WRITE
states:
  WRITE:
    title: Writing it down
    tool: { name: write_file, args: { path: sail.txt, content: 'to {{to}} because of {{event}}' } }
    transitions:
      - to: SAILED
  SAILED:
    title: Sailed
    final: true
`;

test('R5 a task starts a workflow, and is done when that is; a reminder is told at once', async () => {
	const app = await taskApp([]);
	mkdirSync(join(app.profileFolder, 'workflows'), { recursive: true });
	writeFileSync(join(app.profileFolder, 'workflows', 'sail.yaml'), WORKFLOW);
	const when = { kind: 'trigger', trigger: { kind: 'signal', name: 'go' }, quietSeconds: 0 };
	await expect(app.add({ title: 'Sail', when, work: { kind: 'workflow', name: 'sail' } })).rejects.toMatchObject({ code: 'invalid_input' });
	const sail = await app.add({ title: 'Sail', when, work: { kind: 'workflow', name: 'sail', input: { to: 'Lindau' } } });
	const remind = await app.add({ title: 'Pack', when, work: { kind: 'reminder', text: 'Pack your bag.' } });
	expect(await app.rpc.tasks.trigger({ name: 'go', payload: 'wind', label: 'owner' })).toEqual({ tasks: 2 });
	const sailed = await app.until(sail, ({ state }) => state === 'done');
	expect(sailed).toMatchObject({ instanceId: expect.any(String), cause: { label: 'owner' } });
	expect(readFileSync(join(app.profileFolder, 'workspace', 'sail.txt'), 'utf8')).toContain('to Lindau because of');
	await app.until(remind, ({ state }) => state === 'done');
	expect((await app.rpc.reminders.list({})).reminders).toMatchObject([{ text: 'Pack your bag.' }]);
});

test('R5 a result that a life did not come to put down is brought by the next, and one that was is there once', async () => {
	const outside = [calls('test_outside', {}), says('The ferry leaves at nine.')];
	const app = await taskApp([...outside, ...outside, ...outside]);
	const tasks = [
		await app.add(prompt('Read the board.', { result: { kind: 'chat' } }, { title: 'Chat' })),
		await app.add(prompt('Read the board.', { result: { kind: 'inbox' } }, { title: 'Inbox' })),
		await app.add(prompt('Read the board.', { result: { kind: 'file', path: 'board.md' } }, { title: 'File' })),
	];
	const before = [];
	for (const task of tasks) before.push((await app.run(task)).result);
	await app.close();
	const db = connect(join(app.profileFolder, 'state.db'));
	// As if the process had died between putting it down and saying so.
	db.exec('UPDATE task_occurrences SET delivered = 0, result = NULL');
	db.close();
	const again = await startApp(app.home);
	onTestFinished(() => again.close());
	const after = async () => (await again.rpc.tasks.history({ limit: 10 })).occurrences.map(({ title, result }) => [title, result]);
	await expect.poll(after, { timeout: 20_000 }).toEqual(
		expect.arrayContaining([
			['Chat', before[0]],
			['Inbox', before[1]],
			['File', before[2]],
		]),
	);
	const { messages } = await again.rpc.sessions.messages({ sessionId: before[0]?.sessionId as never, limit: 100 });
	expect(messages).toHaveLength(2);
	expect((await again.rpc.inbox.list({ status: 'pending' })).proposals).toHaveLength(1);
}, 40_000);
