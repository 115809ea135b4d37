import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { expectAccessible, takePicture } from './support/browser.ts';
import { endDisplay, type HearthApp, launchHearth, temporaryHome } from './support/electron.ts';

let hearth: HearthApp | undefined;
let model: ModelServer | undefined;
let home: string | undefined;

afterEach(async () => {
	await hearth?.close();
	await model?.close();
	if (home) await rm(home, { recursive: true, force: true });
	hearth = undefined;
	model = undefined;
	home = undefined;
});
afterAll(endDisplay);

/** A profile that has been through the first run and talks to the scripted model. */
async function homeWithModel(address: string): Promise<string> {
	const made = await temporaryHome();
	const folder = path.join(made, 'profiles', 'default');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const config = {
		version: 1,
		firstRunDone: true,
		providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: address }],
		models: { chat: { providerId: 'ollama', modelId: 'scripted' } },
	};
	writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
	return made;
}

async function say(app: HearthApp, text: string): Promise<void> {
	const field = app.window.locator('#msg');
	await field.fill(text);
	await field.press('Enter');
}

test('first run: the window opens, starts without a model, and the built-in responder answers; both themes are seen', async () => {
	hearth = await launchHearth();
	const page = hearth.window;
	const problems: string[] = [];
	page.on('pageerror', (error) => problems.push(error.message));
	page.on('console', (message) => {
		if (message.type() === 'error') problems.push(message.text());
	});
	await page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await say(hearth, 'How much is 12 * 7 + 3?');
	const reply = page.getByRole('article', { name: 'Hearth' }).last();
	await reply.getByText('87').first().waitFor();
	await reply.getByText(/Built-in responder/).waitFor();
	for (const theme of ['light', 'dark'] as const) {
		await page.evaluate((wanted) => window.hearthShell?.setTheme(wanted), theme);
		await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(theme === 'dark');
		await takePicture({ page }, `electron-chat-${theme}`);
	}
	expect(problems).toEqual([]);
});

test('R1 the runtime is killed in mid-stream: the window says what happened and goes on, the reply is kept and continues', async () => {
	const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
	model = await startModelServer();
	/** Calls for the long reply so far. */
	let asked = 0;
	model.script(({ body }) => {
		if (JSON.stringify(body).includes('Think about it.')) return { steps: [{ type: 'silence', ms: 300_000 }] };
		asked += 1;
		return asked === 1 ? { steps: [{ type: 'stream', text: words, perSecond: 40 }] } : says(' and the rest.');
	});
	home = await homeWithModel(model.url);
	hearth = await launchHearth({ home });
	const page = hearth.window;
	page.setDefaultTimeout(30_000);
	const before = await hearth.runtimePid();
	// Of this one nothing is there yet: its call is made again by itself.
	await say(hearth, 'Think about it.');
	await expect.poll(() => model?.log.requests.length).toBe(1);
	await page.keyboard.press('Control+n');
	await page.getByText('What is on your mind?').waitFor();
	await say(hearth, 'Tell me something long.');
	const reply = page.getByRole('article', { name: 'Hearth' }).last();
	await reply.getByText(/word30\b/).waitFor();

	const told = page
		.getByText(/runtime stopped/)
		.first()
		.waitFor();
	process.kill(before, 'SIGKILL');
	await told;
	await expect.poll(hearth.runtimePid).not.toBe(before);

	const banner = page.getByRole('status').filter({ hasText: 'Hearth’s runtime stopped and was started again.' });
	await banner.getByText('What happened: it was ended by SIGKILL.').waitFor();
	await banner.getByText('One run was cut off').getByRole('link', { name: 'Tell me something long' }).waitFor();
	await banner.getByText('One run goes on by itself:').getByRole('link', { name: 'Think about it' }).waitFor();
	await banner.getByRole('button', { name: 'Resume' }).waitFor();
	for (const theme of ['light', 'dark'] as const) {
		await page.evaluate((wanted) => window.hearthShell?.setTheme(wanted), theme);
		await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(theme === 'dark');
		await expectAccessible({ page }, `banner after a crash, ${theme}`);
		await takePicture({ page }, `electron-restarted-${theme}`);
	}
	await reply.getByText('This reply was interrupted. What was written is kept.').waitFor();
	// The journal is written several times a second: the last words on the screen may be missing.
	expect(await reply.textContent()).toMatch(/word20\b/);
	await reply.getByRole('button', { name: 'Retry', exact: true }).waitFor();
	await reply.getByRole('button', { name: 'Continue' }).click();
	await reply.getByText(/and the rest\./).waitFor();
	expect(await reply.textContent()).toMatch(/word20\b/);
	// Continuing is one call more; nothing that was finished was asked again.
	expect(asked).toBe(2);
	await banner.getByRole('button', { name: 'Resume' }).waitFor({ state: 'detached' });
	// And the window is as useful as before.
	await say(hearth, 'Still there?');
	await expect.poll(() => page.getByRole('article').count()).toBe(4);
});

test('S5 a profile that is open elsewhere is refused in words, and opens when it is free', async () => {
	home = await temporaryHome();
	const folder = path.join(home, 'profiles', 'default');
	mkdirSync(folder, { recursive: true });
	const { acquireLock } = await import('../../src/app/lock.ts');
	const lock = acquireLock(path.join(folder, 'lock'));
	try {
		hearth = await launchHearth({ home });
		const page = hearth.window;
		await page
			.getByText(/Another Hearth/)
			.first()
			.waitFor();
		lock.release();
		await page.getByRole('button', { name: 'Start again' }).click();
		await page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
	} finally {
		lock.release();
	}
});
