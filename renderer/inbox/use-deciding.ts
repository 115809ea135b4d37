import { useLocation } from 'wouter';
import type { ApproveChoices } from '../../src/contract/methods/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { choicesFor } from './choices.ts';
import { focusEmptyList, focusList, focusRow, focusTitle, isInList } from './focus.ts';
import { approve, decideAll, discuss, rebase, reject, snooze, undoAct } from './inbox-actions.ts';
import { leaveForms, useInboxUi, wasSeen } from './inbox-ui-store.ts';
import { type Act, actText } from './last-act.ts';
import type { Rows } from './list-rows.ts';
import { INBOX, proposalPlace } from './place.ts';
import { canEdit, canUndo, mustBeOpened, neighbour, rowText, textAfter } from './proposal-view.ts';
import { type Snooze, snoozeUntil } from './snooze-times.ts';
import { useSnoozeWords } from './snooze-words.ts';

/** What the owner can do with a proposal, by key or button; and where they are led after it. */
export type Deciding = {
	approve(proposal: Proposal, text?: string): void;
	reject(proposal: Proposal, reason: string): void;
	askReason(proposal: Proposal): void;
	edit(proposal: Proposal): void;
	rebase(proposal: Proposal): void;
	undo(proposal: Proposal | undefined): void;
	/** The owner saw what would be forgotten and wants it. Resolves to false where it failed. */
	forget(proposal: Proposal): Promise<boolean>;
	askSnooze(proposal: Proposal): void;
	/** `until` null: it waits again now. */
	snooze(proposal: Proposal, until: number | null, choice?: Snooze): void;
	/** As the last time, or back from it. */
	snoozeAgain(proposal: Proposal): void;
	all(proposals: readonly Proposal[], decision: 'approve' | 'reject'): void;
	/** `allow`: the question that the owner said yes to. */
	discuss(proposal: Proposal, allow?: string): void;
};

interface DecidingOn {
	/** The list as it is shown. */
	rows: Rows;
	/** As it is at the moment, once a decision took something out of it. */
	rowsNow: () => Rows;
	/** The proposal that is open, and the one that the pane beside the list shows: for a moment they may differ. */
	openId: string | undefined;
	shownId: string | undefined;
	openNow: (id: string | undefined) => void;
	/** List and proposal stand side by side. */
	wide: () => boolean;
}

export function useDeciding({ rows, rowsNow, openId, shownId, openNow, wide }: DecidingOn): Deciding {
	const [, navigate] = useLocation();
	const say = useSay();
	const snoozed = useSnoozeWords();

	const open = (proposal: Proposal): void => {
		if (openId === undefined) navigate(proposalPlace(proposal.id));
		else if (openId !== proposal.id) openNow(proposal.id);
	};
	/** The owner may have gone elsewhere while it was done: nobody is called back. */
	const isStillHere = (): boolean => {
		const { aheadId } = useInboxUi.getState();
		const place = aheadId === null ? window.location.hash : `#${proposalPlace(aheadId)}`;
		return place === `#${openId === undefined ? INBOX : proposalPlace(openId)}`;
	};
	/** The next one that waits is shown, and has the focus where the one before had it. */
	const goOn = (proposal: Proposal): void => {
		if (!isStillHere()) return;
		const next = neighbour(rows.proposals, rowsNow().proposals, proposal.id);
		const fromList = isInList();
		if (!next) {
			openNow(undefined);
			focusEmptyList();
			return;
		}
		if (openId === proposal.id) openNow(next.id);
		if (fromList) {
			useInboxUi.setState({ rowId: next.id });
			focusRow(next.id);
		} else focusTitle(next.id);
	};
	const after = (proposal: Proposal) => (done: Proposal | undefined) => (done ? goOn(proposal) : undefined);
	/** A decision needs that all of it was on the screen (B3): it is now where it was not. */
	const isSeen = (proposal: Proposal): boolean => {
		if (proposal.id === shownId || !mustBeOpened(proposal) || wasSeen(proposal)) return true;
		if (wide()) open(proposal);
		showToast(say('inbox.openFirst'));
		return false;
	};
	const send = (proposal: Proposal, text: string | undefined): Promise<Proposal | undefined> => {
		const choices: ApproveChoices | 'incomplete' = choicesFor(proposal, useInboxUi.getState().choices[proposal.id], Date.now());
		if (choices !== 'incomplete') return approve(proposal, text, choices);
		showToast(say('inbox.choicesIncomplete'));
		return Promise.resolve(undefined);
	};
	const deciding: Deciding = {
		approve: (proposal, text) => {
			if (proposal.status !== 'pending' || proposal.stale || !isSeen(proposal)) return;
			if (proposal.operation.kind === 'forget') useInboxUi.setState({ forgetting: proposal.id, problem: null });
			else void send(proposal, text).then(after(proposal));
		},
		reject: (proposal, reason) => void reject(proposal, reason).then(after(proposal)),
		askReason: (proposal) => {
			if (proposal.status !== 'pending') return;
			open(proposal);
			useInboxUi.setState({ rejecting: proposal.id, editing: null, snoozing: null });
		},
		edit: (proposal) => {
			if (!canEdit(proposal)) return;
			open(proposal);
			useInboxUi.setState({
				editing: { id: proposal.id, text: textAfter(proposal.operation) ?? '' },
				rejecting: null,
				snoozing: null,
			});
		},
		rebase: (proposal) => {
			if (proposal.status === 'pending' && proposal.stale) void rebase(proposal.id).then(() => focusTitle(proposal.id));
		},
		undo: (proposal) => {
			const { acts, editing } = useInboxUi.getState();
			const act = proposal && canUndo(proposal) ? decisionOn(proposal) : acts.at(-1);
			// What the owner was writing when another window decided can be approved after all.
			if (!act?.ids.some((id) => editing?.id === id)) leaveForms();
			if (act) void undoAct(act);
			else showToast(say('inbox.nothingToUndo'));
		},
		forget: async (proposal) => {
			const done = await approve(proposal);
			if (done) goOn(proposal);
			return done !== undefined;
		},
		askSnooze: (proposal) => {
			if (proposal.status !== 'pending') return;
			open(proposal);
			useInboxUi.setState({ snoozing: proposal.id, rejecting: null, editing: null });
		},
		snooze: (proposal, until, choice) => {
			if (choice) useInboxUi.setState({ lastSnooze: choice });
			void snooze(proposal, until, until === null ? say('inbox.done.woken') : snoozed(until)).then(after(proposal));
		},
		snoozeAgain: (proposal) => {
			if (proposal.status !== 'pending') return;
			if (useInboxUi.getState().which === 'snoozed') return deciding.snooze(proposal, null);
			const now = Date.now();
			const until = snoozeUntil(useInboxUi.getState().lastSnooze, now) ?? snoozeUntil('tomorrow', now);
			if (until !== undefined) deciding.snooze(proposal, until);
		},
		all: (proposals, decision) => {
			if (proposals.length === 0) return;
			const gone = new Set<string>(proposals.map(({ id }) => id));
			void decideAll(proposals, decision).then((done) => {
				if (!done || !isStillHere()) return;
				const left = rowsNow().proposals;
				// What is shown beside the list may be among what was decided.
				const next = openId !== undefined && gone.has(openId) ? neighbour(rows.proposals, left, openId) : undefined;
				if (openId !== undefined && gone.has(openId)) openNow(next?.id);
				// The bar went, and the focus with it.
				if (left.length === 0) focusEmptyList();
				else focusList(next?.id ?? left.find(({ id }) => id === useInboxUi.getState().rowId)?.id ?? left[0]?.id ?? null);
			});
		},
		discuss: (proposal, allow) => {
			void discuss(proposal, allow).then((sessionId) => (sessionId ? navigate(`/chat/${sessionId}`) : undefined));
		},
	};
	return deciding;
}

/** The decision that is looked at, whichever window it was made in. */
function decisionOn({ id, status, operation }: Proposal): Act {
	return { kind: status === 'rejected' ? 'reject' : 'approve', ids: [id], text: actText(rowText(operation)) };
}
