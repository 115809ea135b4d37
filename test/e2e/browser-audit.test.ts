import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WriteDb } from '../../src/db/brands.ts';
import { newAuditEntry } from '../../src/firewall/audit-entries.ts';
import { writeRestoredHead } from '../../src/firewall/audit-head.ts';
import { appendRecords, newestLink } from '../../src/firewall/audit-store.ts';
import { says } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, goTo, takePicture } from './support/browser.ts';
import { type Chat, openChat } from './support/chat.ts';

const DAY_MS = 86_400_000;
const ROWS = 400;

/** The log of two days, as the profile's back-up had it. */
function withLog(tx: WriteDb): void {
	const now = Date.now();
	for (let n = 1; n <= ROWS; n++) {
		const held = n % 50 === 0;
		appendRecords(
			tx,
			[
				newAuditEntry({
					sink: held ? 'memory' : 'file',
					decision: held ? 'held' : 'allowed',
					rule: held ? 'memory.external' : 'workspace.own',
					label: held ? 'external' : 'agent',
					...(held && { risk: 'high', flags: [{ kind: 'instruction', start: 0, end: 5 }], latencyMs: 0.42 }),
					textHash: 'ab'.repeat(32),
					detail: {
						from: held ? 'Mail, Northfield Heating' : 'Sort the receipts',
						to: held ? 'MEMORY.md' : `workspace/receipts/${n}.pdf`,
						reason: held ? 'The step could see text from outside. What it wants to remember waits for you.' : 'It lies in workspace/.',
						sources: [
							{ kind: 'page', name: 'northfield.example/visit', label: held ? 'external' : 'workspace' },
							{ kind: 'owner_message', name: 'Your message', label: 'owner' },
						],
					},
				}),
			],
			n <= ROWS / 2 ? now - DAY_MS : now - 1_000,
		);
	}
	writeRestoredHead(join(dirname(tx.name), 'audit-head'), newestLink(tx), now, now);
}

let chat: Chat;
beforeAll(async () => {
	chat = await openChat({ fallback: says('The visit is on Friday.'), seed: withLog });
}, 60_000);
afterAll(async () => {
	await chat?.close();
	await closeViews();
});

const rail = (name: string) => chat.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const log = () => chat.page.getByRole('navigation', { name: 'Records' });
const row = (words: string | RegExp) => log().getByRole('link').filter({ hasText: words }).first();
const record = (seq: number) => chat.page.getByRole('region', { name: `Record ${seq}`, exact: true });
const press = (keys: string) => chat.page.keyboard.press(keys);

async function inBothThemes(name: string): Promise<void> {
	for (const theme of ['light', 'dark'] as const) {
		await chat.page.emulateMedia({ colorScheme: theme });
		await expectAccessible(chat.view, `${name}, ${theme}`);
		await takePicture(chat.view, `audit-${name}-${theme}`);
	}
	await chat.page.emulateMedia({ colorScheme: 'light' });
}

/** One runtime and one page, as an owner has them: each test goes on where the one before ended. */
describe('the audit log', () => {
	test('S1 it says that the chain is whole, shows records by day, and one whole with where it came from', async () => {
		await rail('Audit').click();
		await chat.page.getByText(/^Chain whole, 4\d\d records/).waitFor();
		await log()
			.getByRole('heading', { name: /^Today/ })
			.waitFor();
		await inBothThemes('list');
		await row('Mail, Northfield Heating').click();
		await record(ROWS).getByRole('heading', { name: 'Memory write was held' }).waitFor();
		await record(ROWS).getByText('High risk: orders to the agent').waitFor();
		await record(ROWS).getByText('northfield.example/visit').waitFor();
		await inBothThemes('record');
		await press('j');
		await record(ROWS - 1)
			.getByRole('heading', { name: 'File access was allowed' })
			.waitFor();
		await press('k');
		await record(ROWS).getByRole('heading', { name: 'Memory write was held' }).waitFor();
		await press('Escape');
		await record(ROWS).waitFor({ state: 'detached' });
		expect(await chat.page.evaluate(() => document.activeElement?.getAttribute('data-seq'))).toBe(`${ROWS}`);
	});

	test('it is filtered by decision and by words, and cleared again', async () => {
		await chat.page.getByRole('button', { name: 'Decision' }).click();
		await chat.page.getByRole('menuitemcheckbox', { name: 'Held' }).click();
		await press('Escape');
		await expect.poll(() => log().getByRole('link').count()).toBe(8);
		await chat.page.getByRole('button', { name: 'Clear filters' }).click();
		await chat.page.getByRole('searchbox', { name: 'Search the log' }).fill('receipts/123.pdf');
		await expect.poll(() => log().getByRole('link').count()).toBe(1);
		await log()
			.getByRole('heading', { name: /^Yesterday/ })
			.waitFor();
		await chat.page.getByRole('searchbox', { name: 'Search the log' }).fill('nowhere at all');
		await log().getByText('No record fits.').waitFor();
		await log().getByRole('button', { name: 'Clear filters' }).click();
		await row('receipts/399.pdf').waitFor();
	});

	test('S1 what happens now is there at once, leads to its run, and the whole log is saved and verified again', async () => {
		await rail('Chat').click();
		await chat.say('When is the visit?');
		await chat.reply.getByText('The visit is on Friday.').waitFor();
		await rail('Audit').click();
		await row('Your screen').click();
		await chat.page.getByRole('heading', { name: 'Reply was shown' }).waitFor();
		const [download] = await Promise.all([chat.page.waitForEvent('download'), chat.page.getByRole('button', { name: 'Export' }).click()]);
		const lines = readFileSync(await download.path(), 'utf8')
			.trim()
			.split('\n');
		expect(lines.length).toBeGreaterThan(ROWS + 2);
		expect(JSON.parse(lines[0] ?? '')).toMatchObject({ seq: 1, rule: 'workspace.own' });
		await chat.page.getByRole('button', { name: 'Verify again' }).click();
		await chat.page.getByRole('region', { name: 'Notifications' }).getByText('the chain is whole').waitFor();
		await chat.page.getByRole('link', { name: /step 1$/ }).click();
		await chat.page.getByRole('region', { name: 'Step 1', exact: true }).waitFor();
	});

	test('a window of 640 px shows the log or one record, and the way back', async () => {
		await chat.page.setViewportSize({ width: 640, height: 720 });
		await goTo(chat.view, '/audit');
		await row('Your screen').waitFor();
		await inBothThemes('640');
		await row('Your screen').click();
		await chat.page.getByRole('heading', { name: 'Reply was shown' }).waitFor();
		await inBothThemes('record-640');
		await chat.page.getByRole('button', { name: 'Back to the log' }).click();
		await row('Your screen').waitFor();
		expect(chat.view.problems).toEqual([]);
	});
});
