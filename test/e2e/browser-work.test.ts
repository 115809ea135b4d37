import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeViews, expectAccessible, goTo, type Hearth, openView, startHearth, takePicture, type View } from './support/browser.ts';

let hearth: Hearth;
let view: View;

beforeAll(async () => {
	hearth = await startHearth();
});
afterEach(() => view.close());
afterAll(async () => {
	await hearth?.stop();
	await closeViews();
});

const pause = () => view.page.getByRole('button', { name: 'Pause all' });
const resume = () => view.page.getByRole('banner').getByRole('button', { name: 'Resume background work' });

test('R3 Pause all stands in the title bar of every screen, outlives a crash, and is taken back by the keys', async () => {
	view = await openView(hearth);
	const { page } = view;
	await goTo(view, '/chat');
	await pause().click();
	await page.getByText('All background work is paused. Chats go on.').waitFor();
	await resume().waitFor();
	await takePicture(view, 'work-paused');
	await goTo(view, '/settings/general');
	await page.getByRole('banner').getByText('Paused').waitFor();
	await expectAccessible(view, 'background work');
	await hearth.kill();
	await hearth.start();
	await view.close();
	view = await openView(hearth);
	await goTo(view, '/chat');
	await resume().waitFor();
	await view.page.keyboard.press('Control+Shift+P');
	await view.page.getByText('Background work goes on.').waitFor();
	await pause().waitFor();
});

test('active hours and the budgets of a day are set in words and numbers; what does not fit is said and not saved', async () => {
	view = await openView(hearth);
	const { page } = view;
	const saved = () => JSON.parse(readFileSync(join(hearth.profileFolder, 'config.json'), 'utf8')).settings;
	await goTo(view, '/settings/background');
	await page.getByRole('switch', { name: 'Active hours' }).click();
	await page.getByLabel('From', { exact: true }).fill('09:30');
	await page.getByLabel('From', { exact: true }).press('Enter');
	await expect.poll(() => saved().activeHours).toEqual({ from: '09:30', to: '22:00' });
	await page.getByLabel('To', { exact: true }).fill('09:30');
	await page.getByLabel('To', { exact: true }).press('Enter');
	await page.getByText('The two times must differ.').waitFor();
	await page.getByLabel('To', { exact: true }).fill('02:00');
	await page.getByLabel('To', { exact: true }).press('Enter');
	await expect.poll(() => saved().activeHours).toEqual({ from: '09:30', to: '02:00' });
	await page.getByRole('link', { name: 'Show spending' }).click();
	const cost = page.getByLabel('Tasks: US dollars in a day');
	await cost.fill('much');
	await cost.press('Enter');
	await page.getByText('A number above 0, such as 2.50, or nothing.').waitFor();
	await cost.fill('2,50');
	await cost.press('Enter');
	await expect.poll(() => saved().budgets.task.costUsd).toBe(2.5);
	const chats = page.getByLabel('Chats: tokens in a day');
	await chats.fill('200,000');
	await chats.press('Enter');
	await expect.poll(() => saved().budgets.chat.tokens).toBe(200_000);
	await page.getByText('0 of 200,000 tokens').waitFor();
	await takePicture(view, 'spending');
	await expectAccessible(view, 'spending');
	await cost.fill('');
	await cost.press('Enter');
	await expect.poll(() => saved().budgets.task.costUsd).toBeNull();
	await goTo(view, '/settings/background');
	await page.getByRole('switch', { name: 'Active hours' }).click();
	await expect.poll(() => saved().activeHours).toBeNull();
});
