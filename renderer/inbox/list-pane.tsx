import { Tabs } from '@base-ui/react/tabs';
import { memo, useContext, useRef } from 'react';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { Interrupt } from '../../src/domain/run.ts';
import { useConnection } from '../connection/index.ts';
import type { ProposalList as Which } from '../shell/proposals.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useSay } from '../ui/strings.tsx';
import { BatchBar } from './batch-bar.tsx';
import { EVERYTHING, isFiltered } from './filter.ts';
import { FilterMenu } from './filter-menu.tsx';
import { type InboxTab, useInboxUi } from './inbox-ui-store.ts';
import type { Rows } from './list-rows.ts';
import { OpenContext } from './listed.ts';
import { ProposalList } from './proposal-list.tsx';
import { canEdit } from './proposal-view.ts';
import { ActionRow } from './rows.tsx';
import type { Batch } from './selection.ts';

interface ListPaneProps {
	tab: InboxTab;
	which: Which;
	actions: readonly Interrupt[];
	/** All of the list that is shown, and what of it has a row. */
	proposals: readonly Proposal[];
	rows: Rows;
	batch: Batch;
	/** The list is not known yet. */
	reading: boolean;
	onShow: (tab: InboxTab, which?: Which) => void;
	onOpen: (id: string) => void;
	/** A row was opened by keyboard. */
	onKeyed: (id: string) => void;
	onDecide: (proposals: readonly Proposal[], decision: 'approve' | 'reject') => void;
}

export const ListPane = memo(function ListPane(props: ListPaneProps) {
	const { tab, which, actions, proposals, rows, batch, reading, onShow, onOpen, onKeyed, onDecide } = props;
	const say = useSay();
	const counts = useConnection((state) => state.inbox);
	const scroller = useRef<HTMLDivElement>(null);
	const waits = which === 'pending';
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
					icon={waits ? 'history' : 'inbox'}
					label={say(waits ? 'inbox.showDecided' : 'inbox.showWaiting')}
					onClick={() => onShow('proposals', waits ? 'decided' : 'pending')}
				/>
				{tab === 'proposals' ? <FilterMenu proposals={proposals} onShow={(list) => onShow('proposals', list)} /> : null}
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
			{tab === 'proposals' ? <Filtered shown={rows.proposals.length} total={proposals.length} /> : null}
			<Tabs.Panel value="actions" className="pane-body inbox-list">
				{actions.length === 0 && !reading ? <p className="list-empty">{say('inbox.emptyActions')}</p> : null}
				<Actions actions={actions} onOpen={onOpen} onKeyed={onKeyed} />
			</Tabs.Panel>
			<Tabs.Panel value="proposals" className="pane-body inbox-list" ref={scroller}>
				{proposals.length === 0 && !reading ? <p className="list-empty">{say(`inbox.empty.${which}`)}</p> : null}
				<ProposalList key={which} rows={rows} scroller={scroller} onKeyed={onKeyed} />
			</Tabs.Panel>
			{tab === 'proposals' && batch.all.length > 0 ? (
				<BatchBar batch={batch} onDecide={onDecide} onOpen={(proposal) => onOpen(proposal.id)} />
			) : null}
			{tab === 'proposals' && proposals.length > 0 ? <ProposalHints proposals={rows.proposals} decided={which === 'decided'} /> : null}
			{tab === 'actions' && actions.length > 0 ? <ActionHints actions={actions} /> : null}
		</Tabs.Root>
	);
});

function Actions({ actions, onOpen, onKeyed }: Pick<ListPaneProps, 'actions' | 'onOpen' | 'onKeyed'>) {
	const openId = useContext(OpenContext);
	return (
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
	);
}

function ProposalHints({ proposals, decided }: { proposals: readonly Proposal[]; decided: boolean }) {
	const openId = useContext(OpenContext);
	return (
		<Hints
			shown={ofProposal(
				proposals.find(({ id }) => id === openId),
				decided,
			)}
		/>
	);
}

function ActionHints({ actions }: { actions: readonly Interrupt[] }) {
	const openId = useContext(OpenContext);
	return <Hints shown={ofAction(actions.find(({ id }) => id === openId))} />;
}

function Count({ count, needs = false }: { count: number; needs?: boolean }) {
	return <span className={needs && count > 0 ? 'count needs' : 'count'}>{count}</span>;
}

/** Says that something is left out, so that nobody takes the rest for all there is. */
function Filtered({ shown, total }: { shown: number; total: number }) {
	const say = useSay();
	const filter = useInboxUi((state) => state.filter);
	if (!isFiltered(filter)) return null;
	return (
		<p className="filtered meta">
			<span className="grow">{say('inbox.filtered', { shown, total })}</span>
			<Button kind="ghost" size="sm" icon="x" onClick={() => useInboxUi.setState({ filter: EVERYTHING })}>
				{say('common.filterClear')}
			</Button>
		</p>
	);
}

const HINTS = [
	{ keys: 'J K', id: 'inbox.hint.move' },
	{ keys: 'X', id: 'inbox.hint.select' },
	{ keys: 'A', id: 'inbox.hint.approve' },
	{ keys: 'B', id: 'inbox.hint.rebase' },
	{ keys: 'R', id: 'inbox.hint.reject' },
	{ keys: 'E', id: 'inbox.hint.edit' },
	{ keys: 'S', id: 'inbox.hint.snooze' },
	{ keys: 'Z', id: 'inbox.hint.undo' },
] as const;

type Hint = (typeof HINTS)[number];

/** `proposal`: the one that is shown; only what can be done with it is named. */
function ofProposal(proposal: Proposal | undefined, decided: boolean): Hint[] {
	const does = { X: true, A: !proposal?.stale, B: proposal?.stale ?? false, R: true, E: !proposal || canEdit(proposal), S: true };
	return HINTS.filter(({ keys }) => keys === 'J K' || keys === 'Z' || (!decided && does[keys]));
}

/** A question is answered in its own card; an action by keys too, once it is shown whole. */
function ofAction(action: Interrupt | undefined): Hint[] {
	const decides = !action || action.detail.kind === 'approval';
	return HINTS.filter(({ keys }) => keys === 'J K' || (decides && (keys === 'A' || keys === 'R')));
}

const Hints = memo(
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
	},
	(one, other) => one.shown.map(({ keys }) => keys).join() === other.shown.map(({ keys }) => keys).join(),
);
