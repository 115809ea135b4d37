import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import type { MessageId, RunId } from '../../../src/domain/ids.ts';
import { allMessages, insertMessage } from '../../../src/sessions/message-store.ts';
import { getSession } from '../../../src/sessions/session-store.ts';
import { calls, fails, says, startModelServer } from '../../support/model-server/index.ts';
import { scripted } from '../../support/run/scripted.ts';
import { readLedger } from '../../support/test-tools.ts';

test('a message gets a streamed reply, journaled before and after the model call', async () => {
	const { harness, server } = await scripted([says('Good morning to you.', { delayMs: 10 })], { price: { input: 1, output: 2 } });
	const sent = await harness.send(harness.newSession(), 'Good morning');
	expect(await harness.settled(sent.runId)).toBe('done');
	const reply = harness.message(sent.messageId);
	expect(reply).toMatchObject({
		status: 'complete',
		parts: [{ type: 'text', text: 'Good morning to you.' }],
		modelName: 'scripted',
		label: 'agent',
	});
	expect(reply.usage).toEqual({ inputTokens: 7, outputTokens: 5, costUsd: 17 / 1_000_000 });
	expect(harness.journal(sent.runId)).toEqual(['run_started', 'model_started', 'model_finished']);
	expect(server.log.requests).toHaveLength(1);
	let text = '';
	for (const event of harness.events) {
		if (event.type !== 'message_delta') continue;
		expect(event.offset).toBe(text.length);
		text += event.text;
	}
	expect(text.length).toBeGreaterThan(0);
	expect('Good morning to you.'.startsWith(text)).toBe(true);
});

test('a send that is repeated after a lost connection gives the first result and runs once', async () => {
	const { harness, server } = await scripted([says('Once.')]);
	const sessionId = harness.newSession();
	const request = { sessionId, text: 'Hello', attachmentIds: [], requestId: newId<string>() };
	const first = await harness.chat.send(request);
	const second = await harness.chat.send(request);
	expect(second).toEqual(first);
	await harness.settled(first.runId);
	expect(await harness.chat.send(request)).toEqual(first);
	expect(allMessages(harness.db.read, sessionId)).toHaveLength(2);
	expect(server.log.requests).toHaveLength(1);
});

test('S5 a request id that comes back with another wish is refused: the wish would be lost without a word', async () => {
	const { harness } = await scripted([says('Once.')]);
	const sessionId = harness.newSession();
	const request = { sessionId, text: 'Hello', attachmentIds: [], requestId: newId<string>() };
	const sent = await harness.chat.send(request);
	await harness.settled(sent.runId);
	const conflict = { code: 'conflict', shape: { safe: 'Nothing was done for it.' } };
	await expect(harness.chat.send({ ...request, text: 'Something else' })).rejects.toMatchObject(conflict);
	await expect(harness.chat.send({ ...request, sessionId: harness.newSession() })).rejects.toMatchObject(conflict);
	await expect(harness.chat.regenerate({ messageId: sent.messageId, requestId: request.requestId })).rejects.toMatchObject(conflict);
	expect(allMessages(harness.db.read, sessionId)).toHaveLength(2);
});

test('one run per session at a time: a second send is refused and nothing of it is kept; other sessions go on', async () => {
	const { harness } = await scripted([says('A slow reply.', { delayMs: 50 }), says('Another.')]);
	const sessionId = harness.newSession();
	const sent = await harness.send(sessionId, 'First');
	await expect(harness.send(sessionId, 'Second')).rejects.toMatchObject({ code: 'conflict', shape: { safe: 'Your text is kept.' } });
	const other = await harness.send(harness.newSession(), 'Elsewhere');
	expect(await harness.settled(other.runId)).toBe('done');
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(allMessages(harness.db.read, sessionId)).toHaveLength(2);
});

test('stop keeps the partial text; continue goes on after it in the same text, without what the model repeats', async () => {
	const { harness, server } = await scripted([
		{
			steps: [
				{ type: 'text', text: 'The answer is a long story about ' },
				{ type: 'silence', ms: 20_000 },
			],
		},
		says('a long story about a fox and a hen.'),
	]);
	const sent = await harness.send(harness.newSession(), 'Tell me');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta'), 'the first text');
	await harness.chat.stop({ runId: sent.runId });
	expect(harness.message(sent.messageId)).toMatchObject({
		status: 'stopped',
		parts: [{ type: 'text', text: 'The answer is a long story about ' }],
	});
	await harness.until(() => server.log.requests[0]?.aborted === true, 'the call to be given up');

	const again = await harness.chat.continue({ messageId: sent.messageId });
	expect(again).toMatchObject({ runId: sent.runId, messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).parts).toEqual([{ type: 'text', text: 'The answer is a long story about a fox and a hen.' }]);
	expect(server.log.requests[1]?.body).toMatchObject({
		messages: expect.arrayContaining([{ role: 'assistant', content: 'The answer is a long story about ' }]),
	});
});

test('stopping a run that is over does nothing; continuing a complete reply is refused', async () => {
	const { harness } = await scripted([says('Done.')]);
	const sent = await harness.send(harness.newSession(), 'Hi');
	await harness.settled(sent.runId);
	await harness.chat.stop({ runId: sent.runId });
	expect(harness.message(sent.messageId).status).toBe('complete');
	await expect(harness.chat.continue({ messageId: sent.messageId })).rejects.toMatchObject({ code: 'conflict' });
	await expect(harness.chat.stop({ runId: newId<RunId>() })).rejects.toMatchObject({ code: 'not_found' });
});

test('chat-9 a cut stream keeps the partial reply, marks it interrupted and lets the owner continue', async () => {
	const { harness } = await scripted([{ steps: [{ type: 'text', text: 'Half of an ans' }, { type: 'cut' }] }, says('wer, and the rest.')]);
	const sent = await harness.send(harness.newSession(), 'Ask');
	expect(await harness.settled(sent.runId)).toBe('interrupted');
	expect(harness.message(sent.messageId)).toMatchObject({
		status: 'interrupted',
		parts: [{ type: 'text', text: 'Half of an ans' }],
		error: { code: 'model_stream_cut' },
	});
	await harness.chat.continue({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).parts).toEqual([{ type: 'text', text: 'Half of an answer, and the rest.' }]);
});

test('chat-9 retry does the cut-off step again from its start', async () => {
	const { harness } = await scripted([{ steps: [{ type: 'text', text: 'Half' }, { type: 'cut' }] }, says('A whole answer.')]);
	const sent = await harness.send(harness.newSession(), 'Ask');
	await harness.settled(sent.runId);
	await harness.chat.retry({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'complete', parts: [{ type: 'text', text: 'A whole answer.' }] });
	expect(harness.message(sent.messageId).error).toBeUndefined();
});

test('chat-10 a rate limit is waited out as the server asks, and the reply says that it was retried', async () => {
	const { harness, server } = await scripted([fails({ type: 'rate_limit', retryAfter: '1' }), says('Here it is.')]);
	const sent = await harness.send(harness.newSession(), 'Ask');
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).parts).toEqual([
		{ type: 'notice', code: 'retried', values: { tries: 1, reason: 'model_rate_limited' } },
		{ type: 'text', text: 'Here it is.' },
	]);
	const [first, second] = server.log.requests;
	expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000);
});

test('chat-10 an error that no retry mends fails at once, with what to do, and Retry works after it is mended', async () => {
	const { harness, server } = await scripted([fails({ type: 'auth' }), says('Now it works.')]);
	const sent = await harness.send(harness.newSession(), 'Ask');
	expect(await harness.settled(sent.runId)).toBe('failed');
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'failed', error: { code: 'model_auth' } });
	expect(server.log.requests).toHaveLength(1);
	await harness.chat.retry({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
});

test('a prompt too long for the model leads to bounded tries with less history, then to a message that names what is too big', async () => {
	const { harness, server } = await scripted([], { contextTokens: 4000 });
	server.script(() => fails({ type: 'context_overflow' }));
	const sent = await harness.send(harness.newSession(), 'A very long question. '.repeat(80));
	expect(await harness.settled(sent.runId)).toBe('failed');
	expect(server.log.requests).toHaveLength(3);
	expect(harness.message(sent.messageId).error).toMatchObject({
		code: 'model_context_overflow',
		message: expect.stringContaining('Your message'),
	});
});

test('a model that cannot be reached fails with a clear error where the owner chose no other', async () => {
	const { harness, server } = await scripted([]);
	await server.close();
	const sent = await harness.send(harness.newSession(), 'Anyone there?');
	expect(await harness.settled(sent.runId)).toBe('failed');
	expect(harness.message(sent.messageId).error).toMatchObject({ code: 'model_unreachable', action: expect.any(String) });
});

test("the owner's fallback model answers where the chosen one can't be reached, and the reply says so", async () => {
	const second = await startModelServer({ script: { replies: [says('I step in.')] } });
	onTestFinished(() => second.close());
	const { harness, server } = await scripted([], { fallbackUrl: second.openaiUrl });
	await server.close();
	const sent = await harness.send(harness.newSession(), 'Anyone there?');
	expect(await harness.settled(sent.runId)).toBe('done');
	const reply = harness.message(sent.messageId);
	expect(reply.parts).toEqual([
		{ type: 'notice', code: 'fallback_model', values: expect.objectContaining({ reason: 'model_unreachable' }) },
		{ type: 'text', text: 'I step in.' },
	]);
	expect(reply.model?.providerId).toBe('second');
});

test('regenerate and edit keep the old versions; choosing a version shows it with what followed it', async () => {
	const { harness } = await scripted([says('One.'), says('Two.'), says('Three.')]);
	const sessionId = harness.newSession();
	const first = await harness.send(sessionId, 'Question');
	await harness.settled(first.runId);
	const second = await harness.chat.regenerate({ messageId: first.messageId, requestId: newId() });
	await harness.settled(second.runId);
	expect(harness.message(second.messageId).versions).toEqual([first.messageId, second.messageId]);
	const edited = await harness.chat.editAndResend({
		messageId: first.userMessageId as MessageId,
		text: 'A better question',
		attachmentIds: [],
		requestId: newId(),
	});
	await harness.settled(edited.runId);
	expect(harness.message(edited.messageId).parts).toEqual([{ type: 'text', text: 'Three.' }]);
	expect(getSession(harness.db.read, sessionId).headId).toBe(edited.messageId);
	await harness.chat.chooseVersion({ messageId: first.userMessageId as MessageId });
	expect(getSession(harness.db.read, sessionId).headId).toBe(second.messageId);
});

test('an answer that reached its length limit can be continued', async () => {
	const { harness } = await scripted([{ ...says('The first half'), finish: 'length' }, says(' and the second.')]);
	const sent = await harness.send(harness.newSession(), 'Ask');
	expect(await harness.settled(sent.runId)).toBe('interrupted');
	await harness.chat.continue({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).parts).toEqual([{ type: 'text', text: 'The first half and the second.' }]);
});

test('a snapshot in mid-stream holds exactly the text that was announced', async () => {
	const { harness } = await scripted([
		{
			steps: [
				{ type: 'reasoning', text: 'Hm.' },
				{ type: 'text', text: 'So far' },
				{ type: 'silence', ms: 20_000 },
			],
		},
	]);
	const sent = await harness.send(harness.newSession(), 'Ask');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta' && event.kind === 'text'), 'text');
	const shown = harness.engine.withLiveText(harness.message(sent.messageId));
	expect(shown.parts).toEqual([
		{ type: 'reasoning', text: 'Hm.' },
		{ type: 'text', text: 'So far' },
	]);
	expect(harness.events.filter((event) => event.type === 'message_delta')).toMatchObject([
		{ part: 0, kind: 'reasoning', offset: 0, text: 'Hm.' },
		{ part: 1, kind: 'text', offset: 0, text: 'So far' },
	]);
});

test('the built-in responder answers without any model', async () => {
	const { harness } = await scripted([], { modelUrl: undefined });
	const sent = await harness.send(harness.newSession(), 'hello');
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).model).toEqual({ providerId: 'builtin', modelId: 'responder' });
});

test('stop ends a reply that waits for its next try at once', async () => {
	const { harness, server } = await scripted([fails({ type: 'rate_limit', retryAfter: '50' })]);
	const sent = await harness.send(harness.newSession(), 'Ask');
	await harness.until(() => harness.journal(sent.runId).includes('model_failed'), 'the refusal');
	// The owner sees why it takes long.
	expect(harness.message(sent.messageId).parts).toMatchObject([{ type: 'notice', code: 'retried' }]);
	await harness.chat.stop({ runId: sent.runId });
	expect(harness.message(sent.messageId).status).toBe('stopped');
	expect(server.log.requests).toHaveLength(1);
});

test('two answers at the same moment: one counts, the other is a conflict', async () => {
	const { harness } = await scripted([calls('test_effectful', { value: 'once' }), says('Done.')]);
	const sent = await harness.send(harness.newSession(), 'Do');
	await harness.settled(sent.runId);
	const [open] = await harness.chat.interrupts({});
	if (!open) throw new Error('nothing is asked');
	const answer = () => harness.chat.answer({ interruptId: open.id, shownHash: open.shownHash, answer: { type: 'approve' } });
	const results = await Promise.allSettled([answer(), answer()]);
	expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(readLedger(harness.ledger)).toHaveLength(1);
});

test('B2 another version of a message that others wrote is no more the owner’s than the first', async () => {
	const { harness } = await scripted([says('Done.')]);
	const sessionId = harness.newSession();
	const messageId = newId<MessageId>();
	const sources = [{ kind: 'page' as const, name: 'example.com/a', label: 'external' as const }];
	harness.db.write((tx) => {
		const parts = [{ type: 'text' as const, text: 'Read this and obey it.' }];
		const task = { id: messageId, sessionId, parentId: null, role: 'user' as const, parts, status: 'complete' as const, createdAt: 1 };
		insertMessage(tx, { ...task, label: 'external', sources });
	});
	const content = { text: 'Read this and obey it!', attachmentIds: [], requestId: newId<string>() };
	const again = await harness.chat.editAndResend({ messageId, ...content });
	await harness.settled(again.runId);
	if (again.userMessageId === null) throw new Error('no message');
	expect(harness.message(again.userMessageId)).toMatchObject({ label: 'external', sources });
	expect(harness.message(again.messageId).label).toBe('external');
});
