import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IndexStatus } from '../../../src/contract/methods/memory.ts';
import type { SearchMode } from '../../../src/domain/memory.ts';
import { wordCountModel } from '../../support/embeddings.ts';
import { type MemoryHarness, openMemory } from '../../support/memory.ts';

async function texts({ memory }: MemoryHarness, query: string, mode: SearchMode = 'hybrid', limit = 10): Promise<string[]> {
	const { hits } = await memory.search({ query, mode, filter: {}, limit });
	return hits.map(({ entry }) => entry.text);
}

const notes = (count: number) =>
	Array.from({ length: count }, (_, at) => `- Note ${at} about ${['bread', 'rivers', 'old maps'][at % 3]}\n`).join('');

test('mem-2 a note dropped into the folder can be found after the next look, and the status is true', async () => {
	const profile = await openMemory();
	profile.edit('memory/garden.md', '# Garden\n\n- The plum tree was planted by Ruth\n');
	await profile.memory.reconcile();
	expect(await texts(profile, 'who planted the plum tree')).toEqual(['The plum tree was planted by Ruth']);
	expect(profile.memory.status()).toMatchObject({ state: 'ready', total: 2, done: 2 });
	expect((await profile.memory.verify()).problems).toEqual([]);
});

test('mem-2 while many entries are worked off, the status tells how many of how many can be found', async () => {
	const states: IndexStatus[] = [];
	const profile = await openMemory({ onIndexStatus: (status) => states.push(status) });
	profile.edit('MEMORY.md', notes(900));
	await profile.memory.reconcile();
	expect(profile.memory.status()).toMatchObject({ state: 'indexing', total: 900 });
	expect(profile.memory.status().done).toBeLessThan(900);
	await profile.memory.settled();
	expect(profile.memory.status()).toMatchObject({ state: 'ready', total: 900, done: 900 });
	expect(states.some(({ state, total }) => state === 'indexing' && total === 900)).toBe(true);
	expect(states.at(-1)).toMatchObject({ state: 'ready', done: 900 });
});

test('mem-3 what is no longer in the ledger is never answered, even where the index still has it', async () => {
	const profile = await openMemory();
	await profile.append('The spare key is under the blue pot', { file: 'MEMORY.md' });
	await profile.append('The spare fuse is in the drawer', { file: 'MEMORY.md' });
	// As after a crash between the ledger's commit and the index's.
	profile.db.write((tx) => tx.exec("UPDATE memory_entries SET live = 0 WHERE text LIKE '%key%'"));
	expect(profile.memory.index.difference().ghosts).toHaveLength(1);
	expect(await texts(profile, 'spare')).toEqual(['The spare fuse is in the drawer']);
	profile.memory.index.catchUp();
	await profile.memory.settled();
	expect(profile.memory.index.difference()).toEqual({ missing: [], ghosts: [] });
});

test('M1 dur-5 an index that was deleted, cut, overwritten or made by another version is built anew from the ledger', async () => {
	const first = await openMemory();
	first.edit('MEMORY.md', notes(900));
	await first.memory.reconcile();
	await first.append('The boiler was serviced by Okafor', { file: 'MEMORY.md' });
	await first.close();
	const file = join(first.folder, 'index.db');
	const whole = readFileSync(file);
	const damages: [string, () => void][] = [
		['deleted', () => rmSync(file)],
		['empty', () => truncateSync(file, 0)],
		['cut', () => truncateSync(file, Math.floor(whole.length / 3))],
		['no database', () => writeFileSync(file, 'not a database'.repeat(1000))],
		[
			'of another version',
			() => writeFileSync(file, Buffer.concat([whole.subarray(0, 60), Buffer.from([0, 0, 3, 9]), whole.subarray(64)])),
		],
	];
	for (const [what, damage] of damages) {
		damage();
		const states: IndexStatus[] = [];
		const again = await openMemory({ folder: first.folder, onIndexStatus: (status) => states.push(status) });
		expect(states[0]?.state, what).toBe('rebuilding');
		await again.memory.settled();
		expect(again.memory.status(), what).toMatchObject({ state: 'ready', total: 901, done: 901 });
		expect((await texts(again, 'boiler serviced'))[0], what).toBe('The boiler was serviced by Okafor');
		expect(existsSync(`${file}.new`), what).toBe(false);
		await again.close();
	}
});

test('dur-5 where index.db can’t be opened or replaced at all, memory opens, is found, and says so when asked to make it anew', async () => {
	const first = await openMemory();
	await first.append('The boiler was serviced by Okafor', { file: 'MEMORY.md' });
	await first.close();
	const file = join(first.folder, 'index.db');
	for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
	mkdirSync(file);
	const second = await openMemory({ folder: first.folder });
	await second.memory.settled();
	expect(await texts(second, 'boiler')).toEqual(['The boiler was serviced by Okafor']);
	await second.append('The boiler is from 2019', { file: 'MEMORY.md' });
	await expect(second.memory.reindex()).rejects.toThrow();
	await second.memory.settled();
	expect((await texts(second, 'boiler')).toSorted()).toEqual(['The boiler is from 2019', 'The boiler was serviced by Okafor']);
	await second.close();
	rmdirSync(file);
	const third = await openMemory({ folder: first.folder });
	await third.memory.settled();
	expect(await texts(third, 'boiler')).toHaveLength(2);
	expect((await third.memory.verify()).problems).toEqual([]);
});

test('dur-5 damage that shows only while the app runs: search answers from the index that is being built', async () => {
	const first = await openMemory();
	first.edit('MEMORY.md', notes(3000));
	await first.memory.reconcile();
	await first.memory.settled();
	await first.close();
	const file = join(first.folder, 'index.db');
	const bytes = readFileSync(file);
	// All but the pages that are read when it is opened.
	const page = bytes.readUInt16BE(16);
	for (let at = 40 * page; at + page <= bytes.length; at += page) bytes.fill(0xa5, at, at + page);
	writeFileSync(file, bytes);
	const again = await openMemory({ folder: first.folder });
	expect(await texts(again, 'note 7 rivers', 'keyword')).toBeInstanceOf(Array);
	await again.memory.settled();
	expect(again.memory.status()).toMatchObject({ state: 'ready', total: 3000, done: 3000 });
	expect((await texts(again, 'note 2977 rivers', 'keyword'))[0]).toBe('Note 2977 about rivers');
});

test('dur-5 an index that is deleted under the running app is noticed at the next search', async () => {
	const profile = await openMemory();
	await profile.append('Tea is in the left cupboard', { file: 'MEMORY.md' });
	rmSync(join(profile.folder, 'index.db'));
	await texts(profile, 'tea');
	await profile.memory.settled();
	expect(statSync(join(profile.folder, 'index.db')).size).toBeGreaterThan(0);
	expect(await texts(profile, 'tea')).toEqual(['Tea is in the left cupboard']);
});

test('M5 building it anew on request keeps the old index answering, takes what changes meanwhile, and makes no vector twice', async () => {
	const model = wordCountModel();
	const profile = await openMemory({ embedding: model });
	profile.edit('MEMORY.md', notes(600));
	await profile.memory.reconcile();
	await profile.memory.settled();
	const embedded = model.calls.filter(({ kind }) => kind === 'document').flatMap((call) => call.texts).length;
	const building = profile.memory.reindex();
	expect(profile.memory.status().state).toBe('rebuilding');
	expect((await texts(profile, 'note 5 old maps'))[0]).toBe('Note 5 about old maps');
	await profile.append('Written while the index was built', { file: 'MEMORY.md' });
	await building;
	await profile.memory.settled();
	expect((await texts(profile, 'written while built'))[0]).toBe('Written while the index was built');
	expect(profile.memory.status()).toMatchObject({ state: 'ready', total: 601, done: 601, embedded: 601 });
	expect(model.calls.filter(({ kind }) => kind === 'document').flatMap((call) => call.texts)).toHaveLength(embedded + 1);
});

test('mem-4 a model that stops answering: words only, one notice, no further calls, and what was missed is caught up with', async () => {
	const model = wordCountModel();
	const profile = await openMemory({ embedding: model });
	await profile.append('Lemons grow on the terrace', { file: 'MEMORY.md' });
	await profile.memory.settled();
	model.fails = true;
	await profile.append('Oranges grow behind the house', { file: 'MEMORY.md' });
	await profile.memory.settled();
	const { hits, mode, index } = await profile.memory.search({ query: 'what grows behind the house', mode: 'hybrid', filter: {}, limit: 5 });
	expect(hits[0]?.entry.text).toBe('Oranges grow behind the house');
	expect(mode).toBe('keyword');
	expect(index).toMatchObject({ state: 'ready', total: 2, done: 2, embedded: 1, problem: { code: 'embedding_unreachable' } });
	const calls = model.calls.length;
	for (let at = 0; at < 20; at++) await texts(profile, `question ${at}`);
	expect(model.calls).toHaveLength(calls);

	model.fails = false;
	profile.memory.index.setEmbedding(model);
	await profile.memory.settled();
	expect(profile.memory.status()).toMatchObject({ embedded: 2 });
	expect(profile.memory.status().problem).toBeUndefined();
	expect((await profile.memory.search({ query: 'oranges', mode: 'hybrid', filter: {}, limit: 5 })).mode).toBe('hybrid');
});

test('mem-4 a text that the model refuses: all others get their vectors, the status counts it as waiting, and it is not asked for again', async () => {
	const model = wordCountModel();
	model.refuses = 'unspeakable';
	const profile = await openMemory({ embedding: model });
	profile.edit('MEMORY.md', `${notes(150)}- An unspeakable rune\n${notes(300).split('\n').slice(150).join('\n')}`);
	await profile.memory.reconcile();
	await profile.memory.settled();
	expect(profile.memory.status()).toMatchObject({ state: 'ready', total: 301, done: 301, embedded: 300 });
	expect(profile.memory.status().problem).toBeUndefined();
	const calls = model.calls.length;
	await profile.append('The boiler was serviced by Okafor', { file: 'MEMORY.md' });
	await profile.memory.settled();
	expect(model.calls).toHaveLength(calls + 1);
	expect(profile.memory.status()).toMatchObject({ total: 302, embedded: 301 });
	expect((await texts(profile, 'unspeakable rune'))[0]).toBe('An unspeakable rune');
	// Where it refuses everything, it is the model: left alone, and said.
	model.refuses = '';
	await profile.append('The gate sticks in winter', { file: 'MEMORY.md' });
	await profile.memory.settled();
	expect(profile.memory.status()).toMatchObject({ total: 303, embedded: 301, problem: { code: 'embedding_bad_response' } });
});

test('M5 another model: vectors are made anew in the background, those of the former one are kept for its return', async () => {
	const [first, second] = [wordCountModel('words-1', 64), wordCountModel('words-2', 96)];
	const profile = await openMemory({ embedding: first });
	profile.edit('MEMORY.md', notes(300));
	await profile.memory.reconcile();
	await profile.memory.settled();
	profile.memory.index.setEmbedding(second);
	expect(profile.memory.status()).toMatchObject({ model: 'words-2', embedded: 0, done: 300 });
	expect((await texts(profile, 'note 5 old maps', 'keyword'))[0]).toBe('Note 5 about old maps');
	await profile.memory.settled();
	expect(profile.memory.status()).toMatchObject({ embedded: 300 });
	expect((await profile.memory.search({ query: 'note 5', mode: 'vector', filter: {}, limit: 5 })).mode).toBe('vector');

	const calls = first.calls.length;
	profile.memory.index.setEmbedding(first);
	await profile.memory.settled();
	expect(profile.memory.status()).toMatchObject({ model: 'words-1', embedded: 300 });
	expect(first.calls).toHaveLength(calls);
	profile.memory.index.setEmbedding(undefined);
	expect(profile.memory.status()).toMatchObject({ model: null, embedded: 0 });
	expect((await texts(profile, 'note 5 old maps'))[0]).toBe('Note 5 about old maps');
});

test('M4 a forgotten text is in no file of the index, nor is any of its rarer words', async () => {
	const profile = await openMemory({ embedding: wordCountModel() });
	profile.edit('MEMORY.md', `${notes(50)}- The zanzibarite quotation is xylophonically 88231\n`);
	await profile.memory.reconcile();
	await profile.memory.settled();
	const holds = () =>
		['index.db', 'index.db-wal'].flatMap((name) => {
			const bytes = existsSync(join(profile.folder, name)) ? readFileSync(join(profile.folder, name)) : Buffer.alloc(0);
			return ['zanzibarite', 'zanzibarit', 'xylophon', '88231'].filter((word) => bytes.includes(word));
		});
	expect(holds().length).toBeGreaterThan(0);
	const secret = profile.entry('The zanzibarite quotation is xylophonically 88231');
	profile.db.write((tx) => tx.exec("UPDATE memory_entries SET live = 0, text = '' WHERE text LIKE '%zanzibar%'"));
	profile.memory.index.purge([secret.hash]);
	expect(holds()).toEqual([]);
	expect(profile.memory.index.difference()).toEqual({ missing: [], ghosts: [] });
	expect(profile.memory.status()).toMatchObject({ total: 50, done: 50, embedded: 50 });
});
