import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import { run, sql } from '../../src/db/sql.ts';
import { calls, says } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, type Hearth, openView, startHearth, takePicture, type View } from './support/browser.ts';
import { openChat } from './support/chat.ts';

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

const sentence = () => view.page.getByRole('textbox', { name: 'Say it in a sentence' });
const plan = () => view.page.getByRole('region', { name: 'Task', exact: true });
const list = () => view.page.getByRole('region', { name: 'Task list' });
const card = (title: string) => list().getByRole('article', { name: title });
const primary = (name: string) => plan().getByRole('button', { name });

/** Axe finds nothing in a light wide window, nor in a dark one of 640 pixels, where all is within its width. */
async function seen(name: string): Promise<void> {
	const { page } = view;
	await expectAccessible(view, name);
	await takePicture(view, `tasks-${name}-light`);
	await page.emulateMedia({ colorScheme: 'dark' });
	await takePicture(view, `tasks-${name}-dark`);
	await page.setViewportSize({ width: 640, height: 800 });
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
	await expectAccessible(view, `${name}, dark, 640 pixels`);
	await takePicture(view, `tasks-${name}-640`);
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.emulateMedia({ colorScheme: 'light' });
}

async function choose(field: Locator, option: string): Promise<void> {
	await field.click();
	await view.page.getByRole('option', { name: option, exact: true }).click();
}

test('a sentence is read without a model, what is not clear is asked, and nothing is there before it is turned on', async () => {
	view = await openView(hearth, { at: '/tasks' });
	const { page } = view;
	await page.getByText('Work that happens without you').waitFor();
	await seen('empty');
	// N goes to the sentence, also where nothing has the focus.
	await page.getByRole('heading', { name: 'New task' }).focus();
	await page.keyboard.press('n');
	await expect.poll(() => sentence().evaluate((field) => field === document.activeElement)).toBe(true);
	await sentence().fill('next Friday at 12 remind me of the dentist');
	await sentence().press('Enter');
	const asks = page.getByRole('status').filter({ has: page.getByRole('button') });
	await asks.getByRole('button').first().waitFor();
	await seen('asks');
	await asks.getByRole('button').first().click();
	await plan().waitFor();
	await sentence().fill('every weekday at 9 write me a list of what is open');
	await sentence().press('Enter');
	await plan().getByText('Every weekday at 09:00').first().waitFor();
	await page.getByText('Read on this machine without a model.').waitFor();
	expect(await plan().getByRole('list', { name: 'Next five' }).getByRole('listitem').count()).toBe(5);
	await seen('card');
	// Each part can be changed in place, and the card follows.
	await plan().getByRole('textbox', { name: 'Name' }).fill('Open ends');
	await choose(plan().getByRole('combobox', { name: 'Result', exact: true }), 'A file');
	await plan().getByRole('textbox', { name: 'Tokens a run' }).fill('many');
	await plan().getByText('A whole number from 1 to 100,000,000 tokens').waitFor();
	await plan().getByRole('textbox', { name: 'Tokens a run' }).fill('20,000');
	await plan().getByRole('combobox', { name: 'Zone' }).click();
	await page.getByRole('dialog', { name: 'Zone' }).getByRole('combobox').fill('Kolkata');
	await page.getByRole('option', { name: 'Asia/Kolkata' }).click();
	await plan().getByText('Stays 09:00 there when the clocks change').waitFor();
	await expect.poll(() => plan().getByRole('list', { name: 'Next five' }).getByText('+05:30').count()).toBe(5);
	// A test run writes and sends nothing, and says what it said.
	await primary('Test run').click();
	await plan().getByRole('region', { name: 'Test run' }).getByText('Answered without AI').waitFor();
	await seen('tested');
	expect(await card('Open ends').count()).toBe(0);
	await primary('Turn on').click();
	await card('Open ends').getByText('Every weekday at 09:00').waitFor();
	await expect
		.poll(() =>
			card('Open ends')
				.getByRole('link')
				.evaluate((link) => link === document.activeElement),
		)
		.toBe(true);
	expect(view.problems).toEqual([]);
});

test('a task is run at once, paused and resumed, edited and removed; what became of its runs is told', async () => {
	view = await openView(hearth, { at: '/tasks' });
	const { page } = view;
	const open = card('Open ends');
	await open.getByRole('link').click();
	await open.getByRole('list', { name: 'Next five' }).getByText('+05:30').first().waitFor();
	await seen('open');
	await open.getByRole('button', { name: 'Run now' }).click();
	await open.getByRole('button', { name: '1 run' }).click();
	const runs = page.getByRole('region', { name: 'Open ends' });
	await runs.getByText('Done', { exact: true }).waitFor();
	await runs.getByText('started by you').waitFor();
	await seen('history');
	// The keys of the list: P pauses the card that has the focus.
	await open.getByRole('link').focus();
	await page.keyboard.press('p');
	await open.getByText('Paused', { exact: true }).waitFor();
	await list().getByText('0 on, 1 paused').waitFor();
	await page.keyboard.press('p');
	await open.getByText('Scheduled').waitFor();
	await page.keyboard.press('e');
	await plan().getByRole('textbox', { name: 'Name' }).fill('Loose ends');
	await choose(plan().getByRole('combobox', { name: 'How often' }), 'Every so often');
	await plan().getByText('Every hour').first().waitFor();
	await seen('edit');
	await primary('Save').click();
	await card('Loose ends').getByText('Every hour').waitFor();
	// The strip leads to a day, by key too.
	const day = page.getByRole('group', { name: 'Runs of the next two weeks' }).getByRole('button').nth(1);
	await page.getByRole('group', { name: 'Runs of the next two weeks' }).getByRole('button').first().focus();
	await page.keyboard.press('ArrowRight');
	await expect.poll(() => day.evaluate((button) => button === document.activeElement)).toBe(true);
	await page.keyboard.press('Enter');
	await page.getByRole('main').getByRole('link', { name: 'Loose ends' }).nth(5).waitFor();
	await seen('day');
	expect(view.problems).toEqual([]);
});

test('R5 runs that were missed while Hearth was closed are there with the reason, and one of them runs when the owner says so', async () => {
	// As if it had been closed since two hours: hourly runs came meanwhile.
	await hearth.kill();
	const { profileFolder } = hearth;
	const db = openStateDb({ file: join(profileFolder, 'state.db'), backupsFolder: join(profileFolder, 'backups'), logger: silentLogger });
	db.write((tx) => {
		const hour = 3_600_000;
		const closed = Date.now() - 2.5 * hour;
		const draft = sql`json_set(draft, '$.missed', json('{"kind":"ask"}'), '$.when.schedule.timing.anchor', ${closed})`;
		run(tx, sql`UPDATE tasks SET claimed_to = ${closed}, draft = ${draft}`);
		run(tx, sql`UPDATE timers SET due_at = ${closed + hour} WHERE kind = 'task' AND claimed_at IS NULL`);
		run(tx, sql`UPDATE switches SET at = ${closed} WHERE name = 'alive'`);
	});
	db.close();
	await hearth.start();
	view = await openView(hearth, { at: '/tasks' });
	const { page } = view;
	await page.getByRole('link', { name: /Tasks.*1 task needs you/ }).waitFor();
	const missed = card('Loose ends');
	await missed.getByText(/was missed: .*Run it now\?/).waitFor();
	await missed.getByText('And one more before it.').waitFor();
	await seen('missed');
	await list().getByRole('button', { name: 'All runs' }).click();
	const all = page.getByRole('region', { name: 'All runs' });
	await all.getByText('Missed, asks you').nth(1).waitFor();
	await missed.getByRole('button', { name: 'Run now' }).click();
	await all.getByText('Done', { exact: true }).nth(1).waitFor();
	await expect.poll(() => missed.getByText('was missed').count()).toBe(0);
	await missed.getByRole('link').click();
	await missed.getByRole('button', { name: 'More for Loose ends' }).click();
	await page.getByRole('menuitem', { name: 'Remove' }).click();
	await page.getByRole('dialog').getByText('The list of its runs').waitFor();
	await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
	await list().getByText('No tasks yet.').waitFor();
	expect(view.problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
});

test('B3 a task that the agent proposes is a card in the chat and in the inbox, and is made by the owner’s yes to it', async () => {
	const chat = await openChat({
		replies: [calls('schedule_task', { sentence: 'every weekday at 9 write me a list of what is open' })],
		fallback: says('It is on.'),
	});
	onTestFinished(() => chat.close());
	view = chat.view;
	const { page } = view;
	await chat.say('Every weekday at 9 write me a list of what is open.');
	const proposal = page.getByRole('region', { name: 'The task as it would be' });
	await proposal.getByText('Every weekday at 09:00').waitFor();
	expect(await proposal.getByRole('list', { name: 'Next five' }).getByRole('listitem').count()).toBe(5);
	await seen('proposal');
	await page.getByRole('link', { name: /Inbox/ }).click();
	await page.getByRole('button', { name: /Schedule a task/ }).click();
	await proposal.getByText('Every weekday at 09:00').waitFor();
	await takePicture(view, 'tasks-proposal-inbox');
	await page.getByRole('button', { name: 'Turn on' }).click();
	await page.getByRole('link', { name: /^Tasks/ }).click();
	await list().getByText('Every weekday at 09:00').waitFor();
	expect(view.problems).toEqual([]);
});
