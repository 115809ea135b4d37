import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { addChain, addMessage, addSession } from '../support/sessions.ts';
import { closeViews, goTo } from './support/browser.ts';
import { type Chat, type ChatOptions, openChat } from './support/chat.ts';

afterAll(closeViews);

const SOON = { timeout: 15_000 };

async function chatWith(options: ChatOptions): Promise<Chat> {
	const chat = await openChat(options);
	onTestFinished(() => chat.close());
	return chat;
}

const threeChats: ChatOptions['seed'] = (tx) => {
	const now = Date.now();
	const kitchen = addSession(tx, 'Kitchen', now - 3_000);
	addMessage(tx, kitchen, null, 'When does the Geschirrspülmaschine arrive?');
	const trip = addSession(tx, 'Trip', now - 2_000);
	addMessage(tx, trip, null, '东京的樱花什么时候开？');
	addChain(tx, addSession(tx, 'Long', now - 1_000), 900, (index) => (index === 12 ? 'the needle in the haystack' : `line ${index}`));
};

describe('list of chats', () => {
	test('rename in place, pin, and delete with the focus given back', async () => {
		const chat = await chatWith({ seed: threeChats });
		const { page } = chat;
		const list = page.getByRole('navigation', { name: 'Chat list' });
		await list.getByRole('link', { name: 'Kitchen' }).click();
		await page.keyboard.press('F2');
		const name = page.getByRole('textbox', { name: 'Name of this chat' });
		await name.fill('New kitchen');
		await name.press('Enter');
		await page.getByRole('heading', { level: 1, name: 'New kitchen' }).waitFor();
		await expect
			.poll(() => list.getByRole('link', { name: 'New kitchen' }).evaluate((link) => link === document.activeElement), SOON)
			.toBe(true);

		const menuOf = async (title: string, item: string | RegExp) => {
			await list.getByRole('link', { name: title }).hover();
			await list.getByRole('button', { name: `Actions for ${title}` }).click();
			await page.getByRole('menuitem', { name: item }).click();
		};
		await menuOf('New kitchen', 'Pin');
		await list.getByRole('heading', { name: 'Pinned' }).waitFor();

		await menuOf('Trip', /Delete/);
		const question = page.getByRole('dialog', { name: 'Delete “Trip”?' });
		await question.getByRole('button', { name: 'Cancel' }).click();
		await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), SOON).toBe('Actions for Trip');
		await menuOf('Trip', /Delete/);
		await question.getByRole('button', { name: 'Delete chat' }).click();
		await expect.poll(() => list.getByRole('link', { name: 'Trip' }).count(), SOON).toBe(0);
		await expect.poll(() => page.evaluate(() => document.activeElement?.className), SOON).toContain('row');
		expect(chat.view.problems).toEqual([]);
	});

	test('search finds substrings and CJK in all chats, goes to the message and marks it', async () => {
		const chat = await chatWith({ seed: threeChats });
		const { page } = chat;
		await page.getByRole('button', { name: 'Search chats' }).click();
		const field = page.getByRole('searchbox', { name: 'Search all chats' });
		await field.fill('spülmasch');
		await page.getByText('1 place found').waitFor();
		expect(await page.locator('.hit mark').first().textContent()).toContain('spülmasch');
		await field.fill('樱花');
		await page.locator('.hit', { hasText: 'Trip' }).waitFor();
		await field.fill('needle in the haystack');
		await page.locator('.hit', { hasText: 'Long' }).click();
		const found = page.locator('.turn.found');
		await found.getByText('the needle in the haystack').waitFor();
		await expect.poll(() => found.evaluate(inView), SOON).toBe(true);
	});

	test('a message found in another version of a chat is shown in that version', async () => {
		const chat = await chatWith({
			seed: (tx) => {
				const session = addSession(tx, 'Versions', Date.now());
				const ids = addChain(tx, session, 4, (index) => (index === 3 ? 'the old lighthouse' : `line ${index}`));
				addMessage(tx, session, ids[1] ?? null, 'the edited question');
			},
		});
		const { page } = chat;
		await page.getByText('the edited question').waitFor();
		await page.getByRole('button', { name: 'Search chats' }).click();
		await page.getByRole('searchbox', { name: 'Search all chats' }).fill('lighthouse');
		await page.locator('.hit', { hasText: 'Versions' }).click();
		await page.locator('.turn.found').getByText('the old lighthouse').waitFor();
		expect(await page.getByText('the edited question').count()).toBe(0);
		await page.keyboard.press('Control+F');
		await page.getByRole('searchbox', { name: 'Find in this chat' }).fill('edited question');
		await page.getByText('Not found').waitFor();
	});

	test('find in chat goes from match to match', async () => {
		const chat = await chatWith({ seed: threeChats });
		const { page } = chat;
		await page.getByText('line 899').waitFor();
		await chat.field.focus();
		await page.keyboard.press('Control+F');
		await page.getByRole('searchbox', { name: 'Find in this chat' }).fill('line 45');
		await page.getByText(/^1 of \d+$/).waitFor();
		await page.locator('.turn.found').getByText('line 459', { exact: true }).waitFor();
		await page.keyboard.press('Enter');
		await page.locator('.turn.found').getByText('line 458', { exact: true }).waitFor();
		await page.keyboard.press('Escape');
		await expect.poll(() => page.evaluate(() => document.activeElement?.id), SOON).toBe('find-in-chat');
	});

	test('who goes elsewhere while a first chat is made stays there', async () => {
		const chat = await chatWith({});
		const { page } = chat;
		let open = (): void => {};
		let gate: Promise<void> | undefined;
		await page.routeWebSocket(/.*/, (socket) => {
			const server = socket.connectToServer();
			server.onMessage(async (message) => {
				await gate;
				socket.send(message);
			});
		});
		await chat.reopen();
		await goTo(chat.view, '/settings/general');
		const { rpc, close } = await chat.rpc();
		const sessions = async () => (await rpc.sessions.list()).sessions;
		for (const { id } of await sessions()) await rpc.sessions.delete({ sessionId: id });
		// The view hears of it before the answers are held back.
		await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
		gate = new Promise((resolve) => {
			open = resolve;
		});
		await goTo(chat.view, '/chat');
		await expect.poll(async () => (await sessions()).length, SOON).toBe(1);
		await goTo(chat.view, '/settings/general');
		gate = undefined;
		open();
		close();
		await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
		expect(new URL(page.url()).hash).toBe('#/settings/general');
		await page.getByRole('link', { name: 'Chat', exact: true }).click();
		await chat.field.waitFor();
		expect(await page.getByRole('navigation', { name: 'Chat list' }).getByRole('link').count()).toBe(1);
	});

	test('find in chat goes to the words themselves in a message that is longer than the window', async () => {
		const long = `${'A paragraph of many words.\n\n'.repeat(150)}The needle lies here.`;
		const chat = await chatWith({
			seed: (tx) => addChain(tx, addSession(tx, 'Long', Date.now()), 8, (index) => (index === 3 ? long : `short ${index}`)),
		});
		const { page } = chat;
		await page.getByText('short 7').waitFor();
		await page.keyboard.press('Control+F');
		await page.getByRole('searchbox', { name: 'Find in this chat' }).fill('needle');
		await page.getByText('1 of 1', { exact: true }).waitFor();
		const seen = () =>
			page.getByText('The needle lies here.').evaluate((words) => {
				const view = words.closest('.transcript')?.getBoundingClientRect();
				const { top, bottom } = words.getBoundingClientRect();
				return view !== undefined && top >= view.top && bottom <= view.bottom;
			});
		await expect.poll(seen, SOON).toBe(true);
	});

	test('a link names a message; an unknown chat says so', async () => {
		const chat = await chatWith({ seed: threeChats });
		const { rpc, close } = await chat.rpc();
		const [hit] = await rpc.sessions.search({ query: 'needle in the haystack' });
		close();
		await chat.page.evaluate((to) => {
			window.location.hash = to;
		}, `/chat/${hit?.sessionId}/${hit?.messageId}`);
		await chat.page.locator('.turn.found').getByText('the needle in the haystack').waitFor();
		await chat.page.evaluate(() => {
			window.location.hash = '/chat/nowhere';
		});
		await chat.page.getByRole('heading', { name: 'This chat is not here' }).waitFor();
	});

	test('export saves Markdown and JSON', async () => {
		const chat = await chatWith({ seed: threeChats });
		for (const [item, text] of [
			['Export as Markdown', 'the needle in the haystack'],
			['Export as JSON', '"the needle in the haystack"'],
		] as const) {
			await chat.page.getByRole('button', { name: 'More', exact: true }).click();
			const [download] = await Promise.all([chat.page.waitForEvent('download'), chat.page.getByRole('menuitem', { name: item }).click()]);
			expect(await readFile(await download.path(), 'utf8')).toContain(text);
		}
	});
});

describe('reading position', () => {
	test('does not move when older pages come in front, nor when a reply streams below', async () => {
		const text = Array.from({ length: 300 }, (_, index) => `word${index} `).join('');
		const chat = await chatWith({ seed: threeChats, fallback: { steps: [{ type: 'stream', text, perSecond: 120 }] } });
		const { page } = chat;
		await page.getByText('line 899').waitFor();
		await chat.say('Stream something');
		await chat.reply.getByText(/word5 /).waitFor();
		const view = page.getByRole('region', { name: 'Messages' });
		await view.hover();
		await page.mouse.wheel(0, -1_200);
		await page.getByRole('button', { name: 'Jump to the latest' }).waitFor();
		const marked = await topRow(chat);
		await page.getByText('The reply is finished.').waitFor({ state: 'attached' });
		expect(await topRow(chat)).toEqual(marked);

		// Up to where a page is missing: the row that is read stays where it is while the page comes in.
		for (let step = 0; step < 12; step++) {
			await page.mouse.wheel(0, -900);
			await settle(chat);
			const before = await topRow(chat);
			await expect.poll(() => page.getByText('Loading older messages…').count(), SOON).toBe(0);
			await settle(chat);
			expect(await topRow(chat)).toEqual(before);
		}
		await page.getByRole('button', { name: 'Jump to the latest' }).click();
		await chat.reply.getByText(/word299/).waitFor();
		expect(await atEnd(chat)).toBe(true);
	});

	test('follows the end while a reply streams, and a chat opens where it was left', async () => {
		const text = Array.from({ length: 400 }, (_, index) => `word${index} `).join('');
		const chat = await chatWith({ seed: threeChats, fallback: { steps: [{ type: 'stream', text, perSecond: 200 }] } });
		await chat.page.getByText('line 899').waitFor();
		await chat.say('Stream something');
		await chat.page.getByText('The reply is finished.').waitFor({ state: 'attached' });
		await expect.poll(() => atEnd(chat), SOON).toBe(true);
		await chat.page.getByRole('region', { name: 'Messages' }).hover();
		await chat.page.mouse.wheel(0, -2_000);
		await settle(chat);
		const left = await topRow(chat);
		const list = chat.page.getByRole('navigation', { name: 'Chat list' });
		await list.getByRole('link', { name: 'Trip' }).click();
		await chat.page.getByText('东京的樱花什么时候开？').waitFor();
		await list.getByRole('link', { name: 'Long' }).click();
		await expect.poll(() => topRow(chat), SOON).toEqual(left);
	});
});

/** The first row whose top is in view, and where it is. */
function topRow(chat: Chat): Promise<{ text: string; top: number } | undefined> {
	return chat.page.evaluate(() => {
		const view = document.querySelector('.transcript');
		const edge = view?.getBoundingClientRect().top ?? 0;
		for (const row of document.querySelectorAll('.turn')) {
			const top = Math.round(row.getBoundingClientRect().top - edge);
			if (top >= 0) return { text: row.textContent?.slice(0, 40) ?? '', top };
		}
		return undefined;
	});
}

function atEnd(chat: Chat): Promise<boolean> {
	return chat.page.evaluate(() => {
		const view = document.querySelector('.transcript');
		return view !== null && view.scrollHeight - view.scrollTop - view.clientHeight < 4;
	});
}

/** Until scrolling and measuring are over. */
async function settle(chat: Chat): Promise<void> {
	let last = '';
	await expect
		.poll(
			async () => {
				const now = JSON.stringify(await topRow(chat));
				const same = now === last;
				last = now;
				return same;
			},
			{ timeout: 15_000, interval: 120 },
		)
		.toBe(true);
}

function inView(row: Element): boolean {
	const { top, bottom } = row.getBoundingClientRect();
	return top >= 0 && bottom <= window.innerHeight;
}
