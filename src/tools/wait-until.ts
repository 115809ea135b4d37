import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { WAIT_NOTE_CHARS } from '../domain/run.ts';
import type { Tool } from './port.ts';
import { dueOf, MOST_MINUTES, When } from './when.ts';

const Arguments = z.object({
	at: When.optional().describe('When to go on: a local date and time such as 2026-12-03T09:00.'),
	in_minutes: z.number().positive().max(MOST_MINUTES).optional().describe('Or: how many minutes from now.'),
	note: z.string().trim().max(WAIT_NOTE_CHARS).default('').describe('What you wait for, in a few words that the owner reads.'),
});
type Arguments = z.infer<typeof Arguments>;

/** The run sleeps as a row until the time has come (R3). It runs only where that is past. */
export function waitUntilTool(clock: Pick<Clock, 'now'>): Tool<Arguments> {
	return {
		name: 'wait_until',
		title: 'Wait for a time',
		description:
			'Waits until a time and goes on then, however far away it is; nothing runs in between. Give either at or in_minutes. Use it only where the work itself has to wait.',
		schema: Arguments,
		effect: 'pure',
		timeoutMs: 1_000,
		outputCap: 1_000,
		wait: (args, now) => {
			const dueAt = dueOf(args, now);
			return dueAt > now ? { kind: 'timer', dueAt, note: args.note } : undefined;
		},
		run: async () => {
			const now = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' }).format(clock.now());
			return { text: `That time is past already; nothing was waited for. It is now ${now}.`, isError: false };
		},
	};
}
