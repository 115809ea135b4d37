import { z } from 'zod';
import type { Tool } from './port.ts';

const MOST_TOOLS = 50;

const Arguments = z.object({
	task: z
		.string()
		.trim()
		.min(1)
		.max(20_000)
		.describe('Everything it has to know: it sees nothing of this conversation. Say what to report back.'),
	tools: z.array(z.string()).max(MOST_TOOLS).optional().describe('Names of the only tools it may use. Without it, it has yours.'),
});

export const DELEGATE = 'delegate';

/** A run of its own does the task, and this one sleeps until it reports back (R3). It never runs. */
export const delegateTool: Tool<z.infer<typeof Arguments>> = {
	name: DELEGATE,
	title: 'Delegate a task',
	description:
		'Gives a task to a helper with a fresh, empty context and waits for its short report. Use it for a part of the work that needs a lot of reading and little of it later.',
	schema: Arguments,
	// The same call is the same helper, however often it is made.
	effect: 'idempotent',
	timeoutMs: 1_000,
	outputCap: 10_000,
	wait: ({ task, tools }) => ({ kind: 'child', task, ...(tools && { tools }) }),
	run: async () => ({ text: 'It has to be waited for.', isError: true }),
};
