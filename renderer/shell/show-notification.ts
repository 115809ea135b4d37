import { call, shell } from '../connection/index.ts';
import { type CommandId, runCommand } from './commands.ts';

interface Notice {
	readonly title: string;
	readonly body: string;
	/** What a press on it leads to. */
	readonly command: Extract<CommandId, 'inbox_findings' | 'tasks'>;
	readonly sessionId?: string | undefined;
	readonly taskId?: string | undefined;
	/** Of several windows of a browser the notifications with one tag replace each other. */
	readonly tag: string;
	/** In a browser, what a press does in place of the command. */
	readonly open?: () => void;
}

/** In the desktop app the shell decides whether it is shown; in a browser the owner's settings, and what they allowed there. False where it is not. */
export async function showNotification({ title, body, command, sessionId, taskId, tag, open }: Notice): Promise<boolean> {
	if (shell) {
		const place = sessionId !== undefined ? { sessionId } : taskId !== undefined ? { taskId } : { command };
		return shell.notify({ title: title.slice(0, 200), body: body.slice(0, 2_000), ...place });
	}
	if (!('Notification' in window) || Notification.permission !== 'granted' || document.hasFocus()) return false;
	const { notifications } = await call((client) => client.settings.get(), { repeatable: true });
	if (!notifications) return false;
	const notification = new Notification(title, { body, tag });
	notification.addEventListener('click', () => {
		window.focus();
		if (open) open();
		else runCommand(command);
		notification.close();
	});
	return true;
}
