import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { budgetsWith } from '../../support/budgets.ts';
import { BINS, FAIR, finds, lookApp, MINUTE, promptOf } from '../../support/heartbeat/look-app.ts';
import { calls, fails, says } from '../../support/model-server/index.ts';

const ON = { heartbeat: true, heartbeatMinutes: 30 };
const QUOTE = 'the bins are emptied on Tuesdays';

test('R5 background work is off until it is switched on; then it looks once a slot, and missed slots are one', async () => {
	const app = await lookApp({ answer: () => finds('The bins are emptied on Tuesdays from May on.', QUOTE) });
	app.serve(BINS);
	await app.pass(24 * 60 * MINUTE);
	expect([await app.rpc.heartbeat.ticks({ limit: 5 }), app.feed.asked]).toEqual([[], []]);
	expect(await app.rpc.heartbeat.status()).toMatchObject({
		on: false,
		interests: expect.arrayContaining([{ text: 'The fair', leavesOut: false }]),
	});

	await app.rpc.settings.set(ON);
	expect(await app.over()).toMatchObject({
		by: 'schedule',
		outcome: 'done',
		sources: 1,
		items: 1,
		findings: 1,
		runIds: [expect.any(String)],
	});
	const { nextAt } = await app.rpc.heartbeat.status();
	expect(nextAt).toBe(app.clock.at + 30 * MINUTE);
	await app.pass(29 * MINUTE);
	await app.pass(5 * 60 * MINUTE);
	await app.until(async () => (await app.rpc.heartbeat.ticks({ limit: 5 })).length === 2, 'the second look');
	expect(await app.over()).toMatchObject({ outcome: 'nothing_new', items: 0, findings: 0, runIds: [] });
	expect(app.model.log.requests).toHaveLength(1);
	expect(app.events.filter(({ type }) => type === 'findings_wait')).toEqual([{ type: 'findings_wait', found: 1, waiting: 1 }]);
	expect((await app.rpc.heartbeat.status()).digest).toMatchObject({ waiting: 1, bySource: [{ title: 'The village paper', waiting: 1 }] });
});

test('R5 a clock that was a year ahead and is set right again keeps neither looks nor sources waiting for a year', async () => {
	const on = await lookApp({ settings: { heartbeat: true, heartbeatMinutes: 30 } });
	const items = async () => (await on.rpc.sources.items({ sourceId: on.sourceId, limit: 9 })).map(({ title }) => title);
	await on.over();
	on.serve(BINS);
	await on.pass(365 * 24 * 60 * MINUTE);
	await on.until(async () => (await items()).length === 1, 'the look of the wrong year');
	await on.over();
	on.serve(FAIR, BINS);
	await on.pass(-365 * 24 * 60 * MINUTE + 1);
	await on.pass(30 * MINUTE);
	await on.until(async () => (await items()).length === 2, 'the look of the right year');
	expect(await on.over()).toMatchObject({ outcome: 'done', sources: 1, items: 1 });
	expect((await on.rpc.heartbeat.status()).nextAt).toBeLessThanOrEqual(on.clock.at + 30 * MINUTE);
});

test('an owner who looks now gets what is not due, too, but what could not be read waits as its server said', async () => {
	const { rpc, clock, ...app } = await lookApp();
	await rpc.heartbeat.run({});
	expect(await app.over()).toMatchObject({ sources: 1, items: 0 });
	app.serve(BINS);
	clock.at += 2 * MINUTE;
	await rpc.heartbeat.run({});
	expect(await app.over()).toMatchObject({ outcome: 'done', sources: 1, items: 1 });
	const asked = app.feed.asked.length;
	await rpc.heartbeat.run({});
	expect([await app.over(), app.feed.asked.length]).toMatchObject([{ outcome: 'nothing_new' }, asked]);

	app.feed.on('/feed', (_, response) => void response.writeHead(503, { 'retry-after': '3600' }).end());
	clock.at += 2 * MINUTE;
	await rpc.heartbeat.run({});
	expect(await app.over()).toMatchObject({ sources: 1, failedSources: 1 });
	clock.at += 2 * MINUTE;
	await rpc.heartbeat.run({});
	expect([await app.over(), app.feed.asked.length]).toMatchObject([{ sources: 0 }, asked + 1]);
});

test('B1 a look’s prompt is its instructions, HEARTBEAT.md and the new items, and nothing else', async () => {
	const app = await lookApp();
	const { rpc } = app;
	for (const name of ['AGENT.md', 'USER.md'] as const) {
		const { hash } = await rpc.documents.get({ name });
		await rpc.documents.save({ name, text: `Canary ${name}`, baseHash: hash });
	}
	app.serve(FAIR, BINS);
	await rpc.heartbeat.run({});
	await app.over();
	const [request, ...more] = app.model.log.requests;
	expect(more).toEqual([]);
	const body = request?.body as { messages: { role: string; content: string }[]; tools?: unknown; response_format?: unknown };
	expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
	expect(body.tools).toBeUndefined();
	expect(body.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'findings' } });
	const prompt = promptOf(request);
	for (const piece of ['Changes of when the bins', 'emptied on Tuesdays', '12 June', 'label=']) expect(prompt).toContain(piece);
	for (const piece of ['Canary', 'open_inbox', 'memory_search', 'personal agent']) expect(prompt).not.toContain(piece);
});

test('the owner is asked before text of others first goes to a model that costs money: until then nothing is sent', async () => {
	const app = await lookApp({ price: { input: 1, output: 2 } });
	const { rpc } = app;
	app.serve(BINS);
	await rpc.settings.set(ON);
	expect(await app.over()).toMatchObject({ outcome: 'held', items: 1, runIds: [], why: expect.stringContaining('asked first') });
	const { held, asks } = await rpc.heartbeat.status();
	expect({ held, asks }).toMatchObject({
		held: 'asks',
		asks: {
			name: 'Scripted',
			host: new URL(app.model.url).host,
			remote: false,
			costsMoney: true,
			sources: ['The village paper'],
			items: 1,
		},
	});
	await expect(rpc.heartbeat.answer({ shownHash: '0'.repeat(64), allow: true })).rejects.toMatchObject({ code: 'stale' });
	await app.pass(30 * MINUTE);
	await app.over();
	expect(app.model.log.requests).toEqual([]);

	await rpc.heartbeat.answer({ shownHash: asks?.shownHash ?? '', allow: true });
	await app.until(() => app.model.log.requests.length === 1, 'the model to be asked');
	expect(await app.over()).toMatchObject({ outcome: 'done' });
	// Once for a provider.
	app.serve(FAIR, BINS);
	await app.pass(60 * MINUTE);
	await app.until(() => app.model.log.requests.length === 2, 'the model to be asked again');
	const after = await rpc.heartbeat.status();
	expect({ asks: after.asks, allowed: after.consents.map(({ allowed }) => allowed) }).toEqual({ asks: undefined, allowed: [true] });
});

test('B1 with the owner’s no nothing is sent, whatever the model’s run was begun with', async () => {
	const app = await lookApp({ price: { input: 1, output: 2 } });
	const { rpc } = app;
	app.serve(BINS);
	await rpc.heartbeat.run({});
	await app.over();
	const { asks } = await rpc.heartbeat.status();
	const said = await rpc.heartbeat.answer({ shownHash: asks?.shownHash ?? '', allow: false });
	expect(said).toMatchObject({ held: 'asks', consents: [{ allowed: false }] });
	expect(said.asks).toBeUndefined();
	await rpc.heartbeat.run({});
	expect(await app.over()).toMatchObject({ outcome: 'held', why: expect.stringContaining('may not go') });
	const [consent] = said.consents;
	if (!consent) throw new Error('no answer is kept');
	expect((await rpc.heartbeat.withdrawConsent(consent)).asks).toMatchObject({ items: 1 });
	expect(app.model.log.requests).toEqual([]);
});

test('a refused key stops looks until the owner says go on; nothing is lost', async () => {
	let refuses = true;
	const app = await lookApp({ answer: () => (refuses ? fails({ type: 'auth' }) : finds('Bins on Tuesdays.', QUOTE)) });
	const { rpc } = app;
	app.serve(BINS);
	await rpc.settings.set(ON);
	expect(await app.over()).toMatchObject({ outcome: 'failed', why: expect.stringContaining('key') });
	expect(await rpc.heartbeat.status()).toMatchObject({ held: 'stopped', problem: { message: expect.stringContaining('key') } });
	const asked = app.model.log.requests.length;
	await app.pass(90 * MINUTE);
	await app.restart();
	await app.pass(90 * MINUTE);
	expect(app.model.log.requests).toHaveLength(asked);

	refuses = false;
	await app.rpc.heartbeat.goOn();
	await app.until(async () => (await app.rpc.heartbeat.status()).digest.waiting === 1, 'the finding');
	expect(await app.over()).toMatchObject({ by: 'schedule', outcome: 'done', findings: 1 });
});

test('over the day’s budget a look waits, and its items with it; the next day it goes on', async () => {
	const app = await lookApp({ settings: { budgets: budgetsWith({ heartbeat: { tokens: 10 } }) } });
	const { rpc } = app;
	app.serve(...Array.from({ length: 25 }, (_, number) => ({ ...BINS, id: `bins-${number}`, text: `${number} ${BINS.text}` })));
	await rpc.settings.set(ON);
	expect(await app.over()).toMatchObject({ outcome: 'held', items: 25, why: expect.stringContaining('budget') });
	expect(await rpc.heartbeat.status()).toMatchObject({ held: 'budget_used' });
	await expect(rpc.heartbeat.run({})).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('budget') });
	await app.pass(60 * MINUTE);
	expect(app.model.log.requests).toHaveLength(1);
	await app.pass(24 * 60 * MINUTE);
	await app.until(() => app.model.log.requests.length === 2, 'the rest to be looked at');
	expect(await app.over()).toMatchObject({ outcome: 'done', items: 0 });
});

test('outside the active hours no slot is told; the owner looks whatever the hour, but not while all is paused', async () => {
	const app = await lookApp({ settings: { ...ON, activeHours: { from: '03:00', to: '03:10' } } });
	const { rpc } = app;
	app.serve(BINS);
	await app.pass(MINUTE);
	expect(await rpc.heartbeat.ticks({ limit: 5 })).toEqual([]);
	expect(await rpc.heartbeat.status()).toMatchObject({ on: true, held: 'active_hours' });
	await rpc.work.pauseAll();
	await expect(rpc.heartbeat.run({})).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('paused') });
	expect(app.feed.asked).toEqual([]);
	await rpc.work.resumeAll();
	await rpc.heartbeat.run({});
	expect(await app.over()).toMatchObject({ by: 'owner', outcome: 'done', items: 1 });
	expect(app.model.log.requests).toHaveLength(1);
});

test('an answer that can’t be read is asked for once more; then its items are not considered, and the look says so', async () => {
	const answers = [says('I would rather talk about the weather.'), calls('memory_write', { text: 'The owner agreed.' })];
	const app = await lookApp({ answer: () => answers.shift() ?? says('{"findings": []}') });
	app.serve(BINS);
	await app.rpc.heartbeat.run({});
	expect(await app.over()).toMatchObject({ outcome: 'done', findings: 0, note: expect.stringContaining('could not be considered') });
	expect(app.model.log.requests).toHaveLength(2);
	expect(promptOf(app.model.log.requests[1])).toContain('Your last answer to this');
	await app.rpc.heartbeat.run({});
	expect(await app.over()).toMatchObject({ outcome: 'nothing_new' });
	expect(await app.rpc.inbox.list({ status: 'pending', limit: 10 })).toMatchObject({ proposals: [] });
	expect(await app.rpc.runs.list({ kind: ['heartbeat'], limit: 10 })).toMatchObject({ runs: [{ title: 'Look at The village paper' }, {}] });
});

test('B1 what a look read is in no list, no search and no export of chats, and no chat is made of it', async () => {
	const app = await lookApp({ answer: () => finds('The bins are emptied on Tuesdays from May on.', QUOTE) });
	const { rpc } = app;
	app.serve(BINS);
	await rpc.heartbeat.run({});
	const { runIds } = await app.over();
	const [runId] = runIds;
	if (!runId) throw new Error('no run was begun');
	const { run } = await rpc.runs.get({ runId });
	expect({ title: run.title, kind: run.kind, status: run.status }).toEqual({
		title: 'Look at The village paper',
		kind: 'heartbeat',
		status: 'done',
	});
	expect((await rpc.sessions.list()).sessions).toEqual([]);
	expect(await rpc.sessions.search({ query: 'Tuesdays', limit: 10 })).toEqual([]);
	expect(await rpc.memory.search({ query: 'Tuesdays', limit: 10 })).toMatchObject({ hits: [] });
	const { messageId } = run;
	for (const made of [
		rpc.sessions.branch({ messageId }),
		rpc.runs.fork({ runId, step: 1, requestId: newId<string>() }),
		rpc.chat.retry({ messageId }),
		rpc.chat.regenerate({ messageId, requestId: newId<string>() }),
		rpc.chat.send({ sessionId: run.sessionId, text: 'And?', requestId: newId<string>() }),
	])
		await expect(made).rejects.toMatchObject({ code: 'conflict' });
});

test('runs of looks go after a week, their items after a month; what waiting findings quote stays', async () => {
	const app = await lookApp({ answer: () => finds('The bins are emptied on Tuesdays from May on.', QUOTE) });
	const { rpc } = app;
	app.serve(BINS);
	await rpc.heartbeat.run({});
	const { runIds } = await app.over();
	await app.pass(8 * 24 * 60 * MINUTE);
	await app.restart();
	await expect(app.rpc.runs.get({ runId: runIds[0] ?? ('' as never) })).rejects.toMatchObject({ code: 'not_found' });
	await app.pass(40 * 24 * 60 * MINUTE);
	await app.restart();
	const { proposals } = await app.rpc.inbox.list({ status: 'pending', limit: 10 });
	expect(proposals.map(({ finding }) => finding?.quotes.map(({ quote }) => quote))).toEqual([[QUOTE]]);
	expect(await app.rpc.inbox.sourceTexts({ proposalId: proposals[0]?.id ?? ('' as never) })).toMatchObject([
		{ item: { text: expect.stringContaining(QUOTE) } },
	]);
});

test('without a model the built-in responder looks', async () => {
	const app = await lookApp({ provider: null });
	app.serve(BINS, { id: 'x', title: 'A recipe', text: 'Take four onions and a spoon of oil.' });
	await app.rpc.heartbeat.run({});
	const tick = await app.over();
	expect(tick).toMatchObject({ outcome: 'done', items: 2, findings: 1 });
	expect(await app.rpc.heartbeat.status()).toMatchObject({ model: { builtIn: true }, digest: { waiting: 1 } });
});

test('an item that a model refuses holds up neither its source nor the others; where all are refused, looks stop and nothing is lost', async () => {
	const app = await lookApp({
		answer: (request) => (promptOf(request).includes('12 June') ? fails({ type: 'html' }) : finds('Bins on Tuesdays.', QUOTE)),
	});
	const states = async () => (await app.rpc.sources.items({ sourceId: app.sourceId, limit: 5 })).map(({ state }) => state);
	app.serve(BINS, FAIR);
	await app.rpc.heartbeat.run({});
	// Both, then each alone: as the other one goes well, the first is to blame.
	expect(await app.over()).toMatchObject({
		outcome: 'done',
		findings: 1,
		note: expect.stringContaining('One item of “The village paper”'),
	});
	expect(await states()).toEqual(['read', 'read']);

	const other = await lookApp({ answer: () => fails({ type: 'html' }) });
	other.serve(BINS, FAIR);
	await other.rpc.heartbeat.run({});
	expect(await other.over()).toMatchObject({ outcome: 'failed', why: expect.stringContaining('web page') });
	expect(await other.rpc.heartbeat.status()).toMatchObject({ held: 'stopped' });
	const { sources } = await other.rpc.sources.list();
	expect(sources).toMatchObject([{ items: 2, unread: 2 }]);
});
