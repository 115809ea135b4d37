import { Menu, nativeImage, Tray } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';

export interface TrayActions {
	open(): void;
	newChat(): void;
	quick(): void;
	quit(): void;
}

/** Undefined where the desktop has no tray and says so. `icon` exists at @2x beside it. */
export function createTray(icon: string, strings: ReturnType<typeof createStrings>, actions: TrayActions): Tray | undefined {
	const image = nativeImage.createFromPath(icon);
	if (process.platform === 'darwin') image.setTemplateImage(true);
	try {
		const tray = new Tray(image);
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
		return tray;
	} catch (error) {
		console.error('No tray on this desktop:', error instanceof Error ? error.message : error);
		return undefined;
	}
}
