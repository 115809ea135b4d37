import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { asRoot, cleanEnvironment, endDisplay, prepareElectron, temporaryHome } from './support/electron.ts';

const projectFolder = path.resolve(import.meta.dirname, '../..');
let home: string | undefined;
let first: ChildProcess | undefined;

afterEach(async () => {
	first?.kill();
	if (home) await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});
afterAll(endDisplay);

/** A driver that comes in while the first window is being made may get no answer: it waits until the page is there. */
async function connected(address: string): Promise<Browser> {
	const pages = async () => {
		const targets = (await (await fetch(`${address}/json/list`)).json()) as { type: string; url: string }[];
		return targets.filter(({ type, url }) => type === 'page' && url.startsWith('app://')).length;
	};
	await expect.poll(() => pages().catch(() => 0), { timeout: 60_000 }).toBe(1);
	return chromium.connectOverCDP(address);
}

/** Chromium writes its debugging port beside its other files; that is how the app is found that another app started. */
async function pageOf(profile: string): Promise<{ browser: Browser; page: Page; portFile: string }> {
	const portFile = path.join(home ?? '', 'electron', profile, 'DevToolsActivePort');
	await expect.poll(() => existsSync(portFile) && readFileSync(portFile, 'utf8').includes('\n'), { timeout: 60_000 }).toBe(true);
	const port = readFileSync(portFile, 'utf8').split('\n')[0];
	const browser = await connected(`http://127.0.0.1:${port}`);
	await expect.poll(() => browser.contexts()[0]?.pages().length, { timeout: 20_000 }).toBe(1);
	const page = browser.contexts()[0]?.pages()[0];
	if (!page) throw new Error('The app has no page.');
	return { browser, page, portFile };
}

test('switching the profile starts the app again with the other one, and ends this one', async () => {
	home = await temporaryHome();
	for (const profile of ['default', 'work']) {
		const folder = path.join(home, 'profiles', profile);
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ version: 1, firstRunDone: true }));
	}
	const executable = await prepareElectron();
	first = spawn(executable, [...asRoot(), '--remote-debugging-port=0', projectFolder], {
		env: await cleanEnvironment({ HEARTH_HOME: home }),
		stdio: 'ignore',
	});
	const ended = new Promise((resolve) => first?.once('exit', resolve));
	const before = await pageOf('default');
	expect((await before.page.evaluate(() => window.hearthShell?.info()))?.profile).toBe('default');
	await before.page.getByRole('button', { name: 'Profile default' }).click();
	await before.page.getByRole('menuitemradio', { name: 'work' }).click();
	// The window closes before the click could be answered.
	void before.page
		.getByRole('dialog', { name: 'Switch to work?' })
		.getByRole('button', { name: 'Switch' })
		.click({ noWaitAfter: true })
		.catch(() => {});
	expect(await ended).toBe(0);
	rmSync(before.portFile, { force: true });

	const after = await pageOf('work');
	await expect.poll(async () => (await after.page.evaluate(() => window.hearthShell?.info()))?.profile).toBe('work');
	await expect
		.poll(async () => (await after.page.evaluate(() => window.hearthShell?.runtimeStatus()))?.state, { timeout: 20_000 })
		.toBe('running');
	await after.page.evaluate(() => {
		void window.hearthShell?.window('close');
	});
	await expect.poll(() => after.browser.isConnected(), { timeout: 20_000 }).toBe(false);
});
