import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { Announce } from '../contract/announce.ts';
import type { InboxCounts } from '../contract/methods/memory.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { type ErrorCode, type ErrorShape, HearthError, terminal, toErrorShape } from '../domain/errors.ts';
import { LABELS } from '../domain/label.ts';
import type { MemoryReceipt, ProposalId, Provenance } from '../domain/memory.ts';
import type { Proposal, ProposalOperation, ProposalReceipt } from '../domain/proposal.ts';
import { mintWriteGrant, type WriteGrant } from '../domain/write-grant.ts';
import { ownersInterrupts } from './approval-store.ts';
import {
	approvedProvenance,
	MOST_PENDING_OF_A_RUN,
	nextProposal,
	type ProposalEvent,
	type ProposalState,
	proposedText,
	shownChanged,
	shownHashOfProposal,
} from './proposal-machine.ts';
import type { HoldRequest, OwnerDecisions, ProposalEffects, Proposals } from './proposal-port.ts';
import {
	countFolded,
	countPending,
	countPendingOfRun,
	type Decision,
	findByStep,
	findTarget,
	getProposal,
	insertProposal,
	listProposals,
	pendingIn,
	pendingOfSkills,
	type StoredProposal,
	samePending,
	saveOpened,
	saveRebase,
	saveSnooze,
	saveState,
	unfinishedProposals,
} from './proposal-store.ts';
import { rebased, rebasedSkill } from './rebase.ts';

/** `held`: of what no call of a tool proposed. */
export type ProposalStep = 'held' | 'approved' | 'rejected' | 'undone' | 'written';

export interface ProposalsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly effects: ProposalEffects;
	/** Told in the transaction of each of these: it waits, the owner decided, what they decided was done. */
	readonly audit?: ((tx: WriteDb, proposal: Proposal, what: ProposalStep) => void) | undefined;
	/** Something that was decided could not be done to its end: `finish` is to be called again. */
	readonly onUnfinished: () => void;
}

/** After one of these memory is as it was, unless the write is under way; whatever else happened may have left it half way. */
const NOTHING_CHANGED: readonly ErrorCode[] = [
	'stale',
	'not_found',
	'conflict',
	'file_too_large',
	'invalid_input',
	'disk_full',
	'read_only',
];

export function createProposals({ db, clock, logger, announce, effects, onUnfinished, audit }: ProposalsDeps): Proposals {
	const sequencer = new Sequencer();
	/** Of what waits: whether it was last announced as stale. */
	const announcedStale = new Map<ProposalId, boolean>();

	const counts = (): InboxCounts => ({ actions: ownersInterrupts(db.read).length, proposals: countPending(db.read, clock.now()) });
	const textHashOf = (operation: ProposalOperation): string | null => {
		const text = proposedText(operation);
		return text === null ? null : effects.hashText(text);
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

	function withdraw(id: ProposalId): void {
		db.write((tx) => {
			const { state } = getProposal(tx, id);
			if (state.status !== 'pending') return;
			saveState(tx, id, { ...state, status: 'rejected', todo: null }, { reason: 'The file is another now.' }, clock.now());
		});
		changed(id);
	}

	function hold(request: HoldRequest): Extract<MemoryReceipt, { outcome: 'held' }> {
		const { operation, stepKey, runId, label } = request;
		const textHash = textHashOf(operation);
		const { id, fresh } = db.write((tx) => {
			const before = stepKey === undefined ? undefined : findByStep(tx, stepKey);
			if (before) return { id: before.proposal.id, fresh: false };
			// Only into one that is trusted no more than this: what is shown must not look better than it is (B2).
			const same = samePending(tx, operation, textHash).find(({ proposal }) => LABELS.indexOf(proposal.label) >= LABELS.indexOf(label));
			if (same && operation.kind !== 'drift') {
				countFolded(tx, same.proposal.id);
				return { id: same.proposal.id, fresh: true };
			}
			// Drift is there already; that it waits is what keeps it from counting.
			if (runId !== undefined && operation.kind !== 'drift' && countPendingOfRun(tx, runId) >= MOST_PENDING_OF_A_RUN) throw tooMuchWaits();
			const id = newId<ProposalId>();
			const shownHash = shownHashOfProposal(request);
			insertProposal(tx, { ...request, id, shownHash, stepKey, textHash, createdAt: clock.now() });
			if (stepKey === undefined) audit?.(tx, getProposal(tx, id).proposal, 'held');
			return { id, fresh: true };
		});
		const { reason } = fresh ? changed(id) : getProposal(db.read, id).proposal;
		return { outcome: 'held', proposalId: id, reason };
	}

	/** One transaction: the rules say yes, and what is to be done is a row before it is done (R1). */
	function decide(id: ProposalId, event: ProposalEvent, decision: Decision): StoredProposal {
		const decided = db.write((tx) => {
			const stored = getProposal(tx, id);
			const state = nextProposal(stored.state, event);
			const kept = event.type === 'undo' ? stored.decision : decision;
			saveState(tx, id, state, kept, decidedAtOf(state, stored.proposal));
			audit?.(tx, stored.proposal, event.type === 'approve' ? 'approved' : event.type === 'undo' ? 'undone' : 'rejected');
			return getProposal(tx, id);
		});
		if (event.type === 'approve') crashPoint('proposal.approved');
		return decided;
	}

	function decidedAtOf(state: ProposalState, { decidedAt }: Proposal): number | null {
		return state.status === 'pending' ? null : (decidedAt ?? clock.now());
	}

	/** Does what is to be done, under a key of this decision, and says so. Throws what memory throws. */
	async function carryOut({ proposal, state, decision }: StoredProposal): Promise<void> {
		const { id } = proposal;
		if (state.todo === null) return;
		try {
			const receipt = await (state.todo === 'undo' ? takeBack : applied)(proposal, state, decision);
			settle(id, { type: 'done', changed: receipt !== undefined && receipt.outcome !== 'held' }, receipt);
		} catch (error) {
			// Else it stays to be done: a repeat under the same key is safe, giving up on a half-done write is not.
			const refused = error instanceof HearthError && NOTHING_CHANGED.includes(error.code) && !effects.isUnderWay(keyOf(proposal, state));
			if (refused) settle(id, { type: 'refused' }, undefined);
			else onUnfinished();
			throw error;
		}
	}

	function settle(id: ProposalId, event: ProposalEvent, receipt: ProposalReceipt | undefined): void {
		db.write((tx) => {
			const stored = getProposal(tx, id);
			const state = nextProposal(stored.state, event);
			const decision = receipt && stored.state.todo === 'apply' ? { ...stored.decision, receipt } : stored.decision;
			saveState(tx, id, state, decision, decidedAtOf(state, stored.proposal));
			if (event.type === 'done' && event.changed) audit?.(tx, stored.proposal, 'written');
		});
	}

	function applied(proposal: Proposal, state: ProposalState, { edited }: Decision): Promise<ProposalReceipt> {
		const keep = state.status === 'approved';
		const at = proposal.decidedAt ?? clock.now();
		const write = { ...grantFor(proposal), key: keyOf(proposal, state) };
		const text = edited ?? proposedText(proposal.operation);
		return effects.apply(
			{ operation: proposal.operation, text, keep },
			{ ...write, provenance: keep ? approvedProvenance(proposal, at, edited) : ownersOwn(at) },
		);
	}

	async function takeBack(proposal: Proposal, state: ProposalState, { receipt }: Decision): Promise<ProposalReceipt | undefined> {
		if (!receipt || receipt.outcome === 'held') return undefined;
		return effects.undo(receipt, { ...grantFor(proposal), key: keyOf(proposal, state), provenance: ownersOwn(clock.now()) });
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

	function onWhatIsThere(operation: ProposalOperation, tx: ReadDb): ProposalOperation {
		if (operation.kind === 'notice' || operation.kind === 'task') return operation;
		return operation.kind === 'skill'
			? rebasedSkill(operation, effects.skillText(operation.name))
			: rebased(operation, (entryId) => findTarget(tx, entryId));
	}

	const decisions: OwnerDecisions = {
		list: (which, limit, findings = false) => listProposals(db.read, which, { limit, findings, now: clock.now() }),
		get: (id) => getProposal(db.read, id).proposal,
		counts,
		approve: (id, shownHash, given) =>
			once(id, async () => {
				const edited = editOf(getProposal(db.read, id).proposal.operation, given);
				await carryOut(decide(id, { type: 'approve', shownHash }, edited === undefined ? {} : { edited }));
			}),
		reject: (id, shownHash, reason) =>
			once(id, () => carryOut(decide(id, { type: 'reject', shownHash }, reason === undefined ? {} : { reason }))),
		undo: (id) => once(id, () => carryOut(decide(id, { type: 'undo' }, {}))),
		opened: (id, shownHash) => {
			db.write((tx) => {
				if (getProposal(tx, id).proposal.shownHash !== shownHash) throw shownChanged();
				saveOpened(tx, id, shownHash);
			});
			return changed(id);
		},
		snooze: (id, until) => {
			db.write((tx) => saveSnooze(tx, id, until));
			return changed(id);
		},
		decideAll: async (all, decision, reason) => {
			const decided: Proposal[] = [];
			const refused: { proposalId: ProposalId; error: ErrorShape }[] = [];
			for (const { proposalId, shownHash } of all) {
				try {
					decided.push(
						await (decision === 'approve'
							? decisions.approve(proposalId, shownHash, undefined)
							: decisions.reject(proposalId, shownHash, reason)),
					);
				} catch (error) {
					refused.push({ proposalId, error: toErrorShape(error) });
				}
			}
			return { decided, refused };
		},
		rebase: (id) => {
			db.write((tx) => {
				const { proposal, state } = getProposal(tx, id);
				const operation = onWhatIsThere(proposal.operation, tx);
				const shownHash = shownHashOfProposal({ ...proposal, operation });
				nextProposal(state, { type: 'rebase', shownHash });
				saveRebase(tx, id, operation, shownHash, textHashOf(operation));
			});
			return changed(id);
		},
	};

	return {
		port: { hold },
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
		memoryChanged: (files) => tellStale(pendingIn(db.read, files)),
		skillsChanged: (names) => {
			const waiting = pendingOfSkills(db.read, names);
			for (const { id, stale, operation } of waiting) if (stale && operation.kind === 'skill' && operation.found) withdraw(id);
			tellStale(waiting.filter(({ stale, operation }) => !stale || operation.kind !== 'skill' || !operation.found));
		},
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

/** The text as the owner changed it; undefined where it is as proposed. */
function editOf(operation: ProposalOperation, given: string | undefined): string | undefined {
	if (given === undefined) return undefined;
	const proposed = proposedText(operation);
	if (proposed === null)
		throw terminal('invalid_input', 'This takes text out of memory: there is nothing to edit.', { safe: 'Nothing was done.' });
	return given === proposed ? undefined : given;
}

function tooMuchWaits(): HearthError {
	return terminal(
		'tool_denied',
		`${MOST_PENDING_OF_A_RUN} changes to memory or skills of this run already wait for the owner; it can propose no more.`,
		{
			safe: 'What waits stays.',
			action: 'Go on without it, and say that the inbox has to be looked at first.',
		},
	);
}
