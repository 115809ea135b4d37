// One life of the whole runtime that decides on a proposal and dies by SIGKILL where it is told: `node main.ts JSON`.
import { z } from 'zod';
import { CRASH_POINTS, onCrashPoint } from '../../../src/base/crash-point.ts';
import { ApproveChoices } from '../../../src/contract/methods/memory.ts';
import { WatchedSourceId } from '../../../src/domain/heartbeat.ts';
import { SessionId } from '../../../src/domain/ids.ts';
import { EntryId, ProposalId } from '../../../src/domain/memory.ts';
import { startApp } from '../apps.ts';

const Life = z.object({
	home: z.string(),
	proposalId: ProposalId,
	act: z.enum(['approve', 'undo', 'reject', 'snooze', 'remove']),
	choices: ApproveChoices.optional(),
	/** Of `snooze`. */
	until: z.number().optional(),
	/** Of `remove`: the source, and what goes with it. */
	source: z.object({ sourceId: WatchedSourceId, forget: z.array(EntryId), deleteChats: z.array(SessionId).optional() }).optional(),
	dieAt: z.enum(CRASH_POINTS),
	/** How often the place is passed before, from the act on. */
	after: z.number().default(0),
});
export type Life = z.input<typeof Life>;

async function main({ home, proposalId, act, choices, until, source, dieAt, after }: z.output<typeof Life>): Promise<void> {
	const { rpc } = await startApp(home);
	const { shownHash } = await rpc.inbox.get({ proposalId });
	let passed = 0;
	onCrashPoint((name) => {
		if (name === dieAt && passed++ === after) process.kill(process.pid, 'SIGKILL');
	});
	if (act === 'undo') await rpc.inbox.undo({ proposalId });
	else if (act === 'snooze') await rpc.inbox.snooze({ proposalId, until: until ?? null });
	else if (act === 'remove' && source) await rpc.sources.remove(source);
	else if (act === 'approve') await rpc.inbox.approve({ proposalId, shownHash, ...(choices && { choices }) });
	else await rpc.inbox.reject({ proposalId, shownHash });
	throw new Error(`${dieAt} was not passed`);
}

if (process.argv[2]) await main(Life.parse(JSON.parse(process.argv[2])));
