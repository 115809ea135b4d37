import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionId } from '../../src/domain/ids.ts';
import { calls, says } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, goTo, takePicture } from './support/browser.ts';
import { type Chat, openChat } from './support/chat.ts';
import { type HeldWrites, heldWrites } from './support/held.ts';

const MEMORY = `# Home

- Yearly boiler service: Thursday 12 March. The landlord pays.

# Travel

- Prefers aisle seats.
`;
const DIARY = '- Bo brought plums from the harbour market.\n';

let chat: Chat;
let held: HeldWrites;
beforeAll(async () => {
	chat = await openChat({ fallback: says('Very well.') });
	held = await heldWrites(chat);
	writeFileSync(join(chat.hearth.profileFolder, 'MEMORY.md'), MEMORY);
	mkdirSync(join(chat.hearth.profileFolder, 'memory'), { recursive: true });
	writeFileSync(join(chat.hearth.profileFolder, 'memory', 'people.md'), DIARY);
}, 60_000);
afterAll(async () => {
	held?.close();
	await chat?.close();
	await closeViews();
});

/** Says it in the chat that is open, and waits for the end of the reply. */
async function ask(text: string, ...replies: Parameters<Chat['model']['reply']>): Promise<void> {
	chat.model.reply(...replies);
	await chat.say(text);
	await chat.page.getByRole('article', { name: 'You' }).filter({ hasText: text }).last().waitFor();
	await chat.reply.getByRole('button', { name: 'Answer again' }).waitFor();
}

/** The same without the page. */
async function tell(sessionId: SessionId, text: string, ...replies: Parameters<Chat['model']['reply']>): Promise<void> {
	chat.model.reply(...replies);
	await held.rpc.chat.send({ sessionId, requestId: crypto.randomUUID(), text, attachmentIds: [] });
	await replied(sessionId);
}

/** The words of a reply are there a little before it has ended. */
async function replied(sessionId: SessionId): Promise<void> {
	const newest = async () => (await held.rpc.sessions.messages({ sessionId, limit: 1 })).messages.at(-1);
	await expect.poll(async () => (await newest())?.status).toBe('complete');
}

/** One runtime and one page: what a reply did to memory, and what it was made with. */
describe('memory in a chat', () => {
	test('mem-9 the row of a write shows what was really saved, and takes it back', async () => {
		const { page, reply } = chat;
		await held.entry('boiler');
		await ask(
			'Remember that my dentist is Dr. Okafor',
			calls('memory_write', { text: 'The dentist is Dr. Okafor.', reason: 'The owner said so.', file: 'MEMORY.md' }),
			says('Noted.'),
		);
		await reply.getByRole('button', { name: /Remember The dentist is Dr. Okafor./ }).waitFor();
		await reply.getByText('Saved to MEMORY.md').waitFor();
		await reply.getByRole('button', { name: 'Why is this here?' }).click();
		const why = page.getByRole('dialog', { name: 'Why is this here?' });
		await why.getByText('Remember that my dentist is Dr. Okafor').last().waitFor();
		await page.keyboard.press('Escape');
		await why.waitFor({ state: 'detached' });
		await expectAccessible(chat.view, 'receipt');
		await reply.getByRole('button', { name: 'Undo', exact: true }).click();
		await reply.getByText('Taken back from MEMORY.md').waitFor();
		expect((await held.rpc.memory.entries({})).entries.filter(({ text, state }) => text.includes('Okafor') && state !== 'gone')).toEqual(
			[],
		);
	});

	test('mem-9 a claim without a write is told to be one; what is held leads to the inbox and says there what became of it', async () => {
		const { page, reply } = chat;
		await ask('I like tea', says('I have saved that to your memory.'));
		await reply.getByText('This reply says that something was saved, but nothing was written to memory.').waitFor();
		await ask(
			'Forget my seat',
			calls('memory_forget', { entry: await held.ref('aisle'), reason: 'Asked.' }),
			says('It waits in your inbox.'),
		);
		// The entry's words, and no id.
		await reply.getByRole('button', { name: /^Forget Prefers aisle seats./ }).waitFor();
		await reply.getByText('Not done yet: it waits in your inbox').waitFor();
		await reply.getByRole('link', { name: 'Review' }).click();
		const detail = page.getByRole('region', { name: 'What is chosen' });
		await detail.getByRole('heading', { name: /Forget an entry/ }).waitFor();
		await detail.getByRole('button', { name: 'Reject' }).click();
		await detail.getByRole('button', { name: 'Reject it' }).click();
		await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
		await page.getByRole('link', { name: 'Chat', exact: true }).click();
		await reply.getByText('You rejected it: nothing was changed').waitFor();
		await reply.getByRole('link', { name: 'Show' }).waitFor();
	});

	test('B1 a question for findings opens the inbox at them, once, and not when the chat is shown again', async () => {
		const { page, reply } = chat;
		chat.model.reply(calls('open_inbox', {}), says('It is open.'));
		await chat.say('What did you find?');
		const list = page.getByRole('region', { name: 'Inbox list' });
		await list.getByRole('tab', { name: /findings/i, selected: true }).waitFor();
		await page.getByRole('link', { name: 'Chat', exact: true }).click();
		await reply.getByText('It is open.').waitFor();
		await reply.getByRole('button', { name: /Opened the inbox/ }).waitFor();
		await chat.reopen();
		await reply.getByText('It is open.').waitFor();
		expect(await list.count()).toBe(0);
	});

	test('M2 “used 1 memory” leads to the entry, and its provenance to the very message in a long chat, in another version of it too', async () => {
		const { page, reply } = chat;
		await ask(
			'My bicycle is number 5531',
			calls('memory_write', { text: 'The bicycle has the number 5531.', reason: 'The owner said so.', file: 'memory/bicycle.md' }),
			says('Noted.'),
		);
		const { id, provenance } = await held.entry('bicycle has the number');
		const source = provenance.sources[0];
		if (source?.kind !== 'message') throw new Error('no message');
		// The message gets another version, and the chat grows: the one that was said first is neither shown nor near.
		const { sessionId, messageId } = source;
		await replied(sessionId);
		chat.model.reply(says('Edited.'));
		await held.rpc.chat.editAndResend({ messageId, requestId: crypto.randomUUID(), text: 'My bicycle is red', attachmentIds: [] });
		await reply.getByText('Edited.').waitFor();
		await replied(sessionId);
		for (let n = 0; n < 8; n++) await tell(sessionId, `Filler ${n}`, says('Words that fill the chat. '.repeat(30)));
		// The page, too, knows that nothing is being written any more.
		await page.getByRole('article', { name: 'You' }).last().getByText('Filler 7').waitFor();
		await reply.getByRole('button', { name: 'Answer again' }).waitFor();
		await ask('Which number has my bicycle?', calls('memory_search', { query: 'bicycle number' }), says('It is 5531.'));
		await reply.getByRole('button', { name: /^used \d+ memor/ }).click();
		const used = page.getByRole('dialog', { name: 'Memories that this reply was made with' });
		const item = used.getByRole('listitem').filter({ hasText: 'The bicycle has the number 5531.' });
		await item.getByText('Agent', { exact: true }).waitFor();
		await item.getByText(/memory\/bicycle\.md, line 1/).waitFor();
		expect(await item.getByRole('link', { name: 'Show in Memory' }).getAttribute('href')).toBe(`#/memory/entry/${id}`);
		for (const theme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme: theme });
			await expectAccessible(chat.view, `used memories, ${theme}`);
			await takePicture(chat.view, `chat-used-${theme}`);
		}
		await page.emulateMedia({ colorScheme: 'light' });
		await item.getByText('Hearth noted it from').getByRole('button').click();
		await used.waitFor({ state: 'detached' });
		expect(new URL(page.url()).hash).toBe(`#/chat/${sessionId}`);
		const row = page.locator(`[data-message-id="${messageId}"]`);
		await row.getByText('My bicycle is number 5531').waitFor();
		await expect.poll(() => row.evaluate((element) => element.classList.contains('found'))).toBe(true);
		await expect
			.poll(() =>
				row.evaluate((element) => {
					const { top, bottom } = element.getBoundingClientRect();
					return top >= 0 && bottom <= window.innerHeight;
				}),
			)
			.toBe(true);
		await expect
			.poll(() => page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String)))
			.toEqual(['My bicycle is number 5531']);
	});

	test('M6 what the model would see shows memory with its label; a recalled entry is taken out and stays out', async () => {
		const { page } = chat;
		await goTo(chat.view, `/chat/${(await held.rpc.sessions.create({})).id}`);
		await chat.field.fill('What did Bo bring from the harbour market?');
		const open = page.getByRole('button', { name: 'What the model sees' });
		await open.click();
		const prompt = page.getByRole('dialog', { name: 'What the model sees' });
		const core = prompt.getByRole('listitem').filter({ hasText: 'Long-term memory (MEMORY.md)' });
		await core.getByText('Owner', { exact: true }).waitFor();
		expect(await core.getByRole('link', { name: 'Open MEMORY.md in Memory' }).getAttribute('href')).toBe('#/memory/file/MEMORY.md');
		const recalled = prompt.getByRole('listitem').filter({ hasText: 'memory/people.md' });
		await recalled.getByRole('checkbox').uncheck();
		await recalled.getByText('Left out').waitFor();
		await expectAccessible(chat.view, 'prompt');
		await takePicture(chat.view, 'chat-prompt-memory');
		await page.keyboard.press('Escape');
		await ask('What did Bo bring from the harbour market?', says('I do not know.'));
		const body = JSON.stringify(chat.model.log.requests.at(-1)?.body);
		expect(body).toContain('Yearly boiler service');
		expect(body).not.toContain('plums');
		expect(chat.view.problems).toEqual([]);
	});
});
