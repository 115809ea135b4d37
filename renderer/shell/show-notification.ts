import type { ShellNotification } from '../../src/contract/shell.ts';
import { call, shell } from '../connection/index.ts';

interface Notice {
	readonly title: string;
	readonly body: string;
	/** What a press on it leads to, by the shell. */
	readonly place: Pick<ShellNotification, 'command' | 'sessionId' | 'runId' | 'taskId'>;
	/** And in a browser. */
	readonly open: () => void;
	/** Of several windows of a browser the notifications with one tag replace each other. */
	readonly tag: string;
}

/** In the desktop app the shell decides whether it is shown; in a browser the owner's settings, and what they allowed there. False where it is not. */
export async function showNotification({ title, body, place, open, tag }: Notice): Promise<boolean> {
	if (shell) return shell.notify({ title: title.slice(0, 200), body, ...place });
	if (!('Notification' in window) || Notification.permission !== 'granted' || document.hasFocus()) return false;
	const { notifications } = await call((client) => client.settings.get(), { repeatable: true });
	if (!notifications) return false;
	const notification = new Notification(title, { body, tag });
	notification.addEventListener('click', () => {
		window.focus();
		open();
		notification.close();
	});
	return true;
}
