import { z } from 'zod';
import { Timestamp } from '../../domain/ids.ts';
import { Reminder, ReminderId } from '../../domain/reminder.ts';
import { method } from './base.ts';

const One = z.object({ reminderId: ReminderId });

/** What the owner is to be told at a time. A step sets them; here the owner sees them and does away with them. */
export const reminders = {
	/** `open`: coming and told ones, by time. `dismissed`: newest first. */
	list: method
		.input(z.object({ which: z.enum(['open', 'dismissed']).default('open'), limit: z.number().int().min(1).max(500).default(200) }))
		.output(z.object({ reminders: z.array(Reminder), seq: z.number().int() })),
	dismiss: method.input(One).output(Reminder),
	/** It comes again then. Throws `invalid_input` for a time that is past. */
	snooze: method.input(One.extend({ until: Timestamp })).output(Reminder),
};
