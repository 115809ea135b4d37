import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openInterrupts } from '../../../src/approvals/approval-store.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import { ProviderId } from '../../../src/domain/ids.ts';
import { messageText, type ToolPart } from '../../../src/domain/message.ts';
import type { InterruptAnswer } from '../../../src/domain/run.ts';
import type { WorkBeginning } from '../../../src/run/begin.ts';
import { findRun, getRun } from '../../../src/run/journal-store.ts';
import { listSessions } from '../../../src/sessions/session-store.ts';
import type { Tool } from '../../../src/tools/port.ts';
import { calls, type RecordedRequest, type Reply, says } from '../../support/model-server/index.ts';
import type { Harness } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { durableTools } from '../../support/run/tools.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { readLedger } from '../../support/test-tools.ts';

async function durable(replies: Reply[] = []) {
	const folder = temporaryFolder();
	const alive = new Set<string>();
	return { ...(await scripted(replies, { folder, tools: durableTools(`${folder}/ledger.jsonl`, alive) })), alive };
}

type Scripted = [tool: string, args: object][];
const scriptOf = (script: Scripted) => script.map(([tool, args], index) => ({ callId: `call_${index}`, tool, args: JSON.stringify(args) }));

/** Adds it and leaves it as it is: nothing is driven. */
function add(harness: Harness, key: string, given: Partial<WorkBeginning>) {
	const work = { kind: 'workflow', beginKey: key, title: key, task: `Do ${key}`, label: 'owner', ...given } as const;
	return harness.db.write((tx) => harness.engine.beginWork(tx, work));
}

function begin(harness: Harness, key: string, given: Partial<WorkBeginning>): RunId {
	const { runId } = add(harness, key, given);
	harness.engine.start(runId);
	return runId;
}

const toolsOf = (harness: Harness, runId: RunId): ToolPart[] =>
	harness.message(getRun(harness.db.read, runId).messageId).parts.filter((part) => part.type === 'tool');
const status = (harness: Harness, runId: RunId) => findRun(harness.db.read, runId)?.status;

async function answer(harness: Harness, runId: RunId, given: InterruptAnswer): Promise<void> {
	await harness.until(() => openInterrupts(harness.db.read, { runId }).length > 0, 'a question');
	const [interrupt] = openInterrupts(harness.db.read, { runId });
	if (interrupt) await harness.chat.answer({ interruptId: interrupt.id, shownHash: interrupt.shownHash, answer: given });
}

async function settledAs(harness: Harness, runId: RunId, wanted: string): Promise<void> {
	await harness.until(() => status(harness, runId) === wanted, `run ${runId} to be ${wanted}, it is ${status(harness, runId)}`);
}

test('a script makes its calls through the gate, without a model, waits where they wait, and is done after the last', async () => {
	const { harness, server } = await durable();
	const runId = begin(harness, 'script', {
		script: scriptOf([
			['test_pure', { value: 'a' }],
			['ask_owner', { question: 'Which?' }],
			['test_effectful', { value: 'b' }],
			['wait_for_event', { name: 'go' }],
		]),
	});
	await answer(harness, runId, { type: 'reply', text: 'this one' });
	await answer(harness, runId, { type: 'approve' });
	await settledAs(harness, runId, 'sleeping');
	harness.engine.signal('go' as never, 7, 'owner');
	await settledAs(harness, runId, 'done');
	expect(toolsOf(harness, runId).map(({ tool, status: how, result }) => [tool, how, result?.text])).toEqual([
		['test_pure', 'done', 'test_pure did a'],
		['ask_owner', 'done', 'this one'],
		['test_effectful', 'done', 'test_effectful did b'],
		['wait_for_event', 'done', 'It happened. What came with it: 7'],
	]);
	expect(server.log.requests).toEqual([]);
	expect(listSessions(harness.db.read)).toEqual([]);
	expect(getRun(harness.db.read, runId)).toMatchObject({ kind: 'workflow', title: 'script', step: 4 });
});

test('a script fails with its first call that does not succeed; Retry and Continue do that call again, and nothing before it', async () => {
	const { harness } = await durable();
	const runId = begin(harness, 'failing', {
		script: scriptOf([
			['test_idempotent', { value: 'first' }],
			['test_effectful', { value: 'second' }],
			['test_idempotent', { value: 'third' }],
		]),
	});
	for (const how of ['continued', 'retried'] as const) {
		await answer(harness, runId, { type: 'reject', reason: 'Not today.' });
		await settledAs(harness, runId, 'failed');
		expect(harness.message(getRun(harness.db.read, runId).messageId).error).toMatchObject({
			code: 'tool_failed',
			message: '“test_effectful” did not succeed: The owner said no: Not today.',
		});
		expect(toolsOf(harness, runId).map((part) => part.status)).toEqual(['done', 'denied', 'stopped']);
		harness.engine.resume(runId, how);
	}
	await answer(harness, runId, { type: 'approve' });
	await settledAs(harness, runId, 'done');
	expect(readLedger(harness.ledger).map(({ value }) => value)).toEqual(['first', 'second', 'third']);
});

test('work is begun once for its key, and goes on in the session that it is given', async () => {
	const { harness } = await durable();
	const first = add(harness, 'key', { script: scriptOf([['test_pure', {}]]) });
	expect(first.fresh).toBe(true);
	expect(add(harness, 'key', { task: 'something else' })).toEqual({ ...first, fresh: false });
	harness.engine.start(first.runId);
	await settledAs(harness, first.runId, 'done');
	const next = add(harness, 'next', { sessionId: first.sessionId, script: scriptOf([['test_pure', {}]]) });
	const task = harness.message(next.messageId).parentId;
	expect(task && harness.message(task)).toMatchObject({ parentId: first.messageId, label: 'owner' });
	expect(() => add(harness, 'third', { sessionId: first.sessionId })).toThrow(expect.objectContaining({ code: 'conflict' }));
});

test('a run is offered the tools of its terms only and gets no other by name; it may be given a model of its own', async () => {
	const { harness, server } = await durable([calls('test_effectful', {}), says('Then not.')]);
	const model = { providerId: ProviderId.parse('scripted'), modelId: 'another' };
	const runId = begin(harness, 'limited', { tools: ['test_pure'], model });
	await settledAs(harness, runId, 'done');
	const body = server.log.requests[0]?.body as { model: string; tools: { function: { name: string } }[] };
	expect([body.model, body.tools.map((tool) => tool.function.name)]).toEqual(['another', ['test_pure']]);
	expect(toolsOf(harness, runId)).toMatchObject([
		{ status: 'denied', result: { text: expect.stringContaining('The tools are: test_pure.') } },
	]);
	expect(readLedger(harness.ledger)).toEqual([]);
});

test('the plan is kept by the run, told with each step and changed as it may; what may not be is an error that the model reads', async () => {
	const { harness, server } = await durable([
		calls('plan', { add: [{ text: 'Look' }, { text: 'Write' }] }),
		calls('plan', {
			update: [
				{ id: '1', state: 'done', note: 'three files' },
				{ id: '2', state: 'doing' },
			],
		}),
		calls('plan', { update: [{ id: '1', state: 'doing' }] }),
		says('Fine.'),
	]);
	const { runId } = await harness.send(harness.newSession(), 'Work');
	await settledAs(harness, runId, 'done');
	const { state } = harness.engine.log.load(runId);
	expect(state.progress.plan?.steps.map(({ id, state: how }) => [id, how])).toEqual([
		['1', 'done'],
		['2', 'doing'],
	]);
	expect(toolsOf(harness, runId).map((part) => [part.status, part.result?.summary])).toEqual([
		['done', '0 of 2'],
		['done', '1 of 2'],
		['failed', undefined],
	]);
	const system = (at: number) =>
		(server.log.requests[at]?.body as { messages?: { content: string }[] } | undefined)?.messages?.[0]?.content;
	expect(system(0)).not.toContain('Your plan');
	expect(system(3)).toContain('# Your plan as it stands\n\n1. [done] Look (three files)\n2. [doing] Write');
});

test('live resources: what reopens is opened anew before the run goes on, the rest is torn down, and the model is told', async () => {
	const { harness, server, alive, reopen } = await durable();
	server.script((request) => {
		const done = (request.body as { messages: { role: string }[] }).messages.filter(({ role }) => role === 'tool').length;
		const next = [
			calls('test_open', { what: 'browser', reopens: true }),
			calls('test_open', { what: 'shell' }),
			calls('test_open', { what: 'socket' }),
			calls('test_open', { what: 'socket', close: true }),
			calls('ask_owner', { question: 'Go on?' }),
			calls('ask_owner', { question: 'And now?' }),
		];
		return next[done] ?? says('Done.');
	});
	const { runId, messageId } = await harness.send(harness.newSession(), 'Work');
	await settledAs(harness, runId, 'waiting');
	const told = (requests: readonly RecordedRequest[]) =>
		(JSON.stringify(requests.at(-1)?.body).match(/Hearth was restarted[^\]]*/g) ?? []).length;
	alive.clear();
	const second = await reopen();
	// Nothing is opened for a run that waits.
	expect(alive).toEqual(new Set());
	await answer(second, runId, { type: 'reply', text: 'yes' });
	await settledAs(second, runId, 'waiting');
	expect(alive).toEqual(new Set(['browser']));
	expect(told(server.log.requests)).toBe(2);
	const notices = () => second.message(messageId).parts.flatMap((part) => (part.type === 'notice' ? [[part.code, part.values.what]] : []));
	expect(notices()).toEqual([
		['resource_reopened', 'browser'],
		['resource_torn_down', 'shell'],
	]);
	// What was opened anew is lost with the next process again; the rest is not told twice.
	const third = await reopen();
	await answer(third, runId, { type: 'reply', text: 'yes' });
	await settledAs(third, runId, 'done');
	expect(third.message(messageId).parts.filter((part) => part.type === 'notice')).toHaveLength(3);
	expect(third.journal(runId).filter((type) => type === 'resources_lost')).toHaveLength(2);
});

/** A run whose process died in the middle of an effect. */
function died(harness: Harness, value: string, tool = 'test_finding'): RunId {
	const { runId } = add(harness, value, { script: scriptOf([[tool, { value }]]) });
	const started = { step: 1, callId: 'call_0', args: { value }, effect: 'effectful', label: 'owner', repaired: false, at: 1 } as const;
	harness.engine.log.append(runId, { type: 'tool_started', ...started });
	return runId;
}

test('R2 a tool that can find out is asked before the owner is: it happened, it did not, or it can’t tell', async () => {
	const { harness } = await durable();
	const [yes, no, unsure, mute] = [
		died(harness, 'yes'),
		died(harness, 'no'),
		died(harness, 'unsure'),
		died(harness, 'mute', 'test_effectful'),
	];
	appendFileSync(harness.ledger, `${JSON.stringify({ tool: 'test_finding', key: `${yes}:1:call_0`, value: 'yes', pid: 0 })}\n`);
	harness.engine.recover({ goOn: true });
	await settledAs(harness, yes, 'done');
	expect(toolsOf(harness, yes)).toMatchObject([{ status: 'done', result: { text: 'found yes' } }]);
	await settledAs(harness, no, 'done');
	expect(toolsOf(harness, no)).toMatchObject([{ status: 'done', result: { text: 'did no' } }]);
	for (const [runId, found] of [
		[unsure, 'The log was rotated.'],
		[mute, undefined],
	] as const) {
		await settledAs(harness, runId, 'waiting');
		const [question] = openInterrupts(harness.db.read, { runId });
		expect(question?.detail).toMatchObject({ kind: 'did_it_happen', startedAt: 1, args: { value: expect.any(String) } });
		expect(question?.detail.kind === 'did_it_happen' && question.detail.found).toBe(found);
	}
	expect(harness.journal(mute)).not.toContain('effect_verified');
	await answer(harness, unsure, { type: 'happened', result: 'Order 4711' });
	await settledAs(harness, unsure, 'done');
	expect(toolsOf(harness, unsure)).toMatchObject([{ status: 'done', result: { text: 'Order 4711' } }]);
	// Skipped and then retried, the owner is asked again: it is not simply run.
	await answer(harness, mute, { type: 'skip' });
	await settledAs(harness, mute, 'failed');
	harness.engine.resume(mute, 'retried');
	await settledAs(harness, mute, 'waiting');
	await answer(harness, mute, { type: 'run_again' });
	await settledAs(harness, mute, 'done');
	expect(readLedger(harness.ledger).map(({ value }) => value)).toEqual(['yes', 'no', 'mute']);
});

test('R2 a start that leaves runs to a later one has no tool find out what happened: the run would go on with its word', async () => {
	const { harness } = await durable();
	const [finding, mute] = [died(harness, 'no'), died(harness, 'mute', 'test_effectful')];
	harness.engine.recover({ goOn: false });
	await settledAs(harness, mute, 'waiting');
	await harness.until(() => !harness.engine.isAtWork(), 'the drives to end');
	expect(harness.journal(finding).at(-1)).toBe('process_died');
	expect(readLedger(harness.ledger)).toEqual([]);
	harness.engine.recover({ goOn: true });
	await settledAs(harness, finding, 'done');
	expect(readLedger(harness.ledger).map(({ value }) => value)).toEqual(['no']);
});

test('a model call whose process died is made again by itself where nobody read a part of it, and not for ever', async () => {
	const { harness } = await durable([says('Whole.'), says('Whole.')]);
	const model = { providerId: ProviderId.parse('scripted'), modelId: 'scripted' };
	const start = (runId: RunId) =>
		harness.engine.log.append(runId, { type: 'model_started', step: 1, model, modelName: 'x', label: 'owner', notices: [] });
	const unattended = add(harness, 'unattended', {}).runId;
	start(unattended);
	harness.engine.log.append(unattended, { type: 'process_died', parts: [{ type: 'text', text: 'Who' }] });
	const often = add(harness, 'often', {}).runId;
	for (const _ of [1, 2]) {
		start(often);
		harness.engine.log.append(often, { type: 'process_died', parts: [] });
	}
	start(often);
	const ended: RunId[] = [];
	harness.engine.onRunEnded(({ id }) => ended.push(id));
	harness.engine.recover({ goOn: true });
	await settledAs(harness, unattended, 'done');
	expect(messageText(harness.message(getRun(harness.db.read, unattended).messageId))).toBe('Whole.');
	expect(status(harness, often)).toBe('interrupted');
	expect(harness.message(getRun(harness.db.read, often).messageId).error?.message).toMatch(/3 times in a row/);
	// Whoever waits for it hears that it does not go on by itself.
	expect(ended).toContain(often);
	harness.engine.resume(often, 'retried');
	await settledAs(harness, often, 'done');
});

test('S2 tools are told where nobody watches: in work that goes on by itself, and not in a chat', async () => {
	const seen: boolean[] = [];
	const looks: Tool = {
		name: 'test_looks',
		title: 'Looks',
		description: 'Looks whether somebody watches.',
		schema: z.object({}),
		effect: 'pure',
		timeoutMs: 5_000,
		outputCap: 100,
		run: async (_, { unattended }) => {
			seen.push(unattended);
			return { text: 'looked', isError: false };
		},
	};
	const { harness } = await scripted([calls('test_looks', {}), says('Done.')], { folder: temporaryFolder(), tools: [looks] });
	const { runId } = await harness.send(harness.newSession(), 'Look');
	await settledAs(harness, runId, 'done');
	await settledAs(harness, begin(harness, 'look', { script: scriptOf([['test_looks', {}]]) }), 'done');
	expect(seen).toEqual([false, true]);
});
