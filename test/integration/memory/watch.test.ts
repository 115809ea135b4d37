import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { watchFolder } from '../../../src/memory/reconcile/watch-folder.ts';
import { type Ledger, openLedger } from '../../support/memory/ledger.ts';

const SOON = { timeout: 20_000 };

async function watched(signs = true): Promise<Ledger> {
	const ledger = openLedger();
	await ledger.reconciler.look();
	const { folder, reconciler } = ledger;
	const watch = watchFolder({ folder, reconciler, logger: silentLogger, signs });
	onTestFinished(() => watch.close());
	await watch.ready;
	return ledger;
}

const texts = (ledger: Ledger) => ledger.live().map(({ text }) => text);

for (const signs of [true, false]) {
	test(`mem-2 a new note in memory/ is in the ledger soon (${signs ? 'by the system’s signs' : 'by looking'})`, async () => {
		const ledger = await watched(signs);
		ledger.write('memory/people/ada.md', '- Ada likes tea.\n');
		await expect.poll(() => texts(ledger), SOON).toEqual(['Ada likes tea.']);
		ledger.write('MEMORY.md', '- Long term.\n');
		await expect.poll(() => texts(ledger), SOON).toEqual(['Long term.', 'Ada likes tea.']);
		rmSync(join(ledger.folder, 'memory'), { recursive: true });
		await expect.poll(() => texts(ledger), SOON).toEqual(['Long term.']);
		ledger.write('memory/people/ada.md', '- Ada likes tea.\n');
		await expect.poll(() => texts(ledger), SOON).toEqual(['Long term.', 'Ada likes tea.']);
		renameSync(join(ledger.folder, 'memory/people'), join(ledger.folder, 'memory/friends'));
		await expect.poll(() => ledger.live().map(({ file }) => file), SOON).toEqual(['MEMORY.md', 'memory/friends/ada.md']);
	});
}

test('the ways in which editors save: each is one change, and the entries stay who they are', async () => {
	const ledger = await watched();
	const file = join(ledger.folder, 'MEMORY.md');
	writeFileSync(file, '- The cat is called Minka.\n- The dog is called Rex.\n');
	await expect.poll(() => texts(ledger), SOON).toHaveLength(2);
	const ids = ledger.live().map(({ id }) => id);
	const saves: [string, (text: string) => Promise<void>][] = [
		[
			'a new file renamed over it',
			async (text) => {
				writeFileSync(`${file}.part`, text);
				renameSync(`${file}.part`, file);
			},
		],
		[
			'the old one moved aside, then a new one',
			async (text) => {
				renameSync(file, `${file}~`);
				await sleep(60);
				writeFileSync(file, text);
			},
		],
		[
			'emptied, then written',
			async (text) => {
				truncateSync(file);
				await sleep(60);
				writeFileSync(file, text);
			},
		],
		[
			'written in pieces',
			async (text) => {
				writeFileSync(file, '');
				for (const piece of text.match(/.{1,16}/gs) ?? []) {
					appendFileSync(file, piece);
					await sleep(15);
				}
			},
		],
	];
	for (const [way, save] of saves) {
		await save(`- The cat is called Minka (${way}).\n- The dog is called Rex.\n`);
		await expect.poll(() => texts(ledger)[0], SOON).toBe(`The cat is called Minka (${way}).`);
		expect(
			ledger.live().map(({ id }) => id),
			way,
		).toEqual(ids);
	}
	mkdirSync(join(ledger.folder, 'memory'), { recursive: true });
	writeFileSync(join(ledger.folder, 'memory/.note.md.swp'), 'x');
	writeFileSync(join(ledger.folder, 'memory/.hidden.md'), '- hidden\n');
	writeFileSync(join(ledger.folder, 'memory/picture.png'), '- no note\n');
	writeFileSync(join(ledger.folder, 'memory/last.md'), '- The last.\n');
	await expect.poll(() => texts(ledger), SOON).toHaveLength(3);
});
