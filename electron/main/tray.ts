import path from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';

export interface TrayActions {
	open(): void;
	newChat(): void;
	quick(): void;
	quit(): void;
}

/** For the colour of the panel it most likely sits on; macOS recolours a template by itself. */
function trayImage(assets: string): Electron.NativeImage {
	if (process.platform === 'darwin') return nativeImage.createFromPath(path.join(assets, 'trayTemplate.png'));
	return nativeImage.createFromPath(path.join(assets, nativeTheme.shouldUseDarkColors ? 'tray-dark.png' : 'tray-light.png'));
}

/** Undefined where the desktop has no tray and says so. */
export function createTray(assets: string, strings: ReturnType<typeof createStrings>, actions: TrayActions): Tray | undefined {
	try {
		const tray = new Tray(trayImage(assets));
		tray.setToolTip(strings('app.name'));
		tray.setContextMenu(
			Menu.buildFromTemplate([
				{ label: strings('tray.open'), click: actions.open },
				{ label: strings('command.new_chat'), click: actions.newChat },
				{ label: strings('tray.quick'), click: actions.quick },
				{ type: 'separator' },
				{ label: strings('tray.quit'), click: actions.quit },
			]),
		);
		tray.on('click', actions.open);
		nativeTheme.on('updated', () => tray.setImage(trayImage(assets)));
		return tray;
	} catch (error) {
		console.error('No tray on this desktop:', error instanceof Error ? error.message : error);
		return undefined;
	}
}
