import { afterAll, afterEach, expect, test } from 'vitest';
import { type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { closeViews, expectAccessible, goTo, type Hearth, openView, startHearth, takePicture, type View } from './support/browser.ts';

let hearth: Hearth | undefined;
let server: ModelServer | undefined;
afterEach(async () => {
	await hearth?.stop();
	await server?.close();
});
afterAll(closeViews);

async function expectAccessibleInBoth(view: View, where: string): Promise<void> {
	for (const colorScheme of ['dark', 'light'] as const) {
		await view.page.emulateMedia({ colorScheme });
		await expectAccessible(view, `${where}, ${colorScheme}`);
	}
}

test('keys behind a passphrase: after a restart a banner asks for it, a wrong one is refused, the right one unlocks', async () => {
	server = await startModelServer({ script: { models: [{ id: 'mistral' }], key: 'sk-locked', fallback: says('Here.') } });
	hearth = await startHearth();
	const first = await openView(hearth, { at: '/settings/models' });
	await first.page.getByRole('button', { name: 'Add', exact: true }).click();
	const dialog = first.page.locator('.dialog');
	await dialog.getByLabel('Address').fill(server.openaiUrl);
	await dialog.getByLabel('Key', { exact: true }).fill('sk-locked');
	await dialog.getByRole('radio', { name: /In a file that only a passphrase opens/ }).check();
	await dialog.getByLabel('New passphrase').fill('open sesame now');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.waitFor({ state: 'detached' });
	await first.close();

	await hearth.kill();
	await hearth.start();
	const view = await openView(hearth);
	const { page } = view;
	await page.getByText('Your keys are locked. Models that need one wait until you unlock them.').waitFor();
	await expectAccessibleInBoth(view, 'banner');
	await takePicture(view, 'locked-banner-light');
	await page.getByRole('button', { name: 'Unlock' }).click();
	const unlock = page.getByRole('dialog', { name: 'Unlock your keys' });
	await unlock.getByLabel('Passphrase').fill('not this one');
	await page.keyboard.press('Enter');
	await unlock.locator('.field-error').waitFor();
	await expectAccessibleInBoth(view, 'unlock dialog');
	await unlock.getByLabel('Passphrase').fill('open sesame now');
	await page.keyboard.press('Enter');
	await unlock.waitFor({ state: 'detached' });
	await page.getByText('Your keys are locked.').waitFor({ state: 'detached' });
	await goTo(view, '/settings/secrets');
	await page.getByText('Protected', { exact: true }).waitFor();
	await page.getByText(/^Key for /).waitFor();
	await page.getByRole('button', { name: 'Remove', exact: true }).click();
	await page.locator('.dialog').getByRole('button', { name: 'Remove' }).click();
	await page.getByText('No key is stored.').waitFor();
	await view.close();
});

test('an address that was used before gets a readable page with what to do (S5)', async () => {
	hearth = await startHearth();
	const url = await hearth.url();
	const first = await openView(hearth);
	await first.page.goto('about:blank');
	await first.page.goto(url);
	await first.page.waitForURL(/#\/chat\/.+$/);
	await first.close();
	const view = await openView(hearth);
	await view.context.clearCookies();
	await view.page.goto('about:blank');
	await view.page.goto(url);
	await view.page.getByRole('heading', { name: /This address of Hearth has been used already/ }).waitFor();
	await view.page.getByText('What to do').waitFor();
	await expectAccessibleInBoth(view, 'refused page');
	await takePicture(view, 'refused-light');
	expect(await view.page.getByRole('button', { name: 'Load again' }).isVisible()).toBe(true);
	await view.close();
});
