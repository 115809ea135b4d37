import path from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, powerMonitor, session, shell } from 'electron';
import type { ShellCommand } from '../../src/contract/shell.ts';
import type { createStrings } from '../../src/contract/strings/index.ts';
import { ShellSettings } from '../host-protocol.ts';
import { serveApp } from './app-protocol.ts';
import { HIDDEN, wordsForProfile } from './command-line.ts';
import { chooseHostMode, describeElectron, HEARTH_VERSION } from './describe-electron.ts';
import { openExternalAddress } from './external-links.ts';
import { createHotkey } from './hotkey.ts';
import { readJson, writeJson } from './json-file.ts';
import { keychainCall, keychainState } from './keychain.ts';
import { lockContents, lockSession } from './lockdown.ts';
import { createLoginItem } from './login-item.ts';
import { watchMachine } from './machine.ts';
import { installMenu } from './menu.ts';
import { createNotifier } from './notifications.ts';
import { findAppFiles } from './paths.ts';
import { createQuit } from './quit-question.ts';
import { runtimeSpawner } from './runtime-spawner.ts';
import { createRuntimeSupervisor } from './runtime-supervisor.ts';
import { saveFileAs, serveShellApi } from './shell-api.ts';
import { createTray, type HearthTray } from './tray.ts';
import { createTrayNotice } from './tray-notice.ts';
import { createViews } from './views.ts';
import { CUSTOM_TITLE_BAR, showWindow } from './windows.ts';
import { createWorkShown } from './work-shown.ts';

export interface ShellOptions {
	home: string;
	profile: string;
	userData: string;
	strings: ReturnType<typeof createStrings>;
	/** The window waits until it is wanted. */
	hidden: boolean;
}

const FIRST_PAINT_PATIENCE_MS = 2_000;

/** Wires the shell together. Wiring only. */
export function startShell({ home, profile, userData, strings, hidden }: ShellOptions): void {
	const files = findAppFiles(process.env);
	const profileFolder = path.join(home, 'profiles', profile);
	const settingsFile = path.join(userData, 'shell-settings.json');
	let settings: ShellSettings = readJson(settingsFile, ShellSettings) ?? {
		theme: 'system',
		quickWindowHotkey: '',
		notifications: true,
		keepInTray: false,
		startAtLogin: false,
		askBeforeQuit: true,
	};
	let quitting = false;
	let tray: HearthTray | undefined;

	nativeTheme.themeSource = settings.theme;
	serveApp(session.defaultSession, files.renderer);
	lockSession(session.defaultSession);
	app.on('web-contents-created', (_event, contents) =>
		lockContents(contents, (address) => {
			void openExternalAddress(address, BrowserWindow.fromWebContents(contents) ?? undefined, strings);
		}),
	);

	const asked = app.commandLine.getSwitchValue('host-mode') || (app.isPackaged ? undefined : process.env.HEARTH_HOST_MODE);
	const ownEntry = !app.isPackaged && Boolean(process.env.HEARTH_RUNTIME_ENTRY);
	const hostMode = chooseHostMode(asked, process.versions.napi, ownEntry);
	const electronWhy = describeElectron({
		version: process.versions.electron,
		packaged: app.isPackaged,
		why: process.env.HEARTH_ELECTRON_WHY,
	});

	const views = createViews({
		files,
		stateFile: path.join(userData, 'window-state.json'),
		attach: (port) => supervisor.attach(port),
		startsHidden: hidden,
		onClosing: () => {
			if (quitting) return 'close';
			// There an app goes on without a window, and only a window hears what to notify of.
			if (process.platform === 'darwin') return 'hide';
			if (settings.keepInTray && tray) {
				trayNotice.windowClosed();
				return 'hide';
			}
			if (!quit.wouldAsk()) return 'close';
			quit.byOwner('closed');
			return 'wait';
		},
		quitting: () => quitting,
		onMainClosed: () => {
			if (process.platform !== 'darwin') app.quit();
		},
	});
	const supervisor = createRuntimeSupervisor({
		spawn: runtimeSpawner(hostMode, files, app.isPackaged, strings),
		start: () => ({
			home,
			profile,
			hostMode,
			rendererFolder: hostMode === 'child-process' ? files.rendererOutside : files.renderer,
			electronWhy,
			versions: { hearth: HEARTH_VERSION, electron: process.versions.electron, chrome: process.versions.chrome },
			keychain: keychainState(),
		}),
		strings,
		keychain: keychainCall,
		onStatus: (status) => views.runtimeChanged(status),
		onSettings: (next) => {
			loginItem.follow(next.startAtLogin, settings.startAtLogin);
			settings = next;
			nativeTheme.themeSource = next.theme;
			hotkey.set(next.quickWindowHotkey);
			writeJson(settingsFile, next);
		},
		onWork: ({ state, findings, tasks }) => work.told({ state, findings, tasks }),
	});
	const work = createWorkShown((told) => {
		tray?.setWork(told);
		installMenu(strings, menuActions, { development: !app.isPackaged, work: told });
	});
	const loginItem = createLoginItem({ home, profile, name: strings('app.name'), icon: files.icon });
	const quit = createQuit({
		strings,
		asks: () => settings.askBeforeQuit,
		nextAt: () => work.now().tasks.next?.at,
		coming: (until) => supervisor.coming(until),
		hasTray: () => tray !== undefined,
		ask: (question) => dialog.showMessageBox(question),
		keepRunning: (always) => {
			views.hideMain();
			if (always) supervisor.keepInTray();
		},
		quit: () => app.quit(),
	});
	const hotkey = createHotkey(() => views.toggleQuick());
	const notify = createNotifier({
		icon: files.icon,
		onClick: ({ command, runId, taskId, sessionId }) => {
			if (command) views.command(command);
			else if (runId) views.openRun(runId);
			else if (taskId) views.openTask(taskId);
			else views.openSession(sessionId);
		},
		onAnswer: (answer) => views.answer(answer),
	});
	const trayNotice = createTrayNotice({
		file: path.join(userData, 'told.json'),
		notify: () =>
			settings.notifications &&
			notify({ title: strings('tray.keepsRunning', { name: strings('app.name') }), body: strings('tray.keepsRunningBody') }),
	});
	const command = (name: ShellCommand): void => views.command(name);
	const menuActions = {
		command,
		pauseAll: () => supervisor.work('pause_all'),
		resumeAll: () => supervisor.work('resume_all'),
		quick: () => views.toggleQuick(),
		quit: () => quit.byOwner('quit'),
	};

	serveShellApi((frame) => views.windowOf(frame), {
		info: (_input, window) => ({
			platform: process.platform,
			electron: process.versions.electron,
			chrome: process.versions.chrome,
			runtime: electronWhy,
			hostMode,
			profile,
			customTitleBar: CUSTOM_TITLE_BAR,
			quickWindow: views.isQuick(window),
			keychain: keychainState(),
			hotkeyRegistered: hotkey.registered(),
			canStartAtLogin: loginItem.possible,
		}),
		runtimeStatus: () => supervisor.status(),
		requestPort: (_input, window) => views.handPort(window),
		restartRuntime: () => supervisor.restart(),
		switchProfile: (name) => {
			if (name === profile) return;
			app.relaunch({ args: wordsForProfile(process.argv.slice(1), name) });
			app.quit();
		},
		saveFile: (file, window) => saveFileAs(file, app.getPath('downloads'), window),
		showProfileFolder: async () => {
			await shell.openPath(profileFolder);
		},
		openMemoryFile: async (file) => {
			const problem = await shell.openPath(path.join(profileFolder, file));
			if (problem) throw new Error(problem);
		},
		openExternal: (address, window) => openExternalAddress(address, window, strings),
		notify: (content) => {
			// Who looks at a window of Hearth sees it there.
			if (!settings.notifications || BrowserWindow.getFocusedWindow() !== null) return false;
			return notify(content);
		},
		setTheme: (theme) => {
			nativeTheme.themeSource = theme;
		},
		setHotkey: (accelerator) => hotkey.set(accelerator),
		setStartAtLogin: (on) => loginItem.set(on),
		window: (action, window) => views.act(action, window),
		openInMainWindow: (sessionId) => {
			views.hideQuick();
			views.openSession(sessionId);
		},
	});

	// The window comes first, and the view's first paint before everything that would compete with it for the processor.
	views.main();
	afterFirstPaint(views.main(), () => {
		supervisor.start();
		tray = createTray(files.assets, strings, {
			...menuActions,
			open: () => showWindow(views.main()),
			newChat: () => command('new_chat'),
			tasks: () => command('tasks'),
			findings: () => command('inbox_findings'),
			background: () => command('settings_background'),
		});
		work.again();
		powerMonitor.on('resume', () => work.again());
		// Nothing is asked then, and the databases are closed in time.
		powerMonitor.on('shutdown', () => app.quit());
		watchMachine((noticed) => supervisor.noticed(noticed));
		hotkey.set(settings.quickWindowHotkey);
	});

	app.on('second-instance', (_event, words) => {
		if (!words.includes(HIDDEN)) showWindow(views.main());
	});
	app.on('activate', () => showWindow(views.main()));
	app.on('window-all-closed', () => {
		if (process.platform !== 'darwin') app.quit();
	});
	app.on('before-quit', () => {
		quitting = true;
	});
	let stopped = false;
	app.on('will-quit', (event) => {
		hotkey.clear();
		if (stopped) return;
		event.preventDefault();
		void supervisor.stop().finally(() => {
			stopped = true;
			// Not within this event: where nothing has to be waited for, the quit under way would swallow this one.
			setImmediate(() => app.quit());
		});
	});
}

/** Once, when the view has painted; after a while in any case, so that a broken view does not keep the runtime away. */
function afterFirstPaint(window: BrowserWindow, work: () => void): void {
	const patience = setTimeout(() => begin(), FIRST_PAINT_PATIENCE_MS);
	const begin = (): void => {
		clearTimeout(patience);
		if (!window.isDestroyed()) window.off('ready-to-show', begin);
		work();
	};
	window.once('ready-to-show', begin);
}
