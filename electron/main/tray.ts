import path from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';
import type { WorkTold } from '../host-protocol.ts';
import { type TrayActions, trayTemplate, trayToolTip } from './tray-template.ts';

export interface HearthTray {
	/** Says in the menu, and to who points at it, how background work stands, what comes next, and what waits. */
	setWork(work: WorkTold): void;
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
		tray.on('click', actions.open);
		nativeTheme.on('updated', () => tray.setImage(trayImage(assets)));
		return {
			setWork: (work) => {
				const now = Date.now();
				tray.setToolTip(trayToolTip(strings, work, now));
				tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(strings, work, actions, now)));
			},
		};
	} catch (error) {
		console.error('No tray on this desktop:', error instanceof Error ? error.message : error);
		return undefined;
	}
}
