import { type BrowserWindow, MessageChannelMain, type MessagePortMain, type WebFrameMain } from 'electron';
import type { NotificationAnswer, RuntimeStatus, ShellCommand } from '../../src/contract/shell.ts';
import { COMMAND, NOTIFICATION_ANSWER, OPEN_RUN, OPEN_SESSION, OPEN_TASK, PORT, RUNTIME_STATUS } from '../shell-channels.ts';
import { createMainWindow, createQuickWindow, placeQuickWindow, showWindow, type WindowFiles } from './windows.ts';

export interface ViewsOptions {
	files: WindowFiles;
	stateFile: string;
	/** Gives one end of a channel to the runtime; false where none runs. */
	attach: (port: MessagePortMain) => boolean;
	/** What becomes of the main window that is to close. `wait`: nothing for now, whoever says so goes on. */
	onClosing: () => 'close' | 'hide' | 'wait';
	/** The main window comes without being shown, as at a login. */
	startsHidden: boolean;
	quitting: () => boolean;
	onMainClosed: () => void;
}

export interface Views {
	/** The main window, made anew where it was closed. */
	main(): BrowserWindow;
	/** Shows the main window and hands it a command. */
	command(command: ShellCommand): void;
	openSession(sessionId: string | undefined): void;
	/** Shows what a run asks. */
	openRun(runId: string): void;
	/** Hands the owner's answer to the main window, which gives it; the window stays where it is. */
	answer(answer: NotificationAnswer): void;
	/** Shows a task. */
	openTask(taskId: string): void;
	toggleQuick(): void;
	hideQuick(): void;
	/** Leaves the main window as it is, out of sight. */
	hideMain(): void;
	isQuick(window: BrowserWindow): boolean;
	/** The window whose main frame this is. */
	windowOf(frame: WebFrameMain): BrowserWindow | undefined;
	handPort(window: BrowserWindow): void;
	/** Tells every window; a new life of the runtime also means a new port for each. */
	runtimeChanged(status: RuntimeStatus): void;
	act(action: 'minimise' | 'maximise' | 'close' | 'hide', window: BrowserWindow): void;
}

/** The main window and the quick window, and what is sent to them. */
export function createViews(options: ViewsOptions): Views {
	const windows = new Set<BrowserWindow>();
	const loaded = new Set<BrowserWindow>();
	let mainWindow: BrowserWindow | undefined;
	let quickWindow: BrowserWindow | undefined;
	let { startsHidden } = options;

	const handPort = (window: BrowserWindow): void => {
		const { port1, port2 } = new MessageChannelMain();
		if (options.attach(port1)) window.webContents.postMessage(PORT, null, [port2]);
		else port2.close();
	};
	const adopt = (window: BrowserWindow): BrowserWindow => {
		windows.add(window);
		// Not `did-start-loading`: a route of the view and a frame in it start loading, too, and leave the page what it is.
		window.webContents.on('did-start-navigation', (details) => {
			if (details.isMainFrame && !details.isSameDocument) loaded.delete(window);
		});
		// Also after a reload: the page that held the last port is gone.
		window.webContents.on('did-finish-load', () => {
			loaded.add(window);
			handPort(window);
		});
		window.on('closed', () => {
			windows.delete(window);
			loaded.delete(window);
		});
		return window;
	};
	const main = (): BrowserWindow => {
		if (mainWindow) return mainWindow;
		const window = adopt(createMainWindow(options.files, options.stateFile, { hidden: startsHidden }));
		startsHidden = false;
		mainWindow = window;
		window.on('close', (event) => {
			const what = options.onClosing();
			if (what !== 'close') event.preventDefault();
			if (what === 'hide') window.hide();
		});
		window.on('closed', () => {
			mainWindow = undefined;
			options.onMainClosed();
		});
		return window;
	};
	const quick = (): BrowserWindow => {
		if (quickWindow) return quickWindow;
		const window = adopt(createQuickWindow(options.files));
		quickWindow = window;
		window.on('close', (event) => {
			if (options.quitting()) return;
			event.preventDefault();
			window.hide();
		});
		window.on('closed', () => {
			quickWindow = undefined;
		});
		return window;
	};
	const sendToMain = (channel: string, value: unknown): void => {
		const window = main();
		showWindow(window);
		window.webContents.send(channel, value);
	};

	return {
		main,
		command: (command) => sendToMain(COMMAND, command),
		openSession: (sessionId) => {
			if (sessionId === undefined) showWindow(main());
			else sendToMain(OPEN_SESSION, sessionId);
		},
		openRun: (runId) => sendToMain(OPEN_RUN, runId),
		openTask: (taskId) => sendToMain(OPEN_TASK, taskId),
		answer: (answer) => main().webContents.send(NOTIFICATION_ANSWER, answer),
		toggleQuick: () => {
			const window = quick();
			if (window.isVisible()) {
				window.hide();
				return;
			}
			placeQuickWindow(window);
			showWindow(window);
			window.webContents.send(COMMAND, 'focus_composer');
		},
		hideQuick: () => quickWindow?.hide(),
		hideMain: () => mainWindow?.hide(),
		isQuick: (window) => window === quickWindow,
		windowOf: (frame) => [...windows].find((window) => window.webContents.mainFrame === frame),
		handPort,
		runtimeChanged: (status) => {
			if (options.quitting()) return;
			for (const window of windows) {
				window.webContents.send(RUNTIME_STATUS, status);
				if (status.state === 'running' && loaded.has(window)) handPort(window);
			}
		},
		act: (action, window) => {
			if (action === 'minimise') window.minimize();
			else if (action === 'hide') window.hide();
			else if (action === 'close') window.close();
			else if (window.isMaximized()) window.unmaximize();
			else window.maximize();
		},
	};
}
