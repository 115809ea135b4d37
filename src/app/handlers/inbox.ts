import { proposedText } from '../../approvals/proposal-machine.ts';
import type { OwnerDecisions } from '../../approvals/proposal-port.ts';
import type { Inspector } from '../../firewall/ports.ts';
import type { Handlers } from '../router.ts';

/** `inbox.*` of the contract: what waits for the owner without blocking, and their decisions on it (B3). */
export function createInboxHandlers(deps: {
	decisions: OwnerDecisions;
	inspector: Pick<Inspector, 'inspect'>;
	liveSeq: () => number;
}): Handlers['inbox'] {
	const { decisions, inspector, liveSeq } = deps;
	return {
		counts: async () => decisions.counts(),
		list: async ({ status, limit }) => ({ proposals: decisions.list(status, limit), seq: liveSeq() }),
		get: async ({ proposalId }) => decisions.get(proposalId),
		inspected: async ({ proposalId }) => {
			const { provenance, operation } = decisions.get(proposalId);
			const text = proposedText(operation);
			return {
				sources: provenance.sources.map(({ quote }) => inspector.inspect(quote)),
				text: text === null ? null : inspector.inspect(text),
			};
		},
		approve: ({ proposalId, shownHash, text }) => decisions.approve(proposalId, shownHash, text),
		reject: ({ proposalId, shownHash, reason }) => decisions.reject(proposalId, shownHash, reason),
		rebase: async ({ proposalId }) => decisions.rebase(proposalId),
		undo: ({ proposalId }) => decisions.undo(proposalId),
	};
}
