import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '../../src/contract/shell.ts';
import type { createStrings } from '../../src/contract/strings/index.ts';

export interface MenuActions {
	command(command: ShellCommand): void;
	quick(): void;
	quit(): void;
}

/** The application menu. Its accelerators are those of the keyboard map (ux.md). */
export function installMenu(strings: ReturnType<typeof createStrings>, actions: MenuActions, development: boolean): void {
	const command = (name: ShellCommand, accelerator?: string): MenuItemConstructorOptions => ({
		label: strings(`command.${name}`),
		click: () => actions.command(name),
		...(accelerator && { accelerator }),
	});
	const separator: MenuItemConstructorOptions = { type: 'separator' };
	const quit: MenuItemConstructorOptions = { label: strings('menu.quit'), accelerator: 'CmdOrCtrl+Q', click: actions.quit };
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
		{ label: strings('menu.window'), role: 'windowMenu' },
		{ label: strings('menu.help'), role: 'help', submenu: [command('keyboard'), command('diagnostics')] },
	];
	Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
