import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fails, type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, type Hearth, openView, startHearth, takePicture, type View } from './support/browser.ts';

let ollama: ModelServer;
let lmstudio: ModelServer;
let hearth: Hearth | undefined;
let view: View | undefined;

beforeEach(async () => {
	ollama = await startModelServer({
		script: {
			models: [
				{ id: 'qwen3:8b', contextTokens: 8192 },
				{ id: 'qwen3:4b', contextTokens: 8192 },
			],
		},
	});
	lmstudio = await startModelServer({ script: { models: [] } });
});
afterEach(async () => {
	await view?.close();
	await hearth?.stop();
	await ollama.close();
	await lmstudio.close();
	view = undefined;
	hearth = undefined;
});
afterAll(closeViews);

async function begin(addresses: { ollama?: string; lmstudio?: string }): Promise<View> {
	hearth = await startHearth({ firstRunDone: false, localAddresses: addresses });
	view = await openView(hearth);
	return view;
}

function savedConfig(): string {
	const file = join(hearth?.profileFolder ?? '', 'config.json');
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const option = ({ page }: View, name: string) => page.locator('.opt', { has: page.getByText(name, { exact: true }) });

describe('the first screen tells three states apart', () => {
	test('nothing runs: both say so, and starting without a model works at once', async () => {
		const view = await begin({});
		const { page } = view;
		await option(view, 'Ollama').getByText('Not running').waitFor();
		await option(view, 'LM Studio').getByText('Not running').waitFor();
		expect(await page.getByRole('radio', { name: 'Start without a model' }).isChecked()).toBe(true);
		await expectAccessible(view, 'first run, nothing runs');
		await takePicture(view, 'first-run-nothing-light');
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await page.getByRole('navigation', { name: 'Main' }).waitFor();
		expect(page.url()).toMatch(/#\/chat/);
		expect(view.problems).toEqual([]);
	});

	test('LM Studio runs without a model; after one is loaded, Look again finds it', async () => {
		const view = await begin({ lmstudio: lmstudio.openaiUrl });
		const row = option(view, 'LM Studio');
		await row.getByText('Running without a model').waitFor();
		await row.getByText('Load a model in LM Studio, then look again.').waitFor();
		lmstudio.script({ models: [{ id: 'llama-3' }] });
		await row.getByRole('button', { name: 'Look again' }).click();
		await row.getByText('Ready', { exact: true }).waitFor();
		await row.getByText(/llama-3 answered a test in \d+\.\d s\. Stays on this machine\./).waitFor();
	});

	test('Ollama is ready: it is chosen, asked a question, and kept only after the answer', async () => {
		ollama.script({ models: [{ id: 'qwen3:8b', contextTokens: 8192 }], replies: [says('Yes.', { delayMs: 300 })] });
		const view = await begin({ ollama: ollama.url, lmstudio: lmstudio.openaiUrl });
		const { page } = view;
		await option(view, 'Ollama')
			.getByText(/qwen3:8b answered a test in \d+\.\d s/)
			.waitFor();
		expect(await page.getByRole('radio', { name: 'Ollama' }).isChecked()).toBe(true);
		expect(ollama.log.requests).toHaveLength(1);
		await expectAccessible(view, 'first run, Ollama ready');
		await takePicture(view, 'first-run-light');
		await page.emulateMedia({ colorScheme: 'dark' });
		await expectAccessible(view, 'first run, dark');
		await takePicture(view, 'first-run-dark');
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await page.getByRole('navigation', { name: 'Main' }).waitFor();
		expect(savedConfig()).toContain('qwen3:8b');
		expect(ollama.log.requests).toHaveLength(1);
	});
});

describe('a choice is saved only after a real completion', () => {
	test('a model that fails its test says why in place and is not kept', async () => {
		ollama.script({ models: [{ id: 'qwen3:8b', contextTokens: 8192 }], fallback: fails({ type: 'server_error', status: 500 }) });
		const view = await begin({ ollama: ollama.url });
		const { page } = view;
		await option(view, 'Ollama').getByRole('alert').waitFor();
		await takePicture(view, 'first-run-failed-light');
		await expectAccessible(view, 'first run, test failed');
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await option(view, 'Ollama').getByRole('alert').waitFor();
		expect(page.url()).toMatch(/#\/welcome/);
		expect(savedConfig()).not.toContain('qwen3:8b');

		ollama.script({ models: [{ id: 'qwen3:8b', contextTokens: 8192 }], fallback: says('Yes.') });
		await page.getByRole('button', { name: 'Try again' }).click();
		await option(view, 'Ollama')
			.getByText(/answered a test/)
			.waitFor();
		expect(savedConfig()).toContain('qwen3:8b');
	});

	test('the last choice wins, also when an older one is still being tested', async () => {
		ollama.script({ models: [{ id: 'qwen3:8b', contextTokens: 8192 }], replies: [says('slow', { delayMs: 1500 })] });
		const view = await begin({ ollama: ollama.url });
		const { page } = view;
		await option(view, 'Ollama')
			.getByText(/is answering a test/)
			.waitFor();
		await page.getByRole('radio', { name: 'Start without a model' }).check();
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await page.getByRole('navigation', { name: 'Main' }).waitFor();
		await page.evaluate(() => {
			window.location.hash = '/settings/models';
		});
		await page.getByRole('combobox', { name: 'Model for: Chat' }).getByText('Built-in responder').waitFor();
	});
});

describe('another server or key', () => {
	test('a key on a machine without a keychain: the owner is asked where it is kept; it reaches the server and no file as text (S3)', async () => {
		const server = lmstudio;
		server.script({ models: [{ id: 'mistral' }], key: 'sk-very-secret', fallback: says('Here.') });
		const view = await begin({});
		const { page } = view;
		await page.getByRole('button', { name: 'Set up' }).click();
		const dialog = page.locator('.dialog');
		await dialog.getByLabel('Address').fill('no address at all');
		await dialog.getByRole('button', { name: 'Look for models' }).click();
		await dialog.getByText('Write an address that starts with http:// or https://.').waitFor();
		await dialog.getByLabel('Address').fill(server.openaiUrl);
		await dialog.getByLabel('Key', { exact: true }).fill('sk-wrong');
		await dialog.getByText('Where the key will be kept').waitFor();
		await expectAccessible(view, 'set-up dialog');
		await takePicture(view, 'first-run-key-light');
		await dialog.getByRole('radio', { name: /In a file that only a passphrase opens/ }).check();
		await dialog.getByLabel('New passphrase').fill('short');
		await dialog.getByRole('button', { name: 'Look for models' }).click();
		await dialog.getByText('The passphrase needs eight characters or more.').waitFor();
		await dialog.getByLabel('New passphrase').fill('a long enough one');
		await dialog.getByRole('button', { name: 'Look for models' }).click();
		await dialog.getByRole('alert').waitFor();
		await dialog.getByLabel('Key', { exact: true }).fill('sk-very-secret');
		await dialog.getByRole('button', { name: 'Look for models' }).click();
		await page.getByText(/mistral answered a test in/).waitFor();
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await page.getByRole('navigation', { name: 'Main' }).waitFor();
		expect(savedConfig()).toContain('mistral');
		expect(savedConfig()).not.toContain('sk-very-secret');
	});

	test('leaving the dialog leaves nothing behind', async () => {
		const view = await begin({});
		const { page } = view;
		await page.getByRole('button', { name: 'Set up' }).click();
		await page.locator('.dialog').getByLabel('Address').fill('http://127.0.0.1:2/v1');
		await page.getByRole('button', { name: 'Look for models' }).click();
		await page.locator('.dialog').getByRole('alert').waitFor();
		await page.keyboard.press('Escape');
		await page.locator('.dialog').waitFor({ state: 'detached' });
		await expect.poll(savedConfig).not.toContain('127.0.0.1:2');
		expect(await page.getByRole('button', { name: 'Set up' }).evaluate((button) => button === document.activeElement)).toBe(true);
	});
});
