import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeFileAtomic } from '../../src/base/atomic-file.ts';
import { onCrashPoint } from '../../src/base/crash-point.ts';
import { temporaryFolder } from '../support/storage/folders.ts';

class Killed extends Error {}

test('M3 a file holds the old or the new bytes whole, wherever the write is cut off', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'MEMORY.md');
	let cuts = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.uint8Array({ maxLength: 5000 }),
			fc.uint8Array({ maxLength: 5000 }),
			fc.constantFrom('file.written', 'file.renamed', undefined),
			async (before, after, cutAt) => {
				for (const name of readdirSync(folder)) rmSync(join(folder, name));
				writeFileSync(file, before);
				const remove = onCrashPoint((name) => {
					if (name === cutAt) throw new Killed();
				});
				try {
					await writeFileAtomic(file, after);
				} catch (error) {
					if (!(error instanceof Killed)) throw error;
					cuts++;
				} finally {
					remove();
				}
				const expected = cutAt === 'file.written' ? before : after;
				expect(new Uint8Array(readFileSync(file))).toEqual(new Uint8Array(expected));
				expect(readdirSync(folder)).toEqual(['MEMORY.md']);
			},
		),
		{ numRuns: 60 },
	);
	expect(cuts).toBeGreaterThan(5);
});

test('M3 writers of one file at the same time leave one of their texts whole', async () => {
	const file = join(temporaryFolder(), 'config.json');
	const texts = Array.from({ length: 12 }, (_, index) => String(index).repeat(20_000 + index));
	await Promise.all(texts.map((text) => writeFileAtomic(file, text)));
	expect(texts).toContain(readFileSync(file, 'utf8'));
});

test('M3 a link, as in an owner’s dotfiles, stays a link: the file it leads to gets the new text', async () => {
	const folder = temporaryFolder();
	mkdirSync(join(folder, 'dotfiles'));
	writeFileSync(join(folder, 'dotfiles', 'agent.md'), 'old');
	const link = join(folder, 'AGENT.md');
	symlinkSync(join('dotfiles', 'agent.md'), link);
	await writeFileAtomic(link, 'new');
	expect(lstatSync(link).isSymbolicLink()).toBe(true);
	expect(readFileSync(join(folder, 'dotfiles', 'agent.md'), 'utf8')).toBe('new');
	expect(readdirSync(join(folder, 'dotfiles'))).toEqual(['agent.md']);
});
