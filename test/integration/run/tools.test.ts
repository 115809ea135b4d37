import { expect, test } from 'vitest';
import type { ToolPart } from '../../../src/domain/message.ts';
import type { Interrupt } from '../../../src/domain/run.ts';
import { calls, type Reply, says } from '../../support/model-server/index.ts';
import type { Harness } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { readLedger, testTools } from '../../support/test-tools.ts';

function toolParts(harness: Harness, messageId: Parameters<Harness['message']>[0]): ToolPart[] {
	return harness.message(messageId).parts.filter((part) => part.type === 'tool');
}

async function openInterrupt(harness: Harness): Promise<Interrupt> {
	const [interrupt] = await harness.chat.interrupts({});
	if (!interrupt) throw new Error('nothing is asked');
	return interrupt;
}

const prints = (text: string): Reply => ({ steps: [...text].map((character) => ({ type: 'text' as const, text: character })) });

test('a pure tool runs and its result goes back to the model; the steps of one turn are one message', async () => {
	const { harness, server } = await scripted([calls('test_pure', { value: 'a look' }, { text: 'Let me see.' }), says('I saw it.')]);
	const sent = await harness.send(harness.newSession(), 'Look');
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).parts).toMatchObject([
		{ type: 'text', text: 'Let me see.' },
		{ type: 'tool', tool: 'test_pure', status: 'done', result: { text: 'test_pure did a look', isError: false } },
		{ type: 'text', text: 'I saw it.' },
	]);
	expect(harness.journal(sent.runId)).toEqual([
		'run_started',
		'model_started',
		'model_finished',
		'tool_started',
		'tool_finished',
		'model_started',
		'model_finished',
	]);
	expect(server.log.requests[1]?.body).toMatchObject({
		messages: expect.arrayContaining([expect.objectContaining({ role: 'tool', content: 'test_pure did a look' })]),
	});
});

test('several calls of one reply run one after the other, each once', async () => {
	const { harness } = await scripted([
		{ steps: [1, 2, 3].map((n) => ({ type: 'tool_call' as const, tool: 'test_idempotent', args: { value: `${n}` } })) },
		says('All done.'),
	]);
	const sent = await harness.send(harness.newSession(), 'Do three');
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(readLedger(harness.ledger).map((line) => line.value)).toEqual(['1', '2', '3']);
	expect(new Set(readLedger(harness.ledger).map((line) => line.key)).size).toBe(3);
});

test.each<[string, Reply]>([
	['made', { steps: Array.from({ length: 300 }, () => ({ type: 'tool_call' as const, tool: 'test_pure', args: { value: 'a look' } })) }],
	['printed', says('{"name":"test_pure","arguments":{"value":"a look"}}\n'.repeat(300))],
])('chat-7 calls without end, %s, end the reply with a clear error; none of them runs', async (_, reply) => {
	const { harness, server } = await scripted([reply]);
	const sent = await harness.send(harness.newSession(), 'Look');
	expect(await harness.settled(sent.runId)).toBe('failed');
	expect(harness.message(sent.messageId).error).toMatchObject({ code: 'model_bad_response', safe: 'None of them was run.' });
	expect(readLedger(harness.ledger)).toEqual([]);
	expect(server.log.requests).toHaveLength(1);
});

test('B3 an effectful tool waits for the owner; the approved bytes run, and only once', async () => {
	const { harness } = await scripted([calls('test_effectful', { value: 'send it' }), says('Sent.')]);
	const sent = await harness.send(harness.newSession(), 'Send it');
	expect(await harness.settled(sent.runId)).toBe('waiting');
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'waiting', parts: [{ type: 'tool', status: 'waiting' }] });
	const interrupt = await openInterrupt(harness);
	expect(interrupt.detail).toMatchObject({ kind: 'approval', tool: 'test_effectful', rule: 'effectful', args: { value: 'send it' } });
	const { id: interruptId, shownHash } = interrupt;
	await expect(harness.chat.answer({ interruptId, shownHash: 'f'.repeat(64), answer: { type: 'approve' } })).rejects.toMatchObject({
		code: 'stale',
	});
	await expect(harness.chat.answer({ interruptId, shownHash, answer: { type: 'happened', result: '' } })).rejects.toMatchObject({
		code: 'invalid_input',
	});
	expect(readLedger(harness.ledger)).toEqual([]);
	expect(await harness.chat.answer({ interruptId, shownHash, answer: { type: 'approve' } })).toMatchObject({ status: 'answered' });
	await expect(harness.chat.answer({ interruptId, shownHash, answer: { type: 'approve' } })).rejects.toMatchObject({ code: 'conflict' });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(readLedger(harness.ledger).map((line) => line.value)).toEqual(['send it']);
});

test('a refusal is told to the model with its reason, and nothing runs', async () => {
	const { harness, server } = await scripted([calls('test_effectful', { value: 'x' }), says('Very well.')]);
	const sent = await harness.send(harness.newSession(), 'Do');
	await harness.settled(sent.runId);
	const { id: interruptId, shownHash } = await openInterrupt(harness);
	await harness.chat.answer({ interruptId, shownHash, answer: { type: 'reject', reason: 'not today' } });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(toolParts(harness, sent.messageId)).toMatchObject([{ status: 'denied', result: { isError: true } }]);
	expect(JSON.stringify(server.log.requests[1]?.body)).toContain('not today');
	expect(readLedger(harness.ledger)).toEqual([]);
});

test('B2 what came from outside is remembered as the label of the turn, and named in the question', async () => {
	const folder = temporaryFolder();
	const tools = testTools(`${folder}/ledger.jsonl`, { label: 'external' });
	const { harness } = await scripted([calls('test_pure', {}), calls('test_effectful', {})], { folder, tools });
	const sent = await harness.send(harness.newSession(), 'Read, then act');
	expect(await harness.settled(sent.runId)).toBe('waiting');
	expect((await openInterrupt(harness)).detail).toMatchObject({ label: 'external', rule: 'effectful_from_outside' });
	expect(harness.message(sent.messageId).label).toBe('external');
});

test('stopping a run that waits lets its question expire', async () => {
	const { harness } = await scripted([calls('test_effectful', {})]);
	const sent = await harness.send(harness.newSession(), 'Do');
	await harness.settled(sent.runId);
	const { id: interruptId, shownHash } = await openInterrupt(harness);
	await harness.chat.stop({ runId: sent.runId });
	expect(await harness.chat.interrupts({})).toEqual([]);
	await expect(harness.chat.answer({ interruptId, shownHash, answer: { type: 'approve' } })).rejects.toMatchObject({ code: 'conflict' });
	expect(toolParts(harness, sent.messageId)).toMatchObject([{ status: 'stopped' }]);
	await harness.chat.retry({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('waiting');
	expect((await openInterrupt(harness)).id).not.toBe(interruptId);
});

test('stopping in the middle of an effect says that it may have happened; retry asks instead of repeating it (R2)', async () => {
	const { harness } = await scripted([calls('test_effectful', { value: 'half', afterMs: 20_000 }), says('Noted.')]);
	const sent = await harness.send(harness.newSession(), 'Do');
	await harness.settled(sent.runId);
	const approval = await openInterrupt(harness);
	await harness.chat.answer({ interruptId: approval.id, shownHash: approval.shownHash, answer: { type: 'approve' } });
	await harness.until(() => readLedger(harness.ledger).length === 1, 'the effect');
	await harness.chat.stop({ runId: sent.runId });
	expect(toolParts(harness, sent.messageId)).toMatchObject([
		{ status: 'unknown', result: { text: expect.stringContaining('may have taken effect') } },
	]);
	await harness.chat.retry({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('waiting');
	const question = await openInterrupt(harness);
	expect(question.detail.kind).toBe('did_it_happen');
	await harness.chat.answer({ interruptId: question.id, shownHash: question.shownHash, answer: { type: 'happened', result: 'ok' } });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(readLedger(harness.ledger)).toHaveLength(1);
});

test('a tool that fails, takes too long or says too much gives the model a result it can read (chat-4)', async () => {
	const folder = temporaryFolder();
	const tools = testTools(`${folder}/ledger.jsonl`, { timeoutMs: 200, outputCap: 1001 });
	const { harness } = await scripted(
		[
			{
				steps: [
					{ type: 'tool_call', tool: 'test_pure', args: { fail: true } },
					{ type: 'tool_call', tool: 'test_pure', args: { beforeMs: 20_000 } },
					{ type: 'tool_call', tool: 'test_pure', args: { length: 4000 } },
				],
			},
			says('I see.'),
		],
		{ folder, tools },
	);
	const sent = await harness.send(harness.newSession(), 'Try');
	expect(await harness.settled(sent.runId)).toBe('done');
	const [failed, slow, long] = toolParts(harness, sent.messageId);
	expect(failed).toMatchObject({ status: 'failed', result: { text: 'It failed: it was told to fail', isError: true } });
	expect(slow).toMatchObject({ status: 'failed', result: { text: expect.stringContaining('not done after 1 s') } });
	expect(long?.result?.text).toBe(`${'😀'.repeat(500)}\n[cut here: 2999 more characters]`);
});

test('chat-7 a call printed as text is recovered, run, and not left in the answer', async () => {
	for (const printed of [
		'{"name": "test_pure", "arguments": {"value": "bare"}}',
		'I will look.\n```json\n{"tool": "test_pure", "args": {"value": "fenced",},}\n```',
		'<tool_call>\n{"name": "test_pure", "arguments": {"value": "tagged"}}\n</tool_call>',
	]) {
		const { harness } = await scripted([prints(printed), says('Done.')]);
		const sent = await harness.send(harness.newSession(), 'Look');
		expect(await harness.settled(sent.runId)).toBe('done');
		const { parts } = harness.message(sent.messageId);
		expect(parts.filter((part) => part.type === 'tool')).toMatchObject([{ tool: 'test_pure', status: 'done' }]);
		expect(parts.filter((part) => part.type === 'notice')).toMatchObject([{ code: 'tool_call_repaired', values: { tool: 'test_pure' } }]);
		const shown = harness.events.map((event) => (event.type === 'message_delta' ? event.text : '')).join('');
		const kept = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
		for (const text of [shown, kept]) expect(text).not.toMatch(/[{}`<]|test_pure/);
	}
});

test('chat-7 arguments that can not be read are handed back once; a second time the reply fails clearly', async () => {
	const bad = calls('test_pure', '{"beforeMs": "soon"}');
	const once = await scripted([bad, calls('test_pure', '{"value": "mended",}'), says('There.')]);
	const first = await once.harness.send(once.harness.newSession(), 'Look');
	expect(await once.harness.settled(first.runId)).toBe('done');
	expect(toolParts(once.harness, first.messageId)).toMatchObject([{ status: 'failed' }, { status: 'done', args: { value: 'mended' } }]);

	const twice = await scripted([bad, bad, says('Third try.')]);
	const second = await twice.harness.send(twice.harness.newSession(), 'Look');
	expect(await twice.harness.settled(second.runId)).toBe('failed');
	expect(twice.harness.message(second.messageId).error).toMatchObject({ code: 'model_bad_tool_call' });
	await twice.harness.chat.retry({ messageId: second.messageId });
	expect(await twice.harness.settled(second.runId)).toBe('done');
});

test('a tool that does not exist is denied, and the model is told which do', async () => {
	const { harness } = await scripted([calls('format_disk', {}), says('Sorry.')]);
	const sent = await harness.send(harness.newSession(), 'Do');
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(toolParts(harness, sent.messageId)).toMatchObject([{ status: 'denied', result: { text: expect.stringContaining('test_pure') } }]);
});

test('a turn makes no more model calls than it may; the owner can let it go on', async () => {
	const { harness } = await scripted([calls('test_pure', {}), calls('test_pure', {}), says('At last.')], { maxModelCalls: 2 });
	const sent = await harness.send(harness.newSession(), 'Loop');
	expect(await harness.settled(sent.runId)).toBe('interrupted');
	expect(harness.message(sent.messageId)).toMatchObject({ error: { code: 'run_step_limit' } });
	expect(harness.message(sent.messageId).parts.at(-1)).toMatchObject({ type: 'notice', code: 'step_limit' });
	await harness.chat.continue({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
});

test('deleting the session of a run at work or waiting ends it without a trace', async () => {
	const { harness, server } = await scripted([
		{
			steps: [
				{ type: 'text', text: 'Going ' },
				{ type: 'silence', ms: 20_000 },
			],
		},
	]);
	const { deleteSession } = await import('../../../src/sessions/session-store.ts');
	const sessionId = harness.newSession();
	const sent = await harness.send(sessionId, 'Hi');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta'), 'text');
	harness.db.write((tx) => deleteSession(tx, sessionId));
	await harness.engine.endDeleted();
	await harness.until(() => server.log.requests[0]?.aborted === true, 'the end of the call');
	expect(await harness.settled(sent.runId)).toBe('gone');
});

test('a call that the length limit cut off is not run as what is left of it', async () => {
	const cut = calls('test_idempotent', '{"value": "to all but A');
	const { harness } = await scripted([{ ...cut, finish: 'length' }, says('Again.')]);
	const sent = await harness.send(harness.newSession(), 'Do');
	expect(await harness.settled(sent.runId)).toBe('interrupted');
	expect(readLedger(harness.ledger)).toEqual([]);
	await harness.chat.retry({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
});
