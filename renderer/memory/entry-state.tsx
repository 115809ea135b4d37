import { Link } from 'wouter';
import type { EntryId, MemoryEntry } from '../../src/domain/memory.ts';
import { INBOX, proposalPlace } from '../inbox/place.ts';
import { useProposals } from '../shell/queries.ts';
import { StateMark } from '../ui/marks.tsx';
import { useSay } from '../ui/strings.tsx';
import { entryPlace } from './place.ts';
import { useDay } from './provenance.tsx';

/** Whether an entry holds, where that is not plain: past, not yet, or held back until the owner decides. */
export function EntryStateLine({ entry }: { entry: MemoryEntry }) {
	const say = useSay();
	const day = useDay();
	const until = entry.validUntil;
	switch (entry.state) {
		case 'current':
			return null;
		case 'superseded':
			return (
				<p className="entry-state">
					<StateMark state="stale" icon="history">
						{until === undefined ? say('memory.state.supersededPlain') : say('memory.state.superseded', { date: day(until - 1) })}
					</StateMark>
					{entry.supersededBy ? (
						<Link className="lnk" href={entryPlace(entry.supersededBy)}>
							{say('memory.state.newer')}
						</Link>
					) : null}
				</p>
			);
		case 'expired':
			return (
				<p className="entry-state">
					<StateMark state="stale" icon="history">
						{until === undefined ? say('memory.state.supersededPlain') : say('memory.state.expired', { date: day(until - 1) })}
					</StateMark>
				</p>
			);
		case 'not_yet':
			return (
				<p className="entry-state">
					<StateMark state="scheduled">{say('memory.state.not_yet', { date: day(entry.validFrom ?? entry.createdAt) })}</StateMark>
				</p>
			);
		case 'quarantined':
			return (
				<p className="entry-state">
					<StateMark state="pending">{say('memory.state.quarantined')}</StateMark>
					<DecideLink entryId={entry.id} />
				</p>
			);
		case 'gone':
			return (
				<p className="entry-state">
					<StateMark state="stale" icon="history">
						{say('memory.state.gone')}
					</StateMark>
				</p>
			);
		default:
			return entry.state satisfies never;
	}
}

/** Leads to the very question about the entry, where it is still open. */
function DecideLink({ entryId }: { entryId: EntryId }) {
	const say = useSay();
	const proposal = useProposals('pending').data?.proposals.find(
		({ operation }) => operation.kind === 'drift' && operation.entryId === entryId,
	);
	return (
		<Link className="lnk" href={proposal ? proposalPlace(proposal.id) : INBOX}>
			{say('memory.state.decide')}
		</Link>
	);
}
