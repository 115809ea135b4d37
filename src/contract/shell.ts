import { z } from 'zod';

/** What the shell tells a window about the runtime process. */
export const RuntimeStatus = z.discriminatedUnion('state', [
	z.object({ state: z.literal('starting') }),
	z.object({ state: z.literal('running'), pid: z.number().int(), restarts: z.number().int() }),
	/** It died; the shell starts it again at `retryAt`. */
	z.object({ state: z.literal('restarting'), reason: z.string(), retryAt: z.number(), restarts: z.number().int() }),
	/** It refused to start, or died too often. `action` says what the owner can do. */
	z.object({ state: z.literal('failed'), message: z.string(), safe: z.string().optional(), action: z.string().optional() }),
]);
export type RuntimeStatus = z.infer<typeof RuntimeStatus>;

export const ShellInfo = z.object({
	platform: z.string(),
	electron: z.string(),
	chrome: z.string(),
	/** In words: which Electron is in use and why. */
	runtime: z.string(),
	hostMode: z.enum(['utility-process', 'child-process']),
	profile: z.string(),
	/** The window draws its own title bar controls. */
	customTitleBar: z.boolean(),
	quickWindow: z.boolean(),
	keychain: z.object({ available: z.boolean(), backend: z.string() }),
	hotkeyRegistered: z.boolean(),
	/** This system can start Hearth with this profile at a login. */
	canStartAtLogin: z.boolean(),
});
export type ShellInfo = z.infer<typeof ShellInfo>;

/** Menu, tray and hotkey commands that the view carries out. */
export const ShellCommand = z.enum([
	'new_chat',
	'search',
	'palette',
	'inbox',
	'inbox_findings',
	'tasks',
	'settings',
	'settings_background',
	'diagnostics',
	'focus_composer',
	'keyboard',
	'toggle_list',
]);
export type ShellCommand = z.infer<typeof ShellCommand>;

/**
 * A question that can be answered in the notification that shows all of it. The answer comes back with the hash of what was shown, and goes the
 * way of every answer (B3).
 */
export const NotificationQuestion = z.object({
	interruptId: z.string().max(100),
	shownHash: z.string().length(64),
	/** As buttons; where there are none, in the owner's own words. */
	choices: z.array(z.string().max(200)).max(3),
	/** Stands in the empty field for the answer. */
	placeholder: z.string().max(100),
});
export type NotificationQuestion = z.infer<typeof NotificationQuestion>;

export const ShellNotification = z.object({
	title: z.string().max(200),
	body: z.string().max(2_000),
	/** What a press on it leads to: what a run asks, a chat, a task, or a command; without any of them, the window. */
	runId: z.string().max(100).optional(),
	sessionId: z.string().max(100).optional(),
	taskId: z.string().max(100).optional(),
	command: ShellCommand.optional(),
	question: NotificationQuestion.optional(),
});
export type ShellNotification = z.infer<typeof ShellNotification>;

/** What the owner answered in a notification. */
export interface NotificationAnswer extends Pick<NotificationQuestion, 'interruptId' | 'shownHash'> {
	/** The run that asked. */
	readonly runId: string | undefined;
	readonly text: string;
}

/**
 * What the preload script offers a window as `window.hearthShell`; absent in a browser. Each call is validated again in
 * the main process. The port to the runtime does not pass through here: it arrives as a window message
 * `{ type: 'hearth-port' }` with the MessagePort, once for every life of the runtime.
 */
export interface ShellApi {
	info(): Promise<ShellInfo>;
	runtimeStatus(): Promise<RuntimeStatus>;
	onRuntimeStatus(listener: (status: RuntimeStatus) => void): () => void;
	onCommand(listener: (command: ShellCommand) => void): () => void;
	/** Asks for a port anew; answered by a `hearth-port` window message. */
	requestPort(): void;
	restartRuntime(): Promise<void>;
	/** Starts the app again with another profile. */
	switchProfile(name: string): Promise<void>;
	/** Asks where to save and writes the file; false where the owner cancelled. */
	saveFile(file: { filename: string; text: string }): Promise<boolean>;
	/** Opens the profile folder in the file manager. */
	showProfileFolder(): Promise<void>;
	/** Opens a memory file, such as `MEMORY.md`, in the program that the system has for it. Rejects where there is none. */
	openMemoryFile(path: string): Promise<void>;
	/** Opens an http(s) or plain mail address outside, after a question that shows the whole address. */
	openExternal(url: string): Promise<void>;
	/** False where it is not shown: the owner wants none, or looks at a window of Hearth. */
	notify(notification: ShellNotification): Promise<boolean>;
	setTheme(theme: 'system' | 'light' | 'dark'): Promise<void>;
	/** Registers the quick window's hotkey; false where the system refuses it. */
	setHotkey(accelerator: string): Promise<boolean>;
	/** Has the system start Hearth at a login, or no more; false where the system refuses. */
	setStartAtLogin(on: boolean): Promise<boolean>;
	window(action: 'minimise' | 'maximise' | 'close' | 'hide'): Promise<void>;
	/** The quick window hands its session over to the main window. */
	openInMainWindow(sessionId: string): Promise<void>;
	onOpenSession(listener: (sessionId: string) => void): () => void;
	/** A notification of what this run asks was pressed. */
	onOpenRun(listener: (runId: string) => void): () => void;
	/** A notification of this task was pressed. */
	onOpenTask(listener: (taskId: string) => void): () => void;
	onNotificationAnswer(listener: (answer: NotificationAnswer) => void): () => void;
}
