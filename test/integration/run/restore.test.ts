import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { toolParts } from '../../support/run/memory-app.ts';
import { runsApp } from '../../support/run/runs-app.ts';

const write = (path: string, content: string) => calls('write_file', { path, content });
const remember = (text: string) => calls('memory_write', { text, reason: 'It matters.', file: 'MEMORY.md' });
const send = (value: string) => calls('test_effectful', { value });

/** Steps: 2 a.txt one, 4 remembers blue, 6 a.txt two, 8 b.txt, 10 sends, 12 remembers red, 14 deletes, 15 says. */
const WORK = [
	write('a.txt', 'one'),
	remember('The door is blue.'),
	write('a.txt', 'two'),
	write('b.txt', 'new'),
	send('letter'),
	remember('The roof is red.'),
	calls('delete_file', { path: 'a.txt' }),
	says('All done.'),
];

test('R4 a run is told step by step, in plain words, and each step opens to what went in and came out', async () => {
	const app = await runsApp(WORK);
	const { run, steps } = await app.run('Do the work');
	expect(run).toMatchObject({ kind: 'chat', title: 'Do the work', status: 'done' });
	expect(steps.map(({ step, kind, title, status, checkpoint }) => [step, kind, title, status, checkpoint])).toEqual([
		[1, 'model', 'Decide: Write a file', 'done', true],
		[2, 'tool', 'Write a.txt', 'done', true],
		[3, 'model', 'Decide: Remember', 'done', true],
		[4, 'tool', 'Remember: The door is blue.', 'done', true],
		[5, 'model', 'Decide: Write a file', 'done', true],
		[6, 'tool', 'Write a.txt', 'done', true],
		[7, 'model', 'Decide: Write a file', 'done', true],
		[8, 'tool', 'Write b.txt', 'done', true],
		[9, 'model', 'Decide: Test, effectful', 'done', true],
		[10, 'tool', 'Test, effectful: letter', 'done', true],
		[11, 'model', 'Decide: Remember', 'done', true],
		[12, 'tool', 'Remember: The roof is red.', 'done', true],
		[13, 'model', 'Decide: Delete a file', 'done', true],
		[14, 'tool', 'Delete a.txt', 'done', true],
		[15, 'model', 'All done.', 'done', true],
	]);
	expect(await app.rpc.runs.step({ runId: run.id, step: 6 })).toMatchObject({
		input: expect.stringContaining('"path": "a.txt",\n  "content": "two"'),
		output: expect.stringContaining('Replaced a.txt'),
		key: expect.stringContaining(`${run.id}:6:`),
		files: [{ path: 'a.txt', change: 'changed', bytes: 3 }],
		memory: [],
	});
	expect(await app.rpc.runs.step({ runId: run.id, step: 12 })).toMatchObject({
		memory: [{ file: 'MEMORY.md', text: 'The roof is red.' }],
	});
	expect((await app.rpc.runs.step({ runId: run.id, step: 10 })).redone).toBe('You approved it.');
	const { inputRest = '' } = await app.rpc.runs.step({ runId: run.id, step: 15 });
	expect((await app.rpc.runs.content({ runId: run.id, hash: inputRest })).text).toContain('write_file');
	await expect(app.rpc.runs.content({ runId: run.id, hash: 'a'.repeat(64) })).rejects.toThrow();
	await expect(app.rpc.runs.step({ runId: run.id, step: 99 })).rejects.toThrow('no step 99');
	expect(await app.rpc.runs.list({ status: ['done'] })).toMatchObject({ runs: [{ id: run.id }], hasMore: false });
	expect((await app.rpc.runs.list({ status: ['waiting'] })).runs).toEqual([]);
});

test('R4 the state at any step is shown as the agent knew it', async () => {
	const app = await runsApp(WORK);
	const { run } = await app.run('Do the work');
	const state = await app.rpc.runs.state({ runId: run.id, step: 6 });
	expect(state).toMatchObject({ place: { runId: run.id, step: 6 }, status: 'running', label: 'agent' });
	expect(state.files).toEqual([{ path: 'a.txt', hash: expect.any(String), bytes: 3 }]);
	expect((await app.rpc.runs.content({ runId: run.id, hash: state.files[0]?.hash ?? '' })).text).toBe('two');
	expect(state.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
	const [, reply] = state.messages;
	expect(reply && toolParts(reply).map(({ tool }) => tool)).toEqual(['write_file', 'memory_write', 'write_file']);
	expect(state.prompt?.slice(0, 12)).toBe(state.promptVersion);
	const first = await app.rpc.runs.state({ runId: run.id, step: 0 });
	expect(first.messages[1]?.parts).toEqual([]);
	expect(first.files).toEqual([]);
});

test('R4 restore puts back chat, files and memory after a list of what stays; undo puts back what it replaced; nothing is done twice', async () => {
	const app = await runsApp([...WORK, says('Another end.')]);
	const { run } = await app.run('Do the work');
	const { sessionId, id: runId } = run;
	expect([app.work('a.txt'), app.work('b.txt'), app.effects()]).toEqual([undefined, 'new', ['letter']]);

	const preview = await app.rpc.runs.restorePreview({ runId, step: 4 });
	expect(preview).toMatchObject({
		chat: { possible: true, steps: 11, messages: 0 },
		files: [
			{ path: 'a.txt', action: 'bring_back' },
			{ path: 'b.txt', action: 'remove' },
		],
		memory: [{ text: 'The roof is red.' }],
		effects: [{ runId, step: 10, tool: 'test_effectful', title: 'Test, effectful: letter', args: { value: 'letter' } }],
	});

	const record = await app.restore(runId, 4);
	expect(record).toMatchObject({ place: { runId, step: 4 }, left: [], newRunId: expect.any(String) });
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual(['one', undefined]);
	expect(app.file('MEMORY.md')).toContain('The door is blue.');
	expect(app.file('MEMORY.md')).not.toContain('The roof is red.');
	const [question, reply, ...more] = await app.messages(sessionId);
	expect(more).toEqual([]);
	expect(reply).toMatchObject({ status: 'stopped', runId: record.newRunId, versions: [run.messageId, expect.any(String)] });
	expect(reply?.parts.map(({ type }) => type)).toEqual(['tool', 'tool', 'notice']);
	expect(reply?.parts.at(-1)).toMatchObject({ code: 'restored_here', values: { step: 4 } });
	expect(app.server?.log.requests).toHaveLength(8);

	// Continue goes on there, with the very next step and nothing before it.
	const newRunId = record.newRunId ?? runId;
	await app.rpc.runs.resume({ runId: newRunId, how: 'continue' });
	const after = await app.until(newRunId, 'done');
	expect(after.steps.at(-1)).toMatchObject({ step: 5, title: 'Another end.', tries: 1 });
	expect(after.run.from).toEqual({ runId, step: 4, how: 'restore' });
	expect(app.server?.log.requests).toHaveLength(9);
	expect(app.effects()).toEqual(['letter']);
	expect((await app.rpc.runs.get({ runId })).branches.map(({ id }) => id)).toEqual([newRunId]);

	const undone = await app.rpc.runs.undoRestore({ restoreId: record.id });
	expect(undone).toMatchObject({ undoneAt: expect.any(Number), left: [] });
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual([undefined, 'new']);
	expect(app.file('MEMORY.md')).toContain('The roof is red.');
	expect((await app.messages(sessionId)).map(({ id }) => id)).toEqual([question?.id, run.messageId]);
	expect(app.effects()).toEqual(['letter']);
});

test('R4 what a restore made is put away when it is taken back, and goes on only where the owner chose that version in the chat', async () => {
	const app = await runsApp([...WORK, says('Another end.')]);
	const { run } = await app.run('Do the work');
	const { id, newRunId = run.id } = await app.restore(run.id, 4);
	expect(await app.rpc.runs.get({ runId: newRunId })).not.toHaveProperty('putAway');
	await app.rpc.runs.undoRestore({ restoreId: id });
	const put = await app.rpc.runs.get({ runId: newRunId });
	expect(put).toMatchObject({ putAway: true, run: { status: 'stopped' } });
	expect(await app.rpc.runs.get({ runId: run.id })).not.toHaveProperty('putAway');
	await expect(app.rpc.runs.resume({ runId: newRunId, how: 'continue' })).rejects.toThrow('was put away');
	await app.rpc.chat.chooseVersion({ messageId: put.run.messageId });
	expect(await app.rpc.runs.get({ runId: newRunId })).not.toHaveProperty('putAway');
	await app.rpc.runs.resume({ runId: newRunId, how: 'continue' });
	await app.until(newRunId, 'done');
});

test('R4 each of chat, files and memory is a choice of its own; the same request twice is one restore', async () => {
	const app = await runsApp(WORK);
	const { run } = await app.run('Do the work');
	const requestId = newId<string>();
	const files = await app.restore(run.id, 0, { chat: false, memory: false, requestId });
	expect(files.newRunId).toBeUndefined();
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual([undefined, undefined]);
	expect(app.file('MEMORY.md')).toContain('The roof is red.');
	expect((await app.messages(run.sessionId))[1]).toMatchObject({ id: run.messageId, status: 'complete' });
	expect(await app.restore(run.id, 0, { chat: false, memory: false, requestId })).toEqual(files);
	await expect(app.restore(run.id, 2, { chat: false, memory: false, requestId })).rejects.toThrow('different one');

	await app.restore(run.id, 0, { chat: false, files: 'no' });
	expect(app.file('MEMORY.md')).not.toMatch(/roof|door/);
	await app.restore(run.id, 0, { files: 'no', memory: false });
	const [, reply] = await app.messages(run.sessionId);
	expect(reply?.parts).toMatchObject([{ type: 'notice', code: 'restored_here' }]);
	await expect(app.restore(run.id, 0, { chat: false, files: 'no', memory: false })).rejects.toThrow('Nothing was chosen');
	await expect(app.restore(run.id, 77)).rejects.toThrow('no checkpoint');
	expect(app.effects()).toEqual(['letter']);
});

test('R4 after a restore to an early place a later one of the same run can be restored to: what the first put back comes again', async () => {
	const app = await runsApp([...WORK, says('Went on.')]);
	const { run } = await app.run('Do the work');
	const first = await app.restore(run.id, 0);
	expect([app.work('a.txt'), app.work('b.txt'), app.file('MEMORY.md')]).toEqual([undefined, undefined, '']);
	await app.rpc.runs.resume({ runId: first.newRunId ?? run.id, how: 'continue' });
	await app.until(first.newRunId ?? run.id, 'done');
	const { files, memory } = await app.rpc.runs.restorePreview({ runId: run.id, step: 8 });
	expect(files).toEqual([
		{ path: 'a.txt', action: 'bring_back' },
		{ path: 'b.txt', action: 'bring_back' },
	]);
	expect(memory).toMatchObject([{ text: 'The door is blue.', comesBack: true }]);
	const second = await app.restore(run.id, 8);
	expect(second.left).toEqual([]);
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual(['two', 'new']);
	expect(app.file('MEMORY.md')).toContain('The door is blue.');
	expect(app.file('MEMORY.md')).not.toContain('The roof is red.');
	const undone = await app.rpc.runs.undoRestore({ restoreId: second.id });
	expect(undone.left).toEqual([]);
	expect([app.work('a.txt'), app.work('b.txt'), app.file('MEMORY.md')]).toEqual([undefined, undefined, '']);
	await app.rpc.runs.undoRestore({ restoreId: first.id });
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual([undefined, 'new']);
	expect(app.file('MEMORY.md')).toMatch(/door.*roof/s);
	expect((await app.messages(run.sessionId)).at(-1)?.id).toBe(run.messageId);
	expect(app.effects()).toEqual(['letter']);
});

test('R4 what somebody else changed since is left, and said, unless the owner wants all', async () => {
	const app = await runsApp([...WORK, write('b.txt', 'from another chat'), says('Yes.')]);
	const { run } = await app.run('Do the work');
	await app.run('Something else');
	app.writeOutside('a.txt', 'by hand');
	const { files } = await app.rpc.runs.restorePreview({ runId: run.id, step: 6 });
	expect(files).toEqual([
		{ path: 'a.txt', action: 'put_back', theirs: 'Changed since by another program, or by you.' },
		{ path: 'b.txt', action: 'remove', theirs: 'Changed since by “Something else”.' },
	]);
	const safe = await app.restore(run.id, 6, { chat: false, memory: false });
	expect(safe.left.map(({ what }) => what)).toEqual(['a.txt', 'b.txt']);
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual(['by hand', 'from another chat']);
	const all = await app.restore(run.id, 6, { chat: false, memory: false, files: 'all' });
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual(['two', undefined]);
	app.writeOutside('a.txt', 'by hand again');
	const { left } = await app.rpc.runs.undoRestore({ restoreId: all.id });
	expect(left).toEqual([{ what: 'a.txt', why: 'Changed since the restore.' }]);
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual(['by hand again', 'from another chat']);
});

test('R4 an undo meets a folder where a file was: it is left, and the rest is taken back', async () => {
	const app = await runsApp(WORK);
	const { run } = await app.run('Do the work');
	const { id } = await app.restore(run.id, 6);
	expect([app.work('a.txt'), app.work('b.txt')]).toEqual(['two', undefined]);
	app.writeOutside('b.txt/note.txt', 'in the way');
	const { left } = await app.rpc.runs.undoRestore({ restoreId: id });
	expect(left).toEqual([{ what: 'b.txt', why: expect.any(String) }]);
	expect(app.work('a.txt')).toBeUndefined();
	// Nothing is held up by it.
	await app.run('And now?', run.sessionId);
});

test('R4 memory that was changed again since can’t be taken back, and that is said', async () => {
	const app = await runsApp([remember('The door is blue.'), says('Saved.')]);
	const { run } = await app.run('Remember the door');
	const entry = await app.entry('The door is blue.');
	await app.rpc.memory.edit({ entryId: entry.id, baseHash: entry.hash, text: 'The door is green.' });
	const record = await app.restore(run.id, 0, { chat: false, files: 'no' });
	expect(record.left).toEqual([{ what: 'The door is blue.', why: expect.stringContaining('changed again since') }]);
	expect(app.file('MEMORY.md')).toContain('The door is green.');
});

test('R4 nothing is restored under a run that is at work or waits; once stopped it can be, and its waiting call is judged anew', async () => {
	const app = await runsApp([write('a.txt', 'one'), send('letter'), send('letter'), says('Sent.')]);
	const { runId } = await app.rpc.chat.send({ text: 'Send it', attachmentIds: [], requestId: newId<string>() });
	await app.until(runId, 'waiting');
	await expect(app.restore(runId, 2)).rejects.toThrow('still waits');
	await app.rpc.chat.stop({ runId });
	const { newRunId = runId } = await app.restore(runId, 3);
	await app.rpc.runs.resume({ runId: newRunId, how: 'continue' });
	const asked = await app.until(newRunId, 'waiting');
	expect(asked.interrupts).toMatchObject([{ runId: newRunId, step: 4, detail: { kind: 'approval' } }]);
	expect(app.server?.log.requests).toHaveLength(2);
	await app.approving(newRunId, 'waiting', 'done');
	await app.approving(newRunId, 'done');
	expect(app.effects()).toEqual(['letter', 'letter']);
});
