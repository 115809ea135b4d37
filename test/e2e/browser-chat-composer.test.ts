import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { says } from '../support/model-server/index.ts';
import { addChain, addSession } from '../support/sessions.ts';
import { closeViews, expectAccessible } from './support/browser.ts';
import { type Chat, type ChatOptions, openChat } from './support/chat.ts';

afterAll(closeViews);

const SOON = { timeout: 15_000 };

async function chatWith(options: ChatOptions): Promise<Chat> {
	const chat = await openChat(options);
	onTestFinished(() => chat.close());
	return chat;
}

async function paste(chat: Chat, text: string): Promise<void> {
	await chat.view.context.grantPermissions(['clipboard-read', 'clipboard-write']);
	await chat.page.evaluate((words) => navigator.clipboard.writeText(words), text);
	await chat.field.focus();
	await chat.page.keyboard.press('Control+V');
}

describe('composer', () => {
	test('chat-1 a paste of 1 MB becomes an attachment, never enters the field, and is there after a reload', async () => {
		const chat = await chatWith({ replies: [says('Read.')] });
		const line = 'The quick brown fox jumps over the lazy dog. ';
		await paste(chat, line.repeat(Math.ceil(1_048_576 / line.length)));
		const chip = chat.page.getByRole('list', { name: 'Attachments' }).getByText(/pasted text/);
		await chip.waitFor();
		expect(await chat.field.inputValue()).toBe('');
		await chat.field.fill('What is in it?');
		await expect.poll(async () => (await draftOf(chat)).attachmentIds.length, SOON).toBe(1);
		await chat.reopen();
		await chip.waitFor();
		expect(await chat.field.inputValue()).toBe('What is in it?');
		await chat.field.press('Enter');
		await chat.page
			.getByRole('article', { name: 'You' })
			.getByText(/pasted text/)
			.waitFor();
		await chat.reply.getByText('Read.').waitFor();
		expect(await chat.field.inputValue()).toBe('');
	});

	test('a short paste stays text; one that would make the draft too long does not', async () => {
		const chat = await chatWith({});
		await paste(chat, 'short words');
		expect(await chat.field.inputValue()).toBe('short words');
		await chat.field.fill('x'.repeat(15_000));
		await paste(chat, 'y'.repeat(10_000));
		await chat.page
			.getByRole('list', { name: 'Attachments' })
			.getByText(/pasted text/)
			.waitFor();
		expect((await chat.field.inputValue()).length).toBe(15_000);
	});

	test('the end stays in view while the field grows and shrinks, also after a place far back was read', async () => {
		const seed = (index: number) => `message number ${index}. ${'More words. '.repeat(index % 30)}`;
		const chat = await chatWith({ seed: (tx) => void addChain(tx, addSession(tx, 'Long'), 1_500, seed), fallback: says('Short.') });
		const { page, field } = chat;
		const fromEnd = () => page.locator('.transcript').evaluate((view) => view.scrollHeight - view.scrollTop - view.clientHeight);
		const lines = (count: number) => field.fill(Array.from({ length: count }, (_, index) => `line ${index}`).join('\n'));
		await page.keyboard.press('Control+f');
		await page.keyboard.type('number 124');
		await page.locator('.turn.found').waitFor();
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Jump to the latest' }).click();
		for (const count of [3, 60, 1, 30, 2, 60]) {
			await lines(count);
			await page.evaluate(() => new Promise((done) => setTimeout(done, 700)));
			expect(await fromEnd(), `${count} lines`).toBeLessThan(5);
		}
		await field.press('Enter');
		await chat.reply.getByText('Short.').waitFor();
		await expect.poll(fromEnd, SOON).toBeLessThan(5);
		expect(await page.getByRole('button', { name: 'Jump to the latest' }).count()).toBe(0);
	});

	test('chat-2 at 5,000 messages few are in the page, and typing touches none of them', async () => {
		const chat = await chatWith({ seed: (tx) => void addChain(tx, addSession(tx, 'Long'), 5_000, (index) => `message number ${index}`) });
		await chat.page.getByText('message number 4999').waitFor();
		expect(await chat.page.locator('[data-message-id]').count()).toBeLessThan(80);
		await chat.field.click();
		await chat.page.evaluate(() => {
			const touched: string[] = [];
			Object.assign(window, { touched });
			const watch = new MutationObserver((records) => touched.push(...records.map((record) => record.type)));
			for (const part of document.querySelectorAll('.turns, .chats')) {
				watch.observe(part, { subtree: true, childList: true, attributes: true, characterData: true });
			}
		});
		await chat.page.keyboard.type('Typing at the end of a very long chat.');
		expect(await chat.field.inputValue()).toBe('Typing at the end of a very long chat.');
		expect(await chat.page.evaluate(() => (window as unknown as { touched: string[] }).touched)).toEqual([]);
	});

	test('chat-3 Enter while an input method composes commits the candidate and sends nothing', async () => {
		const chat = await chatWith({ replies: [says('はい')] });
		const keys = await chat.view.context.newCDPSession(chat.page);
		await chat.field.focus();
		await keys.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
		expect(await chat.field.inputValue()).toBe('にほん');
		await keys.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 });
		await keys.send('Input.insertText', { text: '日本' });
		await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 });
		expect(await chat.field.inputValue()).toBe('日本');
		expect(await chat.page.locator('[data-message-id]').count()).toBe(0);
		await chat.field.press('Shift+Enter');
		expect(await chat.field.inputValue()).toBe('日本\n');
		await chat.field.press('Enter');
		await chat.reply.getByText('はい').waitFor();
	});

	test('a draft is kept per chat and comes back; sending clears it', async () => {
		const chat = await chatWith({
			replies: [says('Fine.')],
			seed: (tx) => {
				addChain(tx, addSession(tx, 'First chat', 1), 2);
				addChain(tx, addSession(tx, 'Second chat', 2), 2);
			},
		});
		const open = (name: string) => chat.page.getByRole('navigation', { name: 'Chat list' }).getByRole('link', { name }).click();
		await open('First chat');
		await chat.field.fill('unsent words');
		await open('Second chat');
		await expect.poll(() => chat.field.inputValue(), SOON).toBe('');
		await open('First chat');
		await expect.poll(() => chat.field.inputValue(), SOON).toBe('unsent words');
		await expect.poll(async () => (await draftOf(chat)).text, SOON).toBe('unsent words');
		await chat.reopen();
		await expect.poll(() => chat.field.inputValue(), SOON).toBe('unsent words');
		await chat.field.press('Enter');
		await chat.reply.getByText('Fine.').waitFor();
		await expect.poll(async () => (await draftOf(chat)).text, SOON).toBe('');
	});

	test('of a draft over the limit the beginning is kept, which is said; as an attachment all of it is', async () => {
		const chat = await chatWith({});
		const { page, field } = chat;
		await field.fill(`${'x'.repeat(19_999)}🔥 and more`);
		await page.getByText('This draft can be sent, but only its first 20,000 characters are kept when the window closes.').waitFor();
		await expect.poll(async () => (await draftOf(chat)).text, SOON).toBe('x'.repeat(19_999));
		await page.getByRole('button', { name: 'Turn it into an attachment' }).click();
		await page
			.getByRole('list', { name: 'Attachments' })
			.getByText(/pasted text/)
			.waitFor();
		await expect.poll(async () => (await draftOf(chat)).text, SOON).toBe('');
		await expect.poll(async () => (await draftOf(chat)).attachmentIds.length, SOON).toBe(1);
	});

	test('keys typed before the runtime has answered are not lost', async () => {
		const chat = await chatWith({ seed: (tx) => void addChain(tx, addSession(tx, 'Chat'), 2) });
		await chat.page.getByText('message 1').waitFor();
		await chat.field.fill('kept before');
		await expect.poll(async () => (await draftOf(chat)).text, SOON).toBe('kept before');
		const address = await chat.hearth.url();
		let open = (): void => {};
		const opened = new Promise<void>((resolve) => {
			open = resolve;
		});
		await chat.page.route('**/session', async (route) => {
			await opened;
			await route.continue();
		});
		await chat.page.goto('about:blank');
		await chat.page.goto(address);
		const early = chat.page.getByRole('textbox', { name: 'Your words, while Hearth starts' });
		await early.waitFor();
		await chat.page.keyboard.type('typed early');
		await chat.page.keyboard.press('Enter');
		expect(await early.inputValue()).toBe('typed early');
		open();
		await chat.page.getByText('message 1').waitFor();
		await expect.poll(() => chat.field.inputValue(), SOON).toBe('kept before\ntyped early');
		await chat.page.keyboard.type(' and late');
		expect(await chat.field.inputValue()).toContain('and late');
	});

	test('keys typed before the view itself has loaded are not lost either', async () => {
		const chat = await chatWith({ seed: (tx) => void addChain(tx, addSession(tx, 'Chat'), 2) });
		await chat.page.getByText('message 1').waitFor();
		const address = await chat.hearth.url();
		let open = (): void => {};
		const opened = new Promise<void>((resolve) => {
			open = resolve;
		});
		await chat.page.route('**/assets/index-*.js', async (route) => {
			await opened;
			await route.continue();
		});
		const early = chat.page.getByRole('textbox', { name: 'Your words, while Hearth starts' });
		// A page that begins with something else has no such field: what is typed there would not be its own.
		await chat.page.goto('about:blank');
		await chat.page.goto(new URL('#/quick', address).href, { waitUntil: 'commit' });
		await chat.page.locator('#early-view').waitFor({ state: 'attached' });
		await expect.poll(() => chat.page.evaluate(() => document.styleSheets.length), SOON).toBeGreaterThan(0);
		expect(await early.isVisible()).toBe(false);
		await chat.page.goto('about:blank');
		await chat.page.goto(address, { waitUntil: 'commit' });
		await early.waitFor();
		await expect.poll(() => early.evaluate((field) => field === document.activeElement), SOON).toBe(true);
		await chat.page.keyboard.type('before any script');
		await chat.page.keyboard.press('Enter');
		expect(await early.inputValue()).toBe('before any script');
		await expectAccessible(chat.view, 'the page before its view');
		open();
		await chat.page.getByText('message 1').waitFor();
		await expect.poll(() => chat.field.inputValue(), SOON).toBe('before any script');
		expect(await chat.page.getByRole('main').count()).toBe(1);
		await chat.page.keyboard.type(' and after');
		expect(await chat.field.inputValue()).toBe('before any script and after');
		expect(chat.view.problems).toEqual([]);
	});

	test('files are attached by choice, shown, removed; too big a one is refused in words', async () => {
		const chat = await chatWith({});
		const picker = chat.page.locator('input[type="file"]');
		await picker.setInputFiles([
			{ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') },
			{ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo') },
		]);
		const chips = chat.page.getByRole('list', { name: 'Attachments' });
		await chips.getByText('list.txt').waitFor();
		await chips.getByRole('button', { name: 'Remove notes.md' }).click();
		await expect.poll(() => chips.getByText('notes.md').count(), SOON).toBe(0);
		expect(await chat.field.evaluate((field) => field === document.activeElement)).toBe(true);
		const huge = join(chat.hearth.home, 'huge.txt');
		writeFileSync(huge, Buffer.alloc(21 * 1024 * 1024, 97));
		await picker.setInputFiles(huge);
		await chat.page.getByText('huge.txt is larger than 20 MB and was not attached.').waitFor();
	});

	test('M6 what the model sees is shown part by part, and a part can be left out and taken in again', async () => {
		const chat = await chatWith({ seed: (tx) => void addChain(tx, addSession(tx, 'Chat'), 4) });
		await chat.field.fill('And now?');
		await chat.page.getByRole('button', { name: 'What the model sees' }).click();
		const parts = chat.page.getByRole('dialog', { name: 'What the model sees' });
		await parts.getByText(/About [\d,]+ of [\d,]+ tokens/).waitFor();
		const box = parts.getByRole('checkbox').first();
		await box.uncheck();
		await parts.getByText('Left out').first().waitFor();
		await box.check();
		await expect.poll(() => parts.getByText('Left out').count(), SOON).toBe(0);
	});
});

async function draftOf(chat: Chat) {
	const { rpc, close } = await chat.rpc();
	const sessionId = new URL(chat.page.url()).hash.split('/')[2] ?? '';
	const draft = await rpc.sessions.draft({ sessionId: sessionId as never });
	close();
	return draft;
}
