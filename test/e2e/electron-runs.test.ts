import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { calls, type ModelServer, type RecordedRequest, type Reply, says, startModelServer } from '../support/model-server/index.ts';
import { expectAccessible, takePicture } from './support/browser.ts';
import { endDisplay, type HearthApp, launchHearth, temporaryHome } from './support/electron.ts';

let hearth: HearthApp | undefined;
let model: ModelServer | undefined;
let home: string | undefined;

afterEach(async () => {
	await hearth?.close();
	await model?.close();
	if (home) await rm(home, { recursive: true, force: true });
	hearth = undefined;
	model = undefined;
	home = undefined;
});
afterAll(endDisplay);

const both = (...replies: Reply[]): Reply => ({ steps: replies.flatMap(({ steps = [] }) => steps) });
const done = (...ids: string[]) => calls('plan', { update: ids.map((id) => ({ id, state: 'done' })) });

/** What the model says after so many results. A reply is a step and so is each of its calls: twenty in all, and the 14th is a file. */
const REPLIES: readonly Reply[] = [
	calls('plan', { add: [{ text: 'Collect the bills' }, { text: 'Add them up' }, { text: 'Report' }] }),
	calls('list_files', {}),
	calls('write_file', { path: 'bills.csv', content: 'water,12\npower,30\n' }),
	calls('read_file', { path: 'bills.csv' }),
	calls('write_file', { path: 'sum.txt', content: '42\n' }),
	done('1', '2'),
	calls('write_file', { path: 'report.md', content: 'The bills come to 42.\n' }),
	calls('read_file', { path: 'report.md' }),
	both(calls('write_file', { path: 'done.txt', content: 'yes\n' }), done('3')),
];
const FINAL = 'The bills come to 42, and the report is written.';
/** Results that there are when the 14th step is done, and the model is asked for the 15th. */
const HELD = 7;

interface Body {
	messages: { role: string }[];
}
const resultsIn = ({ body }: RecordedRequest): number => (body as Body).messages.filter(({ role }) => role === 'tool').length;
/** How many results each call of the model came with: its place in the work. */
const asked = (server: ModelServer): number[] => server.log.requests.map(resultsIn);

test('R1 a run of 20 steps is killed when it has done 14: the window says so, it goes on by itself at 15, and nothing is done twice', async () => {
	model = await startModelServer();
	let held = false;
	model.script((request) => {
		const results = resultsIn(request);
		if (results === HELD && !held) {
			held = true;
			return { steps: [{ type: 'silence', ms: 300_000 }] };
		}
		return REPLIES[results] ?? says(FINAL);
	});
	home = await temporaryHome();
	const profile = path.join(home, 'profiles', 'default');
	mkdirSync(profile, { recursive: true, mode: 0o700 });
	const config = {
		version: 1,
		firstRunDone: true,
		providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: model.url }],
		models: { chat: { providerId: 'ollama', modelId: 'scripted' } },
	};
	writeFileSync(path.join(profile, 'config.json'), JSON.stringify(config));
	hearth = await launchHearth({ home });
	const page = hearth.window;
	page.setDefaultTimeout(30_000);
	const before = await hearth.runtimePid();
	await page.locator('#msg').fill('Add up the bills.');
	await page.locator('#msg').press('Enter');
	const reply = page.getByRole('article', { name: 'Hearth' }).last();
	await reply.getByRole('button', { name: /report\.md/ }).waitFor();
	await expect.poll(() => held).toBe(true);
	const written = ['bills.csv', 'sum.txt', 'report.md'].map((name) => path.join(profile, 'workspace', name));
	// A file that is written again is another one: it is put in place of the old.
	const nodes = written.map((file) => statSync(file).ino);

	process.kill(before, 'SIGKILL');
	await page.getByRole('status').filter({ hasText: 'Hearth’s runtime stopped and was started again.' }).waitFor();
	await page.getByText('What happened: it was ended by SIGKILL.').waitFor();
	expect(await hearth.runtimePid()).not.toBe(before);
	await reply.getByText(FINAL).waitFor();

	expect(asked(model)).toEqual([0, 1, 2, 3, 4, 5, 6, HELD, HELD, 8, 10]);
	expect(written.map((file) => statSync(file).ino)).toEqual(nodes);
	expect(readFileSync(path.join(profile, 'workspace', 'done.txt'), 'utf8')).toBe('yes\n');
	expect(await reply.getByRole('button', { name: /^(Wrote|Write)/ }).count()).toBe(4);
	await takePicture({ page }, 'electron-run-went-on');

	await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Timeline', exact: true }).click();
	await page
		.getByRole('navigation', { name: 'Run list' })
		.getByRole('link', { name: /Add up the bills/ })
		.click();
	const steps = page.getByRole('region', { name: 'Steps' });
	await steps.getByText(/Went on at .* with step 15\. Steps 1 to 14 did not run again\./).waitFor();
	expect(await steps.getByRole('link').count()).toBe(20);
	// Only the call that was cut off was made twice.
	await steps.getByRole('link').nth(14).getByText('2 tries').waitFor();
	expect(await steps.getByText('2 tries').count()).toBe(1);
	for (const theme of ['light', 'dark'] as const) {
		await page.evaluate((wanted) => window.hearthShell?.setTheme(wanted), theme);
		await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(theme === 'dark');
		await expectAccessible({ page }, `timeline after a crash, ${theme}`);
		await takePicture({ page }, `electron-run-timeline-${theme}`);
	}
});
