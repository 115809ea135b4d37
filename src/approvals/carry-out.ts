import type { Clock } from '../base/clock.ts';
import { type ErrorCode, HearthError } from '../domain/errors.ts';
import type { EntryId, ProposalId, Provenance } from '../domain/memory.ts';
import type { Proposal, ProposalReceipt } from '../domain/proposal.ts';
import { mintWriteGrant, type WriteGrant } from '../domain/write-grant.ts';
import { chosen } from './choices.ts';
import { approvedProvenance, type ProposalEvent, type ProposalState } from './proposal-machine.ts';
import type { ProposalEffects } from './proposal-port.ts';
import { changedSomething, type Decision, type StoredProposal } from './proposal-row.ts';
import type { Target } from './proposal-store.ts';

export interface CarryOutDeps {
	readonly clock: Clock;
	readonly effects: ProposalEffects;
	readonly find: (id: EntryId) => Target | undefined;
	/** What came of it, in a transaction. */
	readonly settle: (id: ProposalId, event: ProposalEvent, receipt?: ProposalReceipt) => void;
	readonly onUnfinished: () => void;
}

/** After one of these memory is as it was, unless the write is under way; whatever else happened may have left it half way. */
const NOTHING_CHANGED: readonly ErrorCode[] = [
	'stale',
	'not_found',
	'conflict',
	'file_too_large',
	'invalid_input',
	'tool_denied',
	'disk_full',
	'read_only',
];

/** Does what is to be done, under a key of this decision, and says so. Rejects with what memory rejects with. */
export function createCarryOut({ clock, effects, find, settle, onUnfinished }: CarryOutDeps): (stored: StoredProposal) => Promise<void> {
	function applied(proposal: Proposal, state: ProposalState, { edited, choices = {} }: Decision): Promise<ProposalReceipt> {
		const keep = state.status === 'approved';
		const at = proposal.decidedAt ?? clock.now();
		const write = { ...grantFor(proposal), key: keyOf(proposal, state) };
		return effects.apply(
			{ ...chosen(proposal.operation, edited, choices, find), keep },
			{ ...write, provenance: keep ? approvedProvenance(proposal, at, edited) : ownersOwn(at) },
		);
	}

	async function takeBack(proposal: Proposal, state: ProposalState, { receipt }: Decision): Promise<ProposalReceipt | undefined> {
		if (!receipt || receipt.outcome === 'held') return undefined;
		return effects.undo(receipt, { ...grantFor(proposal), key: keyOf(proposal, state), provenance: ownersOwn(clock.now()) });
	}

	return async ({ proposal, state, decision }) => {
		const { id } = proposal;
		if (state.todo === null) return;
		try {
			const receipt = await (state.todo === 'undo' ? takeBack : applied)(proposal, state, decision);
			settle(id, { type: 'done', changed: changedSomething(receipt) }, receipt);
		} catch (error) {
			// Else it stays to be done: a repeat under the same key is safe, giving up on a half-done write is not.
			const refused = error instanceof HearthError && NOTHING_CHANGED.includes(error.code) && !effects.isUnderWay(keyOf(proposal, state));
			if (refused) settle(id, { type: 'refused' });
			else onUnfinished();
			throw error;
		}
	};
}

/** Of what is to be done now. */
function keyOf({ id }: Proposal, { attempt, todo }: ProposalState): string {
	return `proposal:${id}:${attempt}${todo === 'undo' ? ':undo' : ''}`;
}

function grantFor({ id, runId }: Proposal): { grant: WriteGrant } {
	return { grant: mintWriteGrant({ by: 'approval', proposalId: id, ...(runId !== undefined && { runId }) }) };
}

/** Of what the owner takes out again: it brings no text of its own. */
function ownersOwn(at: number): Provenance {
	return { author: 'owner', label: 'owner', origin: 'owner', sources: [], at };
}
