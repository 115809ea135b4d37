import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import { byOwner, type MemoryHarness, openMemory, ownersGrant } from '../support/memory.ts';
import { DONE, type MemoryLife, WORK } from '../support/memory-child/main.ts';
import { programOf } from '../support/program.ts';
import { temporaryFolder } from '../support/storage/folders.ts';
import { stride } from '../support/thorough.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/memory-child/main.ts', import.meta.url)));

/** One life; how many receipts it gave, and whether it was killed. */
async function live(life: MemoryLife): Promise<{ receipts: number; killed: boolean }> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'pipe', 'inherit'] });
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	if (signal === null) expect(code).toBe(0);
	return { receipts: said.split('\n').length - 1, killed: signal === 'SIGKILL' };
}

async function killedAt(folder: string, at: CrashPointName, nth: number, writes?: number): Promise<void> {
	expect((await live({ folder, die: { at, nth }, ...(writes !== undefined && { writes }) })).killed).toBe(true);
}

/** Disk, ledger and index say the same, and nothing is left under way. */
async function agrees({ memory }: MemoryHarness): Promise<void> {
	await memory.settled();
	expect((await memory.verify()).problems).toEqual([]);
}

async function isDone(harness: MemoryHarness): Promise<void> {
	for (const [file, text] of Object.entries(DONE)) expect(harness.read(file), file).toBe(text);
	expect(harness.entries().map(({ text, state }) => [text, state])).toEqual([
		['Has a cat', 'superseded'],
		['Has two cats', 'current'],
		['Likes black coffee', 'current'],
		['To be removed', 'current'],
	]);
	for (const entry of harness.entries()) expect(entry.provenance).toMatchObject({ author: 'agent', runId: 'run-1', step: 3 });
	for (const { text, id } of harness.entries()) {
		const { hits } = await harness.memory.search({ query: text, mode: 'keyword', filter: {}, limit: 10 });
		expect(hits.map(({ entry }) => entry.id)).toContain(id);
	}
	const kinds = harness.db.read.prepare("SELECT kind, status FROM memory_changes WHERE file <> '' ORDER BY seq").raw().all();
	expect(kinds).toEqual(
		['append', 'append', 'patch', 'supersede', 'move', 'move', 'append', 'remove', 'undo'].map((kind) => [kind, 'done']),
	);
	await agrees(harness);
}

for (const at of [
	'memory.intended',
	'file.written',
	'file.looked',
	'file.renamed',
	'memory.written',
	'memory.done',
	'memory.indexed',
] as const) {
	test(`R1 M3 mem-5 killed each time ${at} is passed and taken up again: each write is there exactly once`, async () => {
		const folders = new Map<number, string>();
		const liveOn = async (nth: number): Promise<boolean> => {
			const folder = temporaryFolder();
			folders.set(nth, folder);
			const { killed } = await live({ folder, die: { at, nth } });
			// What was under way is finished at the start, under its own provenance.
			const between = await openMemory({ folder });
			await agrees(between);
			await between.close();
			if (killed) expect((await live({ folder })).receipts).toBe(WORK.length);
			const harness = await openMemory({ folder });
			await isDone(harness);
			await harness.close();
			return !killed;
		};
		let survived = false;
		let nth = 1;
		const every = stride(1);
		for (; nth <= 40 && !survived; nth += 2 * every) survived = (await Promise.all([liveOn(nth), liveOn(nth + every)])).includes(true);
		expect(survived).toBe(true);
		expect(nth).toBeGreaterThan(WORK.length);
	}, 300_000);
}

test('M3 killed before the file was written, and the owner wrote in the same place meanwhile: both texts are there', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'MEMORY.md'), '- old\n');
	await killedAt(folder, 'memory.intended', 1);
	appendFileSync(join(folder, 'MEMORY.md'), '- by hand\n');
	const harness = await openMemory({ folder });
	expect(
		harness
			.entries()
			.map(({ text, provenance }) => [text, provenance.author])
			.toSorted(),
	).toEqual([
		['Likes green tea', 'agent'],
		['by hand', 'file_edit'],
		['old', 'unknown'],
	]);
	await agrees(harness);
});

test('M2 M3 killed after the file was written, and the owner went on from there: ours once and ours, theirs theirs', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'MEMORY.md'), '- old\n');
	await killedAt(folder, 'memory.written', 1);
	const text = readFileSync(join(folder, 'MEMORY.md'), 'utf8');
	expect(text).toBe('- old\n- Likes green tea\n');
	writeFileSync(join(folder, 'MEMORY.md'), `# Title\n\n${text.replace('old', 'old and changed')}- by hand\n`);
	const harness = await openMemory({ folder });
	expect(harness.read('MEMORY.md')).toBe('# Title\n\n- old and changed\n- Likes green tea\n- by hand\n');
	expect(harness.entries().map(({ text, provenance }) => [text, provenance.author])).toEqual([
		['old and changed', 'file_edit'],
		['Likes green tea', 'agent'],
		['by hand', 'file_edit'],
	]);
	await agrees(harness);
});

test('M2 dur-4 a write that was under way in a ledger put back from a back-up is finished, and what else is there is not taken for the owner’s', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'MEMORY.md'), '- old\n');
	await killedAt(folder, 'memory.intended', 1);
	const file = join(folder, 'state.db');
	const db = openStateDb({ file, backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const backup = await db.backUp();
	db.close();
	for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
	copyFileSync(backup.path, file);
	appendFileSync(join(folder, 'MEMORY.md'), '- Learnt from a web page since\n');
	const harness = await openMemory({ folder });
	expect(
		harness
			.entries()
			.map(({ text, provenance }) => [text, provenance.author])
			.toSorted(),
	).toEqual([
		['Learnt from a web page since', 'unknown'],
		['Likes green tea', 'agent'],
		['old', 'unknown'],
	]);
	await agrees(harness);
});

for (const take of ['ours', 'theirs', 'both'] as const) {
	test(`mem-10 killed before a patch was written, and the owner changed that entry: both texts are kept until ${take} is chosen`, async () => {
		const folder = temporaryFolder();
		// The third intent is the patch.
		await killedAt(folder, 'memory.intended', 3);
		const path = join(folder, 'MEMORY.md');
		writeFileSync(path, readFileSync(path, 'utf8').replace('Likes green tea', 'Likes white tea, since today'));
		const harness = await openMemory({ folder });
		const { memory } = harness;
		expect(harness.read('MEMORY.md')).toContain('- Likes white tea, since today\n');
		const [conflict] = memory.conflicts();
		expect(conflict).toMatchObject({ file: 'MEMORY.md', ours: '- Likes black coffee', theirs: '- Likes white tea, since today' });
		expect((await memory.verify()).problems.map(({ kind }) => kind)).toEqual(['conflict']);
		await memory.writer.resolveConflict({ grant: ownersGrant, key: 'choice', provenance: byOwner(), conflictId: conflict?.id ?? '', take });
		const lines = { ours: ['black coffee'], theirs: ['white tea, since today'], both: ['white tea, since today', 'black coffee'] }[take];
		expect(harness.read('MEMORY.md')).toBe(`${lines.map((line) => `- Likes ${line}\n`).join('')}\n## Home\n\n- Has a cat\n`);
		expect(memory.conflicts()).toEqual([]);
		await agrees(harness);
	});
}
