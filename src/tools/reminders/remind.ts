import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { LONGEST_REMINDER } from '../../domain/reminder.ts';
import { repairSurrogates } from '../../domain/text.ts';
import type { Tool } from '../port.ts';
import { dueOf, MOST_MINUTES, When } from '../when.ts';
import type { Reminders } from './reminders.ts';

const Arguments = z.object({
	text: z.string().trim().min(1).max(LONGEST_REMINDER).describe('What the owner is to be told, so that it makes sense by itself.'),
	at: When.optional().describe('When: a local date and time such as 2026-12-03T09:00.'),
	in_minutes: z.number().positive().max(MOST_MINUTES).optional().describe('Or: how many minutes from now.'),
});

/** Tells the owner something at a time, once; nobody waits for it. */
export function remindTool({
	reminders,
	clock,
}: {
	reminders: Pick<Reminders, 'set'>;
	clock: Pick<Clock, 'now'>;
}): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'remind',
		title: 'Remind the owner',
		description:
			'Tells the owner something once, at a time: give either at or in_minutes. Use wait_until where you have to go on yourself then.',
		schema: Arguments,
		effect: 'idempotent',
		timeoutMs: 5_000,
		outputCap: 1_000,
		run: async ({ text, ...when }, { label, sessionId, runId, idempotencyKey }) => {
			const dueAt = dueOf(when, clock.now());
			const reminder = reminders.set({ text: repairSurrogates(text), label, dueAt, sessionId, runId, stepKey: idempotencyKey });
			const shown = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' }).format(reminder.dueAt);
			return { text: `The owner will be reminded on ${shown}.`, isError: false, summary: shown };
		},
	};
}
