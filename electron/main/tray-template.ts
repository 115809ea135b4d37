import type { MenuItemConstructorOptions } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';
import type { WorkTold } from '../host-protocol.ts';
import { nextLine } from './next-line.ts';

export interface TrayActions {
	open(): void;
	newChat(): void;
	quick(): void;
	/** Opens the tasks. */
	tasks(): void;
	/** Opens what waits in the inbox. */
	findings(): void;
	/** Opens the settings of background work. */
	background(): void;
	pauseAll(): void;
	resumeAll(): void;
	quit(): void;
}

type Strings = ReturnType<typeof createStrings>;

/** What comes next and what was missed, for the tray and the application menu. */
export function taskItems(strings: Strings, work: WorkTold, openTasks: () => void, now: number): MenuItemConstructorOptions[] {
	const next = nextLine(strings, work, now);
	const { missed } = work.tasks;
	return [
		...(next === undefined ? [] : [{ id: 'next', label: menuText(next), click: openTasks }]),
		...(missed === 0 ? [] : [{ id: 'missed', label: strings('tray.missed', { count: missed }), click: openTasks }]),
	];
}

export function trayTemplate(strings: Strings, work: WorkTold, actions: TrayActions, now: number): MenuItemConstructorOptions[] {
	const { state, findings } = work;
	const paused = state === 'paused';
	return [
		{ label: strings('tray.open'), click: actions.open },
		{ label: strings('command.new_chat'), click: actions.newChat },
		{ label: strings('tray.quick'), click: actions.quick },
		{ type: 'separator' },
		...taskItems(strings, work, actions.tasks, now),
		{ label: strings('tray.findings', { count: findings }), enabled: findings > 0, click: actions.findings },
		{ label: strings('tray.background', { state }), click: actions.background },
		{ label: strings(paused ? 'tray.resume' : 'tray.pause'), click: paused ? actions.resumeAll : actions.pauseAll },
		{ type: 'separator' },
		{ label: strings('tray.quit'), click: actions.quit },
	];
}

/** One line for who points at the tray: what needs the owner first. */
export function trayToolTip(strings: Strings, work: WorkTold, now: number): string {
	const name = strings('app.name');
	if (work.state === 'paused') return strings('tray.paused', { name });
	if (work.findings > 0) return strings('tray.waiting', { name, count: work.findings });
	const next = nextLine(strings, work, now);
	return next === undefined ? name : strings('tray.tip', { name, next });
}

/** An `&` alone marks the letter after it. */
function menuText(text: string): string {
	return text.replaceAll('&', '&&');
}
