import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { calls, says } from '../support/model-server/index.ts';
import { readLedger } from '../support/test-tools.ts';
import { closeViews, expectAccessible, takePicture } from './support/browser.ts';
import { type Chat, type ChatOptions, openChat } from './support/chat.ts';

afterAll(closeViews);

const SOON = { timeout: 15_000 };

async function chatWith(options: ChatOptions): Promise<Chat> {
	const chat = await openChat({ tools: true, ...options });
	onTestFinished(() => chat.close());
	return chat;
}

/** In both themes: axe finds nothing, and a picture is kept. */
async function seen({ view }: Chat, name: string): Promise<void> {
	for (const theme of ['light', 'dark'] as const) {
		await view.page.emulateMedia({ colorScheme: theme });
		await expectAccessible(view, `${name}, ${theme}`);
		await takePicture(view, `needs-${name}-${theme}`);
	}
	await view.page.emulateMedia({ colorScheme: 'light' });
}

const effects = (chat: Chat) => readLedger(chat.ledger).map(({ value }) => value);

describe('what needs the owner', () => {
	test('R3 an approval outlives a kill of the runtime, shows its exact arguments, and runs once when approved', async () => {
		const chat = await chatWith({ replies: [calls('test_effectful', { value: 'letter to the landlord' })], fallback: says('It is sent.') });
		await chat.say('Send it');
		const card = chat.page.getByRole('region', { name: 'Needs you' });
		await card.getByText('letter to the landlord', { exact: true }).waitFor();
		await seen(chat, 'approval');
		await chat.hearth.kill();
		await chat.hearth.start();
		await chat.reopen();
		await card.getByText('letter to the landlord', { exact: true }).waitFor();
		// B3: all that the answer is bound to is shown.
		await card.getByText('As the tool gets it').click();
		await card.getByText('"value": "letter to the landlord"').waitFor();
		await chat.page.getByText('Tool test_effectful (has an effect), asked by the rule “effectful”.').waitFor();
		expect(effects(chat)).toEqual([]);
		await chat.page
			.getByRole('link', { name: /Needs you/ })
			.first()
			.waitFor();
		await card.getByRole('button', { name: 'Approve' }).click();
		await chat.reply.getByText('It is sent.').waitFor();
		expect(effects(chat)).toEqual(['letter to the landlord']);
		expect(await card.count()).toBe(0);
		await chat.reply.getByRole('button', { name: /test effectful/ }).click();
		await chat.reply.getByText('test_effectful did letter to the landlord').waitFor();
		await seen(chat, 'tool-open');
		expect(chat.view.problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
	});

	test('a rejected call never runs, and the model is told', async () => {
		const chat = await chatWith({ replies: [calls('test_effectful', { value: 'no' })], fallback: says('Then I leave it.') });
		await chat.say('Do it');
		await chat.page.getByRole('button', { name: 'Reject' }).click();
		await chat.page.getByRole('textbox', { name: /Why not/ }).fill('Not today.');
		await chat.page.getByRole('button', { name: 'Reject it' }).click();
		await chat.reply.getByText('Then I leave it.').waitFor();
		await chat.reply.getByText('Not allowed').waitFor();
		expect(JSON.stringify(chat.model.log.requests.at(-1)?.body)).toContain('The owner said no: Not today.');
		expect(effects(chat)).toEqual([]);
	});

	test('dur-3 R2 killed inside a tool with effects: asked whether it happened, with a pasted result', async () => {
		const chat = await chatWith({
			replies: [calls('test_effectful', { value: 'half', afterMs: 60_000 })],
			fallback: says('Good to know.'),
		});
		await chat.say('Do it');
		await chat.page.getByRole('button', { name: 'Approve' }).click();
		await expect.poll(() => effects(chat), SOON).toEqual(['half']);
		await chat.hearth.kill();
		await chat.hearth.start();
		await chat.reopen();
		const card = chat.page.getByRole('region', { name: 'Needs you' });
		await card.getByRole('heading', { name: 'Did this happen?' }).waitFor();
		await card.getByText(/“Test, effectful”/).waitFor();
		expect(await card.getByText('"value": "half"').count()).toBe(1);
		await seen(chat, 'did-it-happen');
		await card.getByRole('button', { name: 'It happened' }).click();
		await card.getByRole('textbox', { name: 'What came of it, if you know' }).fill('The letter arrived.');
		await card.getByRole('button', { name: 'It happened, go on' }).click();
		await chat.reply.getByText('Good to know.').waitFor();
		expect(effects(chat)).toEqual(['half']);
		await chat.reply.getByRole('button', { name: /test effectful/ }).click();
		await chat.reply.getByText('The letter arrived.').waitFor();
	});

	test('a question is answered by choice or in words', async () => {
		const chat = await chatWith({
			replies: [calls('ask_owner', { question: 'Which oven?', choices: ['The big one', 'The small one'] })],
			fallback: says('The big one it is.'),
		});
		await chat.say('Heat the oven');
		const card = chat.page.getByRole('region', { name: 'Needs you' });
		await card.getByText('Which oven?').waitFor();
		await seen(chat, 'question');
		await card.getByRole('button', { name: 'The big one' }).click();
		await chat.reply.getByText('The big one it is.').waitFor();
		expect(await chat.field.evaluate((field) => field === document.activeElement)).toBe(true);
	});

	test('R3 a reply that sleeps says until when and how far its plan is, and goes on when told to; a large result is shown whole', async () => {
		const chat = await chatWith({
			replies: [
				calls('plan', { add: [{ text: 'Wait for the shop' }, { text: 'Read the list' }] }),
				calls('plan', { update: [{ id: '1', state: 'doing' }] }),
				calls('wait_until', { in_minutes: 600, note: 'The shop opens in the morning.' }),
				calls('read_file', { path: 'list.txt' }),
			],
			fallback: says('That is all of it.'),
		});
		const lines = Array.from({ length: 900 }, (_, number) => `line ${number} of the list`);
		writeFileSync(join(chat.hearth.profileFolder, 'workspace', 'list.txt'), lines.join('\n'));
		await chat.say('Read me the list when the shop is open');
		const card = chat.page.getByRole('region', { name: 'Waits', exact: true });
		await card.getByRole('heading', { name: /^Waits until / }).waitFor();
		const plan = chat.reply.getByRole('region', { name: 'Plan' });
		await plan.getByRole('listitem').filter({ hasText: 'Wait for the shop' }).getByText('under way').waitFor();
		await seen(chat, 'sleeping');
		// Nobody has to do anything.
		expect(await chat.page.getByRole('link', { name: /Needs you/ }).count()).toBe(0);
		await card.getByRole('button', { name: 'Go on now' }).click();
		await chat.reply.getByText('That is all of it.').waitFor();
		expect(await card.count()).toBe(0);
		expect(await plan.count()).toBe(0);

		await chat.reply.getByRole('button', { name: /Read a file/ }).click();
		await chat.reply.getByText('line 1 of the list').waitFor();
		expect(await chat.reply.getByText('line 899 of the list').count()).toBe(0);
		await chat.reply.getByRole('button', { name: 'Show all', exact: true }).click();
		await chat.reply.getByText('line 899 of the list').waitFor();
		await seen(chat, 'large-result');
		expect(chat.view.problems).toEqual([]);
	});
});
