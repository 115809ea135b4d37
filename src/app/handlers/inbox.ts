import { proposedText } from '../../approvals/proposal-machine.ts';
import type { OwnerDecisions } from '../../approvals/proposal-port.ts';
import { terminal } from '../../domain/errors.ts';
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
		list: async ({ status, findings, limit }) => ({ proposals: decisions.list(status, limit, findings), seq: liveSeq() }),
		get: async ({ proposalId }) => decisions.get(proposalId),
		inspected: async ({ proposalId }) => {
			const { provenance, operation } = decisions.get(proposalId);
			const text = proposedText(operation);
			return {
				sources: provenance.sources.map(({ quote }) => inspector.inspect(quote)),
				text: text === null ? null : inspector.inspect(text),
			};
		},
		approve: ({ proposalId, shownHash, text, choices }) => decisions.approve(proposalId, shownHash, text, choices),
		reject: ({ proposalId, shownHash, reason }) => decisions.reject(proposalId, shownHash, reason),
		opened: async ({ proposalId, shownHash }) => decisions.opened(proposalId, shownHash),
		snooze: async ({ proposalId, until }) => decisions.snooze(proposalId, until),
		decideAll: ({ proposals, decision, reason }) => decisions.decideAll(proposals, decision, reason),
		sourceTexts: async ({ proposalId }) => {
			decisions.get(proposalId);
			return [];
		},
		discuss: async ({ proposalId }) => {
			decisions.get(proposalId);
			throw terminal('conflict', 'This can’t be discussed yet.');
		},
		rebase: async ({ proposalId }) => decisions.rebase(proposalId),
		undo: ({ proposalId }) => decisions.undo(proposalId),
	};
}
