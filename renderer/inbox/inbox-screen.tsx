import { useEffect, useMemo, useRef } from 'react';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { LinkQuestion } from '../chat/open-link.tsx';
import { useNow } from '../chat/use-now.ts';
import { useConnection } from '../connection/index.ts';
import { ForgetDialog } from '../memory/forget-dialog.tsx';
import { listOf } from '../shell/proposal-lists.ts';
import { type ProposalList, proposalsNow } from '../shell/proposals.ts';
import {
	queryClient,
	useActionsWaiting,
	useLooks,
	useMemoryEntry,
	useProposal,
	useProposals,
	useSettings,
	useSources,
} from '../shell/queries.ts';
import { useSay } from '../ui/strings.tsx';
import { DetailSide } from './detail-side.tsx';
import { EVERYTHING, type InboxFilter, isFiltered, passes } from './filter.ts';
import { focusList, focusTitle } from './focus.ts';
import { backToWaiting, change, type InboxTab, leaveForms, useInboxUi, wasSeen } from './inbox-ui-store.ts';
import { ListPane } from './list-pane.tsx';
import { type Rows, rowsOf } from './list-rows.ts';
import { type Listed, ListedContext, OpenContext } from './listed.ts';
import { proposalOf } from './place.ts';
import { mustBeOpened } from './proposal-view.ts';
import { showRows } from './select-row.ts';
import { type Batch, batchOf, NOTHING } from './selection.ts';
import { SendingQuestion } from './sending-question.tsx';
import { useStable } from './stable.ts';
import { useDeciding } from './use-deciding.ts';
import { useInboxKeys } from './use-inbox-keys.ts';
import { useOpenProposal } from './use-open-proposal.ts';
import { useThrottled } from './use-throttled.ts';

/** Where the list and what is chosen stand side by side, as the stylesheet has it. */
const SIDE_BY_SIDE = '(min-width: 761px)';
const isWide = (): boolean => window.matchMedia(SIDE_BY_SIDE).matches;

/** What needs the owner: what runs wait for, and what would change memory. */
export default function InboxScreen({ proposal: param }: { proposal: string | undefined }) {
	const say = useSay();
	const { proposalId, open: openProposal, openNow } = useOpenProposal(proposalOf(param));
	const which = useInboxUi((state) => state.which);
	const actionId = useInboxUi((state) => state.actionId);
	const shape = useShape();
	const tab = useTab(proposalId);
	const actionsWaiting = useActionsWaiting();
	const listed = useProposals(which);
	const actions = actionsWaiting.data ?? NONE;
	const proposals = listed.data?.proposals ?? NONE;
	const passed = useMemo(() => passedOf(proposals, shape.filter), [proposals, shape.filter]);
	const shown = useMemo(() => rowsOf(passed, shape), [passed, shape]);
	const batch = useBatch(passed);
	// What is not read yet is not empty.
	const reading = (tab === 'actions' ? actionsWaiting : listed).isPending;
	// What is in the list is as the runtime has it now: moving through it asks for nothing.
	const inList = proposalId === undefined ? undefined : proposals.find(({ id }) => id === proposalId);
	const asked = useProposal(inList ? undefined : proposalId);
	const proposal = inList ?? (asked.data?.id === proposalId ? asked.data : undefined);
	const action = actions.find(({ id }) => id === actionId);
	const rows: readonly { readonly id: string }[] = tab === 'actions' ? actions : shown.proposals;
	const openId = tab === 'actions' ? action?.id : proposalId;
	const rowsNow = (): Rows => rowsOf(passedOf(proposalsNow(queryClient, which), shape.filter), shape);
	// Of those that fly past while a key is held only some are drawn whole; what is decided on is what is shown there.
	const opened = useThrottled(
		useMemo(() => ({ id: proposalId, proposal }), [proposalId, proposal]),
		DETAIL_MS,
	);
	const deciding = useStable(
		useDeciding({ rows: shown, rowsNow, openId: proposalId, shownId: opened.proposal?.id, openNow, wide: isWide }),
	);
	const { open, back, show } = useStable({
		show: (next: InboxTab, list: ProposalList = 'pending'): void => {
			leaveForms();
			const anew = list === which ? {} : { filter: EVERYTHING };
			useInboxUi.setState({ tab: next, which: list, actionId: null, rowId: null, selection: NOTHING, ...anew });
			if (proposalId) openNow(undefined);
		},
		open: (id: string): void => (tab === 'actions' ? useInboxUi.setState({ actionId: id }) : openProposal(id)),
		back: (): void => {
			useInboxUi.setState({ actionId: null });
			if (proposalId) openNow(undefined);
			focusList(openId ?? null);
		},
	});

	const known = (id: string | undefined): Proposal | undefined =>
		tab === 'actions' ? undefined : (proposals.find((each) => each.id === id) ?? (proposal?.id === id ? proposal : undefined));
	const onKeyDown = useInboxKeys({
		rows,
		stops: tab === 'actions' ? actions : shown.stops,
		openId,
		open,
		wide: isWide,
		proposalOf: known,
		deciding,
		batch,
		back,
	});
	useAskedFor(proposalId);
	useFittingList(proposal);
	useEffect(() => backToWaiting, []);
	useEffect(() => showRows(shown.proposals), [shown]);
	const shared = useListed();
	return (
		<ListedContext.Provider value={shared}>
			<main className={openId === undefined ? 'view v-inbox show-list' : 'view v-inbox'} id="main" onKeyDown={onKeyDown}>
				<h1 className="vh">{say('inbox.title')}</h1>
				<OpenContext.Provider value={openId}>
					<ListPane
						tab={tab}
						which={which}
						actions={actions}
						proposals={proposals}
						rows={shown}
						batch={batch}
						reading={reading}
						onShow={show}
						onOpen={open}
						onKeyed={focusTitle}
						onDecide={deciding.all}
					/>
				</OpenContext.Provider>
				<DetailSide
					tab={tab}
					which={which}
					rows={rows}
					action={action}
					proposalId={opened.id}
					proposal={opened.proposal}
					error={asked.error}
					waiting={reading ? undefined : rows.length}
					deciding={deciding}
					open={open}
					back={back}
				/>
				<Forgetting proposal={proposal} forget={deciding.forget} />
				<SendingQuestion discuss={deciding.discuss} />
				<LinkQuestion />
			</main>
		</ListedContext.Provider>
	);
}

/** Least time between two that are drawn whole. */
const DETAIL_MS = 120;

const NONE: never[] = [];

/** As many looks as may still be waited for. */
const MOST_LOOKS = 200;

function useListed(): Listed {
	const looks = useLooks(MOST_LOOKS).data;
	const sources = useSources().data?.sources;
	const cap = useSettings().data?.findingsPerLook;
	return useMemo(
		() => ({
			looks: new Map(looks?.map((look) => [look.id, look])),
			kinds: new Map(sources?.map(({ id, place }) => [id, place.kind])),
			cap,
		}),
		[looks, sources, cap],
	);
}

/** How the list is put together. */
function useShape(): Shape {
	const which = useInboxUi((state) => state.which);
	const by = useInboxUi((state) => state.by);
	const filter = useInboxUi((state) => state.filter);
	const unfolded = useInboxUi((state) => state.unfolded);
	return useMemo(() => ({ list: which, by, filter, unfolded }), [which, by, filter, unfolded]);
}

type Shape = Parameters<typeof rowsOf>[1] & { filter: InboxFilter };

function passedOf(proposals: readonly Proposal[], filter: InboxFilter): readonly Proposal[] {
	return isFiltered(filter) ? proposals.filter((proposal) => passes(filter, proposal)) : proposals;
}

function useBatch(proposals: readonly Proposal[]): Batch {
	const selection = useInboxUi((state) => state.selection);
	const seen = useInboxUi((state) => state.seen);
	const now = useNow();
	return useMemo(
		() => batchOf(proposals, selection, (proposal) => !mustBeOpened(proposal) || wasSeen(proposal, { seen }), now),
		[proposals, selection, seen, now],
	);
}

/** Until the owner chose one, the tab where something waits; a run that waits comes first. */
function useTab(proposalId: ProposalId | undefined): InboxTab {
	const chosen = useInboxUi((state) => state.tab);
	const counts = useConnection((state) => state.inbox);
	if (proposalId) return 'proposals';
	return chosen ?? (counts && counts.actions === 0 && counts.proposals > 0 ? 'proposals' : 'actions');
}

/** The focus goes where the owner was led: to the list by a command, to what an address names where nothing else has it. */
function useAskedFor(proposalId: ProposalId | undefined): void {
	const turn = useInboxUi((state) => state.focusTurn);
	const shownTurn = useRef(0);
	useEffect(() => {
		if (turn === shownTurn.current) return;
		shownTurn.current = turn;
		focusList(useInboxUi.getState().rowId);
	}, [turn]);
	useEffect(() => {
		leaveForms();
		if (!proposalId) return;
		change({ tab: 'proposals' });
		const { activeElement } = document;
		// Beside the list nothing that can have the focus is ever hidden; to ask for it would lay out the page for each key.
		const isHidden = (element: HTMLElement): boolean => !isWide() && element.offsetParent === null;
		const lost = !(activeElement instanceof HTMLElement) || activeElement === document.body || isHidden(activeElement);
		if (lost) focusTitle(proposalId);
	}, [proposalId]);
}

/** A proposal that an address names is looked for in its own list; one that is decided here stays where it was found. */
function useFittingList(proposal: Proposal | undefined): void {
	const placed = useRef<ProposalId>(undefined);
	useEffect(() => {
		if (!proposal || placed.current === proposal.id) return;
		placed.current = proposal.id;
		change({ which: listOf(proposal, Date.now()) });
	}, [proposal]);
}

/** What would be removed everywhere is shown before it is, as on the memory screen. */
function Forgetting({ proposal, forget }: { proposal: Proposal | undefined; forget: (proposal: Proposal) => Promise<boolean> }) {
	const forgetting = useInboxUi((state) => (state.forgetting === proposal?.id ? proposal : undefined));
	const operation = forgetting?.operation;
	const entry = useMemoryEntry(operation?.kind === 'forget' ? operation.entryId : undefined).data;
	const close = (): void => useInboxUi.setState({ forgetting: null });
	if (!forgetting || !entry) return null;
	return <ForgetDialog entry={entry} onClose={close} onForget={() => forget(forgetting).then(close)} />;
}
