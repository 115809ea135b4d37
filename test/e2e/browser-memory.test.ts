import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import { ChangeId, MemoryPath } from '../../src/domain/memory.ts';
import { insertChange } from '../../src/memory/change-store.ts';
import { insertConflict } from '../../src/memory/conflict-store.ts';
import { EMPTY_PLAN } from '../../src/memory/plan.ts';
import { closeViews, expectAccessible, goTo, takePicture } from './support/browser.ts';
import { type MemoryFiles, type MemoryScreen, openMemory } from './support/memory.ts';

let screen: MemoryScreen | undefined;
afterEach(async () => {
	await screen?.close();
	screen = undefined;
});
afterAll(closeViews);

const HOME = `# Home

- The boiler is serviced every March.
- The spare key is with the neighbours on the second floor.

## Meters

- Water stood at 312.4 on 1 March.

# Travel

- Window seats, please.
`;
const FILES: MemoryFiles = {
	'MEMORY.md': HOME,
	'memory/2026-11-01.md': '- Ann called about the bins.\n',
	'memory/people.md': '- Bo likes plums.\n',
};

/** Most of what is looked at here needs no model of meaning, which takes as long to load as a page. */
async function open(files: MemoryFiles = FILES, options: Parameters<typeof openMemory>[1] = {}): Promise<MemoryScreen> {
	screen = await openMemory(files, { embedding: false, ...options });
	return screen;
}
const fileOf = ({ hearth }: MemoryScreen, path = 'MEMORY.md'): string => readFileSync(join(hearth.profileFolder, path), 'utf8');
const dialog = ({ page }: MemoryScreen, name: string | RegExp) => page.getByRole('dialog', { name });

/** Opens an entry's row by its text. */
async function openEntry(memory: MemoryScreen, text: string): Promise<void> {
	await memory.entry(text).getByText(text).first().click();
	await memory.entry(text).getByRole('button', { name: 'Edit' }).waitFor();
}

/** The built-in responder writes it, out of this message. */
async function rememberInChat({ page }: MemoryScreen, fact: string): Promise<void> {
	await page.keyboard.press('Control+n');
	const field = page.getByRole('textbox', { name: 'Message' });
	await field.fill(`remember that ${fact}`);
	await page.keyboard.press('Enter');
	await page.getByText('I wrote this to your memory').first().waitFor();
	await page.keyboard.press('Control+Shift+M');
}

describe('the list', () => {
	test('M2 shows files, headings and entries, and where each came from; a file or heading in the tree shows only its own', async () => {
		const memory = await open();
		const { page } = memory;
		const tree = page.getByRole('navigation', { name: 'Memory files' });
		await memory.entry('The boiler').waitFor();
		for (const text of ['The spare key', 'Water stood', 'Window seats', 'Ann called', 'Bo likes'])
			await memory.entry(text).first().waitFor();
		await expect.poll(() => memory.entry('The spare key').textContent()).toMatch(/no source/);
		await page.getByRole('heading', { name: 'Home' }).waitFor();
		await tree.getByRole('link', { name: /^Travel/ }).click();
		await memory.entry('Window seats').waitFor();
		await expect.poll(() => memory.entry('The boiler').count()).toBe(0);
		expect(page.url()).toMatch(/#\/memory\/file\/MEMORY\.md\/-\/Travel$/);
		await tree.getByRole('link', { name: /^2026-11-01/ }).click();
		await memory.entry('Ann called').waitFor();
		await page.getByRole('heading', { name: 'Sunday, 1 November 2026' }).waitFor();
		await tree.getByRole('link', { name: 'All entries' }).click();
		await memory.entry('The boiler').waitFor();
		expect(memory.view.problems).toEqual([]);
	});

	test('filters leave what was asked for, say when nothing is left, and are cleared at once', async () => {
		const memory = await open();
		const { page } = memory;
		await rememberInChat(memory, 'small repairs are mine up to 120 euros');
		await memory.entry(/small repairs/i).waitFor();
		await page.getByRole('button', { name: 'Written by' }).click();
		await page.getByRole('menuitemcheckbox', { name: 'Hearth', exact: true }).click();
		await page.keyboard.press('Escape');
		await expect.poll(() => memory.entry('The boiler').count()).toBe(0);
		await memory.entry(/small repairs/i).waitFor();
		await page.getByRole('button', { name: 'Source' }).click();
		await page.getByRole('menuitemcheckbox', { name: 'A web page' }).click();
		await page.keyboard.press('Escape');
		await page.getByRole('heading', { name: 'No entry fits these filters' }).waitFor();
		await page.getByRole('button', { name: 'Clear filters' }).first().click();
		await memory.entry('The boiler').waitFor();
		await page.getByRole('button', { name: 'Date' }).click();
		await page.getByRole('button', { name: 'Older than that' }).click();
		await page.getByRole('heading', { name: 'No entry fits these filters' }).waitFor();
	});

	test('an empty memory says what will be there', async () => {
		const memory = await open({});
		await memory.page.getByRole('heading', { name: 'Nothing is remembered yet' }).waitFor();
		await expectAccessible(memory.view, 'empty memory');
	});

	test('10,000 entries: only those in view are in the page, the end is one key away, and a change above moves nobody', async () => {
		const lines = Array.from({ length: 10_000 }, (_, index) => `- Fact number ${index} about something.`);
		const memory = await open({ 'MEMORY.md': `# All\n\n${lines.join('\n')}\n` });
		const { page, list } = memory;
		await memory.entry('Fact number 0 ').waitFor();
		await list.focus();
		await page.keyboard.press('End');
		await memory.entry('Fact number 9999 ').waitFor();
		expect(await page.getByRole('article').count()).toBeLessThan(80);
		// In the middle of the list, another program adds lines above.
		await list.evaluate((view) => {
			view.scrollTop = view.scrollHeight / 2;
		});
		const seen = page.getByRole('article').filter({ hasText: /Fact number/ });
		await seen.first().waitFor();
		await page.waitForTimeout(500);
		const place = async () =>
			list.evaluate((view) => {
				const top = view.getBoundingClientRect().top;
				const row = [...view.querySelectorAll('article')].find((article) => article.getBoundingClientRect().top >= top);
				return {
					text: row?.querySelector('.entry-text')?.textContent ?? '',
					top: Math.round((row?.getBoundingClientRect().top ?? 0) - top),
				};
			});
		const before = await place();
		expect(before.text).toMatch(/^Fact number/);
		writeFileSync(join(memory.hearth.profileFolder, 'MEMORY.md'), `# All\n\n- New above.\n- Another above.\n${lines.join('\n')}\n`);
		const tree = page.getByRole('navigation', { name: 'Memory files' });
		await tree
			.getByRole('link', { name: /10002|10,002/ })
			.first()
			.waitFor();
		await expect.poll(place).toMatchObject({ text: before.text });
		expect(Math.abs((await place()).top - before.top)).toBeLessThan(40);
	});
});

test('S5 a file that is not text says so on its page, in the tree and under it; nothing is added there', async () => {
	const bad = { before: (folder: string) => writeFileSync(join(folder, 'memory', 'bad.md'), Buffer.from([0x2d, 0x20, 0xff, 0xfe, 0x0a])) };
	const memory = await open(FILES, bad);
	const { page } = memory;
	const files = page.getByRole('region', { name: 'Files', exact: true });
	await files.getByText('1 file is not read').waitFor();
	await files.getByRole('link', { name: /^bad\.md.*not read/ }).click();
	const problem = page.getByRole('alert').filter({ hasText: 'is not text in UTF-8' });
	await problem.getByText('save it as UTF-8').waitFor();
	expect(await page.getByRole('heading', { name: /^Nothing in/ }).count()).toBe(0);
	expect(await page.getByRole('region', { name: 'Entries', exact: true }).getByRole('button', { name: 'Add an entry' }).count()).toBe(0);
	await expectAccessible(memory.view, 'a file that is not read');
	await takePicture(memory.view, 'memory-not-read');
	writeFileSync(join(memory.hearth.profileFolder, 'memory', 'bad.md'), '- Mended.\n');
	await memory.entry('Mended.').waitFor();
	await problem.waitFor({ state: 'detached' });
});

describe('search', () => {
	test('M5 shows what fits, its place, and on demand what the score is made of; nothing found is said', async () => {
		const memory = await open(FILES, { embedding: true });
		const { page } = memory;
		await memory.entry('The boiler').waitFor();
		const field = page.getByRole('searchbox', { name: 'Search memory' });
		await field.fill('spare key');
		const hit = memory.entry('The spare key').first();
		await hit.getByText('MEMORY.md › Home').waitFor();
		await hit.getByText('line 4').waitFor();
		await hit.getByRole('button', { name: /^Score/ }).click();
		expect(await hit.getByRole('table').getByRole('row').count()).toBeGreaterThan(1);
		await takePicture(memory.view, 'memory-search');
		await page.getByRole('button', { name: 'Source' }).click();
		await page.getByRole('menuitemcheckbox', { name: 'A web page' }).click();
		await page.keyboard.press('Escape');
		await page.getByRole('heading', { name: 'Nothing in memory fits “spare key”' }).waitFor();
		await page.getByText('The filters leave nothing of it.').waitFor();
		await page.getByRole('button', { name: 'Clear filters' }).click();
		await hit.waitFor();
		await field.press('Escape');
		await memory.entry('Window seats').waitFor();
	});
});

describe('changing an entry', () => {
	test('M4 edit in place, its versions word by word, an earlier text brought back, undo', async () => {
		const memory = await open();
		const { page } = memory;
		await openEntry(memory, 'The boiler');
		await page.keyboard.press('e');
		const area = page.getByRole('textbox', { name: 'Text of the entry' });
		await area.fill('The boiler is serviced every April.');
		await page.keyboard.press('Control+Enter');
		await memory.entry('every April').getByText('You wrote it').waitFor();
		expect(fileOf(memory)).toContain('- The boiler is serviced every April.\n');
		await page.keyboard.press('h');
		const versions = dialog(memory, 'Versions');
		await versions.locator('del', { hasText: 'March' }).waitFor();
		await versions.locator('ins', { hasText: 'April' }).waitFor();
		await takePicture(memory.view, 'memory-versions');
		await versions.getByRole('button', { name: 'Bring back' }).first().click();
		await memory.entry('every March').waitFor();
		expect(fileOf(memory)).toContain('- The boiler is serviced every March.\n');
		await page.keyboard.press('Escape');
		await versions.waitFor({ state: 'detached' });
		await openEntryAgain(memory, 'every March');
		await page.keyboard.press('z');
		await memory.entry('every April').waitFor();
		await expect.poll(() => fileOf(memory)).toContain('every April');
	});

	test('M4 undo at an entry takes back what one save in an editor did to this entry, and nothing else of that save', async () => {
		const memory = await open();
		const { page } = memory;
		await openEntry(memory, 'Window seats');
		const edited = `${HOME.replace('Window seats', 'Aisle seats')}\n## Garden\n\n- Roses want sun.\n- Ivy does not.\n`;
		writeFileSync(join(memory.hearth.profileFolder, 'MEMORY.md'), edited);
		await memory.entry('Aisle seats').getByRole('button', { name: 'Undo' }).click();
		const saysSo = page.locator('.toast').filter({ hasText: 'What else was saved with it stays.' });
		await saysSo.waitFor();
		await memory.entry('Window seats').waitFor();
		expect(fileOf(memory)).toBe(edited.replace('Aisle seats', 'Window seats'));
		await openEntry(memory, 'Roses want sun');
		await page.keyboard.press('z');
		await expect.poll(() => memory.entry('Roses want sun').count()).toBe(0);
		expect(fileOf(memory)).toBe(edited.replace('Aisle seats', 'Window seats').replace('- Roses want sun.\n', ''));
		await saysSo.last().getByRole('button', { name: 'Undo' }).click();
		await memory.entry('Roses want sun').waitFor();
	});

	test('Esc leaves an entry as it was; the edit of one that another program changes shows both texts and loses none (M3)', async () => {
		const memory = await open();
		const { page } = memory;
		await openEntry(memory, 'The spare key');
		await page.keyboard.press('e');
		const area = page.getByRole('textbox', { name: 'Text of the entry' });
		await area.fill('Gone');
		await page.keyboard.press('Escape');
		await memory.entry('The spare key is with the neighbours on the second floor.').waitFor();
		await page.keyboard.press('e');
		await area.fill('The spare key is with Ann.');
		writeFileSync(join(memory.hearth.profileFolder, 'MEMORY.md'), HOME.replace('on the second floor', 'on the fourth floor'));
		const note = page.getByRole('alert').filter({ hasText: 'This entry changed while you were editing' });
		await note.getByText('on the fourth floor').waitFor();
		expect(await area.inputValue()).toBe('The spare key is with Ann.');
		await takePicture(memory.view, 'memory-stale-edit');
		await note.getByRole('button', { name: 'Save mine over it' }).click();
		await memory.entry('The spare key is with Ann.').waitFor();
		await expect.poll(() => fileOf(memory)).toContain('- The spare key is with Ann.\n');
	});

	test('mem-8 a newer fact keeps the old one as past', async () => {
		const memory = await open();
		const { page } = memory;
		await openEntry(memory, 'Window seats');
		await page.keyboard.press('e');
		await page.getByRole('textbox', { name: 'Text of the entry' }).fill('Aisle seats, please.');
		await page.getByRole('button', { name: 'Save as newer' }).click();
		await memory.entry('Aisle seats').waitFor();
		const old = memory.entry('Window seats');
		await old.getByText(/Was true until/).waitFor();
		await old.getByRole('link', { name: 'Show the newer one' }).click();
		await memory.entry('Aisle seats').getByRole('button', { name: 'Edit' }).waitFor();
	});

	test('move, valid until, take out and undo, add under a heading', async () => {
		const memory = await open();
		const { page } = memory;
		await openEntry(memory, 'Water stood');
		// Questions give the focus back to the row, from which the keys go on.
		const focused = () => page.evaluate(() => document.activeElement?.querySelector('.entry-text')?.textContent);
		await page.keyboard.press('w');
		await dialog(memory, 'Why is this here?').waitFor();
		await page.keyboard.press('Escape');
		await expect.poll(focused).toContain('Water stood');
		await page.keyboard.press('m');
		const move = dialog(memory, 'Move this entry');
		await move.getByRole('combobox', { name: 'Under' }).click();
		await page.getByRole('option', { name: 'Travel' }).click();
		await move.getByRole('button', { name: 'Move' }).click();
		await move.waitFor({ state: 'detached' });
		await expect.poll(() => fileOf(memory)).toMatch(/# Travel[\s\S]*- Water stood/);
		await takePicture(memory.view, 'memory-moved');

		await memory.entry('Water stood').getByRole('button', { name: 'More' }).click();
		await page.getByRole('menuitem', { name: 'Valid from and until…' }).click();
		const validity = dialog(memory, 'When does this hold?');
		await validity.getByLabel('Until, this day included').fill('2099-12-31');
		await validity.getByRole('button', { name: 'Save' }).click();
		await memory.entry('Water stood').getByText('until 31 December 2099').waitFor();

		await memory.entry('Water stood').getByRole('button', { name: 'More' }).click();
		await page.getByRole('menuitem', { name: 'Take out of the file' }).click();
		await expect.poll(() => memory.entry('Water stood').count()).toBe(0);
		await expect.poll(() => memory.list.evaluate((list) => list === document.activeElement)).toBe(true);
		await page.locator('.toast').filter({ hasText: 'Taken out of MEMORY.md.' }).getByRole('button', { name: 'Undo' }).click();
		await memory.entry('Water stood').waitFor();

		await page.getByRole('button', { name: 'Add an entry' }).first().click();
		const add = dialog(memory, 'Add to memory');
		await add.getByLabel('What should be remembered?').fill('Night trains are fine.');
		// Closed by mistake, its words are there when it opens again.
		await page.keyboard.press('Escape');
		await add.waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'Add an entry' }).first().click();
		expect(await add.getByLabel('What should be remembered?').inputValue()).toBe('Night trains are fine.');
		await add.getByRole('combobox', { name: 'File' }).click();
		await page.getByRole('option', { name: 'MEMORY.md' }).click();
		await add.getByRole('combobox', { name: 'Under' }).click();
		await page.getByRole('option', { name: 'Travel' }).click();
		await add.getByRole('button', { name: 'Add', exact: true }).click();
		await memory.entry('Night trains').waitFor();
		expect(fileOf(memory)).toMatch(/# Travel[\s\S]*- Night trains are fine\./);
	});

	test('M4 forget shows first where the text is, then that no file holds it any more', async () => {
		const memory = await open();
		const { page } = memory;
		await openEntry(memory, 'The spare key');
		await page.keyboard.press('Delete');
		const ask = dialog(memory, 'Forget this everywhere?');
		await ask.getByText('It is in').waitFor();
		await ask.getByText(/memory file/).waitFor();
		await expectAccessible(memory.view, 'forget');
		await takePicture(memory.view, 'memory-forget');
		await ask.getByRole('button', { name: 'Forget it' }).click();
		const done = dialog(memory, 'It is forgotten');
		await done.getByText(/files of the profile were read again/).waitFor();
		await done.getByRole('button', { name: 'Close' }).click();
		await expect.poll(() => memory.entry('The spare key').count()).toBe(0);
		expect(fileOf(memory)).not.toContain('spare key');
		expect(fileOf(memory)).toContain('The boiler');
	});
});

test('mem-10 two texts for one place are both shown, and the owner chooses', async () => {
	const file = MemoryPath.parse('MEMORY.md');
	const changeId = ChangeId.parse('change-1');
	const memory = await open(FILES, {
		before: (profileFolder) => {
			const db = openStateDb({
				file: join(profileFolder, 'state.db'),
				backupsFolder: join(profileFolder, 'backups'),
				logger: silentLogger,
			});
			db.write((tx) => {
				const change = {
					id: changeId,
					file,
					kind: 'patch',
					status: 'given_up',
					stepKey: undefined,
					beforeHash: '',
					afterHash: '',
					at: 1,
				} as const;
				const provenance = { author: 'owner', label: 'owner', origin: 'owner', sources: [], at: 1 } as const;
				insertChange(tx, { ...change, hunks: [], plan: EMPTY_PLAN, provenance: { ...provenance, sources: [] } });
				const texts = { ours: '- The spare key is with Ann.', theirs: '- The spare key is with the neighbours on the second floor.' };
				insertConflict(tx, { id: 'conflict-1', file, changeId, at: 1, ...texts });
			});
			db.close();
		},
	});
	const { page } = memory;
	const card = page.getByRole('region', { name: 'Two texts for one place in MEMORY.md' });
	await card.getByText('The spare key is with Ann.').waitFor();
	await card.getByText('The spare key is with the neighbours on the second floor.').waitFor();
	await expectAccessible(memory.view, 'conflict');
	await takePicture(memory.view, 'memory-conflict');
	await card.getByRole('button', { name: 'Keep both' }).click();
	await memory.entry('The spare key is with Ann.').waitFor();
	await card.waitFor({ state: 'detached' });
	expect(fileOf(memory)).toContain('The spare key is with the neighbours on the second floor.');
});

/** The row may have moved in the page: the focus goes back to it. */
async function openEntryAgain(memory: MemoryScreen, text: string): Promise<void> {
	await memory.entry(text).focus();
}

test('M2 why is this here: the whole chain, and a source that leads to the very message with its words marked', async () => {
	const memory = await open();
	const { page } = memory;
	await rememberInChat(memory, 'small repairs are mine up to 120 euros');
	const row = memory.entry(/small repairs/i);
	await row.focus();
	await page.keyboard.press('w');
	const why = dialog(memory, 'Why is this here?');
	await why.getByText('Added by Hearth').waitFor();
	await why.getByText('You said in').waitFor();
	await expectAccessible(memory.view, 'why');
	await takePicture(memory.view, 'memory-why');
	await why.getByRole('button', { name: /remember that small repairs/ }).click();
	await page.locator('.turn.found').getByText('remember that small repairs').waitFor();
	const marked = await page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String));
	expect(marked.join(' ').toLowerCase()).toContain('small repairs are mine');

	const { rpc, close } = await memory.rpc();
	const [session] = (await rpc.sessions.list()).sessions.filter(({ title }) => title.includes('small repairs'));
	if (!session) throw new Error('no session');
	await rpc.sessions.delete({ sessionId: session.id });
	close();
	await goTo(memory.view, '/memory');
	await row.getByText(/conversation deleted/).waitFor();
});

test('everything by keyboard: rows, Enter, versions, adding, search, and the files by arrows and first letters', async () => {
	const memory = await open();
	const { page, list } = memory;
	await memory.entry('The boiler').waitFor();
	const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
	await list.focus();
	await page.keyboard.press('j');
	await expect.poll(focused).toContain('Home');
	await page.keyboard.press('ArrowDown');
	await expect.poll(focused).toContain('The boiler');
	await page.keyboard.press('j');
	await expect.poll(focused).toContain('The spare key');
	await page.keyboard.press('k');
	await expect.poll(focused).toContain('The boiler');
	await page.keyboard.press('Enter');
	await memory.entry('The boiler').getByRole('button', { name: 'Edit' }).waitFor();
	await page.keyboard.press('h');
	await dialog(memory, 'Versions').waitFor();
	await page.keyboard.press('Escape');
	await dialog(memory, 'Versions').waitFor({ state: 'detached' });
	await page.keyboard.press('n');
	await dialog(memory, 'Add to memory').waitFor();
	await page.keyboard.type('Typed without a mouse.');
	await page.keyboard.press('Control+Enter');
	await memory.entry('Typed without a mouse.').waitFor();
	await list.focus();
	await page.keyboard.press('/');
	await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search memory');
	const tree = page.getByRole('navigation', { name: 'Memory files' });
	await tree.getByRole('link', { name: 'All entries' }).focus();
	await page.keyboard.press('ArrowDown');
	await expect.poll(focused).toContain('MEMORY.md');
	await page.keyboard.type('tr');
	await expect.poll(focused).toContain('Travel');
	await page.keyboard.press('Enter');
	await memory.entry('Window seats').waitFor();
	await goTo(memory.view, '/settings/keyboard');
	await page.getByRole('row', { name: 'Its versions H' }).waitFor();
	await page.keyboard.press('Control+Shift+M');
	await page.getByRole('main').getByRole('heading', { name: 'Memory', exact: true }).waitFor();
	await page.keyboard.press('Control+k');
	await dialog(memory, 'Command palette').getByRole('combobox').waitFor();
	await page.keyboard.type('2026-11-01');
	await page.getByRole('option', { name: /memory\/2026-11-01\.md/ }).waitFor();
	await page.keyboard.press('Enter');
	await memory.entry('Ann called').waitFor();
	expect(memory.view.problems).toEqual([]);
});

test('both themes and all widths: no finding of axe, nothing wider than the window, the files one step back', async () => {
	const { page, view } = await open();
	const inBothThemes = async (look: (theme: string) => Promise<void>): Promise<void> => {
		for (const theme of ['dark', 'light'] as const) {
			await page.emulateMedia({ colorScheme: theme });
			await look(theme);
		}
	};
	for (const width of [1280, 960, 640, 320]) {
		await page.setViewportSize({ width, height: 800 });
		await goTo(view, '/memory');
		await page.reload();
		const row = page.getByRole('article').filter({ hasText: 'The spare key' });
		await row.getByText('The spare key').first().click();
		await row.getByRole('button', { name: 'Edit' }).waitFor();
		await inBothThemes(async (theme) => {
			await expectAccessible(view, `memory ${theme} ${width}`);
			await takePicture(view, `memory-${width}-${theme}`);
		});
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
		await row.getByRole('button', { name: /version/ }).click();
		await page.getByRole('dialog', { name: 'Versions' }).getByRole('listitem').first().waitFor();
		await inBothThemes(async (theme) => {
			await expectAccessible(view, `versions ${theme} ${width}`, ['region']);
			await takePicture(view, `memory-versions-${width}-${theme}`);
		});
		if (width < 760) {
			await page.keyboard.press('Escape');
			await page.getByRole('button', { name: 'Show files' }).click();
			const tree = page.getByRole('navigation', { name: 'Memory files' });
			await tree.getByRole('link', { name: /^people\.md/ }).waitFor();
			await inBothThemes((theme) => takePicture(view, `memory-files-${width}-${theme}`));
			await tree.getByRole('link', { name: /^people\.md/ }).click();
			await page.getByRole('article').filter({ hasText: 'Bo likes plums' }).waitFor();
		}
	}
	expect(view.problems).toEqual([]);
});

test('settings: the model of meaning, a server that does not answer is refused in words, the index is built anew', async () => {
	const memory = await open(FILES, { embedding: true });
	const { page } = memory;
	await goTo(memory.view, '/settings/memory');
	await page.getByText(/Model in use/).waitFor();
	await expectAccessible(memory.view, 'settings memory');
	await takePicture(memory.view, 'settings-memory');
	await page.getByRole('button', { name: 'Rebuild the index' }).click();
	await page.getByText('All entries can be found').waitFor();
	await page.getByRole('combobox', { name: 'Finding by meaning' }).click();
	await page.getByRole('option', { name: /A model in Ollama/ }).click();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Name the model.').waitFor();
	await page.getByLabel('Address').fill('http://127.0.0.1:2');
	await page.getByLabel('Model', { exact: true }).fill('nomic-embed-text');
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('alert').waitFor();
	await page.getByRole('combobox', { name: 'Finding by meaning' }).click();
	await page.getByRole('option', { name: /Words only/ }).click();
	await page.getByText('No model: by words only').waitFor();
	await goTo(memory.view, '/memory');
	await page.getByRole('searchbox', { name: 'Search memory' }).fill('boiler');
	await page.getByText('Found by words only: the model for meaning is off.').waitFor();
	await memory.entry('The boiler').first().waitFor();
});
