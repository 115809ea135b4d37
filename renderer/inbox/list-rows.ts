import type { TickId, Urgency } from '../../src/domain/heartbeat.ts';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { ProposalList } from '../shell/proposals.ts';
import { OWN, sourceOf } from './filter.ts';

export type GroupBy = 'look' | 'source';

/** What stands under one heading. `own`: what chats and programs want. */
export interface Group {
	readonly key: string;
	readonly about:
		| { readonly kind: 'look'; readonly tickId: TickId; readonly at: number }
		| { readonly kind: 'source'; readonly title: string }
		| { readonly kind: 'own' }
		| { readonly kind: 'snoozed' | 'decided' };
	/** Those with a row of their own, in their order. */
	readonly ids: readonly ProposalId[];
}

export interface ProposalRowData {
	readonly kind: 'proposal';
	readonly key: string;
	readonly proposal: Proposal;
	/** It stands under the one that it says nearly the same as. */
	readonly under: boolean;
	/** How many fold into it, and whether they are shown. */
	readonly folded: number;
	readonly unfolded: boolean;
	/** From 1, among all proposals that have a row. */
	readonly place: number;
}

/** One row of the list. `fold`: what says nearly the same as one that is decided. */
export type ListRow =
	| { readonly kind: 'group'; readonly key: string; readonly group: Group }
	| ProposalRowData
	| {
			readonly kind: 'fold';
			readonly key: string;
			readonly head: ProposalId;
			readonly ids: readonly ProposalId[];
			readonly unfolded: boolean;
	  };

export interface Rows {
	readonly rows: readonly ListRow[];
	/** Those with a row of their own, in the order in which J moves. */
	readonly proposals: readonly Proposal[];
	/** All that can have the focus, by their keys. */
	readonly stops: readonly { readonly id: string }[];
	/** Where each stands among the rows. */
	readonly indexOf: ReadonlyMap<string, number>;
}

const RANK: Record<Urgency, number> = { high: 0, normal: 1, low: 2 };

/** Rows for these proposals: the newest look first; within a look what is urgent first, then the oldest. `unfolded`: heads that are open. */
export function rowsOf(
	proposals: readonly Proposal[],
	{ list, by, unfolded }: { list: ProposalList; by: GroupBy; unfolded: ReadonlySet<string> },
): Rows {
	if (list !== 'pending') return flat(list, proposals);
	const there = new Set(proposals.map(({ id }) => id));
	const folds = new Map<ProposalId, Proposal[]>();
	for (const proposal of proposals) {
		if (proposal.foldedInto) folds.set(proposal.foldedInto, [...(folds.get(proposal.foldedInto) ?? []), proposal]);
	}
	const groups = new Map<string, { about: Group['about']; newest: number; members: Proposal[] }>();
	for (const proposal of proposals) {
		// It stands under its head, wherever that is.
		if (proposal.foldedInto && there.has(proposal.foldedInto) && proposal.foldedInto !== proposal.id) continue;
		const { key, about } = groupOf(proposal, by);
		const group = groups.get(key);
		if (group) {
			group.members.push(proposal);
			group.newest = Math.max(group.newest, proposal.createdAt);
		} else groups.set(key, { about, newest: proposal.createdAt, members: [proposal] });
	}
	const rows: ListRow[] = [];
	const shown: Proposal[] = [];
	const add = (proposal: Proposal, under: boolean, folded: number): void => {
		shown.push(proposal);
		const isOpen = folded > 0 && unfolded.has(proposal.id);
		rows.push({ kind: 'proposal', key: proposal.id, proposal, under, folded, unfolded: isOpen, place: shown.length });
	};
	for (const [key, { about, members }] of [...groups].sort(([, a], [, b]) => b.newest - a.newest)) {
		const heading = rows.length;
		const first = shown.length;
		const begun = new Set<ProposalId>();
		for (const proposal of members.sort(byUrgency)) {
			const head = proposal.foldedInto;
			if (head) {
				// What it folds into is decided: all of those are one row, at the first of them.
				if (begun.has(head)) continue;
				begun.add(head);
				const under = members.filter(({ foldedInto }) => foldedInto === head);
				const isOpen = unfolded.has(head);
				rows.push({ kind: 'fold', key: `fold:${key}:${head}`, head, ids: under.map(({ id }) => id), unfolded: isOpen });
				if (isOpen) for (const each of under) add(each, true, 0);
				continue;
			}
			const under = folds.get(proposal.id) ?? [];
			add(proposal, false, under.length);
			if (unfolded.has(proposal.id)) for (const each of under) add(each, true, 0);
		}
		const group: Group = { key, about, ids: shown.slice(first).map(({ id }) => id) };
		rows.splice(heading, 0, { kind: 'group', key: `group:${key}`, group });
	}
	return indexed(rows, shown);
}

/** What is decided, or comes back later, as it comes. */
function flat(kind: 'snoozed' | 'decided', proposals: readonly Proposal[]): Rows {
	const rows: ListRow[] = proposals.map((proposal, index) => ({
		kind: 'proposal',
		key: proposal.id,
		proposal,
		under: false,
		folded: 0,
		unfolded: false,
		place: index + 1,
	}));
	const group: Group = { key: kind, about: { kind }, ids: [] };
	return indexed(rows.length === 0 ? [] : [{ kind: 'group', key: `group:${kind}`, group }, ...rows], proposals);
}

function indexed(rows: readonly ListRow[], proposals: readonly Proposal[]): Rows {
	const stops = rows.filter(({ kind }) => kind !== 'group').map(({ key }) => ({ id: key }));
	return { rows, proposals, stops, indexOf: new Map(rows.map(({ key }, index) => [key, index])) };
}

function groupOf(proposal: Proposal, by: GroupBy): { key: string; about: Group['about'] } {
	const { finding, createdAt } = proposal;
	if (!finding) return { key: OWN, about: { kind: 'own' } };
	return by === 'source' || finding.tickId === undefined
		? { key: sourceOf(proposal), about: { kind: 'source', title: finding.sourceTitle } }
		: { key: finding.tickId, about: { kind: 'look', tickId: finding.tickId, at: createdAt } };
}

function byUrgency(one: Proposal, other: Proposal): number {
	return RANK[one.finding?.urgency ?? 'normal'] - RANK[other.finding?.urgency ?? 'normal'] || one.createdAt - other.createdAt;
}
