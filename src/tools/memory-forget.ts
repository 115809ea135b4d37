import { z } from 'zod';
import { terminal } from '../domain/errors.ts';
import type { MemoryReader } from '../memory/port.ts';
import { leaveOf, targetOf, tellHeld } from './memory-write.ts';
import type { Tool } from './port.ts';

const Arguments = z.object({
	entry: z.string().min(1).max(200).describe('The entry to forget, as memory_search names it.'),
	reason: z.string().trim().min(1).max(500).describe('Why, in one sentence.'),
});

/** Never forgets by itself, whatever the leave says: it leaves a proposal, and the owner's yes does it (M4, B3). */
export function memoryForgetTool(memory: Pick<MemoryReader, 'entry'>): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'memory_forget',
		title: 'Forget',
		description:
			'Asks the owner to forget an entry: its text is then removed from everywhere. It is done only when the owner says yes in the inbox. Use it only when the owner asked to forget something.',
		schema: Arguments,
		effect: 'idempotent',
		sinks: ['forget'],
		touches: () => [{ sink: 'forget' }],
		timeoutMs: 10_000,
		outputCap: 4_000,
		run: async ({ entry: ref, reason }, context) => {
			const leave = leaveOf(context);
			const { entry, baseHash } = targetOf(memory, ref);
			// What an entry is shown as is what its file says: nobody could say yes to one that has none.
			if (entry.state === 'gone') throw terminal('not_found', 'That entry is no longer in memory: nothing waits for the owner.');
			if (entry.hash !== baseHash) throw terminal('stale', 'That entry has changed since you read it. Search again.');
			const { id: entryId, file, text: before } = entry;
			const receipt = leave.hold({ kind: 'forget', file, entryId, baseHash, before }, leave.provenance({ text: before, reason }));
			return tellHeld(receipt, leave, 'forgotten');
		},
	};
}
