import type { QueryClient } from '@tanstack/react-query';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { call, onProposalsChanged, type SeenProposal, useConnection } from '../connection/index.ts';
import { type ProposalList, withChanges } from './proposal-lists.ts';

export type { ProposalList } from './proposal-lists.ts';

/** The lists of the inbox in the cache of queries: read once, then kept by what is announced. Reading hundreds anew for each change would stall them. */

interface Listed {
	readonly proposals: Proposal[];
	/** The live position it was taken at. */
	readonly seq: number;
}

/** As many as one list holds. */
const LIMIT = 1_000;
const LISTS: readonly ProposalList[] = ['pending', 'snoozed', 'decided'];

/** What was announced of late, so that a list that was being read meanwhile does not miss it. */
const recent = new Map<ProposalId, SeenProposal>();

const keyOf = (list: ProposalList): [string, string, ProposalList] => ['inbox', 'list', list];

export async function readProposals(status: ProposalList): Promise<Listed> {
	const { proposals, seq } = await call((client) => client.inbox.list({ status, limit: LIMIT }), { repeatable: true });
	const newer = [...recent.values()].filter((each) => each.seq > seq).map(({ proposal }) => proposal);
	return { proposals: withChanges(status, proposals, newer, Date.now()), seq };
}

/** A list as it was last taken. */
export function proposalsNow(queries: QueryClient, list: ProposalList): readonly Proposal[] {
	return queries.getQueryData<Listed>(keyOf(list))?.proposals ?? [];
}

/** Puts these, as they are now, into the lists that were read. */
export function putProposals(queries: QueryClient, changed: readonly Proposal[]): void {
	for (const list of LISTS) {
		queries.setQueryData<Listed>(keyOf(list), (listed) => {
			if (!listed) return undefined;
			const proposals = withChanges(list, listed.proposals, changed, Date.now());
			return proposals === listed.proposals ? listed : { ...listed, proposals };
		});
	}
	for (const proposal of changed) queries.setQueryData(['inbox', 'proposal', proposal.id], proposal);
}

/** Keeps the lists as events tell. Returns a function that stops it. */
export function keepProposals(queries: QueryClient): () => void {
	return onProposalsChanged((changed) => {
		if (!changed) {
			recent.clear();
			void queries.invalidateQueries({ queryKey: ['inbox'] });
			return;
		}
		for (const seen of changed) {
			// The latest is the last of the map, so that the oldest is the first to go.
			recent.delete(seen.proposal.id);
			recent.set(seen.proposal.id, seen);
		}
		for (const id of recent.keys()) {
			if (recent.size <= LIMIT) break;
			recent.delete(id);
		}
		putProposals(
			queries,
			changed.map(({ proposal }) => proposal),
		);
	});
}

/** What waits went without a word of its own, as when its source was removed: the number says so. Returns a function that stops it. */
export function recountProposals(queries: QueryClient): () => void {
	return useConnection.subscribe(({ inbox }, before) => {
		if (!inbox || inbox === before.inbox) return;
		// After what the same batch brings of proposals.
		setTimeout(() => {
			const listed = queries.getQueryData<Listed>(keyOf('pending'));
			const now = useConnection.getState().inbox?.proposals;
			// What folds is in the list, and is not counted.
			const counted = listed?.proposals.filter(({ foldedInto }) => foldedInto === undefined).length;
			if (counted === undefined || now === undefined || counted === now || (listed?.proposals.length ?? 0) >= LIMIT) return;
			void queries.invalidateQueries({ queryKey: ['inbox', 'list'] });
		}, 0);
	});
}
