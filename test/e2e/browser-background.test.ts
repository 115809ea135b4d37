import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dialSocket } from '../../src/app/socket.ts';
import { connect } from '../../src/contract/client.ts';
import { ProviderId } from '../../src/domain/ids.ts';
import { type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, goTo, type Hearth, openView, startHearth, takePicture, type View } from './support/browser.ts';
import { type FeedSite, startFeedSite } from './support/feed.ts';

let hearth: Hearth;
let site: FeedSite;
let model: ModelServer;
let view: View;

beforeAll(async () => {
	site = await startFeedSite('Orchard News', [
		{ title: 'Apple scab warning for the valley', text: 'The apple scab warning holds until Friday. Spray before the rain.' },
		{ title: 'Road works in the next town', text: 'The main street is closed for a week.' },
	]);
	model = await startModelServer({ script: { replies: [says('Yes.')], fallback: says('{"findings":[]}') } });
	hearth = await startHearth();
	view = await openView(hearth, { at: '/settings/background' });
});
afterAll(async () => {
	await view?.close();
	await hearth?.stop();
	await site?.close();
	await model?.close();
	await closeViews();
});

const hasFocus = (name: string) =>
	expect.poll(() => view.page.getByRole('button', { name }).evaluate((button) => button === document.activeElement)).toBe(true);

const BOTH = ['light', 'dark'] as const;

async function look(name: string, themes: readonly ('light' | 'dark')[] = BOTH): Promise<void> {
	for (const theme of themes) {
		await view.page.emulateMedia({ colorScheme: theme });
		await expectAccessible(view, `${name}, ${theme}`);
		await takePicture(view, `background-${name}-${theme}`);
	}
	await view.page.emulateMedia({ colorScheme: 'light' });
}

async function narrow(name: string): Promise<void> {
	await view.page.setViewportSize({ width: 640, height: 800 });
	await look(`${name}-640`, ['dark']);
	await view.page.setViewportSize({ width: 1280, height: 800 });
}

test('B1 a pasted link becomes a source, a look with the built-in responder finds what HEARTBEAT.md names, and the inbox says how much', async () => {
	const { page } = view;
	await page.getByText('Off. Sources are read only when you press “Look now”, or test one.').waitFor();
	await page
		.getByRole('banner')
		.getByRole('link', { name: /^Looks off/ })
		.waitFor();
	await page.getByText(/^Built-in responder/).waitFor();
	await page.getByRole('button', { name: 'Edit HEARTBEAT.md' }).first().click();
	await page.getByRole('textbox', { name: 'HEARTBEAT.md' }).fill('# What to watch\n\n- Apple scab warnings\n- Late frost\n');
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await page.getByRole('listitem').filter({ hasText: 'Late frost' }).waitFor();

	await goTo(view, '/settings/sources');
	const add = page.getByRole('button', { name: 'Add a source' });
	await add.click();
	const dialog = page.getByRole('dialog', { name: 'Add a source' });
	await dialog.getByLabel(/^Link, folder/).fill(site.url);
	await look('add');
	await page.keyboard.press('Enter');
	await dialog.getByText('Apple scab warning for the valley', { exact: true }).waitFor();
	await look('preview');
	await narrow('preview');
	await dialog.getByRole('button', { name: 'Add', exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
	await hasFocus('Add a source');
	await page.getByRole('button', { name: 'Test Orchard News' }).click();
	await page.getByText(/^Read, 2 new texts/).waitFor();
	await look('sources');

	await page.evaluate(() => {
		// The owner allowed notifications in this browser, and looks elsewhere.
		class Told extends EventTarget {
			static permission = 'granted';
			readonly title: string;
			readonly options: { body: string };
			constructor(title: string, options: { body: string }) {
				super();
				this.title = title;
				this.options = options;
				(window as unknown as { told: Told[] }).told.push(this);
			}
			close(): void {}
		}
		Object.assign(window, { told: [], Notification: Told });
		document.hasFocus = () => false;
	});
	await page.keyboard.press('Control+K');
	await page.getByPlaceholder('Search chats or do anything').fill('look at the sources');
	await page.keyboard.press('Enter');
	await page.getByRole('link', { name: /Inbox.*1 needs you/ }).waitFor();
	const told = () =>
		page.evaluate(() =>
			(window as unknown as { told: { title: string; options: { body: string } }[] }).told.map(({ title, options }) => [
				title,
				options.body,
			]),
		);
	await expect.poll(told).toEqual([['1 finding waits', 'Open the inbox to decide.']]);
	await page.evaluate(() => (window as unknown as { told: EventTarget[] }).told[0]?.dispatchEvent(new Event('click')));
	await page.getByRole('tab', { name: /Memories and findings/, selected: true }).waitFor();
	await goTo(view, '/settings/background');
	// What came of it stands where it was asked for.
	await page.getByText(/^Last look, .*1 finding/).waitFor();
	await look('settings');
	await narrow('settings');
	await page.getByRole('button', { name: /^Open the look of/ }).click();
	await page.locator('#run-title', { hasText: 'Look at Orchard News' }).waitFor();
	await takePicture(view, 'background-timeline');
	// Nothing of what was read stands in memory (B1).
	expect(readFileSync(join(hearth.profileFolder, 'HEARTBEAT.md'), 'utf8')).toContain('Late frost');
	expect(view.problems).toEqual([]);
});

test('B3 before text of a source goes to a model that costs money the owner is asked, with what would go; no, withdrawn, and yes are kept to', async () => {
	const { page } = view;
	const transport = await dialSocket(hearth.profileFolder);
	if (!transport) throw new Error('the runtime does not run');
	const { rpc } = await connect(transport, { client: 'test' });
	const providerId = ProviderId.parse('paid');
	const provider = {
		id: providerId,
		kind: 'openai-compatible',
		name: 'Paid',
		baseUrl: model.openaiUrl,
		price: { input: 1, output: 1 },
	} as const;
	await rpc.models.saveProvider({ provider });
	await rpc.models.choose({ work: 'background', model: { providerId, modelId: 'scripted' } });
	const [source] = (await rpc.sources.list()).sources;
	if (!source) throw new Error('no source');
	site.posts.push({ title: 'Late frost on Thursday', text: 'Late frost is expected on Thursday night.' });
	await rpc.sources.test({ sourceId: source.id });
	const asked = (): number => model.log.requests.filter(({ body }) => JSON.stringify(body).includes('frost')).length;

	await goTo(view, '/settings/background');
	await page.getByRole('button', { name: 'Look now' }).click();
	const question = page.locator('.note', { hasText: 'May text from your sources go to Paid?' });
	await question.getByText(/^one new text, \d+ characters, from Orchard News$/).waitFor();
	await page
		.getByRole('banner')
		.getByRole('link', { name: /^Looks: a question/ })
		.waitFor();
	await look('asks');
	await narrow('asks');
	await question.getByRole('button', { name: 'No', exact: true }).click();
	await page.getByText(/^You said no to sending text/).waitFor();
	await takePicture(view, 'background-refused');
	await page.getByRole('button', { name: 'Withdraw your answer for Paid' }).click();
	await question.waitFor();
	expect(asked()).toBe(0);
	await question.getByRole('button', { name: 'Yes, send it' }).click();
	await page.getByText('Allowed', { exact: true }).waitFor();
	await hasFocus('Look now');
	await expect.poll(asked).toBe(1);
	await takePicture(view, 'background-allowed');
	transport.close();
	expect(view.problems).toEqual([]);
});

test('what came from a source is read as plain text, and goes with it where the owner says so', async () => {
	const { page } = view;
	await goTo(view, '/settings/sources');
	// What the yes was answered with fades: judged under a dialog, it has any contrast.
	await page.getByText('Looks go on.').waitFor({ state: 'detached' });
	const menu = (item: string) => async (): Promise<void> => {
		await page.getByRole('button', { name: 'Orchard News: options' }).click();
		await page.getByRole('menuitem', { name: item }).click();
	};
	await menu('Show what was read')();
	const items = page.getByRole('dialog', { name: 'What Orchard News brought' });
	await items.getByText('Apple scab warning for the valley').first().click();
	await items.getByText('Spray before the rain.').waitFor();
	await look('items');
	await items.getByRole('button', { name: 'Close' }).click();
	await menu('Edit')();
	await page.getByRole('dialog', { name: 'Change Orchard News' }).waitFor();
	await look('edit');
	await page.keyboard.press('Escape');
	await menu('Remove')();
	const remove = page.getByRole('dialog', { name: 'Remove Orchard News?' });
	await remove.getByText('Nothing of it is in memory.').waitFor();
	await look('remove');
	await remove.getByRole('button', { name: 'Remove', exact: true }).click();
	await page.getByText('No source yet.').waitFor();
	await hasFocus('Add a source');
	await expect.poll(() => page.getByRole('link', { name: /Inbox.*needs you/ }).count()).toBe(0);
	expect(view.problems).toEqual([]);
});
