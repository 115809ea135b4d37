import { Notification, type NotificationConstructorOptions } from 'electron';
import type { NotificationAnswer, NotificationQuestion, ShellNotification } from '../../src/contract/shell.ts';

export interface NotifierOptions {
	icon: string;
	onClick: (content: ShellNotification) => void;
	onAnswer: (answer: NotificationAnswer) => void;
}

/** Where the system's notifications have buttons and a field for an answer; elsewhere a press opens the question. */
function canAnswer(platform: NodeJS.Platform): boolean {
	return platform === 'darwin' || platform === 'win32';
}

/** Buttons for the choices, a field where there are none. */
function answering({ choices, placeholder }: NotificationQuestion): NotificationConstructorOptions {
	if (choices.length === 0) return { hasReply: true, replyPlaceholder: placeholder };
	return { actions: choices.map((text) => ({ type: 'button', text })) };
}

/** Native notifications. Kept until they close, so that a click still finds what it leads to. False where the system has none. */
export function createNotifier({ icon, onClick, onAnswer }: NotifierOptions): (content: ShellNotification) => boolean {
	const shown = new Set<Notification>();
	return (content) => {
		if (!Notification.isSupported()) return false;
		const { title, body, runId } = content;
		const question = canAnswer(process.platform) ? content.question : undefined;
		const notification = new Notification({ title, body, icon, ...(question && answering(question)) });
		shown.add(notification);
		notification.on('click', () => onClick(content));
		notification.on('close', () => shown.delete(notification));
		notification.on('failed', () => shown.delete(notification));
		if (question) {
			const { interruptId, shownHash, choices } = question;
			const answer = (text: string | undefined): void => {
				if (text && text.trim() !== '') onAnswer({ interruptId, shownHash, runId, text });
			};
			// Older versions of Electron give what was chosen beside the event, newer ones within it.
			notification.on('action', (event, index) => answer(choices[event.actionIndex ?? index]));
			notification.on('reply', (event, text) => answer(event.reply ?? text));
		}
		notification.show();
		return true;
	};
}
