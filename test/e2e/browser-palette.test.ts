import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeViews, goTo, type Hearth, openView, startHearth, type View } from './support/browser.ts';

let hearth: Hearth;
let view: View;
beforeAll(async () => {
	hearth = await startHearth();
	const first = await openView(hearth);
	for (const text of ['search zebra crossing', 'search 狐狸 and the grapes']) {
		await openNewChat(first);
		const message = first.page.getByRole('textbox', { name: 'Message' });
		await message.fill(text);
		await first.page.keyboard.press('Enter');
		await first.page.getByText(text).first().waitFor();
		await first.page.getByRole('article').last().waitFor();
	}
	await first.close();
});
beforeEach(async () => {
	view = await openView(hearth);
});
afterEach(() => view.close());
afterAll(async () => {
	await hearth?.stop();
	await closeViews();
});

/** Until it is open the keys still go to the chat before. */
async function openNewChat({ page }: View): Promise<void> {
	await page.keyboard.press('Control+n');
	await page.getByText('What is on your mind?').waitFor();
}

const palette = ({ page }: View) => page.getByRole('dialog', { name: 'Command palette' });
const field = (view: View) => palette(view).getByRole('combobox');

describe('the palette', () => {
	test('reaches an action by keyboard: type, arrows, Enter', async () => {
		const { page } = view;
		await page.keyboard.press('Control+k');
		await field(view).waitFor();
		await page.keyboard.type('set mod');
		// At once: what counts is what is typed, not what the list showed a moment before.
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
		expect(await palette(view).count()).toBe(0);
	});

	test('lists every action that can run here, with its keys', async () => {
		const { page } = view;
		await page.keyboard.press('Control+k');
		for (const name of ['New chat Ctrl N', 'Search all chats', 'Settings: Secrets', 'Theme: dark', 'Diagnostics', 'Keyboard map']) {
			await palette(view).getByRole('option', { name }).first().waitFor();
		}
	});

	test('finds chats by what was said in them, also in Chinese, and goes to the message', async () => {
		const { page } = view;
		await page.keyboard.press('Control+k');
		await field(view).waitFor();
		await page.keyboard.type('狐狸');
		const hit = palette(view)
			.getByRole('option')
			.filter({ has: page.locator('mark') })
			.first();
		await hit.waitFor();
		await hit.click();
		await page.getByText('search 狐狸 and the grapes').first().waitFor();
		expect(page.url()).toMatch(/#\/chat\/.+/);
	});

	test('an input method’s Enter chooses the word, not the action', async () => {
		const { page } = view;
		await page.keyboard.press('Control+k');
		await field(view).waitFor();
		await page.keyboard.type('set mod');
		await palette(view).getByRole('option', { name: 'Settings: Models' }).waitFor();
		const before = page.url();
		await field(view).evaluate((input) => {
			input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }));
		});
		expect(page.url()).toBe(before);
		expect(await palette(view).count()).toBe(1);
	});

	test('Esc closes it and gives the focus back; nothing found is said', async () => {
		const { page } = view;
		await goTo(view, '/settings/general');
		const tray = page.getByRole('button', { name: 'Dark', exact: true });
		await tray.focus();
		await page.keyboard.press('Control+k');
		await field(view).waitFor();
		await page.keyboard.type('qqxxzz');
		await palette(view).getByText('Nothing found for “qqxxzz”.').waitFor();
		await page.keyboard.press('Escape');
		await palette(view).waitFor({ state: 'detached' });
		await expect.poll(() => tray.evaluate((button) => button === document.activeElement)).toBe(true);
	});
});

describe('keys from every screen', () => {
	test('Ctrl , opens settings, Ctrl N a new chat ready to write in, Ctrl Shift F the search', async () => {
		const { page } = view;
		await page.keyboard.press('Control+,');
		await page.getByRole('heading', { name: 'Settings' }).waitFor();
		await page.keyboard.press('Control+Shift+f');
		await page.getByPlaceholder('Search all chats').waitFor();
		await page.keyboard.press('Escape');
		await palette(view).waitFor({ state: 'detached' });
		await page.keyboard.press('Control+n');
		const message = page.getByRole('textbox', { name: 'Message' });
		await message.waitFor();
		await expect.poll(() => message.evaluate((area) => area === document.activeElement)).toBe(true);
	});

	test('the keyboard map shows the keys that the commands really have', async () => {
		const { page } = view;
		await goTo(view, '/settings/keyboard');
		await page.getByRole('row', { name: 'Search all chats Ctrl Shift F' }).waitFor();
		await page.getByRole('row', { name: 'Settings Ctrl ,' }).waitFor();
	});
});

test('the quick window: a question into a new chat, its reply, and the chat in the main window', async () => {
	const { page } = view;
	await goTo(view, '/quick');
	const field = page.getByRole('textbox', { name: 'Ask Hearth' });
	await field.fill('search zebra');
	await field.evaluate((input) => {
		input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }));
	});
	expect(await field.inputValue()).toBe('search zebra');
	await page.keyboard.press('Enter');
	await page.getByRole('article', { name: 'Hearth' }).getByText(/zebra/).first().waitFor();
	await page.getByRole('button', { name: 'Open in Hearth' }).click();
	await page.getByRole('navigation', { name: 'Main' }).waitFor();
	expect(page.url()).toMatch(/#\/chat\/.+/);
	expect(view.problems).toEqual([]);
});
