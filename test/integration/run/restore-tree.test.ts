import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { messageText } from '../../../src/domain/message.ts';
import { calls, type RecordedRequest, type Reply, says } from '../../support/model-server/index.ts';
import { runsApp } from '../../support/run/runs-app.ts';

interface Body {
	messages: { role: string; content: string }[];
}
const asked = (request: RecordedRequest) => (request.body as Body).messages.find(({ role }) => role === 'user')?.content ?? '';
const done = (request: RecordedRequest) => (request.body as Body).messages.filter(({ role }) => role === 'tool').length;

/** The parent writes a.txt, delegates, and ends; the child writes b.txt, sends a letter, remembers, and reports. */
const tree = (request: RecordedRequest): Reply => {
	const ofChild = [
		calls('write_file', { path: 'b.txt', content: 'by the child' }),
		calls('test_effectful', { value: 'letter' }),
		calls('memory_write', { text: 'The door is blue.', reason: 'It matters.', file: 'MEMORY.md' }),
		says('I did it.'),
	];
	const ofParent = [calls('write_file', { path: 'a.txt', content: 'one' }), calls('delegate', { task: 'Do the rest' }), says('All done.')];
	return (asked(request).includes('Do the rest') ? ofChild : ofParent)[done(request)] ?? says('Nothing more.');
};

async function worked() {
	const app = await runsApp([]);
	app.server?.script(tree);
	const { runId } = await app.rpc.chat.send({ text: 'Do the work', attachmentIds: [], requestId: newId<string>() });
	for (;;) {
		const detail = await app.rpc.runs.get({ runId });
		const [child] = detail.children;
		if (detail.run.status === 'done' && child) return { app, run: detail.run, detail, child };
		if (child) await app.approving(child.id, 'done');
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

test('R4 what a run delegated is restored with it, and its effects are listed; the delegated run is a line of the timeline', async () => {
	const { app, run, detail, child } = await worked();
	expect(detail.steps[3]).toMatchObject({ step: 4, kind: 'child', title: 'Delegate: Do the rest', status: 'done', childRunId: child.id });
	expect(child).toMatchObject({ kind: 'child', title: 'Do the rest', status: 'done', parentRunId: run.id });
	const place = { runId: run.id, step: 2 };
	expect(await app.rpc.runs.restorePreview(place)).toMatchObject({
		files: [{ path: 'b.txt', action: 'remove' }],
		memory: [{ text: 'The door is blue.' }],
		effects: [{ runId: child.id, step: 4, title: 'Test, effectful: letter' }],
	});
	// After the step that delegated, nothing of it is later.
	expect(await app.rpc.runs.restorePreview({ ...place, step: 4 })).toMatchObject({ files: [], memory: [], effects: [] });
	const record = await app.restore(run.id, 2);
	expect(record.left).toEqual([]);
	expect([app.work('a.txt'), app.work('b.txt'), app.file('MEMORY.md')]).toEqual(['one', undefined, expect.not.stringContaining('door')]);
	await app.rpc.runs.undoRestore({ restoreId: record.id });
	expect([app.work('a.txt'), app.work('b.txt'), app.file('MEMORY.md')]).toEqual(['one', 'by the child', expect.stringContaining('door')]);
	expect(app.effects()).toEqual(['letter']);
});

test('R4 the chat of a delegated run can’t be put back, its files and memory can; a fork of it is a chat of its own', async () => {
	const { app, child } = await worked();
	const { chat } = await app.rpc.runs.restorePreview({ runId: child.id, step: 0 });
	expect(chat).toMatchObject({ possible: false, why: expect.stringContaining('Fork it') });
	await expect(app.restore(child.id, 0)).rejects.toThrow('another run');
	expect(await app.restore(child.id, 0, { chat: false })).toMatchObject({ left: [] });
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual(['one', undefined]);

	const forked = await app.rpc.runs.fork({ runId: child.id, step: 6, requestId: newId<string>() });
	const after = await app.until(forked.runId, 'done');
	expect(after.run).toMatchObject({ kind: 'chat', from: { runId: child.id, step: 6, how: 'fork' } });
	expect(after.run.parentRunId).toBeUndefined();
	const [question, reply] = await app.messages(forked.sessionId);
	expect(question && messageText(question)).toBe('Do the rest');
	expect(reply && messageText(reply)).toBe('I did it.');
	expect((await app.rpc.sessions.list()).sessions.map(({ id }) => id)).toContain(forked.sessionId);
	expect(app.effects()).toEqual(['letter']);
});

test('R4 a restored run and the one it came from are one life: restored again, both are looked at; a restore is no work of others', async () => {
	const app = await runsApp([
		calls('write_file', { path: 'a.txt', content: 'one' }),
		calls('test_effectful', { value: 'first' }),
		calls('write_file', { path: 'a.txt', content: 'two' }),
		says('Done.'),
		calls('test_effectful', { value: 'second' }),
		calls('write_file', { path: 'a.txt', content: 'three' }),
		says('Done again.'),
	]);
	const { run } = await app.run('Do the work');
	const { newRunId = run.id } = await app.restore(run.id, 2);
	await app.rpc.runs.resume({ runId: newRunId, how: 'continue' });
	await app.approving(newRunId, 'done');
	expect(app.work('a.txt')).toBe('three');
	for (const runId of [newRunId, run.id]) {
		const { files, effects } = await app.rpc.runs.restorePreview({ runId, step: 0 });
		expect(files).toEqual([{ path: 'a.txt', action: 'remove' }]);
		expect(effects.map(({ title }) => title)).toEqual(['Test, effectful: first', 'Test, effectful: second']);
	}
	// Later in its own life, the other one is past.
	const later = await app.rpc.runs.restorePreview({ runId: newRunId, step: 4 });
	expect(later.effects).toEqual([]);
	expect(later.files).toEqual([{ path: 'a.txt', action: 'put_back' }]);
	expect(app.effects()).toEqual(['first', 'second']);
});

test('R4 plan and notes at each step are those of then', async () => {
	const app = await runsApp([
		calls('plan', { add: [{ text: 'Look' }, { text: 'Write' }] }),
		calls('plan', { update: [{ id: '1', state: 'done' }] }),
		says('Done.'),
	]);
	const { run } = await app.run('Plan it');
	const states = async (step: number) => (await app.rpc.runs.state({ runId: run.id, step })).plan?.steps.map(({ state }) => state);
	expect([await states(0), await states(2), await states(4)]).toEqual([undefined, ['pending', 'pending'], ['done', 'pending']]);
	const { newRunId = run.id } = await app.restore(run.id, 2);
	expect((await app.rpc.runs.get({ runId: newRunId })).plan?.steps.map(({ state }) => state)).toEqual(['pending', 'pending']);
});
