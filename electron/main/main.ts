import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { app, dialog } from 'electron';
import { createStrings } from '../../src/contract/strings/index.ts';
import { registerAppScheme } from './app-protocol.ts';
import { readCommandLine } from './command-line.ts';
import { isLoginStart } from './login-item.ts';
import { startShell } from './shell.ts';

const strings = createStrings();
const commandLine = readCommandLine(process.argv.slice(1), process.env);

function refuse(message: string): never {
	// Before the app is ready Linux has no dialog: there this writes to stderr.
	dialog.showErrorBox(strings('app.name'), message);
	process.exit(2);
}

// Nothing that Chromium does by itself on the net is wanted (S4).
for (const name of ['disable-background-networking', 'disable-component-update', 'disable-domain-reliability', 'no-pings']) {
	app.commandLine.appendSwitch(name);
}
app.commandLine.appendSwitch('enable-features', 'GlobalShortcutsPortal');

if (commandLine.badProfile !== undefined) refuse(strings('native.badProfile', { name: commandLine.badProfile.slice(0, 40) }));
const userData = path.join(commandLine.home, 'electron', commandLine.profile);
try {
	mkdirSync(userData, { recursive: true, mode: 0o700 });
} catch (error) {
	refuse(strings('native.noFolder', { folder: userData, problem: error instanceof Error ? error.message : '' }));
}
app.setPath('userData', userData);

// dur-1: one shell per profile folder. Electron's lock lies in userData, and with it in the profile's own home.
if (app.requestSingleInstanceLock()) {
	// Said by the one that opens, and not by a second start, which only brings it to the front.
	if (process.env.HEARTH_ELECTRON_WHY) console.log(strings('native.opens', { runtime: process.env.HEARTH_ELECTRON_WHY }));
	registerAppScheme();
	void app.whenReady().then(() => startShell({ ...commandLine, userData, strings, hidden: isLoginStart(process.argv) }));
} else {
	console.log(strings('native.alreadyOpen'));
	app.exit(0);
}
