import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import type { Connection } from '../../src/contract/client.ts';
import { type ModelServer, says, startModelServer } from '../support/model-server/index.ts';
import { addSoon, askedWith, doorOf, outcomesOf } from '../support/tasks-soon.ts';
import { expectAccessible, takePicture } from './support/browser.ts';
import { endDisplay, type HearthApp, launchHearth, temporaryHome } from './support/electron.ts';

let hearth: HearthApp | undefined;
let door: Connection | undefined;
let model: ModelServer | undefined;
let home = '';

const profileOf = (folder: string) => path.join(folder, 'profiles', 'default');

function prepare(config: Record<string, unknown>): void {
	mkdirSync(profileOf(home), { recursive: true, mode: 0o700 });
	writeFileSync(path.join(profileOf(home), 'config.json'), JSON.stringify({ version: 1, firstRunDone: true, ...config }));
}

async function launch(folder: string, words: string[] = []): Promise<HearthApp> {
	const launched = await launchHearth({ home: folder, words, env: { XDG_CONFIG_HOME: path.join(folder, 'config') } });
	await launched.runtimePid();
	door = await doorOf(profileOf(folder));
	return launched;
}

const rpc = () => {
	if (!door) throw new Error('no door is open');
	return door.rpc;
};

async function openDoor(folder: string): Promise<boolean> {
	door = await doorOf(profileOf(folder)).catch(() => undefined);
	return door !== undefined;
}

afterEach(async () => {
	door?.close();
	await hearth?.close();
	await model?.close();
	await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	hearth = undefined;
	model = undefined;
});
afterAll(endDisplay);

/** What the menu says of tasks, and the notifications there were. */
const menuOf = (of: HearthApp | undefined) =>
	of?.app.evaluate(({ Menu }) => {
		const tasks = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'Tasks');
		return tasks?.submenu?.items.map(({ label }) => label) ?? [];
	});
const keepNotifications = ({ app }: HearthApp) =>
	app.evaluate(({ BrowserWindow, Notification }) => {
		const kept: Electron.Notification[] = [];
		(globalThis as Record<string, unknown>).kept = kept;
		Notification.isSupported = () => true;
		Notification.prototype.show = function show(this: Electron.Notification) {
			kept.push(this);
		};
		// Without a window manager no window ever loses the focus.
		BrowserWindow.getFocusedWindow = () => null;
	});
const notified = async (of: HearthApp | undefined) =>
	(await of?.app.evaluate(() => ((globalThis as Record<string, unknown>).kept as Electron.Notification[]).map(({ title }) => title))) ?? [];

test('quitting says what will be missed; the window goes to the tray; start at login, hidden', async () => {
	home = await temporaryHome();
	prepare({});
	hearth = await launch(home);
	await keepNotifications(hearth);
	const state = (of: HearthApp | undefined) =>
		of?.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()));
	const answer = (of: HearthApp | undefined, response: number) =>
		of?.app.evaluate(({ dialog }, response) => {
			const asked: string[] = [];
			(globalThis as Record<string, unknown>).asked = asked;
			dialog.showMessageBox = (async (...words: unknown[]) => {
				const { message, detail } = words.at(-1) as Electron.MessageBoxOptions;
				asked.push(`${message}\n${detail}`);
				return { response, checkboxChecked: false };
			}) as typeof dialog.showMessageBox;
		}, response);
	const asked = (of: HearthApp | undefined) => of?.app.evaluate(() => (globalThis as Record<string, unknown>).asked as string[]);
	const entries = () => (existsSync(path.join(home, 'config/autostart')) ? readdirSync(path.join(home, 'config/autostart')) : []);
	const page = hearth.window;
	await page.locator('#msg').waitFor();
	await page.evaluate(() => {
		window.location.hash = '#/settings/general';
	});
	expect(entries()).toEqual([]);
	await page.getByRole('switch', { name: 'Start at login' }).click();
	await expect.poll(entries).toEqual([expect.stringMatching(/^hearth-default-[0-9a-f]{8}\.desktop$/)]);
	await page.getByRole('switch', { name: 'Start at login', checked: true }).waitFor();
	expect((await rpc().settings.get()).startAtLogin).toBe(true);
	await takePicture({ page }, 'electron-general');
	const entry = readFileSync(path.join(home, 'config/autostart', entries()[0] ?? ''), 'utf8');
	expect(entry).toMatch(new RegExp(`^Exec=.* --home ${home} --profile default --hidden$`, 'm'));

	await addSoon(rpc(), 'evening', 'Look around', 3_600_000);
	await expect.poll(() => menuOf(hearth)).toContainEqual(expect.stringMatching(/^Next: evening/));

	await answer(hearth, 0);
	await hearth.window.evaluate(() => window.hearthShell?.window('close'));
	await expect.poll(() => asked(hearth)).toEqual([expect.stringMatching(/Tasks are due within the next 24 hours[\s\S]*• evening, /)]);
	await expect.poll(() => state(hearth)).toEqual([false]);
	expect(await hearth.runtimePid()).toBeGreaterThan(0);

	// Where it is the rule, nothing is asked; that it goes on is said once.
	await rpc().settings.set({ keepInTray: true });
	const show = () => hearth?.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
	const hide = async (): Promise<void> => {
		await show();
		await hearth?.window.evaluate(() => window.hearthShell?.window('close'));
		await expect.poll(() => state(hearth)).toEqual([false]);
	};
	await expect.poll(async () => (await rpc().settings.get()).keepInTray).toBe(true);
	await hide();
	await hide();
	expect(await notified(hearth)).toEqual(['Hearth keeps running']);
	expect(await asked(hearth)).toHaveLength(1);

	// As the owner does it; the question is answered with Quit.
	await answer(hearth, 1);
	const ended = new Promise((resolve) => hearth?.app.process().once('exit', resolve));
	await hearth.app.evaluate(({ Menu }) => {
		const file = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'File');
		file?.submenu?.items.find(({ label }) => label === 'Quit Hearth')?.click();
	});
	await ended;
	door?.close();

	hearth = await launch(home, ['--hidden']);
	expect(await state(hearth)).toEqual([false]);
	await rpc().settings.set({ startAtLogin: false });
	await expect.poll(entries).toEqual([]);
	// What the entry starts is this app, hidden: here a second start, which leaves the window where it is.
	const command = /^Exec=(.*)$/m.exec(entry)?.[1] ?? '';
	const second: ChildProcess = spawn('sh', ['-c', command], { env: { ...process.env, HEARTH_HOME: home }, stdio: 'ignore' });
	expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
	expect(await state(hearth)).toEqual([false]);
	// A signal, as a shutdown of the system, is not held up by a question.
	const over = new Promise((resolve) => hearth?.app.process().once('exit', resolve));
	hearth.app.process().kill('SIGTERM');
	await over;
	hearth = undefined;
});

test('R5 the app is killed over a task that is due, then its runtime over one at work and another that is due: each runs exactly once', async () => {
	const server = await startModelServer();
	model = server;
	let held = false;
	server.script((request) => {
		if (held || askedWith([request], 'Count the bills') === 0) return says('Two bills are due.');
		held = true;
		return { steps: [{ type: 'silence', ms: 300_000 }] };
	});
	home = await temporaryHome();
	prepare({
		providers: [{ id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: server.url }],
		models: { chat: { providerId: 'ollama', modelId: 'scripted' } },
	});

	// The whole app dies before it is due, and comes back after.
	const launched = await launch(home);
	const caught = await addSoon(rpc(), 'caught-up', 'Caught up', 4_000);
	process.kill(await launched.runtimePid(), 'SIGKILL');
	const gone = new Promise((resolve) => launched.app.process().once('exit', resolve));
	launched.app.process().kill('SIGKILL');
	await gone;
	door?.close();
	await expect.poll(() => Date.now()).toBeGreaterThan(caught.next?.at ?? Number.POSITIVE_INFINITY);
	expect(askedWith(server.log.requests, 'Caught up')).toBe(0);
	hearth = await launch(home);
	await keepNotifications(hearth);

	// The runtime dies right after it has claimed a slot, before another one; the shell starts it again.
	const atWork = await addSoon(rpc(), 'at-work', 'Count the bills', 2_000);
	await expect.poll(() => held).toBe(true);
	const due = await addSoon(rpc(), 'due', 'Add them up', 4_000, { kind: 'notification' });
	process.kill(await hearth.runtimePid(), 'SIGKILL');
	door?.close();
	await expect.poll(() => openDoor(home)).toBe(true);
	for (const task of [caught, atWork, due]) {
		await expect.poll(() => outcomesOf(rpc(), task), { timeout: 60_000 }).toMatchObject([{ state: 'done', by: 'schedule', count: 1 }]);
	}
	for (const { draft } of [caught, atWork]) {
		const result = path.join(profileOf(home), 'workspace', `${draft.title}.txt`);
		await expect.poll(() => existsSync(result)).toBe(true);
		expect(readFileSync(result, 'utf8').match(/Two bills/g)).toHaveLength(1);
	}
	expect(['Count the bills', 'Add them up', 'Caught up'].map((words) => askedWith(server.log.requests, words))).toEqual([2, 1, 1]);
	await expect.poll(() => notified(hearth)).toEqual(['due: done']);

	const page = hearth.window;
	await hearth.app.evaluate(() => {
		((globalThis as Record<string, unknown>).kept as (Electron.Notification & NodeJS.EventEmitter)[])[0]?.emit('click');
	});
	await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/timeline\//);
	await page.getByRole('link', { name: /^Tasks/ }).click();
	for (const title of ['caught-up', 'at-work', 'due']) await page.getByText(title).first().waitFor();
	await expectAccessible({ page }, 'tasks that ran');
	await takePicture({ page }, 'electron-tasks');
});
