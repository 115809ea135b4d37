import { z } from 'zod';
import { EventName, WAIT_NOTE_CHARS } from '../domain/run.ts';
import type { Tool } from './port.ts';
import { millisecondsOf, When } from './when.ts';

const Arguments = z.object({
	name: EventName.describe('Name of the event, such as documents_signed.'),
	note: z.string().trim().max(WAIT_NOTE_CHARS).default('').describe('What has to happen, in a few words that the owner reads.'),
	until: When.optional().describe('When to give up: a local date and time such as 2026-12-03T09:00. Without it, it waits for ever.'),
});

/** The run sleeps as a row until somebody says that it happened (R3). It never runs. */
export const waitForEventTool: Tool<z.infer<typeof Arguments>> = {
	name: 'wait_for_event',
	title: 'Wait for an event',
	description:
		'Waits until an event of this name is signalled by the owner or another program, and gives what came with it. Use it only where the owner asked you to wait for one.',
	schema: Arguments,
	effect: 'pure',
	timeoutMs: 1_000,
	outputCap: 20_000,
	wait: ({ name, note, until }) => ({ kind: 'event', name, note, ...(until !== undefined && { until: millisecondsOf(until) }) }),
	run: async () => ({ text: 'It has to be waited for.', isError: true }),
};
