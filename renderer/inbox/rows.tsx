import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { Interrupt } from '../../src/domain/run.ts';
import { touchLine } from '../chat/needs/touch-words.ts';
import { firstText } from '../chat/transcript/first-text.ts';
import { useSessions } from '../connection/index.ts';
import { Icon } from '../ui/icon.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { useInboxUi } from './inbox-ui-store.ts';
import { proposalPlace } from './place.ts';
import { kindOf, rowText, seenKey } from './proposal-view.ts';
import { Ago, SourceChip, usePlace } from './proposal-words.tsx';
import { useActionPlace } from './use-action-place.ts';

interface RowProps {
	id: string;
	current: boolean;
	unopened?: boolean;
	href?: string;
	onChoose?: () => void;
	/** It was opened by keyboard: what it holds takes the focus. */
	onKeyed: () => void;
	children: ReactNode;
}

/** One row of the list. It is one stop for the keyboard: keys act on the row that has the focus. */
function Row({ id, current, unopened = false, href, onChoose, onKeyed, children }: RowProps) {
	const say = useSay();
	const shared = {
		className: unopened ? 'row item unread' : 'row item',
		'data-row-id': id,
		'aria-current': current || undefined,
		onFocus: () => useInboxUi.setState({ rowId: id }),
	};
	const keyed = (event: React.MouseEvent): void => (event.detail === 0 ? onKeyed() : undefined);
	const mark = unopened ? <span className="vh">{say('inbox.unopened')}</span> : null;
	return (
		<li>
			{href ? (
				<Link {...shared} href={href} onClick={keyed}>
					{mark}
					{children}
				</Link>
			) : (
				<button
					type="button"
					{...shared}
					onClick={(event) => {
						onChoose?.();
						keyed(event);
					}}
				>
					{children}
				</button>
			)}
		</li>
	);
}

export function ProposalRow({ proposal, current, onKeyed }: { proposal: Proposal; current: boolean; onKeyed: () => void }) {
	const say = useSay();
	const place = usePlace(proposal.operation);
	const seen = useInboxUi((state) => state.seen.has(seenKey(proposal)));
	const pending = proposal.status === 'pending';
	return (
		<Row id={proposal.id} current={current} unopened={pending && !seen} href={proposalPlace(proposal.id)} onKeyed={onKeyed}>
			<span className="top">
				<b>{say(`inbox.op.${kindOf(proposal.operation)}`)}</b>
				<span className="cut">{place}</span>
				{proposal.duplicates > 0 ? (
					<span className="count" title={say('inbox.alikeTitle', { count: proposal.duplicates })}>
						{say('inbox.alike', { count: proposal.duplicates })}
					</span>
				) : null}
				<Ago at={proposal.decidedAt ?? proposal.createdAt} className="meta" />
			</span>
			<span className="body" dir="auto">
				{rowText(proposal.operation)}
			</span>
			<span className="foot">
				<SourceChip sources={proposal.provenance.sources} />
				<TrustLabel label={proposal.label} />
				<RowState proposal={proposal} />
			</span>
		</Row>
	);
}

function RowState({ proposal: { status, stale } }: { proposal: Proposal }) {
	const say = useSay();
	if (status === 'approved') return <StateMark state="done">{say('inbox.status.approved')}</StateMark>;
	if (status === 'rejected')
		return (
			<StateMark state="stale" icon="x">
				{say('inbox.status.rejected')}
			</StateMark>
		);
	return stale ? <StateMark state="stale">{say('inbox.stale')}</StateMark> : null;
}

interface ActionRowProps {
	interrupt: Interrupt;
	current: boolean;
	onChoose: () => void;
	onKeyed: () => void;
}

export function ActionRow({ interrupt, current, onChoose, onKeyed }: ActionRowProps) {
	const say = useSay();
	const { detail, sessionId } = interrupt;
	const session = useSessions((state) => state.byId[sessionId]);
	const place = useActionPlace(interrupt);
	return (
		<Row id={interrupt.id} current={current} onChoose={onChoose} onKeyed={onKeyed}>
			<span className="top">
				<b className="cut">{actionTitle(say, interrupt)}</b>
				<Ago at={interrupt.createdAt} className="meta" />
			</span>
			<span className="body" dir="auto">
				{actionText(say, detail)}
			</span>
			<span className="foot">
				<span className="src cut">
					<Icon name={session ? 'chat' : 'timeline'} />
					<span className="cut" dir="auto">
						{place}
					</span>
				</span>
				{detail.kind === 'approval' ? <TrustLabel label={detail.label} /> : null}
			</span>
		</Row>
	);
}

function actionText(say: Say, detail: Interrupt['detail']): string {
	switch (detail.kind) {
		case 'question':
			return detail.question;
		case 'approval':
			return touchLine(say, detail.touches, detail.tool) ?? firstText(detail.args);
		case 'did_it_happen':
			return firstText(detail.args);
		case 'timer':
		case 'event':
			return detail.note;
		case 'child':
			return detail.task;
	}
}

export function actionTitle(say: Say, { detail }: Interrupt): string {
	switch (detail.kind) {
		case 'approval':
			return say('inbox.action.approval', { tool: detail.title ?? detail.tool.replaceAll('_', ' ') });
		case 'question':
		case 'did_it_happen':
			return say(`inbox.action.${detail.kind}`);
		case 'timer':
		case 'event':
		case 'child':
			return say('needs.waits');
	}
}
