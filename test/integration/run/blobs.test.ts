import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContentFiles } from '../../../src/base/content-files.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { sql, value } from '../../../src/db/sql.ts';
import type { MessageId, SessionId } from '../../../src/domain/ids.ts';
import { LARGE_RESULT, LARGE_RESULT_HEAD } from '../../../src/domain/tool.ts';
import { Blobs } from '../../../src/run/blobs.ts';
import { copyBranch } from '../../../src/sessions/branch.ts';
import { allMessages } from '../../../src/sessions/message-store.ts';
import { deleteSession } from '../../../src/sessions/session-store.ts';
import { calls, says } from '../../support/model-server/index.ts';
import type { Harness } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { testTools } from '../../support/test-tools.ts';

const SMILES = '😀'.repeat(15_000);

const inFolder = (folder: string) => readdirSync(join(folder, 'blobs'));
const blobsOf = ({ folder, db }: Harness) =>
	new Blobs({ files: new ContentFiles(join(folder, 'blobs')), db: db.read, logger: silentLogger });
/** Those that are no prompts. */
const results = (folder: string) =>
	inFolder(folder).filter((name) => !readFileSync(join(folder, 'blobs', name), 'utf8').includes('# Tools'));

/** A run whose tool gave 30,000 UTF-16 units, twice, in a turn that is over. */
async function large(more: { after?: string[] } = {}) {
	const folder = temporaryFolder();
	const tools = testTools(join(folder, 'ledger.jsonl'), { outputCap: 100_000 });
	const look = calls('test_pure', { length: 30_000 });
	const stage = await scripted([look, look, says('Seen.'), ...(more.after ?? []).map((text) => says(text))], {
		folder,
		tools,
		contextTokens: 200_000,
	});
	const sessionId = stage.harness.newSession();
	const sent = await stage.harness.send(sessionId, 'Look');
	expect(await stage.harness.settled(sent.runId)).toBe('done');
	return { ...stage, folder, sessionId, sent };
}

const sentTexts = (body: unknown) => (body as { messages: { role: string; content: string }[] }).messages;

test('a large result lies beside the journal, once; its place holds the beginning; the model reads the whole, in later turns too', async () => {
	const { harness, server, folder, sessionId, sent } = await large({ after: ['Still.'] });
	const parts = harness.message(sent.messageId).parts.filter((part) => part.type === 'tool');
	const whole = { hash: expect.stringMatching(/^[0-9a-f]{64}$/), chars: 30_000 };
	const head = SMILES.slice(0, LARGE_RESULT_HEAD);
	expect(parts.map(({ result }) => result)).toMatchObject([
		{ text: head, whole },
		{ text: head, whole },
	]);
	expect(results(folder)).toEqual([parts[0]?.result?.whole?.hash]);
	expect(readFileSync(join(folder, 'blobs', results(folder)[0] ?? ''), 'utf8')).toBe(SMILES);
	const journal = value<string>(harness.db.read, sql`SELECT group_concat(event) FROM journal`) ?? '';
	expect(journal.length).toBeLessThan(LARGE_RESULT);
	const told = () => sentTexts(server.log.requests.at(-1)?.body).filter(({ role }) => role === 'tool');
	expect(told().map(({ content }) => content)).toEqual([SMILES, SMILES]);
	const next = await harness.send(sessionId, 'And now?');
	await harness.settled(next.runId);
	expect(told().map(({ content }) => content)).toEqual([SMILES, SMILES]);
});

test('a result just below the limit stays whole in its place', async () => {
	const folder = temporaryFolder();
	const tools = testTools(join(folder, 'ledger.jsonl'), { outputCap: 100_000 });
	const { harness } = await scripted([calls('test_pure', { length: LARGE_RESULT - 1 }), says('Seen.')], {
		folder,
		tools,
		contextTokens: 200_000,
	});
	const sent = await harness.send(harness.newSession(), 'Look');
	await harness.settled(sent.runId);
	const [part] = harness.message(sent.messageId).parts;
	expect(part?.type === 'tool' && part.result?.text.length).toBe(LARGE_RESULT - 1);
	expect(results(folder)).toEqual([]);
});

test.each(['removed', 'changed'])('a text beside the journal that was %s is told as gone, and the chat goes on', async (how) => {
	const { harness, server, folder, sessionId, sent } = await large({ after: ['Fine.'] });
	const [hash] = results(folder);
	const file = join(folder, 'blobs', hash ?? '');
	if (how === 'removed') await new ContentFiles(join(folder, 'blobs')).remove([hash ?? ''], (given) => given);
	else writeFileSync(file, 'something else');
	const next = await harness.send(sessionId, 'And now?');
	expect(await harness.settled(next.runId)).toBe('done');
	const told = sentTexts(server.log.requests.at(-1)?.body).filter(({ role }) => role === 'tool');
	expect(told[0]?.content).toContain('😀😀');
	expect(told[0]?.content).toContain('[The rest of this text, 30000 characters in all, is no longer there.]');
	const [part] = harness.message(sent.messageId).parts;
	expect(part).toMatchObject({ status: 'done' });
});

test('texts go with the last chat that names them; a branch of a chat names them too', async () => {
	const { harness, folder, sessionId, sent } = await large();
	const { db } = harness;
	const blobs = blobsOf(harness);
	const branch = db.write((tx) => copyBranch(tx, sent.messageId, 1, (message) => message));
	const drop = async (id: SessionId) => {
		db.write((tx) => deleteSession(tx, id));
		await blobs.collect();
	};
	await drop(sessionId);
	expect(results(folder)).toHaveLength(1);
	// No run of that chat is there any more, so no prompt either.
	expect(inFolder(folder)).toHaveLength(1);
	const [, reply] = allMessages(db.read, branch);
	expect((await blobs.withWhole(reply as never)).parts[0]).toMatchObject({ result: { text: SMILES } });
	await drop(branch);
	expect(inFolder(folder)).toEqual([]);
});

test('what is kept and not yet named by an event is not collected; after its event it is named, and goes with its run', async () => {
	const { harness, folder, sessionId } = await large();
	const blobs = blobsOf(harness);
	const kept = await blobs.keepLarge({ text: 'x'.repeat(LARGE_RESULT), isError: false });
	const hash = kept.whole?.hash ?? '';
	await blobs.collect();
	await blobs.remove([hash]);
	expect(inFolder(folder)).toContain(hash);
	expect(await blobs.text(hash)).toBe('x'.repeat(LARGE_RESULT));
	// Its event never came: the next life collects it.
	await blobsOf(harness).collect();
	expect(inFolder(folder)).not.toContain(hash);
	harness.db.write((tx) => deleteSession(tx, sessionId));
	await blobsOf(harness).collect();
	expect(inFolder(folder)).toEqual([]);
});

test('dur-2 a result that the disk does not take beside the journal stays whole in its place', async () => {
	const { harness, folder } = await large();
	writeFileSync(join(folder, 'in-the-way'), '');
	const blobs = new Blobs({ files: new ContentFiles(join(folder, 'in-the-way', 'blobs')), db: harness.db.read, logger: silentLogger });
	const result = { text: 'x'.repeat(LARGE_RESULT), isError: false };
	expect(await blobs.keepLarge(result)).toBe(result);
	expect(await blobs.keepPrompt({ system: 'Be brief.', tools: [] })).toBeUndefined();
});

test('a chat that is exported holds large results whole', async () => {
	const { harness, sent } = await large();
	const whole = await blobsOf(harness).withWhole(harness.message(sent.messageId as MessageId));
	const tools = whole.parts.filter((part) => part.type === 'tool');
	expect(tools.map(({ result }) => [result?.text.length, result?.whole])).toEqual([
		[30_000, undefined],
		[30_000, undefined],
	]);
});
