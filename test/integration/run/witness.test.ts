import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { PROTOCOL_VERSION } from '../../../src/contract/protocol.ts';
import { ProviderId, RunId } from '../../../src/domain/ids.ts';
import { Witness } from '../../../src/run/witness.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { calls, says, startModelServer } from '../../support/model-server/index.ts';
import { openHarness } from '../../support/run/harness.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { readLedger, testTools } from '../../support/test-tools.ts';

test('dur-3 R2 a database that lost its last writes says so, and asks before it repeats an effect', async () => {
	const server = await startModelServer();
	onTestFinished(() => server.close());
	server.script((request) => {
		const results = (request.body as { messages: { role: string }[] }).messages.filter((message) => message.role === 'tool').length;
		return results === 0 ? calls('test_effectful', { value: 'the letter' }) : says('Sent.');
	});
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const ledger = join(home, 'ledger.jsonl');
	const tools = testTools(ledger);
	const first = await startApp(home, { tools });
	const id = ProviderId.parse('scripted');
	await first.rpc.models.saveProvider({ provider: { id, kind: 'openai-compatible', name: 'Scripted', baseUrl: server.openaiUrl } });
	await first.rpc.models.choose({ work: 'chat', model: { providerId: id, modelId: 'scripted' } });
	const requestId = '018f0000-0000-7000-8000-000000000001';
	const { runId } = await first.rpc.chat.send({ requestId, text: 'Send the letter', attachmentIds: [] });
	const waiting = async ({ rpc }: Pick<typeof first, 'rpc'>) => {
		await expect.poll(async () => (await rpc.chat.interrupts({})).length).toBe(1);
		const [interrupt] = await rpc.chat.interrupts({});
		if (!interrupt) throw new Error('nothing is asked any more');
		return interrupt;
	};
	const asked = await waiting(first);
	// The state that a cut log leaves is an earlier state of the database: here one that does not know the owner's yes.
	const copy = join(home, 'earlier.db');
	for (const ending of ['', '-wal'])
		if (existsSync(join(profileFolder, `state.db${ending}`))) copyFileSync(join(profileFolder, `state.db${ending}`), `${copy}${ending}`);
	await first.rpc.chat.answer({ interruptId: asked.id, shownHash: asked.shownHash, answer: { type: 'approve' } });
	await expect.poll(async () => (await first.rpc.runs.get({ runId })).run.status).toBe('done');
	const witness = readFileSync(join(profileFolder, 'witness'), 'utf8');
	await first.close();
	rmSync(join(profileFolder, 'state.db-wal'), { force: true });
	for (const ending of ['', '-wal'])
		if (existsSync(`${copy}${ending}`)) copyFileSync(`${copy}${ending}`, join(profileFolder, `state.db${ending}`));
	expect(readFileSync(join(profileFolder, 'witness'), 'utf8')).toBe(witness);

	// A short look tells it, and leaves it to be told again.
	const look = await startApp(home, { tools, takeUpRuns: false });
	const warnings = async ({ rpc }: Pick<typeof first, 'rpc'>) =>
		(await rpc.system.hello({ protocol: PROTOCOL_VERSION, client: 'test' })).health.warnings;
	// S1: the records that went with them are missed, too.
	expect((await warnings(look)).map(({ code }) => code)).toEqual(['audit_broken', 'journal_cut']);
	await look.close();

	const second = await startApp(home, { tools });
	onTestFinished(() => second.close());
	const warning = (await warnings(second)).find(({ code }) => code === 'journal_cut');
	expect(warning).toMatchObject({ code: 'journal_cut', safe: expect.stringContaining('you are asked whether it did') });
	const again = await waiting(second);
	expect(again.detail.kind).toBe('approval');
	await second.rpc.chat.answer({ interruptId: again.id, shownHash: again.shownHash, answer: { type: 'approve' } });
	await expect.poll(async () => (await second.rpc.chat.interrupts({}))[0]?.detail.kind).toBe('did_it_happen');
	expect(readLedger(ledger)).toHaveLength(1);
	const question = await waiting(second);
	await second.rpc.chat.answer({ interruptId: question.id, shownHash: question.shownHash, answer: { type: 'happened', result: '' } });
	await expect.poll(async () => (await second.rpc.runs.get({ runId })).run.status).toBe('done');
	expect(readLedger(ledger)).toHaveLength(1);
});

test('a whole database, a deleted run and a line that was cut in two are no loss', async () => {
	const folder = temporaryFolder();
	const harness = openHarness({ folder });
	onTestFinished(() => harness.close());
	const file = join(folder, 'witness');
	const { runId } = await harness.send(harness.newSession(), 'hello');
	await harness.settled(runId);
	const seq = harness.journal(runId).length;
	const witness = new Witness(file, silentLogger);
	expect(witness.compare(harness.db.read, { settle: true })).toBeUndefined();
	witness.journaled(runId, seq, 5);
	const deleted = RunId.parse('deleted');
	witness.journaled(deleted, 9, 6);
	witness.gone([deleted]);
	witness.close();
	appendFileSync(file, '{"what":"journal","runId":"r');
	const next = new Witness(file, silentLogger);
	expect(next.compare(harness.db.read, { settle: false })).toBeUndefined();
	next.journaled(runId, seq + 2, 7);
	next.close();
	// The half line swallowed the one after it; the next is whole again.
	const last = new Witness(file, silentLogger);
	last.journaled(runId, seq + 3, 8);
	expect(last.compare(harness.db.read, { settle: true })).toMatchObject({ from: 8, until: 8, runs: [runId], effects: [] });
	// A life that dies before anybody heard of it leaves it to the next; one that ends has told it.
	const again = new Witness(file, silentLogger);
	expect(again.compare(harness.db.read, { settle: true })).toMatchObject({ from: 8, runs: [runId] });
	again.close();
	last.close();
	expect(readFileSync(file, 'utf8')).toBe('');
});
