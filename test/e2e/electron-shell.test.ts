import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { dialSocket } from '../../src/app/socket.ts';
import { connect } from '../../src/contract/client.ts';
import { asRoot, cleanEnvironment, endDisplay, type HearthApp, launchHearth, prepareElectron } from './support/electron.ts';

const projectFolder = path.resolve(import.meta.dirname, '../..');
let hearth: HearthApp;

beforeAll(async () => {
	hearth = await launchHearth();
	await hearth.runtimePid();
});
afterAll(async () => {
	await hearth?.close();
	endDisplay();
});

test('the shell says which Electron is in use and how the runtime is hosted', async () => {
	const info = await hearth.window.evaluate(() => window.hearthShell?.info());
	const version = await hearth.app.evaluate(() => process.versions.electron);
	expect(info).toMatchObject({ electron: version, profile: 'default', quickWindow: false });
	expect(info?.runtime).toContain(version);
	expect(['utility-process', 'child-process']).toContain(info?.hostMode);
});

test('S4 the view is sandboxed, isolated, and has neither Node nor Electron', async () => {
	const seen = await hearth.window.evaluate(() => ({
		node: typeof (globalThis as Record<string, unknown>).require + typeof (globalThis as Record<string, unknown>).process,
		origin: location.origin,
		shell: Object.keys(window.hearthShell ?? {}).sort(),
	}));
	expect(seen.node).toBe('undefinedundefined');
	expect(seen.origin).toBe('app://bundle');
	expect(seen.shell).not.toContain('ipcRenderer');
	const preferences = await hearth.app.evaluate(({ BrowserWindow }) => {
		const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
		return contents.getLastWebPreferences();
	});
	expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false });
});

test('S4 the content policy is strict: no inline script, no eval, no remote content, no frame around it', async () => {
	const policy = await hearth.window.evaluate(async () => (await fetch('app://bundle/index.html')).headers.get('content-security-policy'));
	expect(policy).toContain("default-src 'none'");
	expect(policy).toContain("script-src 'self'");
	expect(policy).not.toContain("script-src 'self' 'unsafe");
	const result = await hearth.window.evaluate(async () => {
		const script = document.createElement('script');
		script.textContent = 'window.inlineRan = true';
		document.head.append(script);
		const remote = await fetch('https://example.com/').then(
			() => 'loaded',
			() => 'refused',
		);
		const image = await new Promise((resolve) => {
			const picture = new Image();
			picture.onload = () => resolve('loaded');
			picture.onerror = () => resolve('refused');
			picture.src = 'http://127.0.0.1:9/a.png';
		});
		const file = await fetch('file:///etc/passwd').then(
			() => 'loaded',
			() => 'refused',
		);
		return { inline: 'inlineRan' in window, remote, image, file };
	});
	expect(result).toEqual({ inline: false, remote: 'refused', image: 'refused', file: 'refused' });
});

test('S4 beneath the policy the session itself refuses every request to the net', async () => {
	const answers = await hearth.app.evaluate(async ({ session }) =>
		Promise.all(
			['https://example.com/', 'http://127.0.0.1:9/', 'ws://127.0.0.1:9/'].map((address) =>
				session.defaultSession.fetch(address).then(
					() => 'loaded',
					(error: Error) => error.message,
				),
			),
		),
	);
	expect(answers[0]).toContain('ERR_BLOCKED_BY_CLIENT');
	expect(answers[1]).toContain('ERR_BLOCKED_BY_CLIENT');
	expect(answers[2]).not.toBe('loaded');
});

test('S4 every permission is denied but writing to the clipboard', async () => {
	const asked = await hearth.window.evaluate(async () => {
		const state = async (name: string) =>
			navigator.permissions.query({ name: name as PermissionName }).then(
				(status) => status.state,
				() => 'unknown',
			);
		const names = ['geolocation', 'notifications', 'camera', 'microphone', 'midi', 'clipboard-read', 'persistent-storage'];
		const states: Record<string, string> = {};
		for (const name of names) states[name] = await state(name);
		const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
			() => 'granted',
			(error: Error) => error.name,
		);
		const notification = await Notification.requestPermission();
		return { states, media, notification, clipboard: await state('clipboard-write') };
	});
	for (const [name, state] of Object.entries(asked.states)) expect(state, name).not.toBe('granted');
	expect(asked.media).toMatch(/NotAllowedError|NotFoundError/);
	expect(asked.notification).toBe('denied');
	expect(asked.clipboard).toBe('granted');
});

test('S4 navigation, new windows and webviews are refused; links ask first', async () => {
	// The question is answered with Cancel, as the owner's Esc would.
	await hearth.app.evaluate(({ dialog }) => {
		const asked: string[] = [];
		(globalThis as Record<string, unknown>).asked = asked;
		dialog.showMessageBox = (async (...words: unknown[]) => {
			asked.push((words.at(-1) as { detail: string }).detail);
			return { response: 2, checkboxChecked: false };
		}) as typeof dialog.showMessageBox;
	});
	const before = hearth.window.url();
	const opened = await hearth.window.evaluate(() => {
		const other = window.open('https://example.com/new?window=1');
		const view = document.createElement('webview');
		view.setAttribute('src', 'https://example.com/webview');
		document.body.append(view);
		const frame = document.createElement('iframe');
		frame.src = 'https://example.com/frame';
		document.body.append(frame);
		location.href = 'https://example.com/navigated';
		return other === null;
	});
	expect(opened).toBe(true);
	await expect.poll(() => hearth.app.evaluate(() => (globalThis as Record<string, unknown>).asked)).toHaveLength(2);
	const asked = (await hearth.app.evaluate(() => (globalThis as Record<string, unknown>).asked)) as string[];
	expect(asked[0]).toContain('https://example.com/new?window=1');
	expect(asked[1]).toContain('https://example.com/navigated');
	await hearth.window.evaluate(() => window.hearthShell?.openExternal('mailto:a@example.com?bcc=b@example.com'));
	await expect
		.poll(() => hearth.app.evaluate(() => ((globalThis as Record<string, unknown>).asked as string[]).at(-1)))
		.toMatch(/mailto:a@example\.com$/);
	expect(hearth.window.url()).toBe(before);
	const counts = await hearth.app.evaluate(({ BrowserWindow, webContents }) => ({
		windows: BrowserWindow.getAllWindows().length,
		contents: webContents.getAllWebContents().length,
	}));
	expect(counts).toEqual({ windows: 1, contents: 1 });
	await hearth.window.reload();
	await hearth.window.waitForLoadState('load');
});

test('S4 the shell refuses calls of the wrong shape', async () => {
	const call = (name: string, input: unknown) =>
		hearth.window.evaluate(
			({ name, input }) =>
				(window.hearthShell as unknown as Record<string, (input: unknown) => Promise<unknown>>)[name]?.(input).then(
					() => 'taken',
					(error: Error) => error.message,
				),
			{ name, input },
		);
	expect(await call('switchProfile', '../../etc')).toContain('called wrongly');
	expect(await call('setTheme', 'pink')).toContain('called wrongly');
	expect(await call('saveFile', { filename: 1 })).toContain('called wrongly');
	expect(await call('notify', { title: 'a'.repeat(1_000), body: '' })).toContain('called wrongly');
	expect(await call('setTheme', 'dark')).toBe('taken');
	expect(await hearth.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
	await call('setTheme', 'system');
});

test('dur-1 a second start focuses the first and ends', async () => {
	const executable = await prepareElectron();
	await hearth.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
	const second = spawn(executable, [...asRoot(), projectFolder], { env: await cleanEnvironment({ HEARTH_HOME: hearth.home }) });
	let said = '';
	second.stdout.on('data', (data: Buffer) => {
		said += String(data);
	});
	const code = await new Promise((resolve) => second.once('exit', resolve));
	expect(code).toBe(0);
	expect(said).toContain('already open');
	await expect
		.poll(() =>
			hearth.app.evaluate(({ BrowserWindow }) =>
				BrowserWindow.getAllWindows().map((window) => window.isVisible() && !window.isMinimized()),
			),
		)
		.toEqual([true]);
	// The first is as alive as before, its lock untouched.
	expect(await hearth.runtimePid()).toBeGreaterThan(0);
});

test('settings changed through another door reach the shell: theme, and staying in the tray when the window closes', async () => {
	const transport = await dialSocket(path.join(hearth.home, 'profiles', 'default'));
	if (!transport) throw new Error('the runtime does not run');
	const { rpc, close } = await connect(transport, { client: 'test' });
	const state = () =>
		hearth.app.evaluate(({ BrowserWindow, nativeTheme }) => ({
			dark: nativeTheme.shouldUseDarkColors,
			visible: BrowserWindow.getAllWindows().some((window) => window.isVisible()),
		}));
	await rpc.settings.set({ theme: 'dark', keepInTray: true });
	await expect.poll(async () => (await state()).dark).toBe(true);
	await hearth.window.evaluate(() => window.hearthShell?.window('close'));
	await expect.poll(async () => (await state()).visible).toBe(false);
	// A second start is how an owner without a tray gets it back.
	const second = spawn(await prepareElectron(), [...asRoot(), projectFolder], {
		env: await cleanEnvironment({ HEARTH_HOME: hearth.home }),
	});
	await new Promise((resolve) => second.once('exit', resolve));
	await expect.poll(async () => (await state()).visible).toBe(true);
	await rpc.settings.set({ theme: 'light', keepInTray: false });
	await expect.poll(async () => (await state()).dark).toBe(false);
	close();
});

test('another profile opens beside it', async () => {
	const other = await launchHearth({ home: hearth.home, words: ['--profile', 'work'] });
	try {
		expect(await other.runtimePid()).not.toBe(await hearth.runtimePid());
		expect((await other.window.evaluate(() => window.hearthShell?.info()))?.profile).toBe('work');
	} finally {
		await other.close();
	}
});

test('the quick window comes from the menu as from the hotkey, and goes', async () => {
	const hotkey = (accelerator: string) => hearth.window.evaluate((keys) => window.hearthShell?.setHotkey(keys), accelerator);
	expect(await hotkey('CommandOrControl+Alt+Shift+F9')).toBe(true);
	expect(await hotkey('no such key at all')).toBe(false);
	expect(await hearth.window.evaluate(() => window.hearthShell?.info())).toMatchObject({ hotkeyRegistered: true });

	const opened = hearth.app.waitForEvent('window');
	await hearth.app.evaluate(({ Menu }) => {
		const file = Menu.getApplicationMenu()?.items.find((item) => item.label === 'File');
		file?.submenu?.items.find((item) => item.label === 'Quick question')?.click();
	});
	const quick = await opened;
	await quick.waitForLoadState('load');
	expect(new URL(quick.url()).hash).toBe('#/quick');
	expect(await quick.evaluate(() => window.hearthShell?.info())).toMatchObject({ quickWindow: true });
	const visible = () =>
		hearth.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length);
	await expect.poll(visible).toBe(2);
	await quick.evaluate(() => window.hearthShell?.window('hide'));
	await expect.poll(visible).toBe(1);
});

test('the window comes back with its size and place', async () => {
	const launched = await launchHearth({ home: hearth.home, words: ['--profile', 'placed'] });
	const wanted = { x: 60, y: 70, width: 900, height: 640 };
	await launched.app.evaluate(({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds), wanted);
	await launched.close();
	const again = await launchHearth({ home: hearth.home, words: ['--profile', 'placed'] });
	try {
		expect(await again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(wanted);
	} finally {
		await again.close();
	}
});
