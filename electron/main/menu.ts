import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '../../src/contract/shell.ts';
import type { createStrings } from '../../src/contract/strings/index.ts';
import type { WorkTold } from '../host-protocol.ts';
import { taskItems } from './tray-template.ts';

export interface MenuActions {
	command(command: ShellCommand): void;
	quick(): void;
	pauseAll(): void;
	resumeAll(): void;
	quit(): void;
}

/** Where the menu is a development's, and how background work stands. */
export interface MenuState {
	readonly development: boolean;
	readonly work: WorkTold;
}

/** The application menu. Its accelerators are those of the keyboard map (ux.md). */
export function installMenu(strings: ReturnType<typeof createStrings>, actions: MenuActions, { development, work }: MenuState): void {
	const command = (name: ShellCommand, accelerator?: string): MenuItemConstructorOptions => ({
		label: strings(`command.${name}`),
		click: () => actions.command(name),
		...(accelerator && { accelerator }),
	});
	const separator: MenuItemConstructorOptions = { type: 'separator' };
	const quit: MenuItemConstructorOptions = { label: strings('menu.quit'), accelerator: 'CmdOrCtrl+Q', click: actions.quit };
	const paused = work.state === 'paused';
	const pause: MenuItemConstructorOptions = {
		label: strings(paused ? 'tray.resume' : 'tray.pause'),
		click: paused ? actions.resumeAll : actions.pauseAll,
	};
	const items = taskItems(strings, work, () => actions.command('tasks'), Date.now());
	const coming = items.length > 0 ? [...items, separator] : [];
	const mac = process.platform === 'darwin';
	const template: MenuItemConstructorOptions[] = [
		...(mac
			? [
					{
						role: 'appMenu' as const,
						submenu: [
							{ role: 'about' as const },
							separator,
							command('settings', 'CmdOrCtrl+,'),
							separator,
							{ role: 'services' as const },
							separator,
							{ role: 'hide' as const },
							{ role: 'hideOthers' as const },
							{ role: 'unhide' as const },
							separator,
							quit,
						],
					},
				]
			: []),
		{
			label: strings('menu.file'),
			submenu: [
				command('new_chat', 'CmdOrCtrl+N'),
				{ label: strings('tray.quick'), click: actions.quick },
				separator,
				...(mac ? [] : [command('settings', 'CmdOrCtrl+,'), separator]),
				{ role: 'close', accelerator: 'CmdOrCtrl+W' },
				...(mac ? [] : [quit]),
			],
		},
		{
			label: strings('menu.edit'),
			submenu: [
				{ role: 'undo' },
				{ role: 'redo' },
				separator,
				{ role: 'cut' },
				{ role: 'copy' },
				{ role: 'paste' },
				{ role: 'pasteAndMatchStyle' },
				{ role: 'selectAll' },
				separator,
				command('search', 'CmdOrCtrl+Shift+F'),
			],
		},
		{
			label: strings('menu.view'),
			submenu: [
				command('palette', 'CmdOrCtrl+K'),
				command('toggle_list'),
				command('focus_composer'),
				separator,
				{ role: 'resetZoom' },
				{ role: 'zoomIn' },
				{ role: 'zoomOut' },
				separator,
				{ role: 'togglefullscreen' },
				...(development ? [separator, { role: 'reload' as const }, { role: 'toggleDevTools' as const }] : []),
			],
		},
		{ label: strings('menu.tasks'), submenu: [...coming, command('tasks'), pause] },
		{ label: strings('menu.window'), role: 'windowMenu' },
		{ label: strings('menu.help'), role: 'help', submenu: [command('keyboard'), command('diagnostics')] },
	];
	Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
