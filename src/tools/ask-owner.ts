import { z } from 'zod';
import type { Tool } from './port.ts';

const Arguments = z.object({
	question: z.string().trim().min(1).max(4_000).describe('One clear question.'),
	choices: z.array(z.string().trim().min(1).max(200)).max(8).optional().describe('Short answers to choose from, where there are any.'),
});

/** The model asks; the run waits as a row until the owner answers (R3). It never runs. */
export const askOwnerTool: Tool<z.infer<typeof Arguments>> = {
	name: 'ask_owner',
	title: 'Ask you',
	description:
		'Asks the owner a question and waits for the answer, however long it takes. Use it only where you cannot go on without the answer; for anything else just write your reply.',
	schema: Arguments,
	effect: 'pure',
	timeoutMs: 1_000,
	outputCap: 20_000,
	question: ({ question, choices }) => ({ question, ...(choices && choices.length > 0 ? { choices } : {}) }),
	run: async () => ({ text: 'The owner has to answer this.', isError: true }),
};
