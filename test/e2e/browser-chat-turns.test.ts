import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Reply, says } from '../support/model-server/index.ts';
import { addChain, addSession } from '../support/sessions.ts';
import { closeViews, expectAccessible, goTo, takePicture } from './support/browser.ts';
import { type Chat, type ChatOptions, openChat } from './support/chat.ts';

afterAll(closeViews);

async function chatWith(options: ChatOptions): Promise<Chat> {
	const chat = await openChat(options);
	onTestFinished(() => chat.close());
	return chat;
}

/** Words that come slowly enough to act while they do. */
function slowly(words: number, perSecond = 20): Reply {
	const text = Array.from({ length: words }, (_, index) => `word${index} `).join('');
	return { steps: [{ type: 'stream', text, perSecond }] };
}

describe('turns', () => {
	test('edit and resend, answer again, versions and branch', async () => {
		const chat = await chatWith({ replies: [says('First answer.'), says('Second answer.'), says('Third answer.')] });
		const { page } = chat;
		await chat.say('First question');
		await chat.reply.getByText('First answer.').waitFor();

		const said = page.getByRole('article', { name: 'You' }).last();
		await said.hover();
		await said.getByRole('button', { name: 'Edit and send again' }).click();
		const edit = page.getByRole('textbox', { name: 'Edit the message' });
		await edit.fill('Better question');
		await edit.press('Enter');
		await chat.reply.getByText('Second answer.').waitFor();
		await expect.poll(() => page.getByText('First answer.').count()).toBe(0);

		await chat.reply.getByRole('button', { name: 'Answer again' }).click();
		await chat.reply.getByText('Third answer.').waitFor();
		await chat.reply.getByText('2/2').waitFor();
		await chat.reply.getByRole('button', { name: 'Previous version' }).click();
		await chat.reply.getByText('Second answer.').waitFor();

		const questions = page.getByRole('article', { name: 'You' }).last();
		await questions.getByRole('button', { name: 'Previous version' }).click();
		await chat.reply.getByText('First answer.').waitFor();
		expect(await page.getByText('First question', { exact: true }).last().isVisible()).toBe(true);

		await chat.reply.getByRole('button', { name: 'Branch from here' }).click();
		await page.getByText('This is a copy of the chat up to that message. The original is unchanged.').waitFor();
		await chat.reply.getByText('First answer.').waitFor();
		expect(await page.getByRole('navigation', { name: 'Chat list' }).getByRole('link').count()).toBe(2);
		expect(chat.view.problems).toEqual([]);
	});

	test('Esc stops a reply and keeps its text; Continue goes on after it, in the same reply', async () => {
		const chat = await chatWith({ replies: [slowly(400), says('and this is the rest.')] });
		await chat.say('Tell me');
		await chat.reply.getByText(/word5/).waitFor();
		await chat.page.keyboard.press('Escape');
		await chat.reply.getByText('You stopped this reply. What was written is kept.').waitFor();
		expect(await chat.reply.textContent()).toContain('word5');
		await chat.reply.getByRole('button', { name: 'Continue' }).click();
		await chat.reply.getByText(/and this is the rest\./).waitFor();
		expect(await chat.reply.textContent()).toContain('word5');
		expect(await chat.page.getByRole('article', { name: 'Hearth' }).count()).toBe(1);
	});

	test('chat-9 a stream that is cut keeps its text, is marked interrupted, and continues', async () => {
		const chat = await chatWith({
			replies: [{ steps: [{ type: 'text', text: 'The first half, ' }, { type: 'silence', ms: 300 }, { type: 'cut' }] }],
			fallback: says('the second half.'),
		});
		await chat.say('Both halves');
		await chat.reply.getByRole('button', { name: 'Continue' }).waitFor();
		expect(await chat.reply.textContent()).toContain('The first half,');
		await chat.reply.getByRole('button', { name: 'Continue' }).click();
		await chat.reply.getByText(/the second half\./).waitFor();
		expect(await chat.reply.textContent()).toContain('The first half,');
	});

	test('chat-9 the quick window says that a reply was cut off, and goes on with it', async () => {
		const chat = await chatWith({
			replies: [{ steps: [{ type: 'text', text: 'The first half, ' }, { type: 'silence', ms: 300 }, { type: 'cut' }] }],
			fallback: says('the second half.'),
		});
		await goTo(chat.view, '/quick');
		await chat.page.getByRole('textbox', { name: 'Ask Hearth' }).fill('Both halves');
		await chat.page.keyboard.press('Enter');
		await chat.reply.getByRole('button', { name: 'Retry' }).waitFor();
		await chat.reply.getByRole('button', { name: 'Continue' }).click();
		await chat.reply.getByText(/the second half\./).waitFor();
		expect(await chat.reply.textContent()).toContain('The first half,');
		expect(await chat.reply.getByRole('button', { name: 'Retry' }).count()).toBe(0);
	});

	test('chat-1 the quick window refuses a long paste in words, and makes one chat with the question that is sent', async () => {
		const chat = await chatWith({ fallback: says('A short answer.') });
		const { page } = chat;
		await goTo(chat.view, '/quick');
		const field = page.getByRole('textbox', { name: 'Ask Hearth' });
		await field.fill('Is it long?');
		await chat.view.context.grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.evaluate(() => navigator.clipboard.writeText('long words '.repeat(3_000)));
		await field.focus();
		await page.keyboard.press('Control+V');
		await page.getByText(/^This is too long for a quick question\./).waitFor();
		for (const colorScheme of ['dark', 'light'] as const) {
			await page.emulateMedia({ colorScheme });
			await expectAccessible(chat.view, `a paste refused by the quick window, ${colorScheme}`);
		}
		expect(await field.inputValue()).toBe('Is it long?');
		const { rpc } = await chat.rpc();
		const before = (await rpc.sessions.list()).sessions.length;
		await field.press('Enter');
		await page.getByRole('article', { name: 'Hearth' }).getByText('A short answer.').waitFor();
		expect(await field.inputValue()).toBe('');
		const { sessions } = await rpc.sessions.list();
		expect(sessions).toHaveLength(before + 1);
		expect(sessions.find(({ messageCount }) => messageCount === 2)?.title).toBe('Is it long?');
	});

	test('chat-10 what the server refused is said in words, and Retry does it again', async () => {
		const chat = await chatWith({ replies: [{ fault: { type: 'auth', status: 401 } }], fallback: says('Now it works.') });
		await chat.say('Hello');
		const note = chat.reply.getByRole('alert');
		await note.waitFor();
		await note.getByRole('button', { name: 'Retry', exact: true }).click();
		await chat.reply.getByText('Now it works.').waitFor();
		expect(await chat.page.getByRole('article', { name: 'You' }).count()).toBe(1);
	});

	test('R1 the runtime is killed in mid-stream: the page says so and keeps what it shows; after the restart the reply continues', async () => {
		const chat = await chatWith({ replies: [slowly(2_000)], fallback: says('and it goes on.') });
		await chat.say('A long story');
		await chat.reply.getByText(/word20 /).waitFor();
		await chat.hearth.kill();
		await chat.page.getByText('The connection to Hearth was lost. What you see is kept; trying again.').waitFor();
		expect(await chat.reply.textContent()).toContain('word20 ');
		await chat.hearth.start();
		await chat.reopen();
		await chat.reply.getByText('This reply was interrupted. What was written is kept.').waitFor();
		expect(await chat.reply.textContent()).toContain('word20 ');
		await chat.reply.getByRole('button', { name: 'Continue' }).click();
		await chat.reply.getByText(/and it goes on\./).waitFor();
	});

	test('a screen reader hears one status and then the finished reply once; no token is in a live region', async () => {
		const chat = await chatWith({ replies: [slowly(60, 40)], fallback: says('Short.') });
		// Everything that any live region ever holds, from before the question on: nothing depends on when the test looks.
		await chat.page.evaluate(() => {
			const heard: string[] = [];
			const look = (): void => {
				for (const region of document.querySelectorAll('[role=log], [role=status], [role=alert], [aria-live]')) {
					const text = region.textContent ?? '';
					if (region.getAttribute('aria-live') !== 'off' && text !== '' && heard.at(-1) !== text && !heard.includes(text)) heard.push(text);
				}
			};
			new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
			(window as unknown as { heard: string[] }).heard = heard;
		});
		const heard = () => chat.page.evaluate(() => (window as unknown as { heard: string[] }).heard);
		await chat.say('Read to me');
		await expect.poll(heard, { timeout: 15_000 }).toContain('The reply is finished.');
		const log = chat.page.getByRole('log', { name: 'Finished replies' });
		expect(await log.textContent()).toContain('word59');
		expect(await log.locator('p').count()).toBe(1);
		expect(await heard()).toContain('Hearth is writing.');
		const words = (await heard()).filter((text) => text.includes('word'));
		expect(words.filter((text) => !text.includes('word59'))).toEqual([]);

		await chat.say('Again, in short');
		await expect.poll(() => log.textContent(), { timeout: 15_000 }).toBe('Short.');
	});

	test('a hole in the live stream is noticed: the chat is taken anew and shows every word once', async () => {
		const chat = await chatWith({ replies: [slowly(80, 40)] });
		let dropped = 0;
		await chat.page.routeWebSocket(/.*/, (socket) => {
			const server = socket.connectToServer();
			server.onMessage((message) => {
				const text = String(message);
				// Lost on the way: some words in the middle of the reply.
				if (dropped < 5 && text.includes('message_delta') && text.includes('word2')) dropped += 1;
				else socket.send(message);
			});
		});
		await chat.reopen();
		await chat.say('Count');
		await chat.reply.getByText(/word79/).waitFor();
		// Fewer where a busy machine sends several words at once.
		expect(dropped).toBeGreaterThan(0);
		const words = Array.from({ length: 80 }, (_, index) => `word${index}`).join(' ');
		await expect.poll(() => chat.reply.textContent(), { timeout: 15_000 }).toContain(words);
	});

	test('what happened while the connection was away is shown when it is back, and nothing twice', async () => {
		const chat = await chatWith({ fallback: says('From elsewhere.') });
		let away = false;
		const sockets: { close(): Promise<void> }[] = [];
		await chat.page.routeWebSocket(/.*/, (socket) => {
			if (away) {
				void socket.close();
				return;
			}
			socket.connectToServer();
			sockets.push(socket);
		});
		await chat.reopen();
		await chat.say('Before');
		await chat.reply.getByText('From elsewhere.').waitFor();
		away = true;
		for (const socket of sockets) await socket.close();
		await chat.page.getByText('The connection to Hearth was lost. What you see is kept; trying again.').waitFor();
		const other = await chat.rpc();
		const [session] = (await other.rpc.sessions.list()).sessions;
		if (!session) throw new Error('no session');
		await other.rpc.chat.send({ sessionId: session.id, text: 'Meanwhile', attachmentIds: [], requestId: crypto.randomUUID() });
		await expect.poll(async () => (await other.rpc.sessions.get({ sessionId: session.id })).messageCount, { timeout: 15_000 }).toBe(4);
		other.close();
		away = false;
		await chat.page.getByText('Meanwhile').first().waitFor();
		await expect.poll(() => chat.page.getByRole('article').count(), { timeout: 15_000 }).toBe(4);
	});

	test('messages that no longer fit are told as a summary: said once, readable, each kept passage leads to its message; taken out, they are left out', async () => {
		const decision = 'Decision: the shed is painted dark green.';
		const long = (index: number) => (index === 2 ? decision : `Message ${index}. ${'many words of it '.repeat(220)}`);
		const chat = await chatWith({
			fallback: says('Noted.'),
			contextTokens: 16_000,
			seed: (tx) => addChain(tx, addSession(tx, 'Long', Date.now()), 24, long),
		});
		const { page } = chat;
		await chat.say('One more');
		await chat.reply.getByText('Noted.').waitFor();
		await chat.reply
			.getByText(/^The oldest \d+ messages no longer fit the model’s window\. From here on it is told a summary of them\./)
			.waitFor();
		await page.getByText('The reply is finished.').waitFor({ state: 'attached' });
		await chat.reply.getByRole('button', { name: 'Read the summary' }).click();
		const dialog = page.getByRole('dialog', { name: 'What the model is told of it' });
		await dialog.getByText('Written by scripted').waitFor();
		await dialog.getByText(decision).waitFor();
		await expectAccessible(chat.view, 'summary');
		await takePicture(chat.view, 'chat-summary');
		await dialog.getByRole('button', { name: 'You, message 3' }).first().click();
		await dialog.waitFor({ state: 'detached' });
		await page.getByRole('article', { name: 'You' }).filter({ hasText: decision }).waitFor();

		await chat.say('And another');
		await expect.poll(() => page.getByRole('article', { name: 'Hearth' }).getByText('Noted.').count()).toBe(2);
		await page.getByText('The reply is finished.').waitFor({ state: 'attached' });
		expect(await page.getByRole('button', { name: 'Read the summary' }).count()).toBe(1);
		await page.getByRole('button', { name: 'What the model sees' }).click();
		await page.getByRole('checkbox', { name: 'Include Summary of older messages' }).click();
		await page.getByText(/The oldest \d+ of 28 messages do not fit\./).waitFor();
		await page.keyboard.press('Escape');
		await chat.say('A third');
		await chat.reply.getByText(/The oldest \d+ messages no longer fit the model’s window and were left out\./).waitFor();
	});
});
