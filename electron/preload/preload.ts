import { contextBridge, ipcRenderer } from 'electron';
import type { NotificationAnswer, RuntimeStatus, ShellApi, ShellCommand, ShellInfo } from '../../src/contract/shell.ts';
import { CALL, COMMAND, NOTIFICATION_ANSWER, OPEN_RUN, OPEN_SESSION, OPEN_TASK, PORT, RUNTIME_STATUS } from '../shell-channels.ts';

/** One call of the shell by the name it has in `ShellApi`. */
function call<T>(name: keyof ShellApi, input?: unknown): Promise<T> {
	return ipcRenderer.invoke(CALL, name, input) as Promise<T>;
}

/** What the shell sends. The first listener also gets what came before it: a command may have opened this very window. */
function listen<T>(channel: string): (listener: (value: T) => void) => () => void {
	const listeners = new Set<(value: T) => void>();
	const early: T[] = [];
	ipcRenderer.on(channel, (_event, value: T) => {
		if (listeners.size === 0) early.push(value);
		for (const listener of listeners) listener(value);
	});
	return (listener) => {
		listeners.add(listener);
		for (const value of early.splice(0)) listener(value);
		return () => {
			listeners.delete(listener);
		};
	};
}

const api: ShellApi = {
	info: () => call<ShellInfo>('info'),
	runtimeStatus: () => call<RuntimeStatus>('runtimeStatus'),
	onRuntimeStatus: listen<RuntimeStatus>(RUNTIME_STATUS),
	onCommand: listen<ShellCommand>(COMMAND),
	requestPort: () => {
		void call('requestPort');
	},
	restartRuntime: () => call('restartRuntime'),
	switchProfile: (name) => call('switchProfile', name),
	saveFile: (file) => call<boolean>('saveFile', file),
	showProfileFolder: () => call('showProfileFolder'),
	openMemoryFile: (path) => call('openMemoryFile', path),
	openExternal: (url) => call('openExternal', url),
	notify: (notification) => call<boolean>('notify', notification),
	setTheme: (theme) => call('setTheme', theme),
	setHotkey: (accelerator) => call<boolean>('setHotkey', accelerator),
	setStartAtLogin: (on) => call<boolean>('setStartAtLogin', on),
	window: (action) => call('window', action),
	openInMainWindow: (sessionId) => call('openInMainWindow', sessionId),
	onOpenSession: listen<string>(OPEN_SESSION),
	onOpenRun: listen<string>(OPEN_RUN),
	onOpenTask: listen<string>(OPEN_TASK),
	onNotificationAnswer: listen<NotificationAnswer>(NOTIFICATION_ANSWER),
};
contextBridge.exposeInMainWorld('hearthShell', api);

// A port can't cross the context bridge: it goes to the page as a message of this window to itself.
ipcRenderer.on(PORT, (event) => window.postMessage({ type: 'hearth-port' }, window.location.origin, event.ports));
