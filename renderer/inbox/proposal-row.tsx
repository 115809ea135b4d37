import { type KeyboardEvent, type MouseEvent, memo } from 'react';
import { Link } from 'wouter';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useNow } from '../chat/use-now.ts';
import { Icon } from '../ui/icon.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { useSay } from '../ui/strings.tsx';
import { focused, toggleFold, useInboxUi, wasSeen } from './inbox-ui-store.ts';
import { proposalPlace } from './place.ts';
import { kindOf, rowText } from './proposal-view.ts';
import { Ago, Place, SourceChip } from './proposal-words.tsx';
import { selectRow } from './select-row.ts';
import { allToggled } from './selection.ts';
import { useTime } from './snooze-words.ts';

interface ProposalRowProps {
	proposal: Proposal;
	current: boolean;
	/** It stands under the one that it says nearly the same as. */
	under: boolean;
	folded: number;
	unfolded: boolean;
	/** It was opened by keyboard: what it holds takes the focus. */
	onKeyed: (id: string) => void;
}

/** Characters of a text that name its row. */
const NAME = 80;

/** Drawn anew only where it itself changed: there may be hundreds beside it. */
export const ProposalRow = memo(function ProposalRow({ proposal, current, under, folded, unfolded, onKeyed }: ProposalRowProps) {
	const say = useSay();
	const { id, operation, status, duplicates, finding, snoozedUntil = 0 } = proposal;
	const pending = status === 'pending';
	const unopened = useInboxUi((state) => pending && !wasSeen(proposal, state));
	const checked = useInboxUi((state) => state.selection.ids.has(id));
	const reached = useInboxUi((state) => state.rowId === id);
	const snoozed = useNow() < snoozedUntil && pending;
	const text = rowText(operation);
	const classes = ['row', 'item', 'choosable', !pending && 'plain', unopened && 'unread', current && 'current', under && 'under']
		.filter(Boolean)
		.join(' ');
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: it only notes where the focus came to
		<div className={classes} onFocus={() => focused(id)}>
			{pending ? (
				<input
					type="checkbox"
					checked={checked}
					// The keyboard selects with X; beside the row that it reached it finds the box, too.
					tabIndex={reached ? 0 : -1}
					aria-label={say('inbox.select', { text: text.slice(0, NAME) })}
					onChange={() => undefined}
					onClick={(event) => selectRow(id, event.shiftKey)}
				/>
			) : null}
			<Link
				href={proposalPlace(id)}
				data-row-id={id}
				aria-current={current || undefined}
				onClick={(event: MouseEvent) => (event.detail === 0 ? onKeyed(id) : undefined)}
			>
				{unopened ? <span className="vh">{say('inbox.unopened')}</span> : null}
				<span className="top">
					<b>{say(`inbox.op.${kindOf(operation)}`)}</b>
					<span className="cut" dir="auto">
						<Place proposal={proposal} />
					</span>
					{finding?.urgency === 'high' && pending ? <span className="urgent">{say('inbox.urgent')}</span> : null}
					{duplicates > 0 ? (
						<span className="count" title={say('inbox.alikeTitle', { count: duplicates })}>
							{say('inbox.alike', { count: duplicates })}
						</span>
					) : null}
					{snoozed ? <ComesBack at={snoozedUntil} /> : <Ago at={proposal.decidedAt ?? proposal.createdAt} marked={pending} />}
				</span>
				<span className="body" dir="auto">
					{text}
				</span>
				<span className="foot">
					<SourceChip proposal={proposal} />
					<TrustLabel label={proposal.label} />
					<RowState proposal={proposal} />
				</span>
			</Link>
			{folded > 0 ? (
				<button type="button" className="unfold" aria-expanded={unfolded} onClick={() => toggleFold(id)}>
					<Icon name={unfolded ? 'down' : 'right'} size="s" />
					{say('inbox.folded', { count: folded })}
				</button>
			) : null}
		</div>
	);
});

function ComesBack({ at }: { at: number }) {
	const say = useSay();
	const time = useTime();
	return (
		<time className="meta" dateTime={new Date(at).toISOString()}>
			{say('inbox.snoozedUntil', { time: time(at) })}
		</time>
	);
}

/** What weighs most of it: it can't be applied as it stands; memory says otherwise; something in its source was flagged. */
function RowState({ proposal: { status, stale, finding, receipt } }: { proposal: Proposal }) {
	const say = useSay();
	if (status === 'approved') {
		const landed = receipt?.outcome === 'written' ? say('inbox.landedIn', { file: receipt.file }) : say('inbox.status.approved');
		return <StateMark state="done">{landed}</StateMark>;
	}
	if (status === 'rejected')
		return (
			<StateMark state="stale" icon="x">
				{say('inbox.status.rejected')}
			</StateMark>
		);
	if (stale) return <StateMark state="stale">{say('inbox.stale')}</StateMark>;
	const { conflicts = [], conflictsWith = [], flagged = 0 } = finding ?? {};
	const count = conflicts.length + conflictsWith.length;
	const words = say('inbox.flagged', { count: flagged });
	return (
		<>
			{count > 0 ? <StateMark state="alert">{say('inbox.conflicts', { count })}</StateMark> : null}
			{flagged > 0 ? (
				<StateMark state="alert" icon="flag">
					{count > 0 ? (
						<>
							<span aria-hidden="true">{flagged}</span>
							<span className="vh">{words}</span>
						</>
					) : (
						words
					)}
				</StateMark>
			) : null}
		</>
	);
}

interface FoldRowProps {
	rowKey: string;
	head: ProposalId;
	ids: readonly ProposalId[];
	unfolded: boolean;
}

/** What says nearly the same as one that is decided: one row for all of it, which can be selected as one. */
export const FoldRow = memo(function FoldRow({ rowKey, head, ids, unfolded }: FoldRowProps) {
	const say = useSay();
	const all = useInboxUi((state) => ids.every((id) => state.selection.ids.has(id)));
	const select = (): void => useInboxUi.setState(({ selection }) => ({ selection: allToggled(selection, ids) }));
	const onKeyDown = (event: KeyboardEvent): void => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const folds = unfolded === (event.key === 'ArrowLeft') && (event.key === 'ArrowLeft' || event.key === 'ArrowRight');
		if (event.key.toLowerCase() === 'x') select();
		else if (folds) toggleFold(head);
		else return;
		event.preventDefault();
	};
	return (
		<div className="row item choosable folds">
			<input type="checkbox" checked={all} aria-label={say('inbox.selectAll', { count: ids.length })} onChange={select} />
			<button
				type="button"
				className="unfold"
				aria-expanded={unfolded}
				data-row-id={rowKey}
				onFocus={() => focused(rowKey)}
				onClick={() => toggleFold(head)}
				onKeyDown={onKeyDown}
			>
				<Icon name={unfolded ? 'down' : 'right'} size="s" />
				{say('inbox.foldedDecided', { count: ids.length })}
			</button>
		</div>
	);
});
