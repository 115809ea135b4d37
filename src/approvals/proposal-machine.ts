import { sha256 } from '../base/sha256.ts';
import { assertNever } from '../domain/assert-never.ts';
import { type HearthError, needsOwner, terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import { canonicalJson, type Json } from '../domain/json.ts';
import { joinLabels } from '../domain/label.ts';
import type { Provenance } from '../domain/memory.ts';
import type { Proposal, ProposalOperation, ProposalStatus } from '../domain/proposal.ts';

/** The rules of proposals, pure. A proposal waits until the owner decides; what they decide is done to memory once (B2, B3). */

/** How many of one run may wait at a time (bg-4). */
export const MOST_PENDING_OF_A_RUN = 20;

export interface ProposalState {
	readonly kind: ProposalOperation['kind'];
	readonly status: ProposalStatus;
	readonly shownHash: string;
	/** The target is not what was shown. */
	readonly stale: boolean;
	/** What of the last decision is still to be done to memory. */
	readonly todo: 'apply' | 'undo' | null;
	/** Memory was changed for it, and that can be undone. */
	readonly changed: boolean;
	/** Decisions so far. */
	readonly attempt: number;
	/** It comes from outside: a batch takes it only when exactly this was open. */
	readonly outside: boolean;
	/** Hash of what the owner had open; null where it was nothing yet. */
	readonly openedHash: string | null;
	/** It comes back then; null where it waits now. */
	readonly snoozedUntil: Timestamp | null;
}

/** The first six come from the owner's own doors only; the others tell what happened to memory, or that it is time. */
export type ProposalEvent =
	/** `inBatch`: one yes for several. */
	| { readonly type: 'approve'; readonly shownHash: string; readonly inBatch?: boolean }
	| { readonly type: 'reject'; readonly shownHash: string }
	| { readonly type: 'undo' }
	| { readonly type: 'rebase'; readonly shownHash: string }
	| { readonly type: 'open'; readonly shownHash: string }
	| { readonly type: 'snooze'; readonly until: Timestamp | null }
	/** The time until which it was snoozed may have come. */
	| { readonly type: 'wake'; readonly now: Timestamp }
	| { readonly type: 'target_seen'; readonly stale: boolean }
	/** What was to be done to memory is done; `changed`: it changed something. */
	| { readonly type: 'done'; readonly changed: boolean }
	/** Memory refused it and is as it was. */
	| { readonly type: 'refused' };

/** The next state. Throws `conflict` or `stale` for what must change nothing. */
export function nextProposal(state: ProposalState, event: ProposalEvent): ProposalState {
	switch (event.type) {
		case 'approve':
			checkDecision(state, event.shownHash);
			if (state.stale) throw targetChanged();
			if (event.inBatch) checkBatch(state);
			return { ...decided(state), status: 'approved', todo: 'apply' };
		case 'reject':
			checkDecision(state, event.shownHash);
			// What a program wrote lies in the file: a no takes it out again, unless somebody changed it since.
			return { ...decided(state), status: 'rejected', todo: state.kind === 'drift' && !state.stale ? 'apply' : null };
		case 'undo':
			checkUndo(state);
			return state.changed ? { ...state, todo: 'undo' } : { ...state, status: 'pending' };
		case 'rebase':
			if (state.status !== 'pending') throw alreadyDecided();
			return { ...state, shownHash: event.shownHash, stale: false };
		case 'open':
			checkDecision(state, event.shownHash);
			return { ...state, openedHash: event.shownHash };
		case 'snooze':
			if (state.status !== 'pending') throw alreadyDecided();
			return { ...state, snoozedUntil: event.until };
		case 'wake':
			return state.snoozedUntil === null || state.snoozedUntil > event.now ? state : { ...state, snoozedUntil: null };
		case 'target_seen':
			return { ...state, stale: event.stale };
		case 'done':
			if (state.todo === null) return state;
			return state.todo === 'apply'
				? { ...state, todo: null, changed: event.changed }
				: { ...state, todo: null, changed: false, status: 'pending' };
		case 'refused':
			if (state.todo === null) return state;
			// A decision that could not be done waits again; an undo that could not be done leaves what was decided.
			return state.todo === 'apply' ? { ...state, todo: null, status: 'pending' } : { ...state, todo: null };
		default:
			return assertNever(event);
	}
}

function decided(state: ProposalState): ProposalState {
	return { ...state, attempt: state.attempt + 1, snoozedUntil: null };
}

/** Many at once are easily waved through: what others wrote must have been seen, and what has no way back is asked for alone. */
function checkBatch({ kind, outside, openedHash, shownHash }: ProposalState): void {
	if (kind === 'forget')
		throw needsOwner('conflict', 'Forgetting has no way back: it is approved by itself only.', {
			safe: 'It still waits.',
			action: 'Open it and approve it there.',
		});
	if (outside && openedHash !== shownHash)
		throw needsOwner('conflict', 'This comes from outside, and you have not had it open as it is now.', {
			safe: 'It still waits.',
			action: 'Open it first, then approve it.',
		});
}

/** B3: a decision counts once, and only for what was shown. */
function checkDecision(state: ProposalState, shownHash: string): void {
	if (state.status !== 'pending') throw alreadyDecided();
	if (shownHash !== state.shownHash) throw shownChanged();
}

export function shownChanged(): HearthError {
	return terminal('stale', 'What you were shown is not what waits for you now.', {
		safe: 'Nothing was done.',
		action: 'Look at it again and decide on that.',
	});
}

function checkUndo(state: ProposalState): void {
	if (state.status === 'pending') throw terminal('conflict', 'It is not decided yet.', { safe: 'Nothing was changed.' });
	if (state.todo !== null) throw terminal('conflict', 'What was decided is still being done.', { action: 'Try again in a moment.' });
	if (state.kind === 'forget' && state.status === 'approved')
		throw terminal('conflict', 'What was forgotten can’t be brought back.', { safe: 'Nothing was changed.' });
}

function alreadyDecided(): HearthError {
	return terminal('conflict', 'This was already decided.', {
		safe: 'The first decision holds; nothing happened twice.',
		action: 'Undo that decision to decide again.',
	});
}

function targetChanged(): HearthError {
	return needsOwner('stale', 'What this would change is no longer what was shown.', {
		safe: 'Nothing was done.',
		action: 'Rebase it onto what is there now and look at it again, or reject it.',
	});
}

type Shown = Pick<Proposal, 'operation' | 'label' | 'rule' | 'reason' | 'provenance' | 'finding'>;

/** SHA-256, in hex, of exactly what the owner is shown (B3). */
export function shownHashOfProposal({ operation, label, rule, reason, provenance, finding }: Shown): string {
	const { author, origin, sources, modelName, reason: why } = provenance;
	const about = { operation, label, rule, reason, author, origin, sources, modelName: modelName ?? null, why: why ?? null };
	const shown = finding ? { ...about, finding } : about;
	// A source may hold what JSON leaves out.
	const json = JSON.parse(JSON.stringify(shown)) as Json;
	return sha256(canonicalJson(json));
}

/** What it would put into memory or a skill; null where it only takes something out. */
export function proposedText(operation: ProposalOperation): string | null {
	return operation.kind === 'forget' ? null : operation.text;
}

/**
 * The provenance of approved text (B4): whatever came from outside is `approved` from now on, its origin stays `external` for ever. Other
 * labels stay as they are: an approval lowers nothing else. `edited`: the text as the owner changed it before.
 */
export function approvedProvenance(
	proposal: Pick<Proposal, 'id' | 'operation' | 'label' | 'shownHash' | 'provenance'>,
	at: number,
	edited: string | undefined,
): Provenance {
	const origin = joinLabels(proposal.label, proposal.provenance.origin);
	const proposed = proposedText(proposal.operation);
	const approval = { at, shownHash: proposal.shownHash, proposalId: proposal.id };
	return {
		...proposal.provenance,
		label: origin === 'external' ? 'approved' : origin,
		origin,
		at,
		approval: edited === undefined || proposed === null ? approval : { ...approval, proposedText: proposed },
	};
}
