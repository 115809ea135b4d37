import { Notification } from 'electron';

/** Native notifications. Kept until they close, so that a click still finds its session. */
export function createNotifier(options: { icon: string; onClick: (sessionId: string | undefined) => void }) {
	const shown = new Set<Notification>();
	return (content: { title: string; body: string; sessionId?: string | undefined }): void => {
		if (!Notification.isSupported()) return;
		const notification = new Notification({ title: content.title, body: content.body, icon: options.icon });
		shown.add(notification);
		notification.on('click', () => options.onClick(content.sessionId));
		notification.on('close', () => shown.delete(notification));
		notification.on('failed', () => shown.delete(notification));
		notification.show();
	};
}
