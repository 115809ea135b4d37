import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { partOf } from '../../../src/app/forget/files.ts';
import { fileHolds, linesHolding, profileFiles } from '../../../src/app/forget/scan.ts';
import { scopeOf } from '../../../src/app/forget/scope.ts';
import { createNeedle } from '../../../src/db/needle.ts';

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'hearth-scan-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

test('M4 a scan finds the text in any encoding, at any place of a file, across the pieces it is read in', async () => {
	const folder = temporaryFolder();
	const text = 'The code of the door is 4711 – Größe';
	const wide = (swap: boolean) => (swap ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le'));
	for (const needle of [createNeedle([text]), createNeedle(['ключ от двери лежит здесь'])]) {
		const plain = needle.probes ? text : 'КЛЮЧ от двери\nлежит здесь';
		const encodings = needle.probes
			? [Buffer.from(text), wide(false), wide(true), Buffer.from(JSON.stringify({ a: text.toUpperCase().replace('SS', 'ß') }))]
			: [Buffer.from(plain), Buffer.from(plain, 'utf16le'), Buffer.from(plain, 'utf16le').swap16()];
		for (const bytes of encodings) {
			for (const before of [0, 1, 1_048_576 - 10, 1_048_576 - bytes.length, 2_000_001]) {
				const file = join(folder, 'file');
				writeFileSync(file, Buffer.concat([Buffer.alloc(before, 0x2e), bytes, Buffer.alloc(1_048_600, 0x2e)]));
				expect(await fileHolds(file, needle), `${bytes.subarray(0, 4).toString('hex')} at ${before}`).toBe(true);
			}
		}
		const file = join(folder, 'file');
		writeFileSync(file, Buffer.alloc(3_000_000, 0x2e));
		expect(await fileHolds(file, needle)).toBe(false);
		expect(await fileHolds(join(folder, 'none'), needle)).toBe(false);
	}
});

test('M4 each file is looked at once, those behind links too', async () => {
	const folder = temporaryFolder();
	const outside = temporaryFolder();
	writeFileSync(join(outside, 'a.md'), 'a');
	mkdirSync(join(folder, 'memory'));
	writeFileSync(join(folder, 'memory/b.md'), 'b');
	symlinkSync(outside, join(folder, 'memory/vault'));
	symlinkSync(folder, join(folder, 'memory/circle'));
	symlinkSync(join(folder, 'nothing'), join(folder, 'broken'));
	expect((await profileFiles(folder)).map(({ path }) => path).toSorted()).toEqual(['memory/b.md', 'memory/vault/a.md']);
});

test('M4 which files are Hearth’s to change', () => {
	const parts = Object.fromEntries(
		[
			...['MEMORY.md', 'memory/a/b.md', 'memory/list.txt', 'state.db', 'state.db-wal', 'index.db-shm', 'attachments/00ff', 'logs/x.log'],
			...[
				'backups/state-v2-x.db',
				'backups/x.zip',
				'memory/a.md.12-0123abcd.tmp',
				'state.db.new',
				'memory/plan.new',
				'notes.tmp',
				'AGENT.md',
				'workspace/x.tmp',
				'config.json',
			],
		].map((path) => [path, partOf(path)]),
	);
	expect(parts).toEqual({
		'MEMORY.md': 'memory',
		'memory/a/b.md': 'memory',
		'memory/list.txt': 'owner',
		'memory/plan.new': 'owner',
		'notes.tmp': 'owner',
		'state.db': 'state',
		'state.db-wal': 'state',
		'index.db-shm': 'index',
		'attachments/00ff': 'attachments',
		'logs/x.log': 'logs',
		'backups/state-v2-x.db': 'backups',
		'backups/x.zip': 'backups',
		'memory/a.md.12-0123abcd.tmp': 'leftover',
		'state.db.new': 'leftover',
		'AGENT.md': 'owner',
		'workspace/x.tmp': 'owner',
		'config.json': 'owner',
	});
});

test('M4 how far a text can be looked for', () => {
	for (const text of [
		'ok',
		'abc',
		'Milk',
		'“milk”',
		'assistant',
		'superseded',
		'4711',
		'12345',
		'the',
		'日本',
		'normal',
		'mailbox',
		'github',
	])
		expect(scopeOf(text), text).toBe('entry');
	for (const text of ['hunter2', 'Rosebud', 'PIN 4711', '471147', 'Buy milk', 'Ада Лавлейс', '秘密の花園', 'a@b.org'])
		expect(scopeOf(text), text).toBe('everywhere');
});

test('the lines on which a text begins', () => {
	const needle = createNeedle(['two words']);
	expect(linesHolding('one\ntwo words\n\ntwo\nwords and two words\nend', needle)).toEqual([2, 4, 5]);
	expect(linesHolding('nothing', needle)).toEqual([]);
});

test('M4 what stands in the place of a forgotten text is never looked for itself', () => {
	for (const text of ['[forgotten]', 'forgotten', 'gotten]', '**[forgotten]**', 'My [forgotten].'])
		expect(scopeOf(text), text).toBe('entry');
	expect(scopeOf('My code is [forgotten], not 4711')).toBe('everywhere');
});
