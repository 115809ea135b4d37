import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { shapeOf } from '../connection/index.ts';
import type { ProposalList } from '../shell/proposals.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { DecideBar } from './decide-bar.tsx';
import { Digest } from './digest.tsx';
import { NothingWaits } from './nothing-waits.tsx';
import { INBOX } from './place.ts';
import { ProposalDetail } from './proposal-detail.tsx';
import type { Deciding } from './use-deciding.ts';

interface ProposalPaneProps {
	proposalId: ProposalId | undefined;
	/** As the list, or the runtime, has it. */
	proposal: Proposal | undefined;
	/** Why it could not be read. */
	error: unknown;
	which: ProposalList;
	/** Undefined until the list is read. */
	waiting: number | undefined;
	deciding: Deciding;
}

export function ProposalPane({ proposalId, proposal, error, which, waiting, deciding }: ProposalPaneProps) {
	if (proposalId === undefined) return <Choose which={which} waiting={waiting} />;
	if (error && !(proposal && shapeOf(error).code === 'disconnected')) return <Missing proposalId={proposalId} error={error} />;
	if (!proposal) return <div className="pane-body" aria-busy="true" />;
	return (
		<>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<div className="pane-body" tabIndex={0} key={proposal.id}>
				<ProposalDetail proposal={proposal} onApprove={(text) => deciding.approve(proposal, text)} />
			</div>
			<DecideBar key={`${proposal.id}:${proposal.status}`} proposal={proposal} deciding={deciding} />
		</>
	);
}

/** Nothing is open: what there is, or that there is nothing. */
export function Choose({ which, waiting }: { which: ProposalList; waiting: number | undefined }) {
	const say = useSay();
	if (waiting === undefined) return <div className="pane-body" aria-busy="true" />;
	const decided = which === 'decided';
	if (waiting === 0 && which === 'pending') return <NothingWaits />;
	return (
		<div className="empty">
			<Icon name={decided ? 'history' : which === 'snoozed' ? 'scheduled' : 'inbox'} />
			<h2>{say(`inbox.choose.${which}.title`, { count: waiting })}</h2>
			<p>{say(`inbox.choose.${which}.body`)}</p>
			{which === 'pending' ? <Digest /> : null}
		</div>
	);
}

function Missing({ proposalId, error }: { proposalId: ProposalId; error: unknown }) {
	const say = useSay();
	const queries = useQueryClient();
	const failure = shapeOf(error);
	const missing = failure.code === 'not_found';
	if (!missing) {
		return (
			<div className="detail-in">
				<ErrorNote
					error={failure}
					actions={
						<Button onClick={() => void queries.refetchQueries({ queryKey: ['inbox', 'proposal', proposalId] })}>
							{say('common.tryAgain')}
						</Button>
					}
				/>
			</div>
		);
	}
	return (
		<div className="empty">
			<Icon name="inbox" />
			<h2 id="inbox-title" tabIndex={-1}>
				{say('inbox.missing')}
			</h2>
			<p>{say('inbox.missingBody')}</p>
			<p>
				<Link className="lnk" href={INBOX}>
					{say('inbox.showAll')}
				</Link>
			</p>
		</div>
	);
}
