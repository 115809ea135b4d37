import { create } from 'zustand';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { seenKey } from './proposal-view.ts';

export type InboxTab = 'actions' | 'proposals';

/** What the inbox screen itself knows: nothing of it is kept by the runtime. */
interface InboxUi {
	/** Null until the owner chose one: the screen then begins where something waits. */
	readonly tab: InboxTab | null;
	readonly which: 'pending' | 'decided';
	/** The action that is shown; proposals have addresses of their own. */
	readonly actionId: string | null;
	/** The row that has, or last had, the focus. */
	readonly rowId: string | null;
	/** What was opened, by content. */
	readonly seen: ReadonlySet<string>;
	/** The text as the owner edits it before approving. */
	readonly editing: { readonly id: ProposalId; readonly text: string } | null;
	/** The owner is asked for a reason. */
	readonly rejecting: ProposalId | null;
	/** What would be forgotten is shown first. */
	readonly forgetting: ProposalId | null;
	/** Of which a decision is on its way. */
	readonly busy: readonly ProposalId[];
	/** What went wrong with the last decision on it, said in its place. */
	readonly problem: { readonly id: ProposalId; readonly error: ErrorShape } | null;
	/** Decisions of this window that can be taken back, the newest last. */
	readonly decisions: readonly ProposalId[];
	/** Grows when a command asks for the list. */
	readonly focusTurn: number;
}

export const useInboxUi = create<InboxUi>()(() => ({
	tab: null,
	which: 'pending',
	actionId: null,
	rowId: null,
	seen: new Set(),
	editing: null,
	rejecting: null,
	forgetting: null,
	busy: [],
	problem: null,
	decisions: [],
	focusTurn: 0,
}));

export function markSeen(proposal: Proposal): void {
	const key = seenKey(proposal);
	if (useInboxUi.getState().seen.has(key)) return;
	useInboxUi.setState((state) => ({ seen: new Set([...state.seen, key]) }));
}

/** Begins anew on what is shown now: an edit or a reason for something else is over. */
export function leaveForms(): void {
	useInboxUi.setState({ editing: null, rejecting: null });
}

/** Who comes back to the inbox comes to what waits, and not to what they looked up among the decided. */
export function backToWaiting(): void {
	if (useInboxUi.getState().which === 'decided') useInboxUi.setState({ tab: null, which: 'pending' });
}

/** Puts the focus on the list: on a tab of it, or on the one where something waits. */
export function askForList(tab: InboxTab | undefined, which: 'pending' | 'decided'): void {
	leaveForms();
	useInboxUi.setState((state) => ({ tab: tab ?? null, which, actionId: null, focusTurn: state.focusTurn + 1 }));
}
