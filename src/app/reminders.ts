import type { Clock } from '../base/clock.ts';
import type { StateDb } from '../db/open.ts';
import { createReminders, type Reminders } from '../tools/reminders/reminders.ts';
import type { Live } from './live.ts';
import type { Work } from './work.ts';

/** Timers whose `ref` is a reminder. */
const REMINDER_TIMER = 'reminder';

/** Reminders with their slots. They are the owner's own wish: neither hours nor budgets hold them, *Pause all* does. Before work is started. */
export function createReminderParts(deps: {
	db: StateDb;
	clock: Clock;
	live: Pick<Live, 'announce'>;
	work: Pick<Work, 'timers' | 'onDue'>;
}): Reminders {
	const { db, clock, live, work } = deps;
	const reminders = createReminders({
		db,
		clock,
		slot: (tx, id, dueAt) => {
			if (dueAt === undefined) work.timers.clear(tx, REMINDER_TIMER, id);
			else work.timers.set(tx, { kind: REMINDER_TIMER, ref: id, dueAt, work: 'chat' });
		},
		onChange: () => live.announce({ type: 'reminders_changed' }),
		onDue: (reminder) => live.announce({ type: 'reminder_due', reminder }),
	});
	work.onDue(REMINDER_TIMER, (ref) => reminders.tell(ref));
	return reminders;
}
