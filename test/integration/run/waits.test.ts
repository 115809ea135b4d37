import { expect, test } from 'vitest';
import { openInterrupts } from '../../../src/approvals/approval-store.ts';
import type { InterruptId, RunId } from '../../../src/domain/ids.ts';
import { messageText, type ToolPart } from '../../../src/domain/message.ts';
import type { Interrupt, InterruptAnswer } from '../../../src/domain/run.ts';
import { childrenOf, findRun, getRun } from '../../../src/run/journal-store.ts';
import { deleteSession, listSessions } from '../../../src/sessions/session-store.ts';
import { calls, type RecordedRequest, type Reply, says } from '../../support/model-server/index.ts';
import type { Harness, HarnessOptions } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { durableTools } from '../../support/run/tools.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { readLedger } from '../../support/test-tools.ts';

interface Body {
	messages: { role: string; content?: string | { text: string }[]; tool_calls?: unknown[] }[];
	tools?: { function: { name: string } }[];
	model: string;
}

/** The newest message of the owner, or the task of a child. */
function asked({ body }: RecordedRequest): string {
	const content = (body as Body).messages.findLast(({ role }) => role === 'user')?.content ?? '';
	return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

const results = ({ body }: RecordedRequest): string[] =>
	(body as Body).messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
const offered = ({ body }: RecordedRequest): string[] => ((body as Body).tools ?? []).map((tool) => tool.function.name);

async function durable(script: (request: RecordedRequest) => Reply, options: Partial<HarnessOptions> = {}) {
	const folder = temporaryFolder();
	const alive = new Set<string>();
	const on = await scripted([], { folder, tools: durableTools(`${folder}/ledger.jsonl`, alive), ...options });
	on.server.script(script);
	return { ...on, alive };
}

const open = (harness: Harness, runId?: RunId): Interrupt[] => openInterrupts(harness.db.read, { runId });
const toolsOf = (harness: Harness, runId: RunId): ToolPart[] =>
	harness.message(getRun(harness.db.read, runId).messageId).parts.filter((part) => part.type === 'tool');
const status = (harness: Harness, runId: RunId) => findRun(harness.db.read, runId)?.status;

async function answer(harness: Harness, runId: RunId, given: InterruptAnswer): Promise<void> {
	const [interrupt] = open(harness, runId);
	if (!interrupt) throw new Error('nothing is open');
	await harness.chat.answer({ interruptId: interrupt.id, shownHash: interrupt.shownHash, answer: given });
}

async function settledAs(harness: Harness, runId: RunId, wanted: string): Promise<void> {
	await harness.until(() => status(harness, runId) === wanted, `run ${runId} to be ${wanted}, it is ${status(harness, runId)}`);
}

test('R3 an event that is waited for outlives a restart, comes once with its payload and label, and is no business of the owner’s', async () => {
	const { harness, server, reopen } = await durable((request) =>
		results(request).length === 0 ? calls('wait_for_event', { name: 'papers_signed', note: 'the contract' }) : says('Signed.'),
	);
	const { runId, messageId } = await harness.send(harness.newSession(), 'Wait for the papers');
	await settledAs(harness, runId, 'sleeping');
	expect(open(harness, runId)).toMatchObject([{ detail: { kind: 'event', name: 'papers_signed', note: 'the contract' } }]);
	expect(await harness.chat.interrupts({})).toEqual([]);
	expect(listSessions(harness.db.read)[0]?.activity).toBe('idle');
	expect(harness.message(messageId).status).toBe('waiting');
	// Another message has to wait for this one.
	await expect(harness.send(getRun(harness.db.read, runId).sessionId, 'More')).rejects.toMatchObject({ code: 'conflict' });

	const second = await reopen();
	expect(second.engine.signal('something_else' as never, null, 'owner')).toBe(0);
	const id = open(second, runId)[0]?.id as InterruptId;
	expect(second.engine.signal('papers_signed' as never, { by: 'Ada' }, 'external')).toBe(1);
	expect(second.engine.signal('papers_signed' as never, { by: 'Bob' }, 'external')).toBe(0);
	expect(second.engine.settleWait(id, { type: 'event_came', payload: null, label: 'owner' })).toBe(false);
	await settledAs(second, runId, 'done');
	expect(results(server.log.requests.at(-1) as RecordedRequest)[0]).toContain('{"by":"Ada"}');
	expect(second.message(messageId).label).toBe('external');
	expect(toolsOf(second, runId)).toMatchObject([{ status: 'done', label: 'external' }]);
});

test('the owner may end a wait or stop it; a wait does not end by what it does not wait for', async () => {
	const { harness } = await durable((request) =>
		results(request).length === 0 ? calls('wait_until', { in_minutes: 1_000, note: 'tomorrow' }) : says('Then not.'),
	);
	const skipped = await harness.send(harness.newSession(), 'Wait');
	await settledAs(harness, skipped.runId, 'sleeping');
	const id = open(harness, skipped.runId)[0]?.id as InterruptId;
	expect(harness.engine.settleWait(id, { type: 'timed_out' })).toBe(false);
	expect(harness.engine.settleWait('no-such-wait' as InterruptId, { type: 'time_came' })).toBe(false);
	await expect(answer(harness, skipped.runId, { type: 'approve' })).rejects.toMatchObject({ code: 'invalid_input' });
	await answer(harness, skipped.runId, { type: 'skip' });
	await settledAs(harness, skipped.runId, 'done');
	expect(toolsOf(harness, skipped.runId)).toMatchObject([{ status: 'skipped', result: { isError: false } }]);
	expect(harness.engine.settleWait(id, { type: 'time_came' })).toBe(false);

	const stopped = await harness.send(harness.newSession(), 'Wait');
	await settledAs(harness, stopped.runId, 'sleeping');
	await harness.chat.stop({ runId: stopped.runId });
	expect(status(harness, stopped.runId)).toBe('stopped');
	expect(open(harness)).toEqual([]);
	// Retry waits again, as a new row.
	await harness.chat.retry({ messageId: stopped.messageId });
	await settledAs(harness, stopped.runId, 'sleeping');
});

test('a wait that can’t be, such as one without a time, is an error that the model reads; a time that is past is not waited for', async () => {
	const { harness, server } = await durable((request) => {
		const done = results(request).length;
		return [calls('wait_until', {}), calls('wait_until', { at: '2020-01-01' })][done] ?? says('I see.');
	});
	const { runId } = await harness.send(harness.newSession(), 'Wait');
	await settledAs(harness, runId, 'done');
	expect(results(server.log.requests.at(-1) as RecordedRequest)).toEqual([
		'Give either at or in_minutes.',
		expect.stringMatching(/^That time is past already/),
	]);
});

const ALL = ['delegate', 'test_idempotent', 'ask_owner'];
const tree = (request: RecordedRequest): Reply => {
	const said = asked(request);
	const done = results(request);
	if (said === 'Ask around') return done.length === 0 ? calls('delegate', { task: 'Level 1', tools: ALL }) : says(`I heard: ${done[0]}`);
	if (said === 'Level 1')
		return done.length === 0 ? calls('delegate', { task: 'Level 2', tools: ['test_idempotent', 'ask_owner'] }) : says(`one ${done[0]}`);
	if (done.length === 0) return calls('ask_owner', { question: 'Go on?' });
	return done.length === 1 ? calls('test_idempotent', { value: 'deep' }) : says('two');
};

test('a step delegates to a run with a context and tools of its own, which reports back; the tree outlives restarts', async () => {
	const { harness, server, reopen } = await durable(tree);
	const { runId, messageId } = await harness.send(harness.newSession(), 'Ask around');
	await harness.until(() => open(harness).length === 3, 'the tree');
	const [child] = childrenOf(harness.db.read, runId);
	const [grandchild] = childrenOf(harness.db.read, child?.id as RunId);
	expect([status(harness, runId), child?.status, grandchild?.status]).toEqual(['sleeping', 'sleeping', 'waiting']);
	expect(child).toMatchObject({ kind: 'child', title: 'Level 1', parentRunId: runId });
	// Its chat is nobody's chat, its question is in the inbox, and it knows nothing of the parent's words.
	expect(listSessions(harness.db.read)).toHaveLength(1);
	expect((await harness.chat.interrupts({})).map(({ runId: of }) => of)).toEqual([grandchild?.id]);
	const ofChild = server.log.requests.find((request) => asked(request) === 'Level 1') as RecordedRequest;
	expect(JSON.stringify(ofChild.body)).not.toContain('Ask around');
	expect(offered(ofChild).toSorted()).toEqual(ALL.toSorted());

	const second = await reopen();
	expect(second.events.find((event) => event.type === 'recovered')).toEqual({ type: 'recovered', runs: [] });
	await answer(second, grandchild?.id as RunId, { type: 'reply', text: 'yes' });
	await settledAs(second, runId, 'done');
	expect(messageText(second.message(messageId))).toBe('I heard: one two');
	expect(readLedger(second.ledger)).toHaveLength(1);
	expect(openInterrupts(second.db.read)).toEqual([]);
});

test('children may do no more than their parent, and delegate only where they are given that by name, three levels deep', async () => {
	const { harness, server } = await durable((request) => {
		const done = results(request);
		const level = Number(asked(request).replace('Level ', ''));
		if (done.length > 0) return says(`${level}: ${done.join(' | ')}`);
		return calls('delegate', { task: `Level ${level + 1}`, tools: ['delegate'] });
	});
	const { runId, messageId } = await harness.send(harness.newSession(), 'Level 0');
	await settledAs(harness, runId, 'done');
	expect(messageText(harness.message(messageId))).toMatch(/^0: 1: 2: 3: .*3 levels deep/);
	expect(server.log.requests.filter((request) => asked(request) === 'Level 3').map(offered)).toEqual([['delegate'], ['delegate']]);

	server.script((request) =>
		results(request).length === 0 ? calls('delegate', { task: 'Level 1', tools: ['rm'] }) : says(results(request)[0] ?? ''),
	);
	const refused = await harness.send(harness.newSession(), 'Level 0');
	await settledAs(harness, refused.runId, 'done');
	expect(messageText(harness.message(refused.messageId))).toMatch(/^You have no tool named rm\./);
});

test('Stop stops everything below; what a child’s end means for its parent: an error where it failed, was stopped or deleted', async () => {
	const { harness, server } = await durable(tree);
	const { runId, messageId } = await harness.send(harness.newSession(), 'Ask around');
	await harness.until(() => open(harness).length === 3, 'the tree');
	const [child] = childrenOf(harness.db.read, runId);
	const [grandchild] = childrenOf(harness.db.read, child?.id as RunId);
	await harness.chat.stop({ runId });
	expect([runId, child?.id, grandchild?.id].map((id) => status(harness, id as RunId))).toEqual(['stopped', 'stopped', 'stopped']);
	expect(open(harness)).toEqual([]);
	// Retry goes on with the same child: the same call of the same step.
	await harness.chat.retry({ messageId });
	await harness.until(() => open(harness).length === 3, 'the tree again');
	expect(childrenOf(harness.db.read, runId).map(({ id }) => id)).toEqual([child?.id]);
	// The owner stops only the grandchild: its parent hears of it.
	await harness.engine.stop(grandchild?.id as RunId);
	await settledAs(harness, runId, 'done');
	expect(toolsOf(harness, child?.id as RunId)).toMatchObject([{ status: 'failed', result: { text: 'It was stopped.', isError: true } }]);
	expect(messageText(harness.message(messageId))).toBe('I heard: one It was stopped.');

	server.script((request) =>
		asked(request) === 'Fail'
			? { fault: { type: 'auth' } }
			: results(request).length === 0
				? calls('delegate', { task: 'Fail' })
				: says('So.'),
	);
	const failing = await harness.send(harness.newSession(), 'Try');
	await settledAs(harness, failing.runId, 'done');
	expect(toolsOf(harness, failing.runId)).toMatchObject([{ status: 'failed', result: { isError: true } }]);
});

test('the owner ends the wait for a child: the parent goes on, and the child is stopped', async () => {
	const { harness } = await durable(tree);
	const { runId } = await harness.send(harness.newSession(), 'Ask around');
	await harness.until(() => open(harness).length === 3, 'the tree');
	const [child] = childrenOf(harness.db.read, runId);
	await answer(harness, runId, { type: 'skip' });
	await settledAs(harness, runId, 'done');
	await settledAs(harness, child?.id as RunId, 'stopped');
	await harness.until(() => open(harness).length === 0, 'all waits to be over');
});

test('what a process did not come to is found at the next start: children of a stopped parent, and parents of a child that is gone', async () => {
	const { harness, reopen } = await durable(tree);
	const stopped = await harness.send(harness.newSession(), 'Ask around');
	const waiting = await harness.send(harness.newSession(), 'Ask around');
	await harness.until(() => open(harness).length === 6, 'both trees');
	harness.engine.log.append(stopped.runId, { type: 'stopped', parts: [], at: Date.now() });
	const [orphan] = childrenOf(harness.db.read, stopped.runId);
	const [child] = childrenOf(harness.db.read, waiting.runId);
	harness.db.write((tx) => deleteSession(tx, child?.sessionId as never));
	expect([orphan?.status, status(harness, waiting.runId)]).toEqual(['sleeping', 'sleeping']);

	const second = await reopen();
	await settledAs(second, orphan?.id as RunId, 'stopped');
	await settledAs(second, waiting.runId, 'done');
	expect(messageText(second.message(waiting.messageId))).toBe('I heard: It was deleted.');
	await second.until(() => open(second).length === 0, 'all waits to be over');
});

test('a child has its parent’s tools but for delegate where none are named, and reports back a bounded summary', async () => {
	const { harness, server } = await durable((request) => {
		if (asked(request) === 'Read it all') return says('x'.repeat(9_000));
		return results(request).length === 0 ? calls('delegate', { task: 'Read it all' }) : says('Thanks.');
	});
	const { runId } = await harness.send(harness.newSession(), 'Read');
	await settledAs(harness, runId, 'done');
	expect(toolsOf(harness, runId)[0]?.result?.text).toHaveLength(4_000);
	const [ofParent, ofChild] = server.log.requests;
	expect(offered(ofChild as RecordedRequest)).toEqual(offered(ofParent as RecordedRequest).filter((name) => name !== 'delegate'));
});

test('the listener of ends hears of every run that came to rest, and a throw is told again', async () => {
	const { harness } = await durable(() => says('Hello.'));
	const told: string[] = [];
	harness.engine.onRunEnded(({ id, status: how }) => {
		told.push(`${id} ${how}`);
		if (told.length === 1) throw new Error('not now');
	});
	const { runId } = await harness.send(harness.newSession(), 'Hi');
	await harness.until(() => told.length === 2, 'it to be told again');
	expect(told).toEqual([`${runId} done`, `${runId} done`]);
});
