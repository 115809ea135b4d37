import type { FindingPorts } from '../approvals/proposal-port.ts';
import { ProposalId } from '../domain/memory.ts';
import { similarFindings } from '../heartbeat/dedupe-store.ts';
import { judge, trustOf, unjudge } from '../heartbeat/trust-store.ts';
import type { Work } from './work.ts';

/** Timers whose `ref` is a proposal that was snoozed. */
const SNOOZE_TIMER = 'snooze';

/** What the inbox needs of background work and of timers. `work`: asked for when it is used. */
export function findingPorts(work: () => Pick<Work, 'timers'>): FindingPorts {
	return {
		trust: trustOf,
		judged: judge,
		unjudged: unjudge,
		similar: similarFindings,
		wakeAt: (tx, id, at) => {
			const { timers } = work();
			timers.clear(tx, SNOOZE_TIMER, id);
			// The owner's own wish: no active hours hold it.
			if (at !== undefined) timers.set(tx, { kind: SNOOZE_TIMER, ref: id, dueAt: at, work: 'chat' });
		},
	};
}

/** Before work is started. */
export function wakeSnoozed(work: Pick<Work, 'onDue'>, woken: (id: ProposalId) => void): void {
	work.onDue(SNOOZE_TIMER, (ref) => woken(ProposalId.parse(ref)));
}
