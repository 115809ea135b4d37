import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { APP_ORIGIN } from './addresses.ts';
import { readJson, writeJson } from './json-file.ts';
import { fitToDisplays, SMALLEST, WindowState } from './window-state.ts';

/** The view draws its own title bar, as in the design; macOS keeps its own buttons in it. */
export const CUSTOM_TITLE_BAR = process.platform !== 'darwin';
const SAVE_AFTER_MS = 400;
/** A view that crashes again within this time is left alone, so that it does not flicker for ever. */
const RELOAD_PAUSE_MS = 10_000;
const QUICK = { width: 640, height: 420 };

export interface WindowFiles {
	preload: string;
	icon: string;
}

function webPreferences(files: WindowFiles): Electron.WebPreferences {
	return {
		preload: files.preload,
		sandbox: true,
		contextIsolation: true,
		nodeIntegration: false,
		webviewTag: false,
		// Chromium would fetch its dictionaries from the net; macOS has its own.
		spellcheck: process.platform === 'darwin',
	};
}

/** The colour behind the view until its first paint, so that a dark desktop sees no white flash. */
function background(): string {
	return nativeTheme.shouldUseDarkColors ? '#161412' : '#efece8';
}

export function createMainWindow(files: WindowFiles, stateFile: string, { hidden }: { hidden: boolean }): BrowserWindow {
	const remembered = readJson(stateFile, WindowState);
	const primary = screen.getPrimaryDisplay();
	const displays = [primary, ...screen.getAllDisplays().filter((display) => display.id !== primary.id)].map((display) => display.workArea);
	const window = new BrowserWindow({
		...fitToDisplays(remembered?.bounds, displays),
		minWidth: SMALLEST.width,
		minHeight: SMALLEST.height,
		show: false,
		title: app.name,
		icon: files.icon,
		backgroundColor: background(),
		frame: !CUSTOM_TITLE_BAR,
		...(process.platform === 'darwin' && { titleBarStyle: 'hiddenInset' as const }),
		webPreferences: webPreferences(files),
	});
	if (remembered?.maximised) window.maximize();
	rememberState(window, stateFile);
	reloadAfterCrash(window);
	if (!hidden) window.once('ready-to-show', () => window.show());
	void window.loadURL(`${APP_ORIGIN}/index.html`);
	return window;
}

/** A small composer that comes and goes with the hotkey. */
export function createQuickWindow(files: WindowFiles): BrowserWindow {
	const window = new BrowserWindow({
		...QUICK,
		show: false,
		frame: false,
		resizable: false,
		fullscreenable: false,
		maximizable: false,
		alwaysOnTop: true,
		skipTaskbar: true,
		title: app.name,
		icon: files.icon,
		backgroundColor: background(),
		webPreferences: webPreferences(files),
	});
	reloadAfterCrash(window);
	window.on('blur', () => window.hide());
	void window.loadURL(`${APP_ORIGIN}/index.html#/quick`);
	return window;
}

/** In the upper third of the display that the pointer is on. */
export function placeQuickWindow(window: BrowserWindow): void {
	const area = screen.getDisplayNearestPoint(screen.getCursorScreenPoint()).workArea;
	window.setPosition(Math.round(area.x + (area.width - QUICK.width) / 2), Math.round(area.y + area.height / 5));
}

export function showWindow(window: BrowserWindow): void {
	if (window.isMinimized()) window.restore();
	window.show();
	window.focus();
}

function rememberState(window: BrowserWindow, file: string): void {
	let timer: NodeJS.Timeout | undefined;
	const save = (): void => {
		clearTimeout(timer);
		if (!window.isDestroyed()) writeJson(file, { bounds: window.getNormalBounds(), maximised: window.isMaximized() });
	};
	const soon = (): void => {
		clearTimeout(timer);
		timer = setTimeout(save, SAVE_AFTER_MS);
	};
	for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', soon);
	window.on('close', save);
	window.on('closed', () => clearTimeout(timer));
}

/** What was typed is kept by the runtime: loading the view again brings it back. */
function reloadAfterCrash(window: BrowserWindow): void {
	let lastCrash = Number.NEGATIVE_INFINITY;
	window.webContents.on('render-process-gone', (_event, details) => {
		if (details.reason === 'clean-exit' || window.isDestroyed()) return;
		const now = performance.now();
		const pause = now - lastCrash < RELOAD_PAUSE_MS ? RELOAD_PAUSE_MS : 0;
		lastCrash = now;
		setTimeout(() => {
			if (!window.isDestroyed()) window.webContents.reload();
		}, pause);
	});
}
