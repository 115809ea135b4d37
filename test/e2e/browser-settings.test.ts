import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fails, type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { closeViews, goTo, type Hearth, openView, startHearth, type View } from './support/browser.ts';

let hearth: Hearth;
let ollama: ModelServer;
let view: View;

beforeAll(async () => {
	ollama = await startModelServer({ script: { models: [{ id: 'qwen3:8b', contextTokens: 8192 }] } });
	hearth = await startHearth({ localAddresses: { ollama: ollama.url } });
});
beforeEach(async () => {
	view = await openView(hearth);
});
afterEach(() => view.close());
afterAll(async () => {
	await hearth?.stop();
	await ollama.close();
	await closeViews();
});

const EITHER = [() => true, () => false] as const;

describe('profile', () => {
	test('create, refuse a bad name, delete only with the name typed', async () => {
		const { page } = view;
		await goTo(view, '/settings/profile');
		await page.getByRole('button', { name: 'Create' }).click();
		await page.getByLabel('Name').fill('My Work');
		await page.keyboard.press('Enter');
		await page.getByText(/Use up to 32 small letters/).waitFor();
		await page.getByLabel('Name').fill('work');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Delete profile work' }).click();
		const folder = join(hearth.home, 'profiles', 'work');
		expect(existsSync(folder)).toBe(true);
		const dialog = page.getByRole('dialog', { name: 'Delete work?' });
		const remove = dialog.getByRole('button', { name: 'Delete' });
		expect(await remove.isDisabled()).toBe(true);
		await page.getByLabel('Write work to confirm').fill('work');
		await remove.click();
		await dialog.waitFor({ state: 'detached' });
		expect(existsSync(folder)).toBe(false);
		expect(await page.getByRole('button', { name: /Delete profile default/ }).count()).toBe(0);
	});

	test('an edit made by another program is never written over unasked: both texts can be kept (M3)', async () => {
		const { page } = view;
		const file = join(hearth.profileFolder, 'USER.md');
		await goTo(view, '/settings/profile');
		await page.getByRole('button', { name: 'Edit USER.md' }).click();
		await page.getByRole('textbox', { name: 'USER.md' }).fill('Call me Ada.');
		writeFileSync(file, 'Call me Grace.\n');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await page.getByText('USER.md changed while you were editing').waitFor();
		expect(readFileSync(file, 'utf8')).toBe('Call me Grace.\n');
		await page.getByRole('button', { name: 'Put the file’s text under mine' }).click();
		expect(await page.getByRole('textbox', { name: 'USER.md' }).inputValue()).toBe('Call me Ada.\n\nCall me Grace.\n');
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		await expect.poll(() => readFileSync(file, 'utf8')).toBe('Call me Ada.\n\nCall me Grace.\n');
	});

	test('unsaved words are not lost by Esc', async () => {
		const { page } = view;
		await goTo(view, '/settings/profile');
		await page.getByRole('button', { name: 'Edit AGENT.md' }).click();
		await page.getByRole('textbox', { name: 'AGENT.md' }).fill('Be brief.');
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Keep editing' }).click();
		expect(await page.getByRole('textbox', { name: 'AGENT.md' }).inputValue()).toBe('Be brief.');
	});
});

describe('models', () => {
	test('a choice is saved after the test; a failed test changes nothing and says so in place', async () => {
		const { page } = view;
		await goTo(view, '/settings/models');
		const chat = page.getByRole('combobox', { name: 'Model for: Chat' });
		ollama.script({ models: [{ id: 'qwen3:8b', contextTokens: 8192 }], fallback: fails({ type: 'server_error', status: 500 }) });
		await chat.press('Enter');
		await page.getByRole('option', { name: 'qwen3:8b, Ollama' }).click();
		await page.getByRole('alert').getByText('Nothing was changed.').waitFor();
		await chat.getByText('Built-in responder').waitFor();
		ollama.script({ models: [{ id: 'qwen3:8b', contextTokens: 8192 }], fallback: says('Yes.') });
		await chat.press('Enter');
		await page.getByRole('option', { name: 'qwen3:8b, Ollama' }).click();
		await page.getByText(/Tested now, \d+\.\d s to the first word/).waitFor();
		await chat.getByText('qwen3:8b, Ollama').waitFor();
		await chat.press('Enter');
		await page.getByRole('option', { name: 'Built-in responder' }).click();
		await chat.getByText('Built-in responder').waitFor();
	});

	test('no other model steps in unless one is chosen to; the row says what happens', async () => {
		const { page } = view;
		await goTo(view, '/settings/models');
		const row = page.getByRole('combobox', { name: 'Model for: When none answers' });
		await row.getByText('Nothing: show the error').waitFor();
		await page.getByText('No other model steps in. The reply shows the error, with Retry.').waitFor();
		// By key: a button held down longer on a busy machine would choose what opens under it.
		const other = page.getByRole('option', { name: 'qwen3:8b, Ollama' });
		const chosen = row.getByText('qwen3:8b, Ollama');
		const soon = { timeout: 3_000 };
		const came = (what: typeof other): Promise<boolean> => what.waitFor(soon).then(...EITHER);
		await expect
			.poll(async () => {
				// Opened before the models were known, or while what it lists is taken anew, it is opened again.
				if (!(await other.isVisible())) await row.press('Enter', soon).catch(() => undefined);
				if (!(await came(other)) || !(await other.click(soon).then(...EITHER))) await page.keyboard.press('Escape');
				return came(chosen);
			})
			.toBe(true);
		// It is shown while it is being tried, and saved once it has answered.
		await expect.poll(() => readFileSync(join(hearth.profileFolder, 'config.json'), 'utf8')).toMatch(/"fallback":\s*\{[^}]*qwen3:8b/);
		await view.page.reload();
		await row.getByText('qwen3:8b, Ollama').waitFor();
		await row.press('Enter');
		await page.getByRole('option', { name: 'Nothing: show the error' }).click();
		await page.getByText('No other model steps in. The reply shows the error, with Retry.').waitFor();
	});

	test('add a server, test its model, remove it', async () => {
		const { page } = view;
		await goTo(view, '/settings/models');
		await page.getByRole('button', { name: 'Add', exact: true }).click();
		await page.locator('.dialog').getByLabel('Address').fill(ollama.openaiUrl);
		await page.getByText('More', { exact: true }).click();
		await page.getByLabel('Name').fill('My box');
		await page.locator('.dialog').getByRole('button', { name: 'Save' }).click();
		await page.locator('.dialog').waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'My box: options' }).click();
		await page
			.getByRole('menuitem', { name: /^Test / })
			.first()
			.click();
		await page.getByText(/answered in \d+\.\d s/).waitFor();
		await page.getByRole('button', { name: 'My box: options' }).click();
		await page.getByRole('menuitem', { name: 'Remove' }).click();
		await page.locator('.dialog').getByRole('button', { name: 'Remove' }).click();
		await page.getByRole('button', { name: 'My box: options' }).waitFor({ state: 'detached' });
	});
});

test('secrets: a place is chosen, a key is listed by its server and can be removed', async () => {
	const { page } = view;
	await goTo(view, '/settings/secrets');
	await page.getByRole('button', { name: 'Choose' }).click();
	await page.getByRole('radio', { name: /Only until Hearth closes/ }).check();
	await page.locator('.dialog').getByRole('button', { name: 'Save' }).click();
	await page.getByText('Not protected').waitFor();
	await goTo(view, '/settings/models');
	await page.getByRole('button', { name: 'Add', exact: true }).click();
	await page.getByRole('combobox', { name: 'What is it?' }).click();
	await page.getByRole('option', { name: 'Anthropic' }).click();
	await page.locator('.dialog').getByRole('button', { name: 'Save' }).click();
	await page.getByText('The key is missing.').waitFor();
	await page.keyboard.press('Escape');
	await page.locator('.dialog').waitFor({ state: 'detached' });
});

describe('general', () => {
	test('the theme changes at once, is kept by the runtime and paints at the next start', async () => {
		const { page } = view;
		await goTo(view, '/settings/general');
		await page.getByRole('button', { name: 'Dark', exact: true }).click();
		await page.locator('html[data-theme=dark]').waitFor();
		const second = await openView(hearth);
		await second.page.locator('html[data-theme=dark]').waitFor();
		await second.close();
		await page.getByRole('button', { name: 'System', exact: true }).click();
		await page.locator('html:not([data-theme])').waitFor();
	});

	test('a hotkey is captured from the keys; a number out of range is said and not saved', async () => {
		const { page } = view;
		await goTo(view, '/settings/general');
		const hotkey = page.getByRole('button', { name: /^Hotkey for a quick question/ });
		await hotkey.click();
		await page.keyboard.press('j');
		await page.getByText('Use Ctrl, Alt or the system key together with another key.').waitFor();
		await page.keyboard.press('Control+Alt+J');
		await hotkey.getByText('Ctrl Alt J').waitFor();
		const days = page.getByLabel('Days that logs are kept');
		await days.fill('900');
		await page.keyboard.press('Enter');
		await page.getByText('A whole number from 1 to 90.').waitFor();
		await days.fill('30');
		await page.keyboard.press('Enter');
		await expect.poll(() => readFileSync(join(hearth.profileFolder, 'config.json'), 'utf8')).toContain('30');
	});
});

test('about: the doctor’s report with versions, host, paths and sizes; the diagnostics file is saved', async () => {
	const { page } = view;
	await goTo(view, '/settings/about');
	await page.getByText('Database', { exact: true }).waitFor();
	await page.getByText(hearth.profileFolder).first().waitFor();
	await page.getByText('sqlite', { exact: true }).waitFor();
	await page.getByText('a part of a test').waitFor();
	const download = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Save diagnostics file' }).click();
	const file = await (await download).path();
	expect(readFileSync(file, 'utf8')).toContain('protocol');
	await page.getByRole('button', { name: 'Run again' }).click();
	await page.getByText('Database', { exact: true }).waitFor();
	expect(view.problems).toEqual([]);
});
