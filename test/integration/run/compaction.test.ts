import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { sql, value } from '../../../src/db/sql.ts';
import { CompactionId, type MessageId, type RunId, type SessionId } from '../../../src/domain/ids.ts';
import type { Label } from '../../../src/domain/label.ts';
import type { MessagePart, NoticePart } from '../../../src/domain/message.ts';
import { readEvents } from '../../../src/run/journal-store.ts';
import { copyBranch } from '../../../src/sessions/branch.ts';
import { findCompaction } from '../../../src/sessions/compaction-store.ts';
import { branchTo, insertMessage } from '../../../src/sessions/message-store.ts';
import { getSession, setHead } from '../../../src/sessions/session-store.ts';
import { budgetsWith } from '../../support/budgets.ts';
import { calls, fails, type ModelServer, type Reply, says } from '../../support/model-server/index.ts';
import type { Harness } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';

const WINDOW = 6_000;
const FILLER = 'The gravel path winds between hedges and low stone walls, past the pond and the old boat shed, up to the orchard. '.repeat(
	3,
);
const DECISION = 'Decision: the shed is painted dark green, by Petra.';

/** Turns as if they had been talked; `says` gives what the owner says in some of them. */
function talk(harness: Harness, sessionId: SessionId, turns: number, said: Record<number, string> = {}, label: Label = 'agent'): void {
	harness.db.write((tx) => {
		let parentId = getSession(tx, sessionId).headId;
		const add = (role: 'user' | 'assistant', text: string, own: Label) => {
			const id = newId<MessageId>();
			const parts: MessagePart[] = [{ type: 'text', text }];
			insertMessage(tx, { id, sessionId, parentId, role, parts, status: 'complete', label: own, createdAt: 1 });
			parentId = id;
		};
		for (let turn = 0; turn < turns; turn += 1) {
			add('user', said[turn] ?? `Tell me about walk ${turn}.`, 'owner');
			add('assistant', `Walk ${turn}: ${FILLER}`, label);
		}
		if (parentId !== null) setHead(tx, sessionId, parentId);
	});
}

interface Wire {
	messages: { role: string; content: string | { text?: string }[] }[];
	tools?: unknown[];
}
function bodies(server: ModelServer): Wire[] {
	return server.log.requests.map(({ body }) => body as Wire);
}
function wordsOf(body: Wire | undefined): string {
	return (body?.messages ?? [])
		.map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')))
		.join('\n\n');
}

function noticesOf(harness: Harness, id: MessageId): NoticePart[] {
	return harness.message(id).parts.filter((part) => part.type === 'notice');
}
function summaryIn(harness: Harness, id: MessageId) {
	const notice = noticesOf(harness, id).find(({ code }) => code === 'compacted');
	return { notice, compaction: notice && findCompaction(harness.db.read, CompactionId.parse(notice.values.id)) };
}
const stored = (harness: Harness) => value<number>(harness.db.read, sql`SELECT count(*) FROM compactions`);

async function turn(harness: Harness, sessionId: SessionId, text: string) {
	const sent = await harness.send(sessionId, text);
	await harness.settled(sent.runId);
	return sent;
}

test('messages that no longer fit are told as a summary, with what was decided word for word; the originals stay, and the next turns use the same one', async () => {
	const { harness, server } = await scripted([says('One.'), says('Two.')], { contextTokens: WINDOW });
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 3: DECISION, 5: 'Look at garden/plan.pdf, the budget is 1,840 € for now.' });
	const first = await turn(harness, sessionId, 'And now?');
	const told = wordsOf(bodies(server)[0]);
	expect(told).toContain('<summary of="chat" label="');
	expect(told).toContain(`- ${DECISION} [7]`);
	expect(told).toContain('1,840 €');
	expect(told).not.toContain('Walk 3:');
	expect(told).toContain('Walk 59:');
	const { notice, compaction } = summaryIn(harness, first.messageId);
	expect(notice?.values).toMatchObject({ of: 'chat', method: 'extract', count: compaction?.covers });
	expect(noticesOf(harness, first.messageId).map(({ code }) => code)).toEqual(['compacted']);
	expect(compaction?.tokensAfter).toBeLessThan((compaction?.tokensBefore ?? 0) / 3);
	// An item leads to the message and the part that it stands in.
	const item = compaction?.items.find(({ text }) => text === DECISION);
	expect(harness.message(item?.messageId as MessageId).parts[item?.part ?? -1]).toEqual({ type: 'text', text: DECISION });
	expect(branchTo(harness.db.read, first.messageId)).toHaveLength(122);

	const second = await turn(harness, sessionId, 'Go on');
	expect(wordsOf(bodies(server)[1])).toContain(DECISION);
	expect(noticesOf(harness, second.messageId)).toEqual([]);
	expect(stored(harness)).toBe(1);
});

test('a later summary takes in the earlier one, so that a marked decision outlasts any number of them; each ends between two turns', async () => {
	const { harness, server } = await scripted([], { contextTokens: WINDOW });
	const sessionId = harness.newSession();
	const decisions: string[] = [];
	for (let generation = 0; generation < 20; generation += 1) {
		const words = `Decision: gate ${generation} gets lock ${generation * 37 + 11}.`;
		decisions.push(words);
		talk(harness, sessionId, 50, { 2: words });
		const { messageId } = await turn(harness, sessionId, 'Go on');
		const { compaction } = summaryIn(harness, messageId);
		expect(harness.message(compaction?.upTo as MessageId).role).toBe('assistant');
		expect(harness.message(messageId).status).toBe('complete');
	}
	expect(stored(harness)).toBe(20);
	const told = wordsOf(bodies(server).at(-1));
	for (const words of decisions) expect(told).toContain(words);
});

test('a model writes the summary where the owner chose one: without tools, its cost counted, what is kept beside its words', async () => {
	const { harness, server } = await scripted([says('They walked a lot, and Petra paints.'), says('Yes.')], {
		contextTokens: WINDOW,
		summarise: 'model',
		price: { input: 100, output: 100 },
	});
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 3: DECISION });
	const { messageId } = await turn(harness, sessionId, 'And now?');
	const [asked, answered] = bodies(server);
	expect(asked?.tools ?? []).toEqual([]);
	expect(wordsOf(asked)).toContain('Owner: Tell me about walk');
	expect(wordsOf(asked)).not.toContain('And now?');
	expect(wordsOf(answered)).toContain('They walked a lot, and Petra paints.');
	expect(wordsOf(answered)).toContain(DECISION);
	const { notice, compaction } = summaryIn(harness, messageId);
	expect(notice?.values).toMatchObject({ method: 'model' });
	expect(compaction).toMatchObject({ method: 'model', text: 'They walked a lot, and Petra paints.', model: { modelId: 'scripted' } });
	// Both calls: 7 and 5 tokens each.
	expect(harness.message(messageId).usage).toMatchObject({ inputTokens: 14, outputTokens: 10 });
	expect(harness.message(messageId).usage?.costUsd).toBeCloseTo(0.0024);
	expect(harness.work.spending(1).days).toMatchObject([{ kinds: [{ kind: 'chat', inputTokens: 14, outputTokens: 10 }] }]);
});

test('a summary is a call like any other: over the budget none is made, and what one used keeps the reply from a model', async () => {
	const budgets = budgetsWith({ chat: { tokens: 12 } });
	const { harness, server } = await scripted([says('They walked a lot.'), says('Yes.')], {
		contextTokens: WINDOW,
		summarise: 'model',
		settings: { budgets },
	});
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 3: DECISION });
	const { runId, messageId } = await turn(harness, sessionId, 'And now?');
	expect(harness.message(messageId).error?.code).toBe('budget_used');
	expect(server.log.requests).toHaveLength(1);
	budgets.chat.tokens = 13;
	harness.engine.resume(runId, 'retried');
	await harness.settled(runId);
	// The summary was kept.
	expect(server.log.requests).toHaveLength(2);
	expect(summaryIn(harness, messageId).compaction).toMatchObject({ method: 'model', text: 'They walked a lot.' });
});

test.each<[string, Reply[], string]>([
	['fails twice', [fails({ type: 'server_error' }), fails({ type: 'server_error' })], 'model_server_error'],
	['refuses for good', [fails({ type: 'auth' })], 'model_auth'],
	['says nothing', [{ steps: [] }, { steps: [] }], 'model_empty_response'],
])('a model for summaries that %s costs a notice and never the reply', async (_, failures, reason) => {
	const { harness, server } = await scripted([...failures, says('Still here.')], { contextTokens: WINDOW, summarise: 'model' });
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 3: DECISION });
	const { messageId } = await turn(harness, sessionId, 'And now?');
	expect(harness.message(messageId)).toMatchObject({
		status: 'complete',
		parts: expect.arrayContaining([{ type: 'text', text: 'Still here.' }]),
	});
	expect(server.log.requests).toHaveLength(failures.length + 1);
	expect(wordsOf(bodies(server).at(-1))).toContain(DECISION);
	expect(summaryIn(harness, messageId).notice?.values).toMatchObject({ method: 'extract', reason });
});

test('B2 a summary of external text keeps that label, and so does the step that reads it, however old the text is', async () => {
	const { harness } = await scripted([says('Yes.'), says('Yes.')], { contextTokens: WINDOW });
	const sessionId = harness.newSession();
	talk(harness, sessionId, 1, {}, 'external');
	talk(harness, sessionId, 60);
	const { runId, messageId } = await turn(harness, sessionId, 'And now?');
	expect(summaryIn(harness, messageId).compaction?.label).toBe('external');
	const labels = (id: RunId) =>
		[...readEvents(harness.db.read, id)].flatMap((event) => (event.type === 'model_started' ? [event.label] : []));
	expect(labels(runId)).toEqual(['external']);
	// All external messages are long behind the summary.
	talk(harness, sessionId, 60);
	expect(labels((await turn(harness, sessionId, 'And then?')).runId)).toEqual(['external']);
});

test('a branch that does not hold the last message of a summary does not use it, nor what only it knows', async () => {
	const { harness, server } = await scripted([says('One.'), says('Two.')], { contextTokens: WINDOW });
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 40: DECISION });
	const { messageId } = await turn(harness, sessionId, 'And now?');
	expect(wordsOf(bodies(server)[0])).toContain(DECISION);
	const early = branchTo(harness.db.read, messageId)[20];
	const edited = await harness.chat.editAndResend({
		messageId: early?.id as MessageId,
		text: 'Another way',
		attachmentIds: [],
		requestId: newId(),
	});
	await harness.settled(edited.runId);
	const told = wordsOf(bodies(server)[1]);
	expect(told).not.toContain(DECISION);
	expect(told).not.toContain('<summary');
	expect(told).toContain('Walk 9:');
});

test('M6 the preview shows the summary as the next call would have it; taken out, the newest messages stand alone; nothing is kept for looking', async () => {
	const { harness, server } = await scripted([says('One.')], { contextTokens: WINDOW });
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 3: DECISION });
	const draft = { sessionId, text: 'And now?', attachmentIds: [] };
	const part = (await harness.chat.preview(draft)).parts.find(({ id }) => id === 'summary');
	expect(part).toMatchObject({ kind: 'summary', included: true, removable: true, text: expect.stringContaining(DECISION) });
	expect(stored(harness)).toBe(0);
	await harness.chat.includePart({ sessionId, partId: 'summary', included: false });
	const { messageId } = await turn(harness, sessionId, 'And now?');
	expect(wordsOf(bodies(server)[0])).not.toContain('<summary');
	expect(noticesOf(harness, messageId).map(({ code }) => code)).toEqual(['history_trimmed']);
	expect(stored(harness)).toBe(0);
	await harness.chat.includePart({ sessionId, partId: 'summary', included: true });
	await turn(harness, sessionId, 'Again');
	expect(stored(harness)).toBe(1);
	// One that exists is shown as taken out, so that it can be taken in again.
	await harness.chat.includePart({ sessionId, partId: 'summary', included: false });
	expect((await harness.chat.preview(draft)).parts.find(({ id }) => id === 'summary')).toMatchObject({ included: false, tokens: 0 });
});

test('a run of very many steps tells its own older steps as a summary; no prompt grows past the window, and what it read stays findable', async () => {
	const steps = 60;
	const replies = Array.from({ length: steps }, (_, index) =>
		calls(
			'test_pure',
			{ value: `page ${index} of report-${index}.pdf`, length: 240 },
			{ text: index === 4 ? DECISION : `Reading page ${index}.` },
		),
	);
	const { harness, server } = await scripted([...replies, says('All read.')], { contextTokens: WINDOW, maxModelCalls: 100 });
	const { messageId } = await turn(harness, harness.newSession(), 'Read all of it');
	expect(harness.message(messageId)).toMatchObject({ status: 'complete' });
	expect(harness.message(messageId).parts.filter((part) => part.type === 'tool')).toHaveLength(steps);
	const last = wordsOf(bodies(server).at(-1));
	expect(last).toContain('Read all of it');
	expect(last).toContain('<summary of="reply" label="');
	expect(last).toContain(DECISION);
	expect(last).not.toContain('Reading page 7.');
	expect(last).toContain(`Reading page ${steps - 1}.`);
	const made = noticesOf(harness, messageId).filter(({ code }) => code === 'compacted');
	expect(made.length).toBeGreaterThan(1);
	expect(made.length).toBeLessThan(steps / 5);
	expect(made.every(({ values }) => values.of === 'reply')).toBe(true);
	// Every call is told with its own result.
	for (const { messages } of bodies(server))
		for (const [index, { role }] of messages.entries())
			if (role === 'tool') expect(['assistant', 'tool']).toContain(messages[index - 1]?.role);
});

test('a Stop while a summary is being written ends it and keeps none', async () => {
	const { harness, server } = await scripted([{ steps: [{ type: 'silence', ms: 20_000 }] }], { contextTokens: WINDOW, summarise: 'model' });
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60);
	const sent = await harness.send(sessionId, 'And now?');
	await harness.until(() => server.log.requests.length === 1, 'the summary is asked for');
	await harness.engine.stop(sent.runId);
	expect(harness.message(sent.messageId).status).toBe('stopped');
	expect(stored(harness)).toBe(0);
});

test('R1 a runtime that ends while a summary is being written makes it at the next start, and the reply goes on', async () => {
	const { harness, server, reopen } = await scripted([{ steps: [{ type: 'silence', ms: 20_000 }] }, says('They walked.'), says('Yes.')], {
		contextTokens: WINDOW,
		summarise: 'model',
	});
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 3: DECISION });
	const sent = await harness.send(sessionId, 'And now?');
	await harness.until(() => server.log.requests.length === 1, 'the summary is asked for');
	const next = await reopen();
	expect(await next.settled(sent.runId)).toBe('done');
	expect(server.log.requests).toHaveLength(3);
	expect(summaryIn(next, sent.messageId).compaction).toMatchObject({ method: 'model', text: 'They walked.' });
	expect(stored(next)).toBe(1);
	expect(next.message(sent.messageId).parts.at(-1)).toEqual({ type: 'text', text: 'Yes.' });
});

test('a copy of the chat takes its summary along, item by item to the copied messages', async () => {
	const { harness, server } = await scripted([says('One.'), says('Two.')], { contextTokens: WINDOW });
	const sessionId = harness.newSession();
	talk(harness, sessionId, 60, { 3: DECISION });
	const { messageId } = await turn(harness, sessionId, 'And now?');
	const copy = harness.db.write((tx) => copyBranch(tx, messageId, 2, (message) => message));
	const copied = branchTo(harness.db.read, getSession(harness.db.read, copy).headId as MessageId);
	const { compaction } = summaryIn(harness, copied.at(-1)?.id as MessageId);
	expect(compaction?.sessionId).toBe(copy);
	const item = compaction?.items.find(({ text }) => text === DECISION);
	expect(copied.some(({ id }) => id === item?.messageId)).toBe(true);
	await turn(harness, copy, 'Go on');
	expect(wordsOf(bodies(server)[1])).toContain(DECISION);
	expect(stored(harness)).toBe(2);
});
