import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { expectAccessible, takePicture } from './support/browser.ts';
import { endDisplay, type HearthApp, launchHearth } from './support/electron.ts';
import { type FeedSite, startFeedSite } from './support/feed.ts';
import { homeWithMemory } from './support/memory.ts';

let hearth: HearthApp | undefined;
let home: string | undefined;
let site: FeedSite | undefined;
afterEach(async () => {
	await hearth?.close();
	await site?.close();
	if (home) rmSync(home, { recursive: true, force: true });
	hearth = undefined;
	home = undefined;
});
afterAll(endDisplay);

const KEPT = 'The apple scab warning for the valley holds until 18 December.';
const REFUSED = 'Late frost is expected in the quince orchard on Thursday.';

/** All that memory says, in whatever file. */
function memoryOf(profile: string): string {
	const daily = path.join(profile, 'memory');
	const files = [path.join(profile, 'MEMORY.md'), ...readdirSync(daily).map((name) => path.join(daily, name))];
	return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

test('B1 B3 B4 bg-4 a feed is looked at, the notification opens the inbox, the keyboard approves one and rejects one; only the first is ever seen again', async () => {
	home = homeWithMemory({
		'MEMORY.md': '# Orchard\n\n- The apple trees stand in the valley.\n',
		'memory/2026-11-01.md': '# 2026-11-01\n\n- Pruned the hedge.\n',
		'HEARTBEAT.md': '# What to watch\n\n- Apple scab warnings\n- Late frost\n',
	});
	const profile = path.join(home, 'profiles', 'default');
	site = await startFeedSite('Orchard News', [
		{ title: 'Apple scab warning', text: KEPT },
		{ title: 'Late frost', text: REFUSED },
		{ title: 'Road works', text: 'The main street of the next town is closed for a week.' },
	]);
	hearth = await launchHearth({ home });
	const page = hearth.window;
	const command = async (words: string): Promise<void> => {
		await page.keyboard.press('Control+K');
		await page.getByPlaceholder('Search chats or do anything').fill(words);
		await page.getByRole('option', { name: words }).first().waitFor();
		await page.keyboard.press('Enter');
	};
	await page.locator('#msg').waitFor();
	await hearth.app.evaluate(({ BrowserWindow, Notification }) => {
		const kept: Electron.Notification[] = [];
		(globalThis as Record<string, unknown>).kept = kept;
		Notification.isSupported = () => true;
		Notification.prototype.show = function show(this: Electron.Notification) {
			kept.push(this);
		};
		// Without a window manager no window ever loses the focus.
		BrowserWindow.getFocusedWindow = () => null;
	});
	const told = () =>
		hearth?.app.evaluate(() =>
			((globalThis as Record<string, unknown>).kept as Electron.Notification[]).map(({ title, body }) => ({ title, body })),
		);

	await command('Add a source');
	const dialog = page.getByRole('dialog', { name: 'Add a source' });
	await dialog.getByLabel(/^Link, folder/).fill(site.url);
	await page.keyboard.press('Enter');
	await dialog.getByText(KEPT).waitFor();
	await dialog.getByRole('button', { name: 'Add', exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
	await command('Look at the sources now');

	await expect.poll(told).toEqual([{ title: '2 findings wait', body: 'Open the inbox to decide.' }]);
	expect(memoryOf(profile)).not.toContain('scab');
	await hearth.app.evaluate(() => {
		((globalThis as Record<string, unknown>).kept as (Electron.Notification & NodeJS.EventEmitter)[])[0]?.emit('click');
	});
	await page.getByRole('tab', { name: /Memories and findings.*2/, selected: true }).waitFor();
	await takePicture({ page }, 'electron-background-inbox');

	// By keys alone: to the row, opened, decided.
	const detail = page.getByRole('region', { name: 'What is chosen' });
	const rows = page.locator('[data-row-id]');
	await expect.poll(() => rows.first().evaluate((row) => row === document.activeElement)).toBe(true);
	await expectAccessible({ page }, 'inbox, opened by a notification');
	const open = async (words: string): Promise<void> => {
		const texts = await rows.allTextContents();
		for (let at = 0; at < texts.findIndex((text) => text.includes(words)); at += 1) await page.keyboard.press('j');
		await page.keyboard.press('Enter');
		await detail.getByText(words).first().waitFor();
	};
	await open(KEPT);
	await page.keyboard.press('a');
	await expect.poll(() => memoryOf(profile)).toContain('scab');
	// What comes next is shown by itself.
	await detail.getByText(REFUSED).first().waitFor();
	await page.keyboard.press('r');
	const reason = page.getByRole('textbox', { name: /^Why not/ });
	await expect.poll(() => reason.evaluate((field) => field === document.activeElement)).toBe(true);
	await page.keyboard.type('Not mine');
	await page.keyboard.press('Enter');
	await page.getByRole('tab', { name: /Memories and findings.*0/ }).waitFor();

	await page.keyboard.press('Control+Shift+M');
	const entry = page.getByRole('article').filter({ hasText: 'scab' });
	await entry.getByText('External, approved').waitFor();
	await entry.getByText('Background work found it in').waitFor();
	await takePicture({ page }, 'electron-background-memory');
	expect(await page.getByRole('article').filter({ hasText: 'quince' }).count()).toBe(0);

	await page.keyboard.press('Control+n');
	const field = page.locator('#msg');
	const ask = async (words: string): Promise<string> => {
		const replies = page.getByRole('article', { name: 'Hearth' }).filter({ has: page.getByRole('button', { name: 'Copy' }) });
		const before = await replies.count();
		await field.fill(words);
		await field.press('Enter');
		await expect.poll(() => replies.count()).toBe(before + 1);
		return (await replies.last().textContent()) ?? '';
	};
	await page.getByText('What is on your mind?').waitFor();
	const cited = await ask('Until when does the apple scab warning hold?');
	expect(cited).toContain('18 December');
	expect(cited).toMatch(/MEMORY\.md, line \d+.*external, approved by the owner on .* from 127\.0\.0\.1:/);
	await takePicture({ page }, 'electron-background-cited');
	const nothing = await ask('What about the quince orchard?');
	expect(nothing).not.toContain('Thursday');
	expect(memoryOf(profile)).not.toContain('quince');
	await page.keyboard.press('Control+Shift+F');
	await page.getByPlaceholder('Search all chats').fill('expected in the quince');
	await page.getByText('Nothing found for').waitFor();
});
