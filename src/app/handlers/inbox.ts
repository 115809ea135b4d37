import { proposedText } from '../../approvals/proposal-machine.ts';
import type { OwnerDecisions } from '../../approvals/proposal-port.ts';
import type { SourceText } from '../../contract/methods/heartbeat.ts';
import type { ReadDb } from '../../db/brands.ts';
import type { FindingQuote } from '../../domain/heartbeat.ts';
import type { Inspector } from '../../firewall/ports.ts';
import { findItem } from '../../heartbeat/item-store.ts';
import { type DiscussDeps, discuss } from '../discuss.ts';
import type { Handlers } from '../router.ts';

/** `inbox.*` of the contract: what waits for the owner without blocking, and their decisions on it (B3). */
export function createInboxHandlers(
	deps: DiscussDeps & {
		readonly decisions: OwnerDecisions;
		readonly inspector: Pick<Inspector, 'inspect'>;
		readonly liveSeq: () => number;
	},
): Handlers['inbox'] {
	const { db, decisions, inspector, liveSeq } = deps;
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
		sourceTexts: async ({ proposalId }) => sourceTexts(db.read, decisions.get(proposalId).finding?.quotes ?? [], inspector),
		discuss: ({ proposalId, requestId, allow }) => discuss(deps, decisions.get(proposalId), { requestId, allow }),
		rebase: async ({ proposalId }) => decisions.rebase(proposalId),
		undo: ({ proposalId }) => decisions.undo(proposalId),
	};
}

/** One for each text that is quoted, in the order of the quotes. Where it was collected, what was quoted of it is left. */
function sourceTexts(db: ReadDb, quotes: readonly FindingQuote[], inspector: Pick<Inspector, 'inspect'>): SourceText[] {
	return [...new Set(quotes.map(({ itemId }) => itemId))].map((itemId) => {
		const quoted = quotes.filter((quote) => quote.itemId === itemId);
		const item = findItem(db, itemId);
		if (item) {
			const spans = quoted.filter(({ start, end, quote }) => item.text.slice(start, end) === quote);
			return { item, text: item.text, quotes: inOrder(spans), inspection: inspector.inspect(item.text) };
		}
		const text = quoted.map(({ quote }) => quote).join('\n\n');
		let at = 0;
		const spans = quoted.map(({ quote }) => {
			const start = at;
			at += quote.length + 2;
			return { start, end: start + quote.length };
		});
		return { text, quotes: spans, inspection: inspector.inspect(text) };
	});
}

function inOrder(quotes: readonly FindingQuote[]): { start: number; end: number }[] {
	return quotes.map(({ start, end }) => ({ start, end })).sort((a, b) => a.start - b.start);
}
