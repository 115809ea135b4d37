import { memo } from 'react';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { Interrupt } from '../../src/domain/run.ts';
import type { ProposalList } from '../shell/proposals.ts';
import { ActionDetail } from './action-detail.tsx';
import { DetailPane } from './detail-pane.tsx';
import type { InboxTab } from './inbox-ui-store.ts';
import { ProposalMenu } from './proposal-menu.tsx';
import { ProposalPane } from './proposal-pane.tsx';
import type { Deciding } from './use-deciding.ts';

interface DetailSideProps {
	tab: InboxTab;
	which: ProposalList;
	rows: readonly { readonly id: string }[];
	action: Interrupt | undefined;
	proposalId: ProposalId | undefined;
	proposal: Proposal | undefined;
	/** Why it could not be read. */
	error: unknown;
	waiting: number | undefined;
	deciding: Deciding;
	open: (id: string) => void;
	back: () => void;
}

/** What is chosen, whole. Drawn anew only where that changed, and after the list: a held key never waits for it. */
export const DetailSide = memo(function DetailSide(props: DetailSideProps) {
	const { tab, which, rows, action, proposalId, proposal, error, waiting, deciding, open, back } = props;
	const isAction = tab === 'actions';
	return (
		<DetailPane
			rows={rows}
			openId={isAction ? action?.id : proposalId}
			open={open}
			back={back}
			menu={proposal && !isAction ? <ProposalMenu proposal={proposal} deciding={deciding} /> : null}
		>
			{isAction ? (
				<ActionDetail interrupt={action} waiting={waiting} />
			) : (
				<ProposalPane proposalId={proposalId} proposal={proposal} error={error} which={which} waiting={waiting} deciding={deciding} />
			)}
		</DetailPane>
	);
});
