import path from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';

export interface TrayActions {
	open(): void;
	newChat(): void;
	quick(): void;
	pauseAll(): void;
	resumeAll(): void;
	quit(): void;
}

export interface HearthTray {
	/** Says in the menu, and to who points at it, whether background work is paused. */
	setPaused(paused: boolean): void;
}

/** For the colour of the panel it most likely sits on; macOS recolours a template by itself. */
function trayImage(assets: string): Electron.NativeImage {
	if (process.platform === 'darwin') return nativeImage.createFromPath(path.join(assets, 'trayTemplate.png'));
	return nativeImage.createFromPath(path.join(assets, nativeTheme.shouldUseDarkColors ? 'tray-dark.png' : 'tray-light.png'));
}

/** Undefined where the desktop has no tray and says so. */
export function createTray(assets: string, strings: ReturnType<typeof createStrings>, actions: TrayActions): HearthTray | undefined {
	try {
		const tray = new Tray(trayImage(assets));
		const setPaused = (paused: boolean): void => {
			const name = strings('app.name');
			tray.setToolTip(paused ? strings('tray.paused', { name }) : name);
			tray.setContextMenu(
				Menu.buildFromTemplate([
					{ label: strings('tray.open'), click: actions.open },
					{ label: strings('command.new_chat'), click: actions.newChat },
					{ label: strings('tray.quick'), click: actions.quick },
					{ type: 'separator' },
					{ label: strings(paused ? 'tray.resume' : 'tray.pause'), click: paused ? actions.resumeAll : actions.pauseAll },
					{ type: 'separator' },
					{ label: strings('tray.quit'), click: actions.quit },
				]),
			);
		};
		setPaused(false);
		tray.on('click', actions.open);
		nativeTheme.on('updated', () => tray.setImage(trayImage(assets)));
		return { setPaused };
	} catch (error) {
		console.error('No tray on this desktop:', error instanceof Error ? error.message : error);
		return undefined;
	}
}
