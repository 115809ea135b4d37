import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, expect, test } from 'vitest';
import { takePicture } from './support/browser.ts';
import { endDisplay, type HearthApp, launchHearth } from './support/electron.ts';
import { homeWithMemory } from './support/memory.ts';

let hearth: HearthApp | undefined;
let home: string | undefined;
afterEach(async () => {
	await hearth?.close();
	if (home) await rm(home, { recursive: true, force: true });
	hearth = undefined;
	home = undefined;
});
afterAll(endDisplay);

/** As an editor does it, in a process of its own: reads the file, changes a line, adds one, writes all of it. */
const EDITOR = `
const { readFileSync, writeFileSync } = require('node:fs');
const text = readFileSync(process.argv[1], 'utf8');
writeFileSync(process.argv[1], text.replace('second floor', 'fourth floor') + '- The bins go out on Monday.\\n');
`;

test('M2 M3 edit MEMORY.md in another process while the app runs: the new text is shown as typed into the file, others keep where they came from', async () => {
	home = homeWithMemory({ 'MEMORY.md': '# Home\n\n- The spare key is on the second floor.\n- The boiler is serviced every March.\n' });
	hearth = await launchHearth({ home });
	const page = hearth.window;
	const entry = (text: string) => page.getByRole('article').filter({ hasText: text });

	const field = page.locator('#msg');
	await field.fill('remember that small repairs are mine up to 120 euros');
	await field.press('Enter');
	await page.getByText('I wrote this to your memory').first().waitFor();
	await page.keyboard.press('Control+Shift+M');
	const noted = entry('mall repairs are mine up to 120 euros');
	await noted.getByText('Hearth noted it from').waitFor();
	const before = await entry('The boiler').locator('.prov').textContent();

	const file = path.join(home, 'profiles', 'default', 'MEMORY.md');
	await promisify(execFile)(process.execPath, ['-e', EDITOR, file]);

	await entry('The spare key is on the fourth floor.').getByText('You typed it into the file').waitFor();
	await entry('The bins go out on Monday.').getByText('You typed it into the file').waitFor();
	await noted.getByText('Hearth noted it from').waitFor();
	expect(await entry('The boiler').locator('.prov').textContent()).toBe(before);
	await entry('fourth floor').getByText('fourth floor').click();
	await entry('fourth floor').getByRole('button', { name: '2 versions' }).click();
	const versions = page.getByRole('dialog', { name: 'Versions' });
	await versions.locator('del', { hasText: 'second' }).waitFor();
	await versions.locator('ins', { hasText: 'fourth' }).waitFor();
	await takePicture({ page }, 'electron-memory');
});
