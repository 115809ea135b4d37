import { expect, onTestFinished, test } from 'vitest';
import { TaskDraft } from '../../../src/domain/task.ts';
import { calls, fails, says } from '../../support/model-server/index.ts';
import { startMailServer } from '../../support/smtp-server.ts';
import { prompt, type TaskApp, taskApp } from '../../support/task-app.ts';
import { readLedger } from '../../support/test-tools.ts';

/** Says yes to whatever the task's runs ask, until it is over. */
async function approving(app: TaskApp, task: { id: string }, reach?: 'run' | 'standing') {
	return app.until(task as never, (occurrence) => {
		void (async () => {
			for (const { id, shownHash, detail } of await app.rpc.chat.interrupts({})) {
				if (detail.kind !== 'approval') continue;
				const offer = reach && detail.offers.findIndex((each) => each.reach === reach);
				await app.rpc.chat.answer({ interruptId: id, shownHash, answer: { type: 'approve', ...(offer !== undefined && { offer }) } });
			}
		})().catch(() => undefined);
		return occurrence.state === 'done' && occurrence.result !== undefined;
	});
}

/** Asked again at once, and refused as often as a call is tried. */
const broken = fails({ type: 'rate_limit', retryAfter: '0.01' });

test('R2 sch-5 a mail that was sent before a step failed is sent once, however often the run is tried again, and each step says how it went', async () => {
	const server = await startMailServer({ security: 'none' });
	onTestFinished(() => server.close());
	const letter = { via: 'mail', to: ['anna@example.org'], subject: 'Ferries', text: 'At nine.' };
	const app = await taskApp([
		calls('send_message', letter),
		broken,
		broken,
		broken,
		broken,
		calls('test_pure', { fail: true }),
		says('The mail is sent; looking failed.'),
	]);
	await app.rpc.outgoing.setMail({ mail: { host: '127.0.0.1', port: server.port, security: 'none', user: '', from: 'me@home.example' } });
	const task = await app.add(prompt('Tell Anna when the ferry leaves.'));
	await app.rpc.tasks.run({ taskId: task.id });
	const done = await approving(app, task);
	expect(done).toMatchObject({ attempt: 2, state: 'done' });
	expect(server.mails).toHaveLength(1);
	const { steps } = await app.rpc.runs.get({ runId: done.runId as never });
	const tools = steps.filter(({ kind }) => kind === 'tool').map(({ title, status }) => [title, status]);
	expect(tools).toEqual([
		[expect.stringContaining('Send a message'), 'done'],
		[expect.stringContaining('Test, pure'), 'failed'],
	]);
});

test('a run of a task ends with what it may use, with all that it delegated, and says what that was; the owner’s word lets it go on', async () => {
	const usage = { inputTokens: 60, outputTokens: 10 };
	const app = await taskApp([
		{ ...calls('delegate', { task: 'Count them.' }), usage },
		{ ...calls('test_pure', { value: 'counted' }), usage },
		says('Two ferries.', { usage }),
	]);
	const task = await app.add(prompt('How many ferries?', {}, { budget: { tokens: 140 } }));
	const failed = await app.run(task);
	expect(failed).toMatchObject({
		state: 'failed',
		attempt: 1,
		error: { code: 'run_budget_used', kind: 'terminal', message: expect.stringContaining('140 of 140 tokens') },
	});
	// Its child had begun a step more, and stopped before the next.
	expect(app.server?.log.requests).toHaveLength(2);
	expect(await app.rpc.tasks.get({ taskId: task.id })).not.toMatchObject({ state: 'blocked' });
	await app.rpc.tasks.decide({ occurrenceId: failed.id, how: 'run' });
	const done = await app.until(task, ({ state, result }) => state === 'done' && result !== undefined);
	expect(done).toMatchObject({ id: failed.id, attempt: 2, runId: failed.runId });
	// It is told what became of what it had delegated.
	expect(JSON.stringify(app.server?.log.requests[2]?.body)).toContain('This run has used what a run of its task may');
	expect(readLedger(app.ledger)).toEqual([]);
}, 30_000);

test('the owner’s Run now goes on at any hour; so does a test', async () => {
	const app = await taskApp([calls('test_pure', { value: 'a' }), says('Now.')]);
	const hour = new Date().getHours();
	const later = `${String((hour + 2) % 24).padStart(2, '0')}:00`;
	const end = `${String((hour + 3) % 24).padStart(2, '0')}:00`;
	await app.rpc.settings.set({ activeHours: { from: later, to: end } });
	const task = await app.add(prompt('Look.'));
	expect(await app.run(task)).toMatchObject({ state: 'done' });
	const tested = await app.rpc.tasks.test({ draft: task.draft, requestId: crypto.randomUUID() });
	await expect.poll(async () => (await app.rpc.tasks.testResult({ testId: tested.id })).state).not.toBe('running');
});

test('B2 B3 a yes to a question of a task may stand for this task: its next runs do it without asking, other work asks', async () => {
	const write = [calls('test_outside', {}), calls('write_file', { path: 'note.md', content: 'At nine.' }), says('Noted.')];
	const app = await taskApp([...write, ...write, ...write]);
	const task = await app.add(prompt('Note it.', { session: 'each' }));
	await app.rpc.tasks.run({ taskId: task.id });
	await expect.poll(async () => (await app.rpc.chat.interrupts({})).length).toBe(1);
	const [asked] = await app.rpc.chat.interrupts({});
	expect(asked?.detail).toMatchObject({
		offers: [{ reach: 'run' }, { reach: 'standing', terms: { job: { kind: 'task', taskId: task.id }, label: 'external' } }],
	});
	expect(await app.rpc.tasks.get({ taskId: task.id })).toMatchObject({ state: 'waiting' });
	await approving(app, task, 'standing');
	const again = await app.run(task);
	expect(again.state).toBe('done');
	const other = await app.add(prompt('Note it, too.', {}, { title: 'Other' }));
	await app.rpc.tasks.run({ taskId: other.id });
	await expect.poll(async () => (await app.rpc.chat.interrupts({})).length).toBe(1);
});

test('a run of a task is taken up in Tasks, not in the timeline, and what stands in its record is no chat', async () => {
	const app = await taskApp([fails({ type: 'auth' })]);
	const task = await app.add(prompt('Look.'));
	const { runId, sessionId } = await app.run(task);
	await expect(app.rpc.runs.resume({ runId: runId as never, how: 'retry' })).rejects.toMatchObject({ code: 'conflict' });
	await expect(app.rpc.chat.send({ sessionId, text: 'And?', attachmentIds: [], requestId: crypto.randomUUID() })).rejects.toMatchObject({
		code: 'conflict',
	});
});

test('what has begun goes on, and is stopped, as what it was begun as, though its task is for something else by now', async () => {
	const app = await taskApp([calls('test_effectful', { value: 'sent' }), says('Sent.'), calls('test_effectful', { value: 'again' })]);
	const task = await app.add(prompt('Send it.', { result: { kind: 'inbox' } }));
	const waits = async () => (await app.rpc.tasks.get({ taskId: task.id })).state === 'waiting';
	await app.rpc.tasks.run({ taskId: task.id });
	await expect.poll(waits).toBe(true);
	const draft = TaskDraft.parse({ ...prompt(''), work: { kind: 'reminder', text: 'The ferry leaves.' } });
	const { shownHash } = await app.rpc.tasks.preview({ draft });
	await app.rpc.tasks.update({ taskId: task.id, draft, shownHash, permissions: [] });
	expect(await waits()).toBe(true);
	const done = await approving(app, task);
	expect(done.result).toMatchObject({ sessionId: expect.any(String), messageId: expect.any(String) });
	expect(readLedger(app.ledger)).toHaveLength(1);

	const next = await app.add(prompt('Send it again.'));
	const { id } = await app.rpc.tasks.run({ taskId: next.id });
	await expect.poll(async () => (await app.rpc.tasks.get({ taskId: next.id })).state).toBe('waiting');
	await app.rpc.tasks.update({ taskId: next.id, draft, shownHash, permissions: [] });
	const stopped = await app.rpc.tasks.stop({ occurrenceId: id });
	expect(stopped).toMatchObject({ state: 'stopped', why: 'owner' });
	expect((await app.rpc.runs.get({ runId: stopped.runId as never })).run.status).toBe('stopped');
});
