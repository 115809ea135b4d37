import { expect, test } from 'vitest';
import { type Reply, says } from '../../support/model-server/index.ts';
import { memoryApp } from '../../support/run/memory-app.ts';

const readings = (question: string, ...sentences: string[]) =>
	says(JSON.stringify({ question, readings: sentences.map((sentence) => ({ text: sentence.slice(0, 40), sentence })) }));

test('sch-6 a sentence is read without a model: a card, a question whose choices are cards, or words that say what is missing', async () => {
	const { rpc } = await memoryApp();
	const read = (sentence: string) => rpc.tasks.read({ sentence });
	expect(await read('every weekday at 9:00 summarise my unread mail')).toMatchObject({
		kind: 'card',
		by: 'grammar',
		card: { restated: expect.stringMatching(/^Every weekday at 09:00: summarise my unread mail\./), next: { length: 5 } },
	});
	const asks = await read('at 9:00 on the 13th and on Fridays check the lottery');
	if (asks.kind !== 'asks') throw new Error('not asked');
	expect(asks.choices).toHaveLength(2);
	for (const { sentence } of asks.choices) expect(await read(sentence)).toMatchObject({ kind: 'card' });
	expect(await read('summarise my mail')).toMatchObject({ kind: 'unclear' });
	expect(await read('when the workflow nobody-has-it reaches state x tell me')).toMatchObject({
		kind: expect.stringMatching(/card|unclear/),
	});
	expect((await rpc.tasks.list()).tasks).toEqual([]);
});

test('a card that is read can be added as it was shown', async () => {
	const { rpc } = await memoryApp();
	const reading = await rpc.tasks.read({ sentence: 'every 3 hours look at the log' });
	if (reading.kind !== 'card') throw new Error('no card');
	const { draft, shownHash } = reading.card;
	const task = await rpc.tasks.add({ draft, shownHash, permissions: [], requestId: crypto.randomUUID() });
	expect(task.draft).toEqual(draft);
});

test('what the grammar can’t read a model says again, and the card is marked with its name; the owner’s sentence stays', async () => {
	const app = await memoryApp({ replies: [readings('', 'every Monday at 9:00 "Fasse meine Mails zusammen"')] });
	const sentence = 'Jeden Montag um 9 Uhr: Fasse meine Mails zusammen';
	expect(await app.rpc.tasks.read({ sentence })).toMatchObject({
		kind: 'card',
		by: 'model',
		model: 'scripted',
		card: { restated: expect.stringMatching(/^Every Monday at 09:00: Fasse meine Mails zusammen/), draft: { sentence } },
	});
	expect(JSON.stringify(app.server?.log.requests.at(-1)?.body)).toContain('json_schema');
});

test('a model’s several readings are asked, its ambiguous one is asked as the grammar asks, and what is no answer is unclear', async () => {
	const nothing: Reply[] = [
		readings('', 'on some day remind me of x'),
		readings('Hm?'),
		says('Gladly! Which day?'),
		says('{"readings": 3}'),
		{ fault: { type: 'html', status: 200 } },
	];
	const { rpc } = await memoryApp({
		replies: [
			readings('Wann?', 'on 4 May 2050 at 9:00 remind me of "x"', 'on 4 May 2050 at 18:00 remind me of "x"'),
			readings('', 'every day at 7 remind me of "x"'),
			...nothing,
		],
	});
	const read = () => rpc.tasks.read({ sentence: 'Sag mir am Freitag Bescheid' });
	expect(await read()).toMatchObject({ kind: 'asks', question: 'Wann?', choices: { length: 2 } });
	expect(await read()).toMatchObject({ kind: 'asks', question: expect.stringContaining('07:00') });
	for (const _ of nothing) expect(await read()).toMatchObject({ kind: 'unclear' });
});

test('what the grammar is sure of never goes to a model', async () => {
	const app = await memoryApp({ replies: [says('no')] });
	for (const sentence of ['every day at 9:00 look', 'next Friday at 9:00 look', 'every weekday at 9:00', 'on 3 May 2024 at 9:00 look'])
		await app.rpc.tasks.read({ sentence });
	expect(app.server?.log.requests).toEqual([]);
});
