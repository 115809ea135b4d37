import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MemoryPath, Provenance } from '../../../src/domain/memory.ts';
import { knownFile, knownFiles } from '../../../src/memory/file-store.ts';
import { setProvenance } from '../../../src/memory/ledger-store.ts';
import { listVersions } from '../../../src/memory/version-store.ts';
import { openLedger } from '../../support/memory/ledger.ts';

const FROM_WEB: Provenance = {
	author: 'agent',
	label: 'approved',
	origin: 'external',
	sources: [{ kind: 'url', url: 'https://example.org', fetchedAt: 1, fetchedHash: 'h', quote: 'q', start: 0, end: 1 }],
	at: 1,
};

test('mem-1 M2 the owner’s edit is the owner’s; every other entry keeps where it came from', async () => {
	const ledger = openLedger();
	await ledger.reconciler.look();
	ledger.write('MEMORY.md', '# House\n\n- The boiler is from 2019.\n- The roof was mended in May.\n');
	await ledger.reconciler.look();
	const { id } = ledger.saying('The roof was mended in May.');
	ledger.db.write((tx) => setProvenance(tx, id, FROM_WEB));
	ledger.write('MEMORY.md', '# House\n\n- The boiler is from 2021, not 2019.\n- A new line.\n- The roof was mended in May.\n');
	expect(await ledger.reconciler.look()).toEqual(['MEMORY.md']);
	expect(ledger.saying('The roof was mended in May.')).toMatchObject({ id, provenance: FROM_WEB, lineStart: 5 });
	expect(ledger.saying('The boiler is from 2021, not 2019.')).toMatchObject({
		versions: 2,
		provenance: { author: 'file_edit', label: 'owner', origin: 'owner', sources: [] },
	});
	expect(await ledger.reconciler.look()).toEqual([]);
});

test('M3 new files, renames and folders that go and come back: entries stay who they are', async () => {
	const ledger = openLedger();
	ledger.write('memory/notes/garden.md', '- Tomatoes go in on 15 May.\n- The hose leaks.\n');
	ledger.write('memory/2026-11-29.md', '# 2026-11-29\n\n- Met Ada at noon.\n');
	await ledger.reconciler.look();
	const before = new Map(ledger.live().map(({ text, id }) => [text, id]));
	renameSync(join(ledger.folder, 'memory/notes/garden.md'), join(ledger.folder, 'memory/notes/Garden.md'));
	await ledger.reconciler.look();
	expect(ledger.saying('The hose leaks.')).toMatchObject({ id: before.get('The hose leaks.'), file: 'memory/notes/Garden.md' });
	renameSync(join(ledger.folder, 'memory'), join(ledger.folder, 'elsewhere'));
	await ledger.reconciler.look();
	expect(ledger.live()).toEqual([]);
	expect(knownFiles(ledger.db.read)).toEqual([]);
	renameSync(join(ledger.folder, 'elsewhere'), join(ledger.folder, 'memory'));
	await ledger.reconciler.look();
	expect(new Map(ledger.live().map(({ text, id }) => [text, id]))).toEqual(before);
});

test('what can’t be read is told and never written: too large, not UTF-8, a folder; its entries stay, and it heals', async () => {
	const ledger = openLedger();
	const path = 'memory/list.md' as MemoryPath;
	ledger.write(path, '- one\n');
	await ledger.reconciler.look();
	const { id } = ledger.saying('one');
	for (const [bytes, code] of [
		[Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x00]), 'invalid_input'],
		[Buffer.alloc(2_000_001, 'a'), 'file_too_large'],
	] as const) {
		ledger.write(path, bytes);
		await ledger.reconciler.look();
		expect(knownFile(ledger.db.read, path)?.problem).toMatchObject({ code });
		expect(readFileSync(join(ledger.folder, path)).equals(bytes)).toBe(true);
	}
	ledger.write(path, '- one\n');
	await ledger.reconciler.look();
	expect(knownFile(ledger.db.read, path)?.problem).toBeUndefined();
	expect(ledger.saying('one').id).toBe(id);
	expect(listVersions(ledger.db.read, { entryId: id }, 10)).toHaveLength(1);
	mkdirSync(join(ledger.folder, 'memory/folder.md'));
	await expect(ledger.reconciler.look()).resolves.toEqual([]);
});

test('links are followed, each file counts once, circles and links to nowhere do no harm; names with a dot are left alone', async () => {
	const ledger = openLedger();
	const vault = join(ledger.folder, 'vault');
	mkdirSync(vault);
	writeFileSync(join(vault, 'note.md'), '- in the vault\n');
	mkdirSync(join(ledger.folder, 'memory/.trash'), { recursive: true });
	writeFileSync(join(ledger.folder, 'memory/.trash/old.md'), '- thrown away\n');
	symlinkSync(vault, join(ledger.folder, 'memory/vault'));
	symlinkSync(join(vault, 'note.md'), join(ledger.folder, 'memory/z-again.md'));
	symlinkSync(join(ledger.folder, 'memory'), join(vault, 'circle'));
	symlinkSync('/nowhere/at/all.md', join(ledger.folder, 'memory/broken.md'));
	symlinkSync('loop.md', join(ledger.folder, 'memory/loop.md'));
	await ledger.reconciler.look();
	expect(ledger.live().map(({ file, text }) => `${file}: ${text}`)).toEqual(['memory/vault/note.md: in the vault']);
	writeFileSync(join(vault, 'note.md'), '- in the vault, changed\n');
	expect(await ledger.reconciler.look()).toEqual(['memory/vault/note.md']);
});

test('a change that keeps size and time is seen, in this life and at the next start', async () => {
	const ledger = openLedger();
	const file = join(ledger.folder, 'MEMORY.md');
	const rewrite = (text: string) => {
		writeFileSync(file, text);
		utimesSync(file, 1_000, 1_000);
	};
	rewrite('- aaaa\n');
	await ledger.reconciler.look();
	rewrite('- bbbb\n');
	expect(await ledger.reconciler.look()).toEqual(['MEMORY.md']);
	ledger.close();
	rewrite('- cccc\n');
	const next = openLedger(ledger.folder);
	expect(await next.reconciler.look()).toEqual(['MEMORY.md']);
	expect(next.live().map(({ text }) => text)).toEqual(['cccc']);
});

test('a patient look waits for what is being written, for the second half of a rename, and for an emptied file', async () => {
	const ledger = openLedger();
	const patient = { patient: true };
	ledger.write('MEMORY.md', '- the first of two entries\n- two\n');
	expect(await ledger.reconciler.look(patient)).toEqual([]);
	expect(ledger.reconciler.unsettled()).toBe(true);
	await expect.poll(() => ledger.reconciler.look(patient)).toEqual(['MEMORY.md']);
	const { id } = ledger.saying('the first of two entries');
	rmSync(join(ledger.folder, 'MEMORY.md'));
	expect(await ledger.reconciler.look(patient)).toEqual([]);
	ledger.write('MEMORY.md', '');
	await ledger.reconciler.look(patient);
	ledger.write('MEMORY.md', '- the first of two entries, changed\n- two\n');
	await expect.poll(() => ledger.reconciler.look(patient)).toEqual(['MEMORY.md']);
	expect(ledger.saying('the first of two entries, changed').id).toBe(id);
	rmSync(join(ledger.folder, 'MEMORY.md'));
	await expect.poll(() => ledger.reconciler.look(patient)).toEqual(['MEMORY.md']);
	expect(ledger.live()).toEqual([]);
});

test('M2 a ledger that was lost is made anew: of unknown origin, and never taken for the owner’s', async () => {
	const first = openLedger();
	first.write('MEMORY.md', '- learnt from a web page\n');
	await first.reconciler.look();
	first.close();
	for (const ending of ['', '-wal', '-shm']) rmSync(join(first.folder, `state.db${ending}`), { force: true });
	rmSync(join(first.folder, 'backups'), { recursive: true, force: true });
	const second = openLedger(first.folder);
	await second.reconciler.look();
	expect(second.saying('learnt from a web page').provenance).toMatchObject({
		author: 'unknown',
		label: 'approved',
		origin: 'approved',
		sources: [],
	});
	second.write('memory/new.md', '- written by hand\n');
	await second.reconciler.look();
	expect(second.saying('written by hand').provenance).toMatchObject({ author: 'file_edit', label: 'owner' });
	expect(second.saying('learnt from a web page').provenance.author).toBe('unknown');
});

test('M2 dur-4 a ledger put back from a back-up does not take for the owner’s what Hearth wrote since', async () => {
	const ledger = openLedger();
	await ledger.reconciler.look();
	ledger.write('MEMORY.md', '- Known before.\n');
	await ledger.reconciler.look();
	const backup = await ledger.db.backUp();
	ledger.write('MEMORY.md', '- Known before.\n- Learnt from a web page since.\n');
	await ledger.reconciler.look();
	ledger.close();
	for (const ending of ['-wal', '-shm']) rmSync(join(ledger.folder, `state.db${ending}`), { force: true });
	copyFileSync(backup.path, join(ledger.folder, 'state.db'));
	const next = openLedger(ledger.folder);
	await next.reconciler.look();
	expect(next.saying('Known before.').provenance).toMatchObject({ author: 'file_edit', label: 'owner' });
	expect(next.saying('Learnt from a web page since.').provenance).toMatchObject({
		author: 'unknown',
		label: 'approved',
		origin: 'approved',
	});
	next.write('memory/mine.md', '- Mine.\n');
	await next.reconciler.look();
	expect(next.saying('Mine.').provenance).toMatchObject({ author: 'file_edit', label: 'owner' });
});

test('a file that is written to all the time is looked at all the same', async () => {
	const ledger = openLedger();
	await ledger.reconciler.look();
	ledger.write('memory/log.md', '- begun\n');
	for (let looks = 0; looks < 60 && ledger.live().length === 0; looks++) {
		ledger.write('memory/log.md', `- begun\n- number ${looks}\n`);
		await ledger.reconciler.look({ patient: true });
	}
	expect(ledger.live()).toHaveLength(2);
});
