import type { Reminders } from '../../tools/reminders/reminders.ts';
import type { Handlers } from '../router.ts';

/** `reminders.*` of the contract. */
export function createRemindersHandlers({ reminders, liveSeq }: { reminders: Reminders; liveSeq: () => number }): Handlers['reminders'] {
	return {
		list: async ({ which, limit }) => ({ reminders: reminders.list(which, limit), seq: liveSeq() }),
		dismiss: async ({ reminderId }) => reminders.dismiss(reminderId),
		snooze: async ({ reminderId, until }) => reminders.snooze(reminderId, until),
	};
}
