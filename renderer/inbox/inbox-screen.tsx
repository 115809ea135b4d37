import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { LinkQuestion } from '../chat/open-link.tsx';
import { useConnection } from '../connection/index.ts';
import { ForgetDialog } from '../memory/forget-dialog.tsx';
import { useActionsWaiting, useMemoryEntry, useProposal, useProposals } from '../shell/queries.ts';
import { useSay } from '../ui/strings.tsx';
import { ActionDetail } from './action-detail.tsx';
import { DetailPane } from './detail-pane.tsx';
import { focusList, focusTitle } from './focus.ts';
import { backToWaiting, type InboxTab, leaveForms, useInboxUi } from './inbox-ui-store.ts';
import { ListPane } from './list-pane.tsx';
import { INBOX, proposalOf, proposalPlace } from './place.ts';
import { ProposalPane } from './proposal-pane.tsx';
import { useDeciding } from './use-deciding.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

/** Where the list and what is chosen stand side by side, as the stylesheet has it. */
const SIDE_BY_SIDE = '(min-width: 761px)';
const isWide = (): boolean => window.matchMedia(SIDE_BY_SIDE).matches;

/** What needs the owner: what runs wait for, and what would change memory. */
export default function InboxScreen({ proposal: param }: { proposal: string | undefined }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const proposalId = proposalOf(param);
	const which = useInboxUi((state) => state.which);
	const actionId = useInboxUi((state) => state.actionId);
	const tab = useTab(proposalId);
	const actionsWaiting = useActionsWaiting();
	const listed = useProposals(which);
	const actions = actionsWaiting.data ?? [];
	const proposals = listed.data?.proposals ?? [];
	// What is not read yet is not empty.
	const reading = (tab === 'actions' ? actionsWaiting : listed).isPending;
	const asked = useProposal(proposalId);
	const action = actions.find(({ id }) => id === actionId);
	const rows: readonly { readonly id: string }[] = tab === 'actions' ? actions : proposals;
	const openId = tab === 'actions' ? action?.id : proposalId;
	const deciding = useDeciding(proposals, proposalId);

	const open = (id: string): void => {
		if (tab === 'actions') useInboxUi.setState({ actionId: id });
		else navigate(proposalPlace(id), { replace: proposalId !== undefined });
	};
	const back = (): void => {
		useInboxUi.setState({ actionId: null });
		if (proposalId) navigate(INBOX);
		focusList(openId ?? null);
	};
	const known = (id: string | undefined): Proposal | undefined =>
		tab === 'actions' ? undefined : (proposals.find((each) => each.id === id) ?? (asked.data?.id === id ? asked.data : undefined));
	const onKeyDown = useInboxKeys({ rows, openId, open, wide: isWide, proposalOf: known, deciding, back });
	const show = (next: InboxTab, list: 'pending' | 'decided' = 'pending'): void => {
		leaveForms();
		useInboxUi.setState({ tab: next, which: list, actionId: null, rowId: null });
		if (proposalId) navigate(INBOX);
	};
	useAskedFor(proposalId);
	useFittingList(asked.data);
	useEffect(() => backToWaiting, []);
	const pane = { rows, openId, open, back };
	return (
		<main className={openId === undefined ? 'view v-inbox show-list' : 'view v-inbox'} id="main" onKeyDown={onKeyDown}>
			<h1 className="vh">{say('inbox.title')}</h1>
			<ListPane
				tab={tab}
				which={which}
				actions={actions}
				proposals={proposals}
				reading={reading}
				openId={openId}
				onShow={show}
				onOpen={open}
				onKeyed={focusTitle}
			/>
			<DetailPane {...pane}>
				{tab === 'actions' ? (
					<ActionDetail interrupt={action} waiting={reading ? undefined : actions.length} />
				) : (
					<ProposalPane
						proposalId={proposalId}
						asked={asked}
						which={which}
						waiting={reading ? undefined : proposals.length}
						deciding={deciding}
					/>
				)}
			</DetailPane>
			<Forgetting proposal={asked.data} forget={deciding.forget} />
			<LinkQuestion />
		</main>
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
		useInboxUi.setState({ tab: 'proposals' });
		const { activeElement } = document;
		const lost = !(activeElement instanceof HTMLElement) || activeElement === document.body || activeElement.offsetParent === null;
		if (lost) focusTitle();
	}, [proposalId]);
}

/** A proposal that an address names is looked for in its own list; one that is decided here stays where it was found. */
function useFittingList(proposal: Proposal | undefined): void {
	const placed = useRef<ProposalId>(undefined);
	useEffect(() => {
		if (!proposal || placed.current === proposal.id) return;
		placed.current = proposal.id;
		useInboxUi.setState({ which: proposal.status === 'pending' ? 'pending' : 'decided' });
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
