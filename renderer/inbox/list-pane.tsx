import { Tabs } from '@base-ui/react/tabs';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { Interrupt } from '../../src/domain/run.ts';
import { useConnection } from '../connection/index.ts';
import { IconButton } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useSay } from '../ui/strings.tsx';
import type { InboxTab } from './inbox-ui-store.ts';
import { canEdit } from './proposal-view.ts';
import { ActionRow, ProposalRow } from './rows.tsx';

interface ListPaneProps {
	tab: InboxTab;
	which: 'pending' | 'decided';
	actions: readonly Interrupt[];
	proposals: readonly Proposal[];
	/** The list is not known yet. */
	reading: boolean;
	openId: string | undefined;
	onShow: (tab: InboxTab, which?: 'pending' | 'decided') => void;
	onOpen: (id: string) => void;
	/** A row was opened by keyboard. */
	onKeyed: () => void;
}

export function ListPane({ tab, which, actions, proposals, reading, openId, onShow, onOpen, onKeyed }: ListPaneProps) {
	const say = useSay();
	const counts = useConnection((state) => state.inbox);
	const decided = which === 'decided';
	return (
		<Tabs.Root
			className="pane side"
			value={tab}
			onValueChange={(next: InboxTab) => onShow(next)}
			render={<section aria-label={say('inbox.list')} />}
		>
			<div className="pane-head">
				<h2 className="grow">{say('inbox.title')}</h2>
				<IconButton
					icon={decided ? 'inbox' : 'history'}
					label={say(decided ? 'inbox.showWaiting' : 'inbox.showDecided')}
					onClick={() => onShow('proposals', decided ? 'pending' : 'decided')}
				/>
			</div>
			<Tabs.List className="tabs">
				<Tabs.Tab value="actions">
					<span className="cut">{say('inbox.actions')}</span>
					<Count count={counts?.actions ?? actions.length} needs />
				</Tabs.Tab>
				<Tabs.Tab value="proposals">
					<span className="cut">{say('inbox.proposals')}</span>
					<Count count={counts?.proposals ?? 0} />
				</Tabs.Tab>
			</Tabs.List>
			<Tabs.Panel value="actions" className="pane-body inbox-list">
				{actions.length === 0 && !reading ? <p className="list-empty">{say('inbox.emptyActions')}</p> : null}
				<ul>
					{actions.map((interrupt) => (
						<ActionRow
							key={interrupt.id}
							interrupt={interrupt}
							current={interrupt.id === openId}
							onChoose={() => onOpen(interrupt.id)}
							onKeyed={onKeyed}
						/>
					))}
				</ul>
			</Tabs.Panel>
			<Tabs.Panel value="proposals" className="pane-body inbox-list">
				{decided ? <h3 className="group-h">{say('inbox.decidedTitle')}</h3> : null}
				{proposals.length === 0 && !reading ? (
					<p className="list-empty">{say(decided ? 'inbox.emptyDecided' : 'inbox.emptyProposals')}</p>
				) : null}
				<ul>
					{proposals.map((proposal) => (
						<ProposalRow key={proposal.id} proposal={proposal} current={proposal.id === openId} onKeyed={onKeyed} />
					))}
				</ul>
			</Tabs.Panel>
			{tab === 'proposals' && proposals.length > 0 ? (
				<Hints
					shown={ofProposal(
						proposals.find(({ id }) => id === openId),
						decided,
					)}
				/>
			) : null}
			{tab === 'actions' && actions.length > 0 ? <Hints shown={ofAction(actions.find(({ id }) => id === openId))} /> : null}
		</Tabs.Root>
	);
}

function Count({ count, needs = false }: { count: number; needs?: boolean }) {
	return <span className={needs && count > 0 ? 'count needs' : 'count'}>{count}</span>;
}

const HINTS = [
	{ keys: 'J K', id: 'inbox.hint.move' },
	{ keys: 'A', id: 'inbox.hint.approve' },
	{ keys: 'B', id: 'inbox.hint.rebase' },
	{ keys: 'R', id: 'inbox.hint.reject' },
	{ keys: 'E', id: 'inbox.hint.edit' },
	{ keys: 'Z', id: 'inbox.hint.undo' },
] as const;

type Hint = (typeof HINTS)[number];

/** `proposal`: the one that is shown; only what can be done with it is named. */
function ofProposal(proposal: Proposal | undefined, decided: boolean): Hint[] {
	const does = { A: !proposal?.stale, B: proposal?.stale ?? false, R: true, E: !proposal || canEdit(proposal) };
	return HINTS.filter(({ keys }) => keys === 'J K' || keys === 'Z' || (!decided && does[keys]));
}

/** A question is answered in its own card; an action by keys too, once it is shown whole. */
function ofAction(action: Interrupt | undefined): Hint[] {
	const decides = !action || action.detail.kind === 'approval';
	return HINTS.filter(({ keys }) => keys === 'J K' || (decides && (keys === 'A' || keys === 'R')));
}

function Hints({ shown }: { shown: readonly Hint[] }) {
	const say = useSay();
	return (
		<p className="hints">
			<span className="vh">{say('inbox.hints')}</span>
			{shown.map(({ keys, id }) => (
				<span key={id}>
					<Kbd keys={keys} /> {say(id)}
				</span>
			))}
		</p>
	);
}
