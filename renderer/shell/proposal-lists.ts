import type { Proposal } from '../../src/domain/proposal.ts';

/** `pending`: what waits now. `snoozed`: what comes back later. */
export type ProposalList = 'pending' | 'snoozed' | 'decided';

/** The list that a proposal belongs to. `now` in milliseconds. */
export function listOf({ status, snoozedUntil }: Pick<Proposal, 'status' | 'snoozedUntil'>, now: number): ProposalList {
	if (status !== 'pending') return 'decided';
	return snoozedUntil !== undefined && snoozedUntil > now ? 'snoozed' : 'pending';
}

/** As the runtime orders them: what waits by age, what is snoozed by when it comes back, what was decided by decision, the newest first. */
function before(list: ProposalList, one: Proposal, other: Proposal): boolean {
	if (list === 'decided') return (one.decidedAt ?? 0) > (other.decidedAt ?? 0);
	if (list === 'snoozed') return (one.snoozedUntil ?? 0) < (other.snoozedUntil ?? 0);
	return one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
}

/**
 * The list with these as they are now: taken up, changed in their place, or left out. The same array where nothing of it changed, so that
 * nothing is drawn anew.
 */
export function withChanges(list: ProposalList, proposals: readonly Proposal[], changed: readonly Proposal[], now: number): Proposal[] {
	let next: Proposal[] | undefined;
	for (const proposal of changed) {
		const current = next ?? proposals;
		const at = current.findIndex(({ id }) => id === proposal.id);
		const belongs = listOf(proposal, now) === list;
		if (at < 0 && !belongs) continue;
		next ??= [...proposals];
		if (at >= 0 && belongs && list === 'pending') {
			next[at] = proposal;
			continue;
		}
		if (at >= 0) next.splice(at, 1);
		if (!belongs) continue;
		const place = next.findIndex((other) => before(list, proposal, other));
		next.splice(place < 0 ? next.length : place, 0, proposal);
	}
	return next ?? (proposals as Proposal[]);
}
