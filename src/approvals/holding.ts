import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { type HearthError, terminal } from '../domain/errors.ts';
import { LOW_TRUST } from '../domain/heartbeat.ts';
import { LABELS } from '../domain/label.ts';
import type { ProposalId, Source } from '../domain/memory.ts';
import type { Proposal } from '../domain/proposal.ts';
import { headOfSource } from './fold-store.ts';
import { MOST_PENDING_OF_A_RUN, proposedText, shownHashOfProposal } from './proposal-machine.ts';
import type { FindingPorts, HoldPort, HoldRequest, ProposalEffects } from './proposal-port.ts';
import type { StoredProposal } from './proposal-row.ts';
import {
	countFolded,
	countPendingOfRun,
	findByStep,
	findProposal,
	getProposal,
	insertProposal,
	samePending,
	saveShown,
	withWhatItMeets,
} from './proposal-store.ts';

/** Most sources that one proposal names; what says the same after that is only counted. */
const MOST_SOURCES = 20;

export interface HoldingDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly effects: Pick<ProposalEffects, 'hashText'>;
	readonly findings: Pick<FindingPorts, 'trust'>;
	/** Of what no call of a tool proposed; in the transaction. */
	readonly audit: (tx: WriteDb, proposal: Proposal) => void;
	/** Announces it as it is now. */
	readonly changed: (id: ProposalId) => Proposal;
}

/** Makes something wait. Nothing here decides. */
export function createHolding({ db, clock, effects, findings, audit, changed }: HoldingDeps): HoldPort {
	function insert(tx: WriteDb, request: HoldRequest): { id: ProposalId; fresh: boolean } {
		const { operation, stepKey, runId, label } = request;
		const before = stepKey === undefined ? undefined : findByStep(tx, stepKey);
		if (before) return { id: before.proposal.id, fresh: false };
		const text = proposedText(operation);
		const textHash = text === null ? null : effects.hashText(text);
		// Only into one that is trusted no more than this: what is shown must not look better than it is (B2).
		const same = samePending(tx, operation, textHash).find(({ proposal }) => LABELS.indexOf(proposal.label) >= LABELS.indexOf(label));
		if (same && operation.kind !== 'drift') {
			if (request.finding) foldInto(tx, same, request.provenance.sources);
			else countFolded(tx, same.proposal.id);
			return { id: same.proposal.id, fresh: true };
		}
		// Drift is there already; that it waits is what keeps it from counting.
		// What a task was for is never lost to what its run proposed beside it.
		const counts = operation.kind !== 'drift' && request.finding?.task === undefined;
		if (runId !== undefined && counts && countPendingOfRun(tx, runId) >= MOST_PENDING_OF_A_RUN) throw tooMuchWaits();
		const id = newId<ProposalId>();
		const { foldedInto, ...found } = request.finding ? findingOf(tx, request.finding) : {};
		const shownHash = shownHashOfProposal({ ...request, ...found });
		insertProposal(tx, { ...request, ...found, foldedInto, id, shownHash, stepKey, textHash, createdAt: clock.now() });
		// What a tool's call proposed is told by the gate.
		if (stepKey === undefined || found.finding) audit(tx, getProposal(tx, id).proposal);
		return { id, fresh: true };
	}

	/** What a source that is hardly trusted brings stands under the first of it that waits. */
	function findingOf(tx: WriteDb, given: NonNullable<HoldRequest['finding']>): Pick<Proposal, 'finding' | 'foldedInto'> {
		const { sourceId } = given;
		// The owner made the task themselves: there is no trust to lose, and each of its results stands by itself.
		if (sourceId === undefined) return { finding: withWhatItMeets(tx, given) };
		const trust = findings.trust(tx, sourceId);
		if (trust === undefined) throw sourceGone();
		const foldedInto = trust < LOW_TRUST ? headOfSource(tx, sourceId, clock.now()) : undefined;
		return { finding: withWhatItMeets(tx, given), ...(foldedInto !== undefined && { foldedInto }) };
	}

	/** True where anything changed: the same sources, found once more after a crash, are no news. */
	function foldInto(tx: WriteDb, { proposal, state }: StoredProposal, sources: readonly Source[]): boolean {
		if (state.status !== 'pending') return false;
		const known = proposal.provenance.sources;
		const fresh = sources.filter((source) => !known.some((one) => isDeepStrictEqual(one, source)));
		if (fresh.length === 0) return false;
		countFolded(tx, proposal.id);
		if (known.length + fresh.length > MOST_SOURCES) return true;
		const named = { ...proposal, provenance: { ...proposal.provenance, sources: [...known, ...fresh] } };
		const text = proposedText(proposal.operation);
		saveShown(tx, proposal.id, { ...named, shownHash: shownHashOfProposal(named) }, text === null ? null : effects.hashText(text));
		return true;
	}

	return {
		hold: (request) => {
			const { id, fresh } = db.write((tx) => insert(tx, request));
			if (fresh) crashPoint('proposal.held');
			const { reason } = fresh ? changed(id) : getProposal(db.read, id).proposal;
			return { outcome: 'held', proposalId: id, reason };
		},
		fold: (tx, id, sources) => {
			const stored = findProposal(tx, id);
			// A transaction ends before anything else is done.
			if (stored && foldInto(tx, stored, sources)) queueMicrotask(() => findProposal(db.read, id) && changed(id));
		},
	};
}

function sourceGone(): HearthError {
	return terminal('tool_denied', 'Its source was withdrawn meanwhile: nothing of it waits for the owner any more.', {
		safe: 'Nothing was kept.',
	});
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
