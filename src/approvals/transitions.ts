import type { Clock } from '../base/clock.ts';
import type { WriteDb } from '../db/brands.ts';
import type { ProposalId } from '../domain/memory.ts';
import { foldedUnder, foldUnder, pendingOfSource } from './fold-store.ts';
import { nextProposal, type ProposalEvent, type ProposalState } from './proposal-machine.ts';
import type { FindingPorts } from './proposal-port.ts';
import type { Decision, StoredProposal } from './proposal-row.ts';
import { getProposal, saveState } from './proposal-store.ts';

export interface TransitionDeps {
	readonly clock: Clock;
	readonly findings: FindingPorts;
}

export interface Moved {
	readonly before: StoredProposal;
	readonly stored: StoredProposal;
	/** Others that fold otherwise now. */
	readonly others: readonly ProposalId[];
}

/** One step of the machine with all that goes with it, in one transaction: the trust in a source, what folds, when it comes back. */
export type Move = (tx: WriteDb, id: ProposalId, event: ProposalEvent, decision?: (before: StoredProposal) => Decision) => Moved;

export function createMove({ clock, findings }: TransitionDeps): Move {
	/** Given back when the decision is taken back, or could not be done. */
	function trustOf(tx: WriteDb, { proposal, state, decision }: StoredProposal, after: ProposalState): Pick<Decision, 'trust'> {
		const { finding } = proposal;
		const sourceId = finding?.sourceId;
		if (sourceId === undefined || state.status === after.status) return decision.trust === undefined ? {} : { trust: decision.trust };
		if (decision.trust !== undefined) findings.unjudged(tx, sourceId, decision.trust);
		return after.status === 'pending' ? {} : { trust: findings.judged(tx, sourceId, after.status) };
	}

	/** A no to one is no decision on what is like it: that stands under it. What else stood under it waits by itself, the rest under the first. */
	function refold(tx: WriteDb, { proposal, state }: StoredProposal, after: ProposalState): ProposalId[] {
		const { id } = proposal;
		const sourceId = proposal.finding?.sourceId;
		if (sourceId === undefined || state.status === after.status) return [];
		const under = foldedUnder(tx, id);
		if (after.status === 'pending') {
			foldUnder(tx, under, null);
			return under;
		}
		// What is decided stands for itself.
		foldUnder(tx, [id], null);
		const ofSource = new Set(pendingOfSource(tx, sourceId));
		const alike = after.status === 'rejected' ? findings.similar(tx, id).filter((other) => other !== id && ofSource.has(other)) : [];
		// What stood under one that folds now goes with it.
		const withTheirs = [...new Set(alike.flatMap((other) => [other, ...foldedUnder(tx, other)]))];
		const [head, ...rest] = under.filter((other) => !withTheirs.includes(other));
		foldUnder(tx, withTheirs, id);
		if (head !== undefined) {
			foldUnder(tx, [head], null);
			foldUnder(tx, rest, head);
		}
		return [...new Set([...withTheirs, ...under])];
	}

	return (tx, id, event, decide = (before) => before.decision) => {
		const before = getProposal(tx, id);
		const { state, proposal } = before;
		const after = nextProposal(state, event);
		const others = refold(tx, before, after);
		const decision = { ...decide(before), ...trustOf(tx, before, after) };
		saveState(tx, id, after, decision, after.status === 'pending' ? null : (proposal.decidedAt ?? clock.now()));
		if (state.snoozedUntil !== after.snoozedUntil) findings.wakeAt(tx, id, after.snoozedUntil ?? undefined);
		return { before, stored: getProposal(tx, id), others };
	};
}
