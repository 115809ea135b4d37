import path from 'node:path';
import { Menu, nativeImage, nativeTheme, Tray } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';
import type { WorkTold } from '../host-protocol.ts';

export interface TrayActions {
	open(): void;
	newChat(): void;
	quick(): void;
	/** Opens what waits in the inbox. */
	findings(): void;
	/** Opens the settings of background work. */
	background(): void;
	pauseAll(): void;
	resumeAll(): void;
	quit(): void;
}

export interface HearthTray {
	/** Says in the menu, and to who points at it, how background work stands and how many findings wait. */
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
		const setWork = ({ state, findings }: WorkTold): void => {
			const paused = state === 'paused';
			const name = strings('app.name');
			tray.setToolTip(paused ? strings('tray.paused', { name }) : findings > 0 ? strings('tray.waiting', { name, count: findings }) : name);
			tray.setContextMenu(
				Menu.buildFromTemplate([
					{ label: strings('tray.open'), click: actions.open },
					{ label: strings('command.new_chat'), click: actions.newChat },
					{ label: strings('tray.quick'), click: actions.quick },
					{ type: 'separator' },
					{ label: strings('tray.findings', { count: findings }), enabled: findings > 0, click: actions.findings },
					{ label: strings('tray.background', { state }), click: actions.background },
					{ label: strings(paused ? 'tray.resume' : 'tray.pause'), click: paused ? actions.resumeAll : actions.pauseAll },
					{ type: 'separator' },
					{ label: strings('tray.quit'), click: actions.quit },
				]),
			);
		};
		setWork({ state: 'off', findings: 0 });
		tray.on('click', actions.open);
		nativeTheme.on('updated', () => tray.setImage(trayImage(assets)));
		return { setWork };
	} catch (error) {
		console.error('No tray on this desktop:', error instanceof Error ? error.message : error);
		return undefined;
	}
}
