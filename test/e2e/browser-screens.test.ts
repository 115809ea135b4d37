import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeViews, expectAccessible, goTo, type Hearth, openView, startHearth, takePicture, type View } from './support/browser.ts';

let hearth: Hearth;
beforeAll(async () => {
	hearth = await startHearth();
});
afterAll(async () => {
	await hearth?.stop();
	await closeViews();
});

/** Each screen, and what shows that it has arrived. */
const SCREENS = [
	{ name: 'chat', at: undefined, arrived: 'What is on your mind?' },
	{ name: 'settings-profile', at: '/settings/profile', arrived: 'HEARTBEAT.md' },
	{ name: 'settings-models', at: '/settings/models', arrived: 'Always there, needs no model and no network' },
	{ name: 'settings-secrets', at: '/settings/secrets', arrived: 'Where keys are kept' },
	{ name: 'settings-sources', at: '/settings/sources', arrived: 'No source yet.' },
	{ name: 'tasks', at: '/tasks', arrived: 'Try one of these' },
	{ name: 'settings-background', at: '/settings/background', arrived: 'No look yet.' },
	{ name: 'settings-general', at: '/settings/general', arrived: 'Days that logs are kept' },
	{ name: 'settings-keyboard', at: '/settings/keyboard', arrived: 'Command palette' },
	{ name: 'settings-about', at: '/settings/about', arrived: 'Where things are' },
	{ name: 'quick', at: '/quick', arrived: 'Enter sends, Esc hides' },
	{ name: 'welcome', at: '/welcome', arrived: 'Always works' },
] as const;

async function show(view: View, screen: (typeof SCREENS)[number]): Promise<void> {
	if (screen.at) await goTo(view, screen.at);
	await view.page.getByText(screen.arrived).first().waitFor();
}

/** What is shown, in both themes: axe finds nothing. */
async function inBothThemes(view: View, name: string, without: string[] = []): Promise<void> {
	for (const theme of ['dark', 'light'] as const) {
		await view.page.emulateMedia({ colorScheme: theme });
		await expectAccessible(view, `${name}, ${theme}`, without);
		await takePicture(view, `${name}-${theme}`);
	}
}

describe('every screen in both themes', () => {
	test('axe finds nothing, nothing is refused or fails', async () => {
		const view = await openView(hearth);
		for (const screen of SCREENS) {
			await show(view, screen);
			await inBothThemes(view, screen.name);
			expect(view.problems, screen.name).toEqual([]);
		}
		await view.close();
	}, 300_000);

	test('the palette, a menu, a list and a dialog', async () => {
		const view = await openView(hearth, { at: '/settings/models' });
		const { page } = view;
		await page.getByRole('button', { name: 'Add', exact: true }).waitFor();
		await page.keyboard.press('Control+k');
		await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
		await inBothThemes(view, 'palette');
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: /^Profile / }).click();
		await page.getByRole('menu').waitFor();
		// A menu floats outside the landmarks while it is open; that rule is about what stays on the page.
		await inBothThemes(view, 'profile-menu', ['region']);
		await page.keyboard.press('Escape');
		await page.getByRole('combobox', { name: 'Model for: Chat' }).click();
		await page.getByRole('listbox').waitFor();
		// What the open list covers in part has its full size again when it closes.
		await inBothThemes(view, 'list-of-models', ['region', 'target-size']);
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Add', exact: true }).click();
		await page.getByRole('dialog', { name: 'Add where models run' }).waitFor();
		await inBothThemes(view, 'dialog');
		await view.close();
	});

	test('S5 a part of the view that can’t be loaded gets a readable page; so does a lost connection', async () => {
		const view = await openView(hearth);
		const { page } = view;
		await page.route(/\/settings-screen[^/]*\.js$/, (route) => route.abort());
		// Begun anew: it was perhaps loaded ahead already.
		await goTo(view, '/settings/general');
		await page.reload();
		await page.getByRole('heading', { name: 'This screen ran into a problem' }).waitFor();
		await page.getByText('Technical detail').click();
		await inBothThemes(view, 'crash');
		await page.unrouteAll();
		await page.getByRole('button', { name: 'Load again' }).click();
		await page.getByText('Days that logs are kept').waitFor();
		await hearth.kill();
		await page.getByText('The connection to Hearth was lost. What you see is kept; trying again.').waitFor();
		await page.getByText('it prints a new address').waitFor();
		await inBothThemes(view, 'lost-connection');
		await hearth.start();
		await view.close();
	});
});

describe('narrow and zoomed windows', () => {
	/** 320 × 256 is a 1280 × 1024 window at 400 % (WCAG 1.4.10). */
	test.each([
		{ width: 960, height: 700 },
		{ width: 760, height: 700 },
		{ width: 640, height: 700 },
		{ width: 480, height: 800 },
		{ width: 320, height: 256 },
	])('$width × $height: nothing scrolls sideways, everything is reached', async (size) => {
		const view = await openView(hearth, size);
		const { page } = view;
		for (const screen of SCREENS) {
			await show(view, screen);
			const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
			expect(over, `${screen.name} is too wide`).toBeLessThanOrEqual(0);
			await takePicture(view, `${screen.name}-${size.width}`);
		}
		await goTo(view, '/settings/general');
		const back = page.getByRole('button', { name: 'Show sections' });
		if (await back.isVisible()) {
			await back.click();
			await page.getByRole('link', { name: 'Keyboard' }).click();
			await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
		}
		await view.close();
	});

	test('every control is at least 24 px high and wide', async () => {
		const view = await openView(hearth);
		for (const screen of SCREENS) {
			await show(view, screen);
			const small = await view.page.evaluate(() =>
				[...document.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, summary, [role="switch"]')]
					.filter(
						(control) => control.checkVisibility() && !control.closest('.vh, .skip') && getComputedStyle(control).position !== 'fixed',
					)
					.filter((control) => !control.matches('[aria-hidden="true"], .skip, input[type="radio"], input[type="checkbox"]'))
					.map((control) => ({ name: control.outerHTML.slice(0, 80), box: control.getBoundingClientRect() }))
					.filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
					.map(({ name, box }) => `${name} ${box.width}×${box.height}`),
			);
			expect(small, screen.name).toEqual([]);
		}
		await view.close();
	});
});

test('with reduced motion nothing moves; with forced colours the current place and the focus can be told', async () => {
	const still = await openView(hearth, { reducedMotion: 'reduce' });
	await goTo(still, '/settings/models');
	await still.page.keyboard.press('Control+k');
	await still.page.getByRole('dialog', { name: 'Command palette' }).waitFor();
	expect(await still.page.evaluate(() => document.getAnimations().length)).toBe(0);
	await still.close();

	const forced = await openView(hearth, { forcedColors: 'active', at: '/settings/models' });
	const current = forced.page.locator('.row[aria-current]').first();
	await current.waitFor();
	expect(await current.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid');
	await takePicture(forced, 'settings-models-forced-colours');
	await expectAccessible(forced, 'forced colours');
	await forced.close();
});

describe('by keyboard alone', () => {
	test('the first Tab offers to skip to the content; focus is always seen', async () => {
		const view = await openView(hearth, { at: '/settings/general' });
		const { page } = view;
		await page.getByText('Days that logs are kept').waitFor();
		// Begun anew, so that nothing has had the focus yet.
		await page.reload();
		await page.getByText('Days that logs are kept').waitFor();
		await page.keyboard.press('Tab');
		const skip = page.getByRole('button', { name: 'Skip to content' });
		expect(await skip.evaluate((button) => button === document.activeElement)).toBe(true);
		await page.keyboard.press('Enter');
		expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
		for (let step = 0; step < 12; step++) {
			await page.keyboard.press('Tab');
			const seen = await page.evaluate(() => {
				const focused = document.activeElement as HTMLElement;
				const style = getComputedStyle(focused);
				return { what: focused.outerHTML.slice(0, 100), outline: style.outlineStyle, width: Number.parseFloat(style.outlineWidth) };
			});
			expect(seen, seen.what).toMatchObject({ outline: 'solid' });
			expect(seen.width).toBeGreaterThanOrEqual(2);
		}
		await view.close();
	});

	test('a dialog takes the focus and gives it back', async () => {
		const view = await openView(hearth, { at: '/settings/profile' });
		const { page } = view;
		const create = page.getByRole('button', { name: 'Create' });
		await create.focus();
		await page.keyboard.press('Enter');
		const dialog = page.getByRole('dialog', { name: 'Create a profile' });
		await dialog.waitFor();
		await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.dialog') !== null)).toBe(true);
		await page.keyboard.press('Escape');
		await dialog.waitFor({ state: 'detached' });
		await expect.poll(() => create.evaluate((button) => button === document.activeElement)).toBe(true);
		await view.close();
	});
});
