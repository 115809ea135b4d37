import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { createEmbeddedPort, type EmbeddedOptions } from '../../../src/embed/adapters/embedded.ts';
import { findModelFolder } from '../../../src/embed/model-folder.ts';
import type { EmbeddingPort } from '../../../src/embed/port.ts';
import { dot } from '../../spec/embedding-port.ts';

function open(options: Partial<EmbeddedOptions> = {}): EmbeddingPort {
	const port = createEmbeddedPort({ logger: silentLogger, ...options });
	onTestFinished(() => port.close());
	return port;
}

/** The next thread that this process starts, as soon as there is one. */
async function nextThread(): Promise<Worker> {
	const [worker] = (await once(process, 'worker')) as [Worker];
	return worker;
}

const many = (count: number) => Array.from({ length: count }, (_, at) => `Caroline bought ${at} apples at the market in Lisbon`);

/** The model's files in a folder of the test's own. */
async function copyModel(): Promise<string> {
	const folder = mkdtempSync(path.join(tmpdir(), 'hearth-model-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	cpSync(await findModelFolder(silentLogger), folder, { recursive: true });
	return folder;
}

test('M5 the model finds what means the same in other words', async () => {
	const port = open();
	const notes = ['My sister adopted a puppy last spring', 'The boiler was serviced in March', 'Rent goes up by two percent in January'];
	const [question] = await port.embed(['Which pet does my family have?'], 'query');
	const scores = (await port.embed(notes, 'document')).map((note) => dot(note, question));
	expect(Math.max(...scores)).toBe(scores[0]);
});

test('of a long text the first 256 word pieces count, the marks at both ends included', async () => {
	const head = Array.from({ length: 254 }, (_, at) => (at % 2 === 0 ? 'cat' : 'dog')).join(' ');
	const [short, long, longer, other] = await open().embed([head, `${head} tree`, `${head} tax house`, `tree ${head}`], 'document');
	expect(long).toEqual(short);
	expect(longer).toEqual(short);
	expect(other).not.toEqual(short);
});

test('a question overtakes documents, also of a call that began before', async () => {
	const port = open();
	const done: string[] = [];
	const long = port.embed(many(120), 'document').then(() => done.push('documents'));
	await port.embed(['first'], 'query').then(() => done.push('question'));
	await port.embed(['second'], 'query').then(() => done.push('question'));
	await long;
	expect(done).toEqual(['question', 'question', 'documents']);
});

test('a thread that dies takes one call along; the waiting ones and the next get a new thread', async () => {
	const port = open();
	const first = nextThread();
	await port.embed(['warm'], 'query');
	const dying = port.embed(many(200), 'document');
	const waiting = port.embed(['still there?'], 'document');
	const rejected = expect(dying).rejects.toMatchObject({ kind: 'retryable', code: 'embedding_failed' });
	const second = nextThread();
	// A thread dies of what it throws.
	(await first).postMessage('an order that is none');
	await rejected;
	expect(await waiting).toHaveLength(1);
	const [again] = await port.embed(['warm'], 'query');
	expect(dot(again, again)).toBeCloseTo(1, 5);
	expect((await second).threadId).not.toBe((await first).threadId);
});

test('a process that ends while texts are embedded ends as it wants to, not by a crash of native code', async () => {
	const program = path.join(import.meta.dirname, '../../support/embed-child/main.ts');
	for (const ms of [1, 10, 25, 50, 100]) {
		const child = spawn(process.execPath, [program, String(ms)], { stdio: 'inherit' });
		expect(await once(child, 'exit')).toEqual([7, null]);
	}
});

test('the memory is given back after a while without calls, and the next call loads again', async () => {
	const port = open({ idleMs: 10 });
	const first = nextThread();
	const [before] = await port.embed(['hello'], 'query');
	await once(await first, 'exit');
	const second = nextThread();
	expect(await port.embed(['hello'], 'query')).toEqual([before]);
	await second;
});

test.each([
	['model.onnx', 'changed'],
	['tokenizer.json', 'changed'],
	['model.onnx', 'gone'],
] as const)('S5 %s that is %s is not loaded, every waiting call hears why, and one put back is', async (name, fault) => {
	const folder = await copyModel();
	const file = path.join(folder, name);
	const bytes = readFileSync(file);
	if (fault === 'gone') rmSync(file);
	else writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]));
	const port = open({ folder });
	const calls = await Promise.allSettled([port.embed(['one'], 'document'), port.embed(['two'], 'query')]);
	for (const call of calls) {
		expect(call).toMatchObject({ status: 'rejected', reason: { shape: { kind: 'needs_owner', code: 'embedding_model_missing' } } });
	}
	writeFileSync(file, bytes);
	expect(await port.embed(['three'], 'query')).toHaveLength(1);
});
