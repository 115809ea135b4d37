import { create } from 'zustand';
import type { ApproveChoices } from '../../src/contract/methods/memory.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { SendQuestion } from '../../src/domain/heartbeat.ts';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { ProposalList } from '../shell/proposals.ts';
import { EVERYTHING, type InboxFilter } from './filter.ts';
import type { Act } from './last-act.ts';
import type { GroupBy } from './list-rows.ts';
import { seenKey } from './proposal-view.ts';
import { NOTHING, type Selection } from './selection.ts';
import type { Snooze } from './snooze-times.ts';

export type InboxTab = 'actions' | 'proposals';

/** What the inbox screen itself knows: nothing of it is kept by the runtime. */
interface InboxUi {
	/** Null until the owner chose one: the screen then begins where something waits. */
	readonly tab: InboxTab | null;
	readonly which: ProposalList;
	/** How the list is put together. */
	readonly by: GroupBy;
	readonly filter: InboxFilter;
	/** Heads under which what folds into them is shown. */
	readonly unfolded: ReadonlySet<string>;
	readonly selection: Selection;
	/** The action that is shown; proposals have addresses of their own. */
	readonly actionId: string | null;
	/** The proposal that is shown before the address names it. */
	readonly aheadId: ProposalId | null;
	/** The row that keys start from: it has, last had, or gets the focus. */
	readonly rowId: string | null;
	/** The row that really has or last had it: it stays in the page until another has it, so that the focus is never lost in between. */
	readonly focusedId: string | null;
	/** What was opened in this window, by content, until the runtime says so too. */
	readonly seen: ReadonlySet<string>;
	/** The text as the owner edits it before approving. */
	readonly editing: { readonly id: ProposalId; readonly text: string } | null;
	/** What the owner chose to go with their yes, by what they chose it for. */
	readonly choices: Readonly<Record<ProposalId, ApproveChoices>>;
	/** The owner is asked for a reason. */
	readonly rejecting: ProposalId | null;
	/** The owner is asked when it is to come back. */
	readonly snoozing: ProposalId | null;
	/** What was meant the last time. */
	readonly lastSnooze: Snooze;
	/** What would be forgotten is shown first. */
	readonly forgetting: ProposalId | null;
	/** Before what was found first goes to a model elsewhere, for a chat about it. */
	readonly sending: { readonly proposal: Proposal; readonly question: SendQuestion } | null;
	/** Of which a decision is on its way. */
	readonly busy: readonly ProposalId[];
	/** What went wrong with the last decision on it, said in its place. */
	readonly problem: { readonly id: ProposalId; readonly error: ErrorShape } | null;
	/** What was done in this window and can be taken back, the newest last. */
	readonly acts: readonly Act[];
	/** Grows when a command asks for the list. */
	readonly focusTurn: number;
}

export const useInboxUi = create<InboxUi>()(() => ({
	tab: null,
	which: 'pending',
	by: 'look',
	filter: EVERYTHING,
	unfolded: new Set(),
	selection: NOTHING,
	actionId: null,
	aheadId: null,
	rowId: null,
	focusedId: null,
	seen: new Set(),
	editing: null,
	choices: {},
	rejecting: null,
	snoozing: null,
	lastSnooze: 'tomorrow',
	forgetting: null,
	sending: null,
	busy: [],
	problem: null,
	acts: [],
	focusTurn: 0,
}));

export function markSeen(proposal: Proposal): void {
	const key = seenKey(proposal);
	if (useInboxUi.getState().seen.has(key)) return;
	useInboxUi.setState((state) => ({ seen: new Set([...state.seen, key]) }));
}

/** The owner had exactly this open, in this window or before. */
export function wasSeen(proposal: Proposal, { seen }: Pick<InboxUi, 'seen'> = useInboxUi.getState()): boolean {
	return proposal.opened || seen.has(seenKey(proposal));
}

/** Begins anew on what is shown now: an edit or a reason for something else is over. */
export function leaveForms(): void {
	change({ editing: null, rejecting: null, snoozing: null });
}

/** Tells nobody where it is so already: a held key passes here many times a second. */
export function change(part: Partial<InboxUi>): void {
	const state = useInboxUi.getState();
	if ((Object.keys(part) as (keyof InboxUi)[]).some((key) => state[key] !== part[key])) useInboxUi.setState(part);
}

export function focused(rowId: string): void {
	change({ rowId, focusedId: rowId });
}

export function choose(id: ProposalId, change: ApproveChoices): void {
	useInboxUi.setState(({ choices }) => ({ choices: { ...choices, [id]: { ...choices[id], ...change } } }));
}

export function toggleFold(head: string): void {
	useInboxUi.setState(({ unfolded }) => {
		const next = new Set(unfolded);
		if (!next.delete(head)) next.add(head);
		return { unfolded: next };
	});
}

/** Who comes back to the inbox comes to what waits, and not to what they looked up elsewhere. */
export function backToWaiting(): void {
	if (useInboxUi.getState().which !== 'pending') useInboxUi.setState({ tab: null, which: 'pending', selection: NOTHING });
}

/** Puts the focus on the list: on a tab of it, or on the one where something waits. */
export function askForList(tab: InboxTab | undefined, which: ProposalList): void {
	leaveForms();
	useInboxUi.setState((state) => ({
		tab: tab ?? null,
		which,
		actionId: null,
		selection: NOTHING,
		...(which === state.which ? {} : { filter: EVERYTHING }),
		focusTurn: state.focusTurn + 1,
	}));
}
