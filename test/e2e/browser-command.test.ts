import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calls, says } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, takePicture } from './support/browser.ts';
import { type Chat, openChat } from './support/chat.ts';

const command = (text: string) => calls('run_command', { command: text, reason: 'To see whether the tests pass.' });

let chat: Chat;
beforeAll(async () => {
	chat = await openChat({
		replies: [
			command('for n in $(seq 1 60); do echo "test $n passed"; done; echo waiting for more; sleep 120'),
			command('echo "2 failed"; exit 2'),
		],
		fallback: says('Two tests fail.'),
	});
}, 60_000);
afterAll(async () => {
	await chat?.close();
	await closeViews();
});

async function seen(name: string): Promise<void> {
	for (const theme of ['light', 'dark'] as const) {
		await chat.view.page.emulateMedia({ colorScheme: theme });
		await expectAccessible(chat.view, `${name}, ${theme}`);
		await takePicture(chat.view, `command-${name}-${theme}`);
	}
	await chat.view.page.emulateMedia({ colorScheme: 'light' });
}

describe.runIf(process.platform === 'linux')('a command in the chat', () => {
	test('it shows its output as it comes, follows the end, and is stopped by itself while the reply goes on', async () => {
		await chat.say('Do the tests pass?');
		const output = chat.reply.getByRole('region', { name: 'What the command puts out' });
		await output.getByText('waiting for more').waitFor();
		const text = output.locator('pre');
		expect(await text.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight)).toBeLessThan(24);
		// Tokens and logs never stream into a live region.
		const live = '[aria-live]:not([aria-live="off"]), [role="log"], [role="status"], [role="alert"]';
		expect(await text.evaluate((element, announced) => element.closest(announced) !== null, live)).toBe(false);
		await seen('running');
		await chat.reply.getByRole('button', { name: 'Stop this command' }).click();
		await chat.reply.getByText('Two tests fail.').waitFor();
		expect(await output.count()).toBe(0);
		const rows = chat.reply.getByRole('button', { name: /Run a command/ });
		expect(await rows.count()).toBe(2);
		await chat.reply.getByText(/^stopped, /).waitFor();
		await chat.reply.getByText(/^exit code 2, /).waitFor();
		await rows.last().click();
		await chat.reply.getByText('To see whether the tests pass. In workspace. No network.').waitFor();
		await chat.reply.getByText('2 failed').last().waitFor();
		await seen('finished');
		expect(chat.view.problems).toEqual([]);
	});
});
