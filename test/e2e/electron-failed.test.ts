import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { expectAccessible } from './support/browser.ts';
import { endDisplay, launchHearth } from './support/electron.ts';

afterAll(endDisplay);

/** A home whose default profile holds this as its database. */
function homeWith(write: (file: string) => void): string {
	const home = mkdtempSync(join(tmpdir(), 'hearth-failed-'));
	const folder = join(home, 'profiles', 'default');
	mkdirSync(folder, { recursive: true });
	write(join(folder, 'state.db'));
	return home;
}

test.each([
	{
		name: 'a database of a newer Hearth',
		says: /newer/i,
		write: (file: string) => {
			const db = new Database(file);
			db.pragma('user_version = 9999');
			db.exec('CREATE TABLE later (id INTEGER)');
			db.close();
		},
	},
	{
		name: 'a file that is no database',
		says: /not a whole database/,
		write: (file: string) => writeFileSync(file, 'no database at all, '.repeat(500)),
	},
])('S5 $name: a whole page says what happened, what is safe and what to do', async ({ write, says }) => {
	const home = homeWith(write);
	const hearth = await launchHearth({ home });
	try {
		const page = hearth.window;
		await page.getByRole('heading', { name: 'Hearth could not start' }).waitFor({ timeout: 60_000 });
		await page.getByText(says).first().waitFor();
		await page.getByText('What to do').waitFor();
		expect(await page.getByRole('button', { name: 'Start again' }).isVisible()).toBe(true);
		expect(await page.getByRole('button', { name: 'Open the profile folder' }).isVisible()).toBe(true);
		for (const theme of ['light', 'dark'] as const) {
			await page.evaluate((wanted) => window.hearthShell?.setTheme(wanted), theme);
			await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(theme === 'dark');
			await expectAccessible({ page }, `failed page, ${theme}`);
		}
	} finally {
		await hearth.close();
		rmSync(home, { recursive: true, force: true });
	}
});
