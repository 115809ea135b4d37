import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import { terminal } from '../../domain/errors.ts';
import type { Timestamp } from '../../domain/ids.ts';
import { type Reminder, ReminderId } from '../../domain/reminder.ts';
import {
	countComing,
	deleteReminder,
	getReminder,
	insertReminder,
	listReminders,
	markDismissed,
	markTold,
	moveReminder,
	type NewReminder,
	reminderOfKey,
} from './reminder-store.ts';

const MOST_COMING = 200;
/** Of steps that read text from outside: what others wrote must not fill the owner's day, nor keep their own reminders out. */
const MOST_FROM_OUTSIDE = 20;

export interface RemindersDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	/** The slot of a reminder, in the caller's transaction; `dueAt` undefined: none any more. */
	slot(tx: WriteDb, id: ReminderId, dueAt: Timestamp | undefined): void;
	onChange(): void;
	/** It is time: told once, whatever crashes (R5). */
	onDue(reminder: Reminder): void;
}

export interface Reminders {
	/** The same key sets one, whatever the time is by then. Throws `invalid_input` for a time that is past, `tool_denied` where too many wait. */
	set(reminder: Pick<NewReminder, 'text' | 'label' | 'dueAt' | 'sessionId' | 'runId' | 'stepKey'>): Reminder;
	/** In the caller's transaction: the owner is told as soon as it is committed. The same key sets one. Then call `changed`. */
	setNow(tx: WriteDb, reminder: Pick<NewReminder, 'text' | 'label' | 'sessionId' | 'stepKey'>): ReminderId;
	changed(): void;
	/** Its slot has come. */
	tell(ref: string): void;
	list(which: 'open' | 'dismissed', limit: number): Reminder[];
	dismiss(id: ReminderId): Reminder;
	/** As if it had never been; nothing where it is not there any more. */
	remove(id: ReminderId): void;
	/** It comes again at this time, also where it was told or dismissed. Throws `invalid_input` for a time that is past. */
	snooze(id: ReminderId, until: Timestamp): Reminder;
}

export function createReminders({ db, clock, slot, onChange, onDue }: RemindersDeps): Reminders {
	/** One transaction, told afterwards. */
	function change(id: ReminderId, act: (tx: WriteDb) => void): Reminder {
		const changed = db.write((tx) => {
			getReminder(tx, id);
			act(tx);
			return getReminder(tx, id);
		});
		onChange();
		return changed;
	}
	return {
		set: ({ stepKey, ...given }) => {
			const set = db.write((tx) => {
				const before = reminderOfKey(tx, stepKey);
				if (before) return before;
				if (given.dueAt <= clock.now()) throw terminal('invalid_input', 'That time is past already, so no reminder was set.');
				const { label } = given;
				const most = label === 'external' ? MOST_FROM_OUTSIDE : MOST_COMING;
				if (countComing(tx, label === 'external' ? label : undefined) >= most)
					throw terminal(
						'tool_denied',
						`${most} reminders${label === 'external' ? ' made after text from outside' : ''} wait already; no more can be set.`,
						{
							action: 'Say so to the owner, who can dismiss some in Settings, General.',
						},
					);
				const id = ReminderId.parse(newId());
				insertReminder(tx, { ...given, id, stepKey, createdAt: clock.now() });
				slot(tx, id, given.dueAt);
				return getReminder(tx, id);
			});
			onChange();
			return set;
		},
		setNow: (tx, { stepKey, ...given }) => {
			const before = reminderOfKey(tx, stepKey);
			if (before) return before.id;
			const id = ReminderId.parse(newId());
			const now = clock.now();
			insertReminder(tx, { ...given, id, stepKey, dueAt: now, createdAt: now });
			slot(tx, id, now);
			return id;
		},
		changed: onChange,
		tell: (ref) => {
			const id = ReminderId.parse(ref);
			const told = db.write((tx) => {
				const isNew = markTold(tx, id, clock.now());
				slot(tx, id, undefined);
				return isNew ? getReminder(tx, id) : undefined;
			});
			if (!told) return;
			onChange();
			onDue(told);
		},
		list: (which, limit) => listReminders(db.read, which, limit),
		dismiss: (id) =>
			change(id, (tx) => {
				markDismissed(tx, id, clock.now());
				slot(tx, id, undefined);
			}),
		remove: (id) => {
			db.write((tx) => {
				slot(tx, id, undefined);
				deleteReminder(tx, id);
			});
			onChange();
		},
		snooze: (id, until) => {
			if (until <= clock.now()) throw terminal('invalid_input', 'That time is past already.', { safe: 'Nothing was changed.' });
			return change(id, (tx) => {
				moveReminder(tx, id, until);
				slot(tx, id, undefined);
				slot(tx, id, until);
			});
		},
	};
}
