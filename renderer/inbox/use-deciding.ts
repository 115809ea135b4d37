import { useLocation } from 'wouter';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { focusEmptyList, focusRow, focusTitle, isInList } from './focus.ts';
import { approve, rebase, reject, undoDecision, waitingNow } from './inbox-actions.ts';
import { leaveForms, useInboxUi } from './inbox-ui-store.ts';
import { INBOX, proposalPlace } from './place.ts';
import { canEdit, canUndo, mustBeOpened, neighbour, seenKey, textAfter } from './proposal-view.ts';

/** What the owner can do with a proposal, by key or button; and where they are led after it. */
export interface Deciding {
	approve(proposal: Proposal, text?: string): void;
	reject(proposal: Proposal, reason: string): void;
	askReason(proposal: Proposal): void;
	edit(proposal: Proposal): void;
	rebase(proposal: Proposal): void;
	undo(proposal: Proposal | undefined): void;
	/** The owner saw what would be forgotten and wants it. Resolves to false where it failed. */
	forget(proposal: Proposal): Promise<boolean>;
}

/** `rows`: the list as it is shown. `openId`: the proposal that is shown beside it. */
export function useDeciding(rows: readonly Proposal[], openId: string | undefined): Deciding {
	const [, navigate] = useLocation();
	const say = useSay();

	const open = (proposal: Proposal): void => {
		if (openId !== proposal.id) navigate(proposalPlace(proposal.id));
	};
	/** The owner may have gone elsewhere while it was done: nobody is called back. */
	const isStillHere = (): boolean => window.location.hash === `#${openId === undefined ? INBOX : proposalPlace(openId)}`;
	/** The next one that waits is shown, and has the focus where the one before had it. */
	const goOn = (proposal: Proposal): void => {
		if (!isStillHere()) return;
		const next = neighbour(rows, waitingNow(), proposal.id);
		const fromList = isInList();
		if (!next) {
			navigate(INBOX, { replace: true });
			focusEmptyList();
			return;
		}
		if (openId === proposal.id) navigate(proposalPlace(next.id), { replace: true });
		if (fromList) focusRow(next.id);
		else focusTitle();
	};
	/** A decision needs that all of it was on the screen (B3). */
	const isSeen = (proposal: Proposal): boolean => {
		if (!mustBeOpened(proposal) || useInboxUi.getState().seen.has(seenKey(proposal))) return true;
		showToast(say('inbox.openFirst'));
		return false;
	};
	return {
		approve: (proposal, text) => {
			if (proposal.status !== 'pending' || proposal.stale || !isSeen(proposal)) return;
			if (proposal.operation.kind === 'forget') useInboxUi.setState({ forgetting: proposal.id, problem: null });
			else void approve(proposal, text).then((done) => (done ? goOn(proposal) : undefined));
		},
		reject: (proposal, reason) => void reject(proposal, reason).then((done) => (done ? goOn(proposal) : undefined)),
		askReason: (proposal) => {
			if (proposal.status !== 'pending') return;
			open(proposal);
			useInboxUi.setState({ rejecting: proposal.id, editing: null });
		},
		edit: (proposal) => {
			if (!canEdit(proposal)) return;
			open(proposal);
			useInboxUi.setState({ editing: { id: proposal.id, text: textAfter(proposal.operation) ?? '' }, rejecting: null });
		},
		rebase: (proposal) => {
			if (proposal.status === 'pending' && proposal.stale) void rebase(proposal.id).then(focusTitle);
		},
		undo: (proposal) => {
			const id = proposal && canUndo(proposal) ? proposal.id : useInboxUi.getState().decisions.at(-1);
			// What the owner was writing when another window decided can be approved after all.
			if (!id || useInboxUi.getState().editing?.id !== id) leaveForms();
			if (id) void undoDecision(id);
			else showToast(say('inbox.nothingToUndo'));
		},
		forget: async (proposal) => {
			const done = await approve(proposal);
			if (done) goOn(proposal);
			return done !== undefined;
		},
	};
}
