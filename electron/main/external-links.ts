import { type BrowserWindow, clipboard, dialog, shell } from 'electron';
import { plainMailLink } from '../../src/contract/mail-link.ts';
import type { createStrings } from '../../src/contract/strings/index.ts';
import { openableAddress } from './addresses.ts';

/** Opens an address in the browser, or in the mail program, after a question that shows all of it. Anything but a web or mail address is ignored. */
export async function openExternalAddress(
	address: string,
	parent: BrowserWindow | undefined,
	strings: ReturnType<typeof createStrings>,
): Promise<void> {
	const shown = openableAddress(address);
	if (shown === undefined) return;
	const mail = plainMailLink(shown) !== undefined;
	const question: Electron.MessageBoxOptions = {
		type: 'question',
		title: strings('app.name'),
		message: strings(mail ? 'native.mailTitle' : 'native.linkTitle'),
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
