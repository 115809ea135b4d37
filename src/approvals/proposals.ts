import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { Announce } from '../contract/announce.ts';
import type { ApproveChoices, InboxCounts } from '../contract/methods/memory.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { type ErrorShape, terminal, toErrorShape } from '../domain/errors.ts';
import type { EntryId, ProposalId } from '../domain/memory.ts';
import type { Proposal, ProposalOperation, ProposalReceipt } from '../domain/proposal.ts';
import { ownersInterrupts } from './approval-store.ts';
import { createCarryOut } from './carry-out.ts';
import { checkChoices } from './choices.ts';
import { pendingOfSource } from './fold-store.ts';
import { createHolding } from './holding.ts';
import { type ProposalEvent, proposedText, shownHashOfProposal } from './proposal-machine.ts';
import type { FindingPorts, OwnerDecisions, ProposalEffects, Proposals } from './proposal-port.ts';
import type { Decision, StoredProposal } from './proposal-row.ts';
import {
	countFindings,
	countPending,
	findProposal,
	findTarget,
	getProposal,
	listProposals,
	pendingIn,
	pendingOfSkills,
	saveShown,
	unfinishedProposals,
	withWhatItMeets,
} from './proposal-store.ts';
import { rebasedProposal } from './rebase.ts';
import { createMove } from './transitions.ts';

/** `held`: of what no call of a tool proposed. */
export type ProposalStep = 'held' | 'approved' | 'rejected' | 'undone' | 'written';

export interface ProposalsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly effects: ProposalEffects;
	readonly findings: FindingPorts;
	/** Told in the transaction of each of these: it waits, the owner decided, what they decided was done. */
	readonly audit?: ((tx: WriteDb, proposal: Proposal, what: ProposalStep) => void) | undefined;
	/** Something that was decided could not be done to its end: `finish` is to be called again. */
	readonly onUnfinished: () => void;
}

export function createProposals({ db, clock, logger, announce, effects, findings, onUnfinished, audit }: ProposalsDeps): Proposals {
	const sequencer = new Sequencer();
	/** Of what waits: whether it was last announced as stale. */
	const announcedStale = new Map<ProposalId, boolean>();
	const moveRow = createMove({ clock, findings });
	const carryOut = createCarryOut({ clock, effects, onUnfinished, settle, find: (entryId) => findTarget(db.read, entryId) });

	const counts = (): InboxCounts => {
		const now = clock.now();
		return { actions: ownersInterrupts(db.read).length, proposals: countPending(db.read, now), findings: countFindings(db.read, now) };
	};

	function changed(id: ProposalId): Proposal {
		const { proposal } = getProposal(db.read, id);
		announcedStale.set(id, proposal.stale);
		announce({ type: 'proposal_changed', proposal });
		return proposal;
	}

	function tellStale(waiting: readonly Proposal[]): void {
		for (const proposal of waiting) {
			if ((announcedStale.get(proposal.id) ?? false) === proposal.stale) continue;
			announcedStale.set(proposal.id, proposal.stale);
			announce({ type: 'proposal_changed', proposal });
		}
	}

	/** In one transaction, which `also` belongs to. What else changed by it is announced. */
	function move(
		id: ProposalId,
		event: ProposalEvent,
		decision?: (before: StoredProposal) => Decision,
		also: (tx: WriteDb, before: StoredProposal) => void = () => undefined,
	): StoredProposal {
		const { stored, others } = db.write((tx) => {
			const moved = moveRow(tx, id, event, decision);
			also(tx, moved.before);
			return moved;
		});
		for (const other of others) changed(other);
		return stored;
	}

	/** One transaction: the rules say yes, and what is to be done is a row before it is done (R1). */
	function decide(id: ProposalId, event: ProposalEvent, decision?: Decision): StoredProposal {
		const what = event.type === 'approve' ? 'approved' : event.type === 'undo' ? 'undone' : 'rejected';
		const decided = move(
			id,
			event,
			(before) => decision ?? before.decision,
			(tx, { proposal }) => {
				const at = { find: (entryId: EntryId) => findTarget(tx, entryId), now: clock.now() };
				if (event.type === 'approve') checkChoices(proposal.operation, decision?.choices ?? {}, at);
				audit?.(tx, proposal, what);
			},
		);
		if (event.type === 'approve') crashPoint('proposal.approved');
		return decided;
	}

	function settle(id: ProposalId, event: ProposalEvent, receipt?: ProposalReceipt): void {
		move(
			id,
			event,
			({ state, decision }) => (receipt && state.todo === 'apply' ? { ...decision, receipt } : decision),
			(tx, { proposal }) => {
				if (event.type === 'done' && event.changed) audit?.(tx, proposal, 'written');
			},
		);
	}

	/** One decision at a time for each; the second finds what the first made of it. */
	function once(id: ProposalId, work: () => Promise<void>): Promise<Proposal> {
		return sequencer.run(id, async () => {
			let proposal: Proposal;
			try {
				await work();
			} finally {
				// Also after a refusal: a view may hold what no longer is.
				proposal = changed(id);
			}
			return proposal;
		});
	}

	function approve(id: ProposalId, shownHash: string, { given, choices, inBatch }: Yes): Promise<Proposal> {
		return once(id, async () => {
			const edited = editOf(getProposal(db.read, id).proposal.operation, given);
			const decision = { ...(edited !== undefined && { edited }), ...(choices && { choices }) };
			await carryOut(decide(id, { type: 'approve', shownHash, inBatch }, decision));
		});
	}

	function reject(id: ProposalId, shownHash: string, reason: string | undefined): Promise<Proposal> {
		return once(id, () => carryOut(decide(id, { type: 'reject', shownHash }, reason === undefined ? {} : { reason })));
	}

	/** What is shown is what is there now. */
	function rebase(id: ProposalId): void {
		db.write((tx) => {
			const { proposal } = getProposal(tx, id);
			const { operation, finding } = rebasedProposal(proposal, {
				find: (entryId) => findTarget(tx, entryId),
				skillText: effects.skillText,
			});
			const shown = { ...proposal, operation, ...(finding && { finding: withWhatItMeets(tx, finding) }) };
			const shownHash = shownHashOfProposal(shown);
			moveRow(tx, id, { type: 'rebase', shownHash });
			const text = proposedText(operation);
			saveShown(tx, id, { ...shown, shownHash }, text === null ? null : effects.hashText(text));
		});
	}

	const decisions: OwnerDecisions = {
		list: (which, limit, onlyFindings = false) => listProposals(db.read, which, { limit, findings: onlyFindings, now: clock.now() }),
		get: (id) => getProposal(db.read, id).proposal,
		counts,
		approve: (id, shownHash, given, choices) => approve(id, shownHash, { given, choices, inBatch: false }),
		reject,
		undo: (id) => once(id, () => carryOut(decide(id, { type: 'undo' }))),
		opened: (id, shownHash) => {
			move(id, { type: 'open', shownHash });
			return changed(id);
		},
		snooze: (id, until) => {
			if (until !== null && until <= clock.now())
				throw terminal('invalid_input', 'That time is past already.', { safe: 'It waits as before.' });
			move(id, { type: 'snooze', until });
			return changed(id);
		},
		decideAll: (all, decision, reason) =>
			eachByItself(all, ({ proposalId, shownHash }) =>
				decision === 'approve'
					? approve(proposalId, shownHash, { given: undefined, choices: undefined, inBatch: true })
					: reject(proposalId, shownHash, reason),
			),
		rebase: (id) => {
			rebase(id);
			return changed(id);
		},
	};

	function withdraw(id: ProposalId): void {
		const { state, proposal } = getProposal(db.read, id);
		if (state.status !== 'pending') return;
		move(id, { type: 'reject', shownHash: proposal.shownHash }, () => ({ reason: 'The file is another now.' }));
		changed(id);
	}

	return {
		port: createHolding({ db, clock, effects, findings, changed, audit: (tx, proposal) => audit?.(tx, proposal, 'held') }),
		decisions,
		idle: () => sequencer.idle(),
		finish: async () => {
			for (const { proposal } of unfinishedProposals(db.read)) {
				await once(proposal.id, () => carryOut(getProposal(db.read, proposal.id))).catch((error: unknown) =>
					logger.warn('proposal_not_finished', { proposalId: proposal.id, error }),
				);
			}
			return unfinishedProposals(db.read).length === 0;
		},
		sourceWithdrawn: (tx, sourceId) => {
			const waiting = pendingOfSource(tx, sourceId).map((id) => getProposal(tx, id).proposal);
			for (const proposal of waiting) {
				const { id, shownHash } = proposal;
				moveRow(tx, id, { type: 'reject', shownHash }, () => ({ reason: 'Its source was withdrawn.' }));
				audit?.(tx, proposal, 'rejected');
			}
			return () => {
				for (const { id } of waiting) changed(id);
			};
		},
		woken: (id) => {
			if (!findProposal(db.read, id)) return;
			move(id, { type: 'wake', now: clock.now() });
			changed(id);
		},
		memoryChanged: (files) => tellStale(pendingIn(db.read, files)),
		skillsChanged: (names) => {
			const waiting = pendingOfSkills(db.read, names);
			for (const { id, stale, operation } of waiting) if (stale && operation.kind === 'skill' && operation.found) withdraw(id);
			tellStale(waiting.filter(({ stale, operation }) => !stale || operation.kind !== 'skill' || !operation.found));
		},
	};
}

interface Yes {
	readonly given: string | undefined;
	readonly choices: ApproveChoices | undefined;
	readonly inBatch: boolean;
}

/** One after the other; one that is refused keeps the others from nothing. */
async function eachByItself<One extends { proposalId: ProposalId }>(
	all: readonly One[],
	decide: (one: One) => Promise<Proposal>,
): ReturnType<OwnerDecisions['decideAll']> {
	const decided: Proposal[] = [];
	const refused: { proposalId: ProposalId; error: ErrorShape }[] = [];
	for (const one of all) {
		try {
			decided.push(await decide(one));
		} catch (error) {
			refused.push({ proposalId: one.proposalId, error: toErrorShape(error) });
		}
	}
	return { decided, refused };
}

/** The text as the owner changed it; undefined where it is as proposed. */
function editOf(operation: ProposalOperation, given: string | undefined): string | undefined {
	if (given === undefined) return undefined;
	const proposed = proposedText(operation);
	if (proposed === null)
		throw terminal('invalid_input', 'This takes text out of memory: there is nothing to edit.', { safe: 'Nothing was done.' });
	return given === proposed ? undefined : given;
}
