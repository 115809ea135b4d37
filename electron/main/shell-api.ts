import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BrowserWindow, dialog, ipcMain, type WebFrameMain } from 'electron';
import { z } from 'zod';
import { ProfileName } from '../../src/contract/methods/profile.ts';
import { type RuntimeStatus, type ShellApi, type ShellInfo, ShellNotification } from '../../src/contract/shell.ts';
import { MemoryPath } from '../../src/domain/memory.ts';
import { CALL } from '../shell-channels.ts';
import { isOwnAddress } from './addresses.ts';
import { safeFilename } from './safe-filename.ts';

const Nothing = z.undefined();
const Inputs = {
	info: Nothing,
	runtimeStatus: Nothing,
	requestPort: Nothing,
	restartRuntime: Nothing,
	switchProfile: ProfileName,
	saveFile: z.object({ filename: z.string().max(400), text: z.string().max(512 * 1024 * 1024) }),
	showProfileFolder: Nothing,
	openMemoryFile: MemoryPath,
	openExternal: z.string().max(8_000),
	notify: ShellNotification,
	setTheme: z.enum(['system', 'light', 'dark']),
	setHotkey: z.string().max(80),
	setStartAtLogin: z.boolean(),
	window: z.enum(['minimise', 'maximise', 'close', 'hide']),
	openInMainWindow: z.string().max(100),
} satisfies Record<Exclude<keyof ShellApi, `on${string}`>, z.ZodType>;
type CallName = keyof typeof Inputs;

/** What each call does, by name. `window` is the one that asked. */
export type ShellCalls = {
	[Name in CallName]: (input: z.infer<(typeof Inputs)[Name]>, window: BrowserWindow) => unknown;
} & { info: (input: undefined, window: BrowserWindow) => ShellInfo; runtimeStatus: () => RuntimeStatus };

/**
 * Answers the preload script. A call is taken only from the main frame of one of our windows showing our own page, and only
 * with input of the right shape (S4).
 */
export function serveShellApi(windowOf: (frame: WebFrameMain) => BrowserWindow | undefined, calls: ShellCalls): void {
	ipcMain.handle(CALL, async (event, name: unknown, input: unknown) => {
		const frame = event.senderFrame;
		const window = frame && frame.parent === null && isOwnAddress(frame.url) ? windowOf(frame) : undefined;
		if (!window) throw new Error('This page may not call the shell.');
		if (typeof name !== 'string' || !Object.hasOwn(Inputs, name)) throw new Error('The shell has no such call.');
		const parsed = Inputs[name as CallName].safeParse(input);
		if (!parsed.success) throw new Error(`The shell was called wrongly: ${name}.`);
		return (calls[name as CallName] as (input: unknown, window: BrowserWindow) => unknown)(parsed.data, window);
	});
}

/** Asks where to save, and writes. False where the owner cancelled. */
export async function saveFileAs(file: { filename: string; text: string }, folder: string, window: BrowserWindow): Promise<boolean> {
	const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: path.join(folder, safeFilename(file.filename)) });
	if (canceled || !filePath) return false;
	await writeFile(filePath, file.text);
	return true;
}
