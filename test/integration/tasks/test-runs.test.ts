import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { PermissionTerms } from '../../../src/domain/permission.ts';
import { TaskDraft } from '../../../src/domain/task.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { OUTSIDE, prompt, type TaskApp, taskApp } from '../../support/task-app.ts';
import { readLedger } from '../../support/test-tools.ts';
import { html, startWebServer } from '../../support/web-server.ts';

const MAIL = { host: '127.0.0.1', port: 9, security: 'none', user: '', from: 'me@home.example' } as const;

/** All that a test must leave as it is. */
async function world(app: TaskApp) {
	const { rpc } = app;
	return {
		files: app.files(),
		effects: readLedger(app.ledger).filter(({ tool }) => tool !== 'test_pure'),
		memory: (await rpc.memory.entries({ limit: 500 })).entries.map(({ id, text, lastUsedAt }) => ({ id, text, lastUsedAt })),
		inbox: (await rpc.inbox.list({ status: 'pending' })).proposals,
		chats: (await rpc.sessions.list()).sessions,
		reminders: (await rpc.reminders.list({})).reminders,
		asked: (await rpc.chat.interrupts({})).length,
		permissions: (await rpc.permissions.list()).permissions.filter(({ revokedAt }) => revokedAt === undefined).map(({ terms }) => terms),
		tasks: (await rpc.tasks.list()).tasks,
	};
}

test('B3 a test run writes and sends nothing, waits for nobody, and says what it would have needed', async () => {
	const app = await taskApp([
		calls('test_pure', { value: 'looked' }),
		calls('write_file', { path: 'note.md', content: 'Ferries' }),
		calls('run_command', { command: 'touch made-by-command', reason: 'to mark it' }),
		calls('send_message', { via: 'mail', to: ['anna@example.org'], subject: 'Ferries', text: 'At nine.' }),
		calls('memory_write', { text: 'The ferry leaves at nine.', reason: 'asked' }),
		calls('remind', { text: 'Ferry', in_minutes: 5 }),
		calls('test_idempotent', { value: 'booked' }),
		calls('ask_owner', { question: 'Which ferry?' }),
		calls('wait_until', { in_minutes: 60, note: 'a while' }),
		calls('delegate', { task: 'Book it.' }),
		calls('test_effectful', { value: 'in a child' }),
		says('The child is done.'),
		says('All of it was tried.'),
	]);
	await app.rpc.outgoing.setMail({ mail: MAIL });
	const before = await world(app);
	const tested = await app.test(prompt('Book a ferry.'));
	expect(tested).toMatchObject({ state: 'done', text: 'All of it was tried.', label: 'agent' });
	expect(tested.tokens).toBeGreaterThan(0);
	expect(await world(app)).toEqual(before);
	expect(readLedger(app.ledger).map(({ tool }) => tool)).toEqual(['test_pure']);
	expect(tested.needs.map(({ tool, allowed, terms }) => [tool, allowed, terms?.scope.kind])).toEqual([
		['write_file', true, undefined],
		// Whether it would ask is a matter of the machine's sandbox.
		['run_command', expect.any(Boolean), undefined],
		['send_message', false, undefined],
		['memory_write', true, undefined],
		['remind', true, undefined],
		['test_idempotent', true, undefined],
		['ask_owner', false, undefined],
		['test_effectful', false, undefined],
	]);
	expect(tested.needs[0]).toMatchObject({ title: 'Write a file', what: 'write workspace/note.md' });
	const steps = (await app.rpc.runs.get({ runId: tested.runId as never })).steps;
	expect(steps.filter(({ status }) => status === 'skipped').length).toBeGreaterThanOrEqual(7);
	expect(JSON.stringify(app.server?.log.requests.at(-1)?.body)).toContain('this is a test run of a task');
});

test('B2 B3 what a test needs is permitted with the card, for this task alone, also after its pages; the test after that reads', async () => {
	const web = await startWebServer();
	onTestFinished(() => web.close());
	web.on('/board', html(`<p>${OUTSIDE}</p>`));
	const url = `${web.url}/board`;
	const turns = [calls('fetch_url', { url }), calls('write_file', { path: 'note.md', content: 'At nine.' }), says('Noted.')];
	const app = await taskApp([...turns, ...turns, ...turns]);
	const draft = prompt('Note when the ferry leaves.');
	const first = await app.test(draft);
	expect(first.needs).toMatchObject([
		{ tool: 'fetch_url', allowed: false, what: `GET ${url}`, terms: { scope: { kind: 'host' }, label: 'external', job: { kind: 'task' } } },
		{ tool: 'write_file', allowed: true },
	]);
	const ticked = (needs: typeof first.needs): PermissionTerms[] => needs.flatMap(({ terms }) => terms ?? []);
	const second = await app.test(draft, ticked(first.needs));
	// Now it really read the page, so that what it would write is asked about.
	expect(second).toMatchObject({
		label: 'external',
		needs: [{ tool: 'write_file', allowed: false, terms: { scope: { kind: 'workspace' }, label: 'external' } }],
	});
	expect(Object.keys(app.files())).not.toContain('workspace/note.md');
	expect(
		(await app.rpc.permissions.list()).permissions.filter(({ terms }) => terms.scope.kind === 'host' && terms.job.kind !== 'run'),
	).toEqual([]);

	const given = [...ticked(first.needs), ...ticked(second.needs)];
	const task = await app.add(draft, given);
	const { permissions } = await app.rpc.permissions.list();
	const own = permissions.filter(({ terms }) => terms.job.kind === 'task');
	expect(own.map(({ terms }) => terms.job)).toEqual([
		{ kind: 'task', taskId: task.id },
		{ kind: 'task', taskId: task.id },
	]);
	expect(await app.run(task)).toMatchObject({ state: 'done' });
	expect(app.files()['workspace/note.md']).toBe('At nine.');
	// Other work has none of it.
	const other = { ...given[0], job: { kind: 'any' as const }, label: 'approved' as const } as PermissionTerms;
	await expect(app.add(draft, [other])).rejects.toMatchObject({ code: 'invalid_input' });
	// Of a task that is to do something else it has nothing; a new name is none.
	const held = async () =>
		(await app.rpc.permissions.list()).permissions.filter(({ terms, revokedAt }) => terms.job.kind === 'task' && revokedAt === undefined)
			.length;
	const update = async (changed: Record<string, unknown>, permissions: PermissionTerms[] = []) => {
		const { shownHash, draft: next } = await app.rpc.tasks.preview({ draft: TaskDraft.parse(changed) });
		await app.rpc.tasks.update({ taskId: task.id, draft: next, shownHash, permissions });
	};
	await update({ ...draft, title: 'Boats' });
	expect(await held()).toBe(2);
	await update(prompt('Send it to everybody.'));
	expect(await held()).toBe(0);
	await update({ ...draft, title: 'Boats' }, given);
	expect(await held()).toBe(2);
	await app.rpc.tasks.remove({ taskId: task.id });
	expect(await held()).toBe(0);
});

test('a test is one for its request, says in words what can’t be, and needs no run for a reminder', async () => {
	const app = await taskApp([says('Tried.')]);
	const requestId = randomUUID();
	const draft = TaskDraft.parse(prompt('Look.'));
	const one = await app.rpc.tasks.test({ draft, requestId });
	const same = await app.rpc.tasks.test({ draft, requestId });
	expect(same.runId).toBe(one.runId);
	await expect(app.rpc.tasks.test({ draft: { ...draft, title: 'Other' }, requestId })).rejects.toMatchObject({ code: 'conflict' });
	const reminder = { title: 'Pack', when: draft.when, work: { kind: 'reminder', text: 'Pack your bag.' } };
	expect(await app.test(reminder)).toMatchObject({ state: 'done', text: 'It would tell you: Pack your bag.', needs: [] });
	const flow = { title: 'Sail', when: draft.when, work: { kind: 'workflow', name: 'sail' } };
	await expect(app.test(flow)).rejects.toMatchObject({ code: 'not_found' });
	await expect(app.rpc.tasks.testResult({ testId: 'nothing' as never })).rejects.toMatchObject({ code: 'not_found' });
});
