import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { calls, type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { takePicture } from './support/browser.ts';
import { endDisplay, type HearthApp, launchHearth, temporaryHome } from './support/electron.ts';

/** What an owner does at the desk, in the desktop app itself: picks a model, drops a file, asks in the quick window, sets a hotkey. */
let hearth: HearthApp;
let model: ModelServer;
let home: string;
let page: Page;

beforeAll(async () => {
	model = await startModelServer({ script: { models: [{ id: 'scripted', contextTokens: 32_768 }], fallback: says('Scripted words.') } });
	home = await temporaryHome();
	const folder = path.join(home, 'profiles', 'default');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const config = {
		version: 1,
		firstRunDone: true,
		providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: model.url }],
	};
	writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
	hearth = await launchHearth({ home });
	await hearth.runtimePid();
	page = hearth.window;
	page.setDefaultTimeout(20_000);
	await page.locator('#msg').waitFor();
});
afterAll(async () => {
	await hearth?.close();
	await model?.close();
	await rm(home, { recursive: true, force: true });
	endDisplay();
});

const reply = () => page.getByRole('article', { name: 'Hearth' }).last();

test('the model picker takes a model that answered, and the next reply is its own', async () => {
	await page.getByRole('button', { name: 'Model: Built-in responder' }).click();
	await page.getByRole('menuitemradio', { name: /^scripted/ }).click();
	await page.getByText('scripted answers from now on.').waitFor();
	await page.getByRole('button', { name: 'Model: scripted' }).waitFor();
	await page.locator('#msg').fill('Who are you?');
	await page.locator('#msg').press('Enter');
	await reply().getByText('Scripted words.').waitFor();
	await reply().getByText('scripted on this machine').waitFor();
});

test('a file dropped on the chat is attached and goes with the message', async () => {
	const files = await page.evaluateHandle(() => {
		const data = new DataTransfer();
		data.items.add(new File(['The boiler is from 2009.'], 'boiler.txt', { type: 'text/plain' }));
		return data;
	});
	const chat = page.getByRole('region', { name: 'Conversation' });
	await chat.dispatchEvent('dragover', { dataTransfer: files });
	await page.getByText('Drop files to attach them').waitFor();
	await chat.dispatchEvent('drop', { dataTransfer: files });
	await page.getByRole('button', { name: 'Remove boiler.txt' }).waitFor();
	await page.locator('#msg').fill('How old is it?');
	await page.locator('#msg').press('Enter');
	await expect.poll(() => page.getByRole('article', { name: 'Hearth' }).getByText('Scripted words.').count()).toBe(2);
	expect(JSON.stringify(model.log.requests.at(-1)?.body)).toContain('The boiler is from 2009.');
	await page.getByRole('article', { name: 'You' }).last().getByText('boiler.txt').waitFor();
});

test('the quick window asks and answers; Open in Hearth shows that chat in the main window', async () => {
	const opened = hearth.app.waitForEvent('window');
	const openQuick = () =>
		hearth.app.evaluate(({ Menu }) => {
			const file = Menu.getApplicationMenu()?.items.find((item) => item.label === 'File');
			file?.submenu?.items.find((item) => item.label === 'Quick question')?.click();
		});
	await openQuick();
	const quick = await opened;
	const field = quick.getByRole('textbox');
	await field.fill('A quick one');
	const canSend = () => quick.getByRole('button', { name: 'Send' }).isEnabled();
	await expect.poll(canSend, { timeout: 20_000 }).toBe(true);
	// What is typed outlives the window's hiding and the runtime.
	await field.press('Escape');
	const pid = await hearth.runtimePid();
	process.kill(pid, 'SIGKILL');
	await expect.poll(hearth.runtimePid, { timeout: 20_000 }).not.toBe(pid);
	await openQuick();
	await expect.poll(canSend, { timeout: 20_000 }).toBe(true);
	expect(await field.inputValue()).toBe('A quick one');
	await field.press('Enter');
	await quick.getByRole('article').getByText('Scripted words.').waitFor();
	await takePicture({ page: quick }, 'electron-quick');
	await quick.getByRole('button', { name: 'Open in Hearth' }).click();
	await page.getByRole('article', { name: 'You' }).getByText('A quick one').waitFor();
	await expect.poll(() => page.getByRole('article').count()).toBe(2);
	const visible = () =>
		hearth.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length);
	await expect.poll(visible).toBe(1);
});

test('a hotkey that the system refuses is said in place, and the one before stays', async () => {
	await page.keyboard.press('Control+,');
	await page.getByRole('link', { name: 'General' }).click();
	const field = page.getByRole('button', { name: /^Hotkey for a quick question/ });
	const before = await field.textContent();
	await field.click();
	await page.keyboard.press('q');
	await page.getByText('Use Ctrl, Alt or the system key together with another key.').waitFor();
	await page.keyboard.press('Escape');
	// As where another program has the keys already.
	await hearth.app.evaluate(({ globalShortcut }) => {
		const real = globalShortcut.register.bind(globalShortcut);
		globalShortcut.register = (keys, action) => (keys.includes('F8') ? false : real(keys, action));
	});
	await field.click();
	await page.keyboard.press('Control+Alt+Shift+F8');
	await page.getByText('another program has them. The old hotkey stays.').waitFor();
	expect(await field.textContent()).toBe(before);
	await takePicture({ page }, 'electron-hotkey-refused');
	await field.click();
	await page.keyboard.press('Control+Alt+Shift+F9');
	await expect.poll(() => field.textContent()).not.toBe(before);
	expect(await page.locator('.field-error').count()).toBe(0);
	expect(await page.evaluate(() => window.hearthShell?.info())).toMatchObject({ hotkeyRegistered: true });
});

test('while the runtime is being restarted the window says so, and the owner need not wait', async () => {
	const restart = page.getByRole('button', { name: 'Start it now' });
	// The wait grows with each crash: after some of them there is time to press the button.
	for (let crash = 0; crash < 5 && !(await restart.isVisible()); crash++) {
		process.kill(await hearth.runtimePid(), 'SIGKILL');
		await restart.waitFor({ timeout: 1_500 }).catch(() => {});
	}
	await takePicture({ page }, 'electron-restarting');
	await restart.click();
	await page.getByText('Hearth’s runtime stopped and was started again.').waitFor();
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await page.getByRole('link', { name: 'Chat' }).click();
	await page.locator('#msg').waitFor();
});

test('a reply that ends is told by the chat’s title, unless a window is in front', async () => {
	await hearth.app.evaluate(({ BrowserWindow, Notification }) => {
		const shown: { title: string; body: string }[] = [];
		(globalThis as Record<string, unknown>).shown = shown;
		(globalThis as Record<string, unknown>).inFront = null;
		Notification.isSupported = () => true;
		Notification.prototype.show = function show(this: Electron.Notification) {
			shown.push({ title: this.title, body: this.body });
			this.emit('click');
		};
		// Without a window manager no window ever loses the focus.
		BrowserWindow.getFocusedWindow = () => (globalThis as Record<string, unknown>).inFront as Electron.BrowserWindow | null;
	});
	const shown = () => hearth.app.evaluate(() => (globalThis as Record<string, unknown>).shown as { title: string; body: string }[]);
	const ask = async (words: string): Promise<void> => {
		const replies = page.getByRole('article', { name: 'Hearth' }).filter({ has: page.getByRole('button', { name: 'Copy' }) });
		const before = await replies.count();
		await page.locator('#msg').fill(words);
		await page.locator('#msg').press('Enter');
		await page.getByRole('article', { name: 'You' }).last().getByText(words).waitFor();
		await expect.poll(() => replies.count()).toBe(before + 1);
	};
	await page.keyboard.press('Control+n');
	await page.getByText('What is on your mind?').waitFor();
	await ask('Is the boiler warm?');
	await expect.poll(shown).toEqual([{ title: 'Hearth has replied', body: 'Is the boiler warm?' }]);

	await hearth.app.evaluate(({ BrowserWindow }) => {
		(globalThis as Record<string, unknown>).inFront = BrowserWindow.getAllWindows()[0];
	});
	await ask('And now?');
	expect(await shown()).toHaveLength(1);
});

test('R3 B3 a question is answered in its notification where the owner allows that; a press on it opens exactly that question', async () => {
	await hearth.app.evaluate(({ Notification }) => {
		const kept: Electron.Notification[] = [];
		(globalThis as Record<string, unknown>).kept = kept;
		(globalThis as Record<string, unknown>).inFront = null;
		Notification.prototype.show = function show(this: Electron.Notification) {
			kept.push(this);
		};
		// Buttons are shown on macOS and Windows.
		Object.defineProperty(process, 'platform', { value: 'darwin' });
	});
	const told = () =>
		hearth.app.evaluate(() =>
			((globalThis as Record<string, unknown>).kept as Electron.Notification[]).map(({ title, body, actions }) => ({
				title,
				body,
				buttons: actions.map(({ text }) => text),
			})),
		);
	/** What the owner does with the newest notification of that title. */
	const act = (title: string, event: string, ...details: unknown[]) =>
		hearth.app.evaluate(
			(_electron, [wanted, name, ...given]) => {
				const kept = (globalThis as Record<string, unknown>).kept as (Electron.Notification & NodeJS.EventEmitter)[];
				kept.findLast((notification) => notification.title === wanted)?.emit(String(name), ...given);
			},
			[title, event, ...details],
		);
	const asks = (question: string) => calls('ask_owner', { question, choices: ['The big one', 'The small one'] });
	const begin = async (words: string): Promise<void> => {
		await page.keyboard.press('Control+n');
		await page.getByText('What is on your mind?').waitFor();
		await page.locator('#msg').fill(words);
		await page.locator('#msg').press('Enter');
	};

	// A lock screen may show it: unless the owner wants otherwise, it says which chat it is and no more.
	model.reply(asks('Which oven?'));
	await begin('Heat the oven');
	// Others may come late.
	const asked = async () => (await told()).findLast(({ title }) => title === 'Hearth needs you');
	await expect.poll(asked).toEqual({ title: 'Hearth needs you', body: 'Heat the oven', buttons: [] });
	await page.keyboard.press('Control+,');
	await page.getByRole('link', { name: 'General' }).click();
	await page.getByRole('switch', { name: 'Questions in notifications' }).click();
	await page.getByRole('switch', { name: 'Questions in notifications', checked: true }).waitFor();
	await takePicture({ page }, 'electron-notification-setting');
	await act('Hearth needs you', 'click');
	const card = page.getByRole('region', { name: 'Needs you' });
	await card.getByText('Which oven?').waitFor();
	await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);

	model.reply(asks('And which tin?'));
	await begin('Bake the bread');
	await expect
		.poll(async () => (await told()).at(-1))
		.toEqual({
			title: 'Hearth asks',
			body: 'And which tin?',
			buttons: ['The big one', 'The small one'],
		});
	await act('Hearth asks', 'action', { actionIndex: 1 }, 1);
	await reply().getByText('Scripted words.').waitFor();
	expect(JSON.stringify(model.log.requests.at(-1)?.body)).toContain('The small one');
	await expect.poll(async () => (await told()).at(-1)?.title).toBe('Hearth has replied');
	// Once more, as from a notification that stayed behind: nothing is answered twice, and that is said.
	await act('Hearth asks', 'action', { actionIndex: 0 }, 0);
	await expect.poll(async () => (await told()).at(-1)?.title).toBe('Your answer was not taken');

	// What delegated work asks has no chat: a press opens its run.
	model.reply(calls('delegate', { task: 'Find the tin.' }), asks('Which shelf?'));
	await begin('Have the tin found');
	await expect.poll(async () => (await told()).at(-1)?.body).toBe('Which shelf?');
	await act('Hearth asks', 'click');
	await page.getByRole('heading', { name: 'Find the tin.' }).first().waitFor();
	await card.getByText('Which shelf?').waitFor();
	await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
	await takePicture({ page }, 'electron-notification-opened');
	await hearth.app.evaluate((_electron, platform) => {
		Object.defineProperty(process, 'platform', { value: platform });
	}, process.platform);
});
