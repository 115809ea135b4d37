import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';

/** What is selected, pure. `anchor`: the row that a range begins at. */
export interface Selection {
	readonly ids: ReadonlySet<ProposalId>;
	readonly anchor: ProposalId | null;
}

export const NOTHING: Selection = { ids: new Set(), anchor: null };

export function toggled({ ids }: Selection, id: ProposalId): Selection {
	const next = new Set(ids);
	if (!next.delete(id)) next.add(id);
	return { ids: next, anchor: id };
}

/** All of these, or none of them where all are selected already. */
export function allToggled({ ids, anchor }: Selection, some: readonly ProposalId[]): Selection {
	const next = new Set(ids);
	const all = some.every((id) => ids.has(id));
	for (const id of some) {
		if (all) next.delete(id);
		else next.add(id);
	}
	return { ids: next, anchor };
}

/** Also what lies between the last one that was selected and this one, in the order of the rows. */
export function ranged(selection: Selection, rows: readonly { readonly id: ProposalId }[], id: ProposalId): Selection {
	const from = rows.findIndex((row) => row.id === selection.anchor);
	const to = rows.findIndex((row) => row.id === id);
	if (from < 0 || to < 0) return toggled(selection, id);
	const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id);
	return { ids: new Set([...selection.ids, ...between]), anchor: selection.anchor };
}

export interface Batch {
	readonly all: readonly Proposal[];
	readonly approvable: readonly Proposal[];
	/** Have to be looked at first. */
	readonly unopened: readonly Proposal[];
	/** Of those, none is anything but text from outside. */
	readonly unopenedExternal: boolean;
	readonly stale: readonly Proposal[];
	/** Are decided by themselves: what asks for forgetting, and a task that needs a time. */
	readonly alone: readonly Proposal[];
}

/** What one press may decide (B3): outside text must have been opened. `now` in milliseconds. */
export function batchOf(proposals: readonly Proposal[], { ids }: Selection, wasSeen: (proposal: Proposal) => boolean, now: number): Batch {
	const all = proposals.filter(({ id, status }) => ids.has(id) && status === 'pending');
	const alone = all.filter(({ operation }) => operation.kind === 'forget' || (operation.kind === 'task' && (operation.dueAt ?? 0) <= now));
	const stale = all.filter((proposal) => proposal.stale && !alone.includes(proposal));
	const rest = all.filter((proposal) => !proposal.stale && !alone.includes(proposal));
	const unopened = rest.filter((proposal) => !wasSeen(proposal));
	const approvable = rest.filter(wasSeen);
	return { all, approvable, unopened, unopenedExternal: unopened.every(({ label }) => label === 'external'), stale, alone };
}
