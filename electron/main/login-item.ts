import { existsSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { app } from 'electron';
import { autostartEntry, autostartFile, isSwitchedOff } from './autostart.ts';
import { HIDDEN } from './command-line.ts';
import { replaceFile } from './json-file.ts';

export interface LoginItem {
	/** Whether this system starts this profile at a login. */
	readonly possible: boolean;
	/** False where the system refuses. */
	set(on: boolean): boolean;
	/** The setting as the runtime tells it, and as it was told last: carried out where it changed. */
	follow(on: boolean, was: boolean): void;
}

export interface LoginItemOptions {
	readonly home: string;
	readonly profile: string;
	readonly name: string;
	readonly icon: string;
}

/** Starts Hearth hidden in the tray when the owner logs in. */
export function createLoginItem({ home, profile, name, icon }: LoginItemOptions): LoginItem {
	const isUsual = profile === 'default' && home === path.join(os.homedir(), '.hearth');
	const words = [...(app.isPackaged ? [] : [app.getAppPath()]), '--home', home, '--profile', profile, HIDDEN];
	if (process.platform === 'linux') return linuxItem({ home, profile, name, icon, isUsual, words });
	// A source folder has no name of its own in these systems; and a Mac starts an app without any words.
	const possible = app.isPackaged && (process.platform === 'win32' || isUsual);
	const settings =
		process.platform === 'win32' ? { path: startedPath(), args: words, ...(isUsual ? {} : { name: `${name} (${profile})` }) } : {};
	const set = (on: boolean): boolean => {
		if (!possible) return false;
		app.setLoginItemSettings({ openAtLogin: on, ...settings });
		const { openAtLogin, status } = app.getLoginItemSettings(settings);
		// It starts once the owner has allowed it in the system's own settings, which say so.
		return openAtLogin === on || status === 'requires-approval';
	};
	return {
		possible,
		set,
		follow: (on, was) => {
			if (on !== was) set(on);
		},
	};
}

/** Whether this start is the system's, at a login. */
export function isLoginStart(words: readonly string[]): boolean {
	return words.includes(HIDDEN) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
}

function linuxItem({ words, ...of }: LoginItemOptions & { isUsual: boolean; words: readonly string[] }): LoginItem {
	const file = autostartFile(process.env, os.homedir(), of);
	const sandbox = app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : [];
	const entry = autostartEntry({
		name: of.name,
		icon: of.icon,
		command: [process.env.APPIMAGE ?? process.execPath, ...sandbox, ...words],
	});
	const set = (on: boolean): boolean => {
		try {
			if (!on) rmSync(file, { force: true });
			else if (entry === undefined) return false;
			else if (read(file) !== entry) replaceFile(file, entry);
			return true;
		} catch (error) {
			console.error('Starting at login:', error instanceof Error ? error.message : error);
			return false;
		}
	};
	return {
		possible: true,
		set,
		follow: (on, was) => {
			if (on !== was) set(on);
			// The app may lie elsewhere now. What the owner took away or switched off in the desktop's own settings stays so.
			else if (on && existsSync(file) && !isSwitchedOff(read(file) ?? '')) set(true);
		},
	};
}

function read(file: string): string | undefined {
	return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** The installer's own starter, which goes on with the newest version; the program itself where there is none. */
function startedPath(): string {
	const starter = path.resolve(path.dirname(process.execPath), '..', path.basename(process.execPath));
	return existsSync(starter) ? starter : process.execPath;
}
