import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import { ProviderId } from '../../../src/domain/ids.ts';
import { messageText } from '../../../src/domain/message.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { toolParts } from '../../support/run/memory-app.ts';
import { type RunsApp, runsApp } from '../../support/run/runs-app.ts';

const write = (path: string, content: string) => calls('write_file', { path, content });
const send = (value: string) => calls('test_effectful', { value });

/** Steps: 2 a.txt, 4 sends, 6 b.txt, 7 says. */
const WORK = [write('a.txt', 'one'), send('letter'), write('b.txt', 'new'), says('All done.')];

function fork(app: RunsApp, runId: RunId, step: number, more: { text?: string; model?: { providerId: ProviderId; modelId: string } } = {}) {
	return app.rpc.runs.fork({ runId, step, ...more, requestId: newId<string>() });
}

test('R4 a fork goes on after the step in a chat of its own: what was finished is taken over and not done again', async () => {
	const app = await runsApp([...WORK, says('Another end.')]);
	const { run } = await app.run('Do the work');
	const forked = await fork(app, run.id, 4);
	const after = await app.until(forked.runId, 'done');
	expect(forked.sessionId).not.toBe(run.sessionId);
	expect(after.run).toMatchObject({ kind: 'chat', from: { runId: run.id, step: 4, how: 'fork' } });
	expect(after.steps.map(({ step, tries }) => [step, tries])).toEqual([
		[1, 1],
		[2, 1],
		[3, 1],
		[4, 1],
		[5, 1],
	]);
	const [question, reply] = await app.messages(forked.sessionId);
	expect(question && messageText(question)).toBe('Do the work');
	expect(reply?.parts.map((part) => (part.type === 'notice' ? part.code : part.type))).toEqual(['tool', 'tool', 'forked_here', 'text']);
	expect(app.effects()).toEqual(['letter']);
	expect(app.server?.log.requests).toHaveLength(5);
	// It is told of what was done as of its own.
	expect(app.server?.log.requests[4]?.body).toMatchObject({
		messages: expect.arrayContaining([expect.objectContaining({ role: 'tool', content: 'test_effectful did letter' })]),
	});
	const { sessions } = await app.rpc.sessions.list();
	expect(sessions.map(({ title }) => title)).toContain('Fork of Do the work');
	// The other run is as it was, and knows of it.
	const original = await app.rpc.runs.get({ runId: run.id });
	expect(original.run.status).toBe('done');
	expect(original.branches.map(({ id }) => id)).toEqual([forked.runId]);
});

test('R4 a fork with an edited message and another model', async () => {
	const app = await runsApp([...WORK, says('As you say now.')]);
	const { run } = await app.run('Do the work');
	const providerId = ProviderId.parse('scripted');
	const forked = await fork(app, run.id, 2, { text: 'Do other work', model: { providerId, modelId: 'second' } });
	const after = await app.until(forked.runId, 'done');
	expect(after.run.title).toBe('Do other work');
	expect(after.model).toEqual({ providerId, modelId: 'second' });
	const body = app.server?.log.requests[4]?.body as { model: string; messages: { role: string; content: unknown }[] };
	expect(body.model).toBe('second');
	expect(JSON.stringify(body.messages)).toContain('Do other work');
	expect(JSON.stringify(body.messages)).not.toContain('Do the work');
	const [question] = await app.messages(forked.sessionId);
	expect(question).toMatchObject({ label: 'owner', parts: [{ type: 'text', text: 'Do other work' }] });
	expect(app.effects()).toEqual(['letter']);
});

test('R4 the same request twice is one fork; another wish under its id is refused', async () => {
	const app = await runsApp([...WORK, says('Another end.')]);
	const { run } = await app.run('Do the work');
	const asked = { runId: run.id, step: 4, requestId: newId<string>() };
	const first = await app.rpc.runs.fork(asked);
	expect(await app.rpc.runs.fork(asked)).toEqual(first);
	await expect(app.rpc.runs.fork({ ...asked, step: 2 })).rejects.toThrow('different one');
	await app.until(first.runId, 'done');
	expect((await app.rpc.sessions.list()).sessions).toHaveLength(2);
});

test('R4 a fork at a call that waits drops its question and judges the call anew', async () => {
	const app = await runsApp([...WORK.slice(0, 2), says('Another end.'), says('The first end.')]);
	const { runId } = await app.rpc.chat.send({ text: 'Do the work', attachmentIds: [], requestId: newId<string>() });
	await app.until(runId, 'waiting');
	const forked = await fork(app, runId, 4);
	const asked = await app.until(forked.runId, 'waiting');
	expect(asked.interrupts).toMatchObject([{ runId: forked.runId, step: 4 }]);
	await app.approving(forked.runId, 'done');
	expect((await app.rpc.runs.get({ runId })).run.status).toBe('waiting');
	await app.approving(runId, 'done');
	// Each of the two runs was allowed its own.
	expect(app.effects()).toEqual(['letter', 'letter']);
});

test('R4 what the other run waited for is told in the fork as it was', async () => {
	const app = await runsApp([calls('ask_owner', { question: 'Which door?' }), says('Blue, then.'), says('Blue it is.')]);
	const { runId } = await app.rpc.chat.send({ text: 'Ask me', attachmentIds: [], requestId: newId<string>() });
	const [asked] = (await app.until(runId, 'waiting')).interrupts;
	if (!asked) throw new Error('nothing is asked');
	await app.rpc.chat.answer({ interruptId: asked.id, shownHash: asked.shownHash, answer: { type: 'reply', text: 'blue' } });
	await app.until(runId, 'done');
	const forked = await fork(app, runId, 2);
	const { steps } = await app.until(forked.runId, 'done');
	expect(steps[1]).toMatchObject({ kind: 'question', title: 'Ask: Which door?', status: 'done' });
	expect((await app.rpc.runs.step({ runId: forked.runId, step: 2 })).output).toBe('blue');
});

test('R4 several calls of one model reply: a fork between them goes on with the next one', async () => {
	const steps = ['one', 'two', 'three'].map((value) => ({ type: 'tool_call' as const, tool: 'test_idempotent', args: { value } }));
	const app = await runsApp([{ steps }, says('Done.'), says('Done again.')]);
	const { run } = await app.run('Do three');
	const forked = await fork(app, run.id, 3);
	await app.until(forked.runId, 'done');
	expect(app.server?.log.requests).toHaveLength(3);
	const [, reply] = await app.messages(forked.sessionId);
	expect(reply && toolParts(reply).map(({ args, status }) => [args, status])).toMatchObject([
		[{ value: 'one' }, 'done'],
		[{ value: 'two' }, 'done'],
		[{ value: 'three' }, 'done'],
	]);
});

test('R4 after the last step there is nothing to go on with; nothing is made', async () => {
	const app = await runsApp(WORK);
	const { run } = await app.run('Do the work');
	await expect(fork(app, run.id, 7)).rejects.toThrow('nothing that could go on');
	expect((await app.rpc.sessions.list()).sessions).toHaveLength(1);
});

test('R4 files that a fork took over are those of another chat: restoring it leaves them unless the owner wants all', async () => {
	const app = await runsApp([...WORK, says('Another end.')]);
	const { run } = await app.run('Do the work');
	const forked = await fork(app, run.id, 6);
	await app.until(forked.runId, 'done');
	expect((await app.rpc.runs.restorePreview({ runId: forked.runId, step: 2 })).files).toEqual([
		{ path: 'b.txt', action: 'remove', theirs: 'Changed since by “Do the work”.' },
	]);
});
