import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls, says } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, goTo, takePicture } from './support/browser.ts';
import { type Chat, openChat } from './support/chat.ts';

let chat: Chat;
beforeAll(async () => {
	chat = await openChat({ fallback: says('All is filed.'), tools: true });
}, 60_000);
afterAll(async () => {
	await chat?.close();
	await closeViews();
});

const BILLS = 'bills/february.csv';
const inFile = (): string => readFileSync(join(chat.hearth.profileFolder, 'workspace', BILLS), 'utf8');
const rail = (name: string) => chat.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const list = () => chat.page.getByRole('navigation', { name: 'Run list' });
const steps = () => chat.page.getByRole('region', { name: 'Steps' });
const step = (title: string | RegExp) => steps().getByRole('link').filter({ hasText: title });
const detail = (number: number) => chat.page.getByRole('region', { name: `Step ${number}`, exact: true });
const dialog = () => chat.page.getByRole('dialog');
const toast = (words: string | RegExp) => chat.page.getByRole('region', { name: 'Notifications' }).getByText(words).last();
const press = (keys: string) => chat.page.keyboard.press(keys);
const focused = () =>
	chat.page.evaluate(() => {
		const element = document.activeElement;
		return element?.getAttribute('data-step') ?? element?.getAttribute('data-row-id') ?? element?.id ?? '';
	});

async function inBothThemes(name: string): Promise<void> {
	for (const theme of ['light', 'dark'] as const) {
		await chat.page.emulateMedia({ colorScheme: theme });
		await expectAccessible(chat.view, `${name}, ${theme}`);
		await takePicture(chat.view, `timeline-${name}-${theme}`);
	}
	await chat.page.emulateMedia({ colorScheme: 'light' });
}

/** One runtime and one page, as an owner has them: each test goes on where the one before ended. */
describe('the timeline', () => {
	test('empty, it says what comes there', async () => {
		await rail('Timeline').click();
		await chat.page.getByRole('heading', { name: 'No runs yet' }).waitFor();
		await inBothThemes('empty');
	});

	test('R4 a run is followed live, and what it asks is answered there', async () => {
		chat.model.reply(
			calls('write_file', { path: BILLS, content: 'water,12\n' }),
			calls('test_idempotent', { value: 'the letters' }),
			calls('ask_owner', { question: 'Which due date is right?', choices: ['The 5th', 'The 15th'] }),
			calls('write_file', { path: BILLS, content: 'water,12\ndue,15\n' }),
		);
		await rail('Chat').click();
		await chat.say('File the bills of February');
		await rail('Timeline').click();
		await list()
			.getByRole('link', { name: /File the bills/ })
			.click();
		await steps().getByText('Which due date is right?').first().waitFor();
		await list().getByText('Waiting for you').waitFor();
		await inBothThemes('waiting');
		await steps().getByRole('button', { name: 'The 15th' }).click();
		await list().getByText('Done').waitFor();
		await step('All is filed.').waitFor();
		expect(await step(/./).count()).toBe(9);
		expect(inFile()).toContain('due,15');
	});

	test('a step opens to what went in and came out, by keyboard; the focus is never lost', async () => {
		await expect.poll(focused).toBe('1');
		await press('j');
		await expect.poll(focused).toBe('2');
		await detail(2).getByText('"content": "water,12\\n"').waitFor();
		await detail(2).getByText(BILLS, { exact: true }).waitFor();
		await press('Enter');
		await expect.poll(focused).toBe('step-title');
		await press('j');
		await detail(3).waitFor();
		await press('k');
		await detail(2).getByRole('heading', { name: 'Write bills/february.csv' }).waitFor();
		await inBothThemes('step');
		await press('Escape');
		await expect.poll(focused).toBe('2');
		await press('Escape');
		await expect.poll(focused).toMatch(/-/);
		await press('Enter');
		await expect.poll(focused).toBe('1');
		await press('ArrowDown');
		await expect.poll(focused).toBe('2');
	});

	test('R4 the state at a step is shown as the agent knew it', async () => {
		await press('i');
		await dialog().getByRole('heading', { name: 'State after step 2' }).waitFor();
		const messages = dialog().getByRole('region', { name: 'Messages' });
		await messages.getByText('File the bills of February').waitFor();
		expect(await messages.getByText('Which due date is right?').count()).toBe(0);
		await dialog()
			.getByRole('button', { name: `Show ${BILLS}` })
			.click();
		await dialog().getByText('water,12').last().waitFor();
		await inBothThemes('inspect');
		await press('Escape');
		await dialog().waitFor({ state: 'detached' });
		await expect.poll(focused).toBe('2');
	});

	test('R4 restored with ticks, it goes back, and the undo brings back what was there', async () => {
		const { page } = chat;
		await press('r');
		await dialog().getByText('put back').first().waitFor();
		await inBothThemes('restore');
		await dialog().getByRole('checkbox', { name: 'Chat', exact: true }).uncheck();
		await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
		await toast('Restored to step 2.').waitFor();
		expect(inFile()).toBe('water,12\n');
		await page.getByRole('button', { name: 'Undo' }).last().click();
		await toast('The restore is taken back.').waitFor();
		expect(inFile()).toContain('due,15');
		await step('Write bills/february.csv').first().click();
		await detail(2).getByRole('button', { name: 'Restore…' }).click();
		await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
		// The chat, too: a run of its own that is stopped at the step, and goes on when it is told to.
		await steps().getByText('This run was stopped after step 2').waitFor();
		expect(inFile()).toBe('water,12\n');
		await toast('Restored to step 2.').waitFor();
		// One that leaves while colours are judged has any contrast.
		await page.locator('.toasts .btn.icon').last().click();
		await toast('Restored to step 2.').waitFor({ state: 'detached' });
		await inBothThemes('restored');
		await steps().getByRole('button', { name: 'Continue' }).click();
		await step('All is filed.').waitFor();
	});

	test('R4 forked with another message, a new chat goes on from the step', async () => {
		const { page } = chat;
		await step('Write bills/february.csv').first().click();
		await detail(2).getByRole('button', { name: 'Fork…' }).click();
		const field = dialog().getByRole('textbox', { name: /Your message/ });
		await expect.poll(() => field.inputValue()).toBe('File the bills of February');
		await inBothThemes('fork');
		await field.fill('File only the water bill');
		await dialog().getByRole('button', { name: 'Fork', exact: true }).click();
		await page.getByRole('article', { name: 'You' }).getByText('File only the water bill').waitFor();
		await chat.reply.getByText('All is filed.').waitFor();
		await chat.reply.getByRole('button', { name: 'Show in the timeline' }).click();
		await step('All is filed.').waitFor();
		await page.getByText('Forked from').waitFor();
		await takePicture(chat.view, 'timeline-forked');
	});

	test('R1 a run that was cut off is named on every screen, with what was going on, and goes on from there', async () => {
		const { page } = chat;
		chat.model.reply(
			{ steps: [{ type: 'text', text: 'The first half, ' }, { type: 'silence', ms: 300 }, { type: 'cut' }] },
			says('the second half.'),
		);
		await rail('Chat').click();
		await chat.say('Both halves');
		await chat.reply.getByRole('button', { name: 'Continue' }).waitFor();
		const banner = page.getByRole('status').filter({ hasText: 'One run was cut off' });
		// The chat itself says it already.
		expect(await banner.count()).toBe(0);
		await rail('Inbox').click();
		await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
		await banner.getByRole('button', { name: 'Resume' }).waitFor();
		await inBothThemes('cut-off');
		await banner.getByRole('link', { name: /Both halves/ }).waitFor();
		await rail('Timeline').click();
		await list()
			.getByRole('link', { name: /Both halves/ })
			.click();
		await steps().getByText('This run was cut off in step 1').waitFor();
		expect(await banner.count()).toBe(0);
		await takePicture(chat.view, 'timeline-interrupted');
		await steps().getByRole('button', { name: 'Continue' }).click();
		await step('the second half.').waitFor();
		await steps().getByText('Done').first().waitFor();
	});

	test('a workflow is started, shows where it is, asks, and takes the owner’s word for what happened', async () => {
		const { page } = chat;
		const folder = join(chat.hearth.profileFolder, 'workflows');
		mkdirSync(folder, { recursive: true });
		copyFileSync(join(import.meta.dirname, '../../assets/workflows/onboarding.yaml'), join(folder, 'onboarding.yaml'));
		writeFileSync(join(folder, 'broken.yaml'), 'title: Broken\nstart: NOWHERE\nstates:\n  BEGIN:\n    event: it_began\n');
		await rail('Timeline').click();
		await page.getByRole('tab', { name: 'Workflows' }).click();
		const files = page.getByRole('navigation', { name: 'Workflow list' });
		const shown = page.getByRole('region', { name: 'Workflow', exact: true });
		await files.getByRole('link', { name: /Broken/ }).click();
		await shown.getByText('Line 2, column 8').waitFor();
		expect(await shown.getByRole('button', { name: 'Start…' }).count()).toBe(0);
		await files.getByRole('link', { name: /onboarding/ }).click();
		await shown.getByRole('img', { name: /states/ }).waitFor();
		await inBothThemes('workflow');
		await shown.getByRole('button', { name: 'Start…' }).click();
		await dialog().getByRole('button', { name: 'Start', exact: true }).click();
		await dialog().getByText('This is needed.').first().waitFor();
		await dialog().getByRole('textbox', { name: 'Name of the new colleague' }).fill('Ada');
		await dialog().getByRole('textbox', { name: 'Where the welcome letter goes' }).fill('ada@example.org');
		await dialog()
			.getByRole('textbox', { name: /First day/ })
			.fill('2027-01-11');
		await dialog().getByRole('textbox', { name: 'Name of this one' }).fill('Onboarding of Ada');
		await dialog().getByRole('button', { name: 'Start', exact: true }).click();
		await shown.getByRole('heading', { name: 'Onboarding of Ada' }).waitFor();
		// What it asks is told with its state and title in the inbox.
		await goTo(chat.view, '/inbox');
		await page.getByText('· Onboarding of Ada').first().waitFor();
		await page.goBack();
		await shown.getByRole('button', { name: 'It is sent' }).click();
		await shown.getByRole('heading', { name: 'Waits for the event “documents_signed”' }).waitFor();
		// In the run of that state nobody goes on as if it had happened without being asked.
		await shown.getByRole('link', { name: 'Show its steps WELCOME_SENT' }).click();
		await page.getByRole('button', { name: 'Go on without it…' }).click();
		await page.getByText('although the event did not come').waitFor();
		await page.getByRole('button', { name: 'Cancel' }).click();
		expect(await page.getByRole('button', { name: /Fork/ }).count()).toBe(0);
		await page.getByRole('link', { name: 'It happened? Say so in the workflow' }).click();
		await shown.getByRole('heading', { name: 'Waits for the event “documents_signed”' }).waitFor();
		const states = page.getByRole('region', { name: 'About' });
		await states.locator('[aria-current="step"]').getByText('WELCOME_SENT').waitFor();
		await shown.getByRole('img', { name: /It is in WELCOME_SENT/ }).waitFor();
		await inBothThemes('instance');
		await shown.getByRole('textbox', { name: /What came with it/ }).fill('{"pages": 4}');
		await shown.getByRole('button', { name: 'It happened' }).click();
		await shown.getByText('WELCOME_SENT to DOCUMENTS_SIGNED').waitFor();
		await states.getByText('"pages": 4').waitFor();
		// Each state's work is a run with steps of its own.
		await shown
			.getByRole('link', { name: /Show its steps/ })
			.last()
			.click();
		await step(/welcome\.md/).waitFor();
		expect(chat.view.problems).toEqual([]);
	});

	test('narrow: the runs, then the steps, then one of them in their place, and back; also at 400 %', async () => {
		const { page } = chat;
		await page.setViewportSize({ width: 640, height: 700 });
		await goTo(chat.view, '/timeline');
		await list()
			.getByRole('link', { name: /File only the water bill/ })
			.click();
		await list().waitFor({ state: 'hidden' });
		await step('Write bills/february.csv').click();
		await steps().waitFor({ state: 'hidden' });
		await detail(2).getByText('"content": "water,12\\n"').waitFor();
		await page.setViewportSize({ width: 320, height: 256 });
		await expectAccessible(chat.view, 'a step at 400 %');
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
		await detail(2).getByRole('button', { name: 'Back to the steps' }).click();
		await expect.poll(focused).toBe('2');
		await expectAccessible(chat.view, 'the steps at 400 %');
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
		await page.setViewportSize({ width: 640, height: 700 });
		await steps().getByRole('button', { name: 'About this run' }).click();
		await page.getByText('Forked from').waitFor();
		await page.getByRole('button', { name: 'Back to the steps' }).click();
		await steps().getByRole('button', { name: 'Show runs' }).click();
		await list().waitFor();
		await expect.poll(focused).toMatch(/-/);
		await page.setViewportSize({ width: 1280, height: 800 });
	});
});
