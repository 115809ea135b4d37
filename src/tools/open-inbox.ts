import { z } from 'zod';
import type { Tool } from './port.ts';

const Arguments = z.object({});

export const OPEN_INBOX = 'open_inbox';

/** How many findings wait, in words that hold none of theirs (B1). */
export function waitingFindings(waiting: number): string {
	if (waiting === 0) return 'No findings from background work wait in the inbox';
	return waiting === 1 ? '1 finding from background work waits in the inbox' : `${waiting} findings from background work wait in the inbox`;
}

/**
 * Leads the owner to what background work found, without a word of it: all that a model learns is how many there are. A view that shows the chat
 * opens the inbox when it sees this call end.
 */
export function openInboxTool(findingsWaiting: () => number): Tool<z.infer<typeof Arguments>> {
	return {
		name: OPEN_INBOX,
		title: 'Open the inbox',
		description:
			'Opens the inbox in front of the owner, where findings from background work wait for their decision. Call it when the owner asks what you found, what is new, or to see the inbox. You cannot read findings; only the owner can.',
		schema: Arguments,
		effect: 'pure',
		chatOnly: true,
		timeoutMs: 1_000,
		outputCap: 1_000,
		run: async () => {
			const waiting = findingsWaiting();
			return {
				text: `The inbox was opened. ${waitingFindings(waiting)}. Nobody but the owner can read them before they are approved.`,
				isError: false,
				summary: `${waiting} waiting`,
			};
		},
	};
}
