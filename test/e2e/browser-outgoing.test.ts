import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { calls, says } from '../support/model-server/index.ts';
import { type MailServer, startMailServer } from '../support/smtp-server.ts';
import { send, startWebServer, type WebServer } from '../support/web-server.ts';
import { closeViews, expectAccessible, type Hearth, openView, startHearth, takePicture, type View } from './support/browser.ts';
import { openChat } from './support/chat.ts';

let hearth: Hearth;
let site: WebServer;
let mail: MailServer;

beforeAll(async () => {
	[site, mail] = await Promise.all([startWebServer(), startMailServer({ security: 'none', account: 'me:right' })]);
	site.on('/search', send('{"results":[{"url":"https://a.example/"}]}', 'application/json')).on('/hook/T0KEN', send('ok', 'text/plain'));
	hearth = await startHearth();
});
afterAll(async () => {
	await hearth?.stop();
	await Promise.all([site?.close(), mail?.close()]);
	await closeViews();
});

async function look(view: Pick<View, 'page'>, name: string): Promise<void> {
	for (const theme of ['light', 'dark'] as const) {
		await view.page.emulateMedia({ colorScheme: theme });
		await expectAccessible(view, `${name}, ${theme}`);
		await takePicture(view, `outgoing-${name}-${theme}`);
	}
	await view.page.emulateMedia({ colorScheme: 'light' });
}

test('the owner sets up search, mail and a webhook, and tests each; secrets are asked for and never shown again', async () => {
	const view = await openView(hearth, { at: '/settings/outgoing' });
	const { page } = view;
	await page.getByText('Not set up. The agent can’t search the web.').waitFor();
	await page.getByRole('button', { name: 'Set up: Web search' }).click();
	const search = page.getByRole('dialog', { name: 'Web search' });
	await search.getByRole('button', { name: 'Save' }).click();
	await search.getByText('Use an address that begins with').waitFor();
	await search.getByLabel('Address').fill('foo');
	await search.getByRole('button', { name: 'Save' }).click();
	await search.getByText('Use an address that begins with').waitFor();
	await search.getByLabel('Address').fill(site.url);
	await look(view, 'search');
	await search.getByRole('button', { name: 'Save' }).click();
	await page.getByText(`SearXNG at ${site.host}. Searches go out without asking`).waitFor();
	await page.getByRole('button', { name: 'Test web search' }).click();
	await page.getByText('1 result for').waitFor();

	await page.getByRole('button', { name: 'Set up: Mail' }).click();
	const account = page.getByRole('dialog', { name: 'Mail account' });
	await account.getByLabel('Your address').fill('me');
	await account.getByRole('button', { name: 'Save' }).click();
	await account.getByText('Use one mail address').waitFor();
	await account.getByLabel('Your address').fill('me@home.example');
	await account.getByLabel('Mail server (SMTP)').fill('127.0.0.1');
	await account.getByRole('combobox', { name: 'Security' }).click();
	await page.getByRole('option', { name: /None/ }).click();
	await account.getByLabel('Port').fill(String(mail.port));
	await account.getByLabel('User name').fill('me');
	await account.getByLabel('Password').fill('right');
	await account.getByRole('radio', { name: /Only until Hearth closes/ }).check();
	await look(view, 'mail');
	await account.getByRole('button', { name: 'Save' }).click();
	await page.getByText('From me@home.example, by 127.0.0.1, not encrypted').waitFor();
	await page.getByRole('button', { name: 'Test mail' }).click();
	await page.getByText('accepts the sign-in. Nothing was sent.').waitFor();
	expect(mail.mails).toEqual([]);

	await page.getByRole('button', { name: 'Add', exact: true }).click();
	const hook = page.getByRole('dialog', { name: 'Add a webhook' });
	await hook.getByLabel('Name').fill('mail');
	await hook.getByLabel('Address').fill(`${site.url}/hook/T0KEN`);
	await hook.getByRole('button', { name: 'Save' }).click();
	await hook.getByText('not “mail”').waitFor();
	await hook.getByLabel('Name').fill('ops');
	await hook.getByRole('button', { name: 'Save' }).click();
	await page.getByText(`Posts to ${site.host}`).waitFor();
	await page.getByRole('button', { name: 'ops: options' }).click();
	await page.getByRole('menuitem', { name: 'Post a test message' }).click();
	await page.getByText('took a test message').waitFor();
	expect(site.asked.at(-1)).toBe('POST /hook/T0KEN');
	expect(await page.content()).not.toMatch(/T0KEN|right@/);
	await look(view, 'list');
	await page.setViewportSize({ width: 640, height: 800 });
	await look(view, 'list-640');
	await page.getByRole('button', { name: 'Mail: options' }).click();
	await page.getByRole('menuitem', { name: 'Remove' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
	await page.getByText('Not set up. The agent can’t send mail.').waitFor();
	expect(view.problems).toEqual([]);
	await view.close();
});

test('B3 a message waits whole for the owner, and leaves once with their yes', async () => {
	const text = 'Dear Anna,\n\nsee you on Monday.\nMe';
	const letter = { via: 'mail', to: ['anna@example.org'], subject: 'Monday', text };
	const chat = await openChat({ replies: [calls('send_message', letter)], fallback: says('It is on its way.') });
	onTestFinished(() => chat.close());
	const open = await startMailServer({ security: 'none' });
	onTestFinished(() => open.close());
	const { rpc, close } = await chat.rpc();
	onTestFinished(close);
	await rpc.outgoing.setMail({
		mail: { host: '127.0.0.1', port: open.port, security: 'none', user: '', from: 'me@home.example' },
	});
	await chat.say('Write to Anna');
	const card = chat.page.getByRole('region', { name: 'Needs you' });
	await card.getByText('Monday', { exact: true }).waitFor();
	expect(await card.getByRole('region', { name: 'The message', exact: true }).locator('pre').textContent()).toBe(text);
	await card.getByRole('region', { name: 'What it will touch' }).getByText('anna@example.org').waitFor();
	await look(chat.view, 'message');
	expect(open.mails).toEqual([]);
	await card.getByRole('button', { name: 'Approve once' }).click();
	await chat.reply.getByText('It is on its way.').waitFor();
	expect(open.mails).toMatchObject([{ to: ['anna@example.org'] }]);
});
