import { useLocation } from 'wouter';
import type { Proposal } from '../../src/domain/proposal.ts';
import { copyText } from '../chat/copy.ts';
import { runPlace } from '../timeline/place.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { rowText } from './proposal-view.ts';
import type { Deciding } from './use-deciding.ts';

/** What can be done with it besides deciding on it. */
export function ProposalMenu({ proposal, deciding }: { proposal: Proposal; deciding: Deciding }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const { finding, status, runId } = proposal;
	return (
		<Menu trigger={<IconButton icon="more" label={say('inbox.more')} />}>
			{finding ? (
				<MenuItem icon="chat" onClick={() => deciding.discuss(proposal)}>
					{say('inbox.discuss')}
				</MenuItem>
			) : null}
			{status === 'pending' ? (
				<MenuItem icon="scheduled" keys="S" onClick={() => deciding.askSnooze(proposal)}>
					{say('inbox.snooze')}
				</MenuItem>
			) : null}
			{runId ? (
				<MenuItem icon="timeline" onClick={() => navigate(runPlace(runId))}>
					{say('inbox.showRun')}
				</MenuItem>
			) : null}
			<MenuItem icon="copy" onClick={() => copyText(rowText(proposal.operation))}>
				{say('inbox.copyText')}
			</MenuItem>
		</Menu>
	);
}
