import { useEffect } from 'react';
import { Link } from 'wouter';
import type { Proposal } from '../../src/domain/proposal.ts';
import { useSessions } from '../connection/index.ts';
import { entryPlace } from '../memory/place.ts';
import { useDay } from '../memory/provenance.tsx';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { Text, useSay } from '../ui/strings.tsx';
import { Change } from './change.tsx';
import { markSeen, useInboxUi } from './inbox-ui-store.ts';
import { kindOf, labelAfter } from './proposal-view.ts';
import { usePlace } from './proposal-words.tsx';
import { Sources } from './sources.tsx';

/** All that a decision is bound to (B3): what changes, whole; where it comes from; why it was held; what a yes would do. */
export function ProposalDetail({ proposal, onApprove }: { proposal: Proposal; onApprove: (text: string) => void }) {
	const say = useSay();
	const place = usePlace(proposal.operation);
	const problem = useInboxUi((state) => (state.problem?.id === proposal.id ? state.problem.error : null));
	useEffect(() => markSeen(proposal), [proposal]);
	const kind = kindOf(proposal.operation);
	return (
		<article className="detail-in" aria-labelledby="inbox-title">
			<header>
				<h2 className="d-title" id="inbox-title" tabIndex={-1}>
					{say(`inbox.title.${kind}`, { place })}
				</h2>
				<Under proposal={proposal} />
			</header>
			{problem ? <ErrorNote error={problem} /> : null}
			{proposal.status === 'pending' && proposal.stale ? (
				<Note tone="ask" icon="stale" title={say('inbox.staleTitle')} role="status">
					<p>{say(proposal.operation.kind === 'drift' ? 'inbox.staleDriftBody' : 'inbox.staleBody')}</p>
				</Note>
			) : null}
			<Change proposal={proposal} onApprove={onApprove} />
			<Sources proposal={proposal} />
			<WhyHeld proposal={proposal} />
			{proposal.status === 'pending' ? <Does proposal={proposal} place={place} /> : null}
		</article>
	);
}

function Under({ proposal }: { proposal: Proposal }) {
	const say = useSay();
	const day = useDay();
	const { status, label, provenance, sessionId, decidedAt, receipt, rejection } = proposal;
	const chat = useSessions((state) => (sessionId ? state.byId[sessionId] : undefined));
	const entryId = receipt?.outcome === 'written' && proposal.operation.kind !== 'forget' ? receipt.entryId : undefined;
	return (
		<>
			<p className="d-sub">
				{status === 'pending' ? <StateMark state="pending">{say('inbox.status.pending')}</StateMark> : null}
				{status === 'approved' ? <StateMark state="done">{say('inbox.status.approved')}</StateMark> : null}
				{status === 'rejected' ? (
					<StateMark state="stale" icon="x">
						{say('inbox.status.rejected')}
					</StateMark>
				) : null}
				<TrustLabel label={label} />
				<span className="meta">
					{say('inbox.proposedBy', { author: provenance.author, date: day(provenance.at, true), model: provenance.modelName ?? 'none' })}{' '}
					{chat ? (
						<Text
							id="inbox.proposedIn"
							values={{
								chat: (
									<Link className="lnk" href={`/chat/${chat.id}`}>
										<bdi>{chat.title || say('chat.untitled')}</bdi>
									</Link>
								),
							}}
						/>
					) : null}
				</span>
			</p>
			{decidedAt === undefined || status === 'pending' ? null : (
				<p className="d-sub meta">
					<span>{say('inbox.decidedOn', { status, date: day(decidedAt, true) })}</span>
					{entryId && receipt?.outcome === 'written' && status === 'approved' ? (
						<span>
							<Text
								id="inbox.landed"
								values={{
									place: (
										<Link className="lnk" href={entryPlace(entryId)}>
											{receipt.file}
										</Link>
									),
								}}
							/>
						</span>
					) : null}
					{rejection ? <span>{say('inbox.rejection', { reason: rejection })}</span> : null}
				</p>
			)}
		</>
	);
}

const EXPLAINED = ['memory_from_outside', 'forget_is_the_owners'] as const;

function WhyHeld({ proposal }: { proposal: Proposal }) {
	const say = useSay();
	const { reason, rule, provenance, label, operation } = proposal;
	const known = EXPLAINED.find((each) => each === rule);
	return (
		<section className="sec">
			<h3>{say('inbox.why')}</h3>
			<ul className="why">
				<li>
					<span>
						{reason}{' '}
						{operation.kind === 'drift' || operation.kind === 'skill'
							? say(`inbox.rule.${operation.kind}`)
							: known
								? say(`inbox.rule.${known}`)
								: null}
					</span>
				</li>
				<li>{say('inbox.origin', { label })}</li>
				{provenance.reason ? <li dir="auto">{say('inbox.writerReason', { reason: provenance.reason })}</li> : null}
				<li className="meta">{say('inbox.rule', { rule })}</li>
			</ul>
		</section>
	);
}

function Does({ proposal, place }: { proposal: Proposal; place: string }) {
	const say = useSay();
	const kind = kindOf(proposal.operation);
	const { kind: what } = proposal.operation;
	const label = say(`label.${labelAfter(proposal)}`);
	return (
		<section className="sec">
			<h3>{say('inbox.does')}</h3>
			<ul className="why">
				<li>{say(`inbox.does.${kind}`, { place, label })}</li>
				<li>{say(what === 'drift' || what === 'skill' ? `inbox.rejecting.${what}` : 'inbox.rejecting', { place })}</li>
			</ul>
		</section>
	);
}
