import type { SessionId } from '../../src/domain/ids.ts';
import type { Reminder } from '../../src/domain/reminder.ts';

/** Of those that the owner was told and that they are not done with: those of a chat, or of none, as a task's are. */
export function dueReminders(reminders: readonly Reminder[], sessionId?: SessionId): Reminder[] {
	return reminders.filter(
		(reminder) => reminder.sessionId === sessionId && reminder.toldAt !== undefined && reminder.dismissedAt === undefined,
	);
}
