import { type BrowserWindow, clipboard, dialog, shell } from 'electron';
import type { createStrings } from '../../src/contract/strings/index.ts';
import { isWebAddress } from './addresses.ts';

/** Opens an address in the browser after a question that shows all of it. Anything but a web address is ignored. */
export async function openExternalAddress(
	address: string,
	parent: BrowserWindow | undefined,
	strings: ReturnType<typeof createStrings>,
): Promise<void> {
	if (!isWebAddress(address)) return;
	// The normalised form: look-alike letters of another script show as punycode.
	const shown = new URL(address).href;
	const question: Electron.MessageBoxOptions = {
		type: 'question',
		title: strings('app.name'),
		message: strings('native.linkTitle'),
		detail: `${strings('native.linkBody')}\n${shown}`,
		buttons: [strings('native.linkOpen'), strings('native.linkCopy'), strings('common.cancel')],
		defaultId: 2,
		cancelId: 2,
		noLink: true,
	};
	const { response } = parent ? await dialog.showMessageBox(parent, question) : await dialog.showMessageBox(question);
	if (response === 0) await shell.openExternal(shown);
	if (response === 1) clipboard.writeText(shown);
}
