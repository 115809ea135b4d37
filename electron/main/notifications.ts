import { Notification } from 'electron';
import type { ShellCommand } from '../../src/contract/shell.ts';

interface NotificationContent {
	readonly title: string;
	readonly body: string;
	/** What a press on it leads to; without either, the window. */
	readonly sessionId?: string | undefined;
	readonly command?: ShellCommand | undefined;
}

/** Native notifications. Kept until they close, so that a click still finds its session. */
export function createNotifier(options: { icon: string; onClick: (content: Pick<NotificationContent, 'sessionId' | 'command'>) => void }) {
	const shown = new Set<Notification>();
	return (content: NotificationContent): void => {
		if (!Notification.isSupported()) return;
		const notification = new Notification({ title: content.title, body: content.body, icon: options.icon });
		shown.add(notification);
		notification.on('click', () => options.onClick(content));
		notification.on('close', () => shown.delete(notification));
		notification.on('failed', () => shown.delete(notification));
		notification.show();
	};
}
