import { Link } from 'wouter';
import type { EntryId, ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { ProvenanceLine } from '../memory/provenance.tsx';
import { useMemoryEntry, useProposal } from '../shell/queries.ts';
import { StateMark } from '../ui/marks.tsx';
import { Text, useSay } from '../ui/strings.tsx';
import { canChoose } from './choices.ts';
import { choose, useInboxUi } from './inbox-ui-store.ts';
import { proposalPlace } from './place.ts';
import { rowText, textAfter } from './proposal-view.ts';

/** What memory says otherwise, side by side with what is proposed; one of those can be what it replaces. */
export function Conflicts({ proposal }: { proposal: Proposal }) {
	const say = useSay();
	const { conflicts: ids = [], conflictsWith: others = [] } = proposal.finding ?? {};
	const count = ids.length + others.length;
	if (count === 0 || proposal.status !== 'pending') return null;
	return (
		<section className="sec">
			<div className="sec-h">
				<h3>{say(ids.length > 0 ? 'inbox.conflictTitle' : 'inbox.conflictWithTitle')}</h3>
				<StateMark state="alert">{say('inbox.conflicts', { count })}</StateMark>
			</div>
			{ids.map((entryId) => (
				<Conflict key={entryId} proposal={proposal} entryId={entryId} />
			))}
			{others.map((id) => (
				<Other key={id} proposal={proposal} id={id} />
			))}
		</section>
	);
}

/** Another finding that waits and says otherwise. */
function Other({ proposal, id }: { proposal: Proposal; id: ProposalId }) {
	const say = useSay();
	const other = useProposal(id).data;
	if (other?.status !== 'pending') return null;
	return (
		<div className="well versus">
			<div>
				<p className="meta">
					<Text
						id="inbox.otherSays"
						values={{
							link: (words) => (
								<Link className="lnk" href={proposalPlace(id)}>
									{words}
								</Link>
							),
							source: <bdi>{other.finding?.sourceTitle ?? say('inbox.fromChats')}</bdi>,
						}}
					/>
				</p>
				<p className="word-diff" dir="auto">
					{rowText(other.operation)}
				</p>
			</div>
			<div>
				<p className="meta">{say('inbox.thisSays')}</p>
				<p className="word-diff" dir="auto">
					{rowText(proposal.operation)}
				</p>
			</div>
		</div>
	);
}

function Conflict({ proposal, entryId }: { proposal: Proposal; entryId: EntryId }) {
	const say = useSay();
	const entry = useMemoryEntry(entryId).data;
	const edited = useInboxUi((state) => (state.editing?.id === proposal.id ? state.editing.text : null));
	const replaces = useInboxUi((state) => state.choices[proposal.id]?.replaces?.entryId === entryId);
	if (!entry || entry.state === 'gone') return null;
	const can = canChoose(proposal).place && (entry.state === 'current' || entry.state === 'not_yet');
	return (
		<div className="well versus">
			<div>
				<p className="meta">{say('inbox.memorySays', { file: entry.file })}</p>
				<p className="word-diff" dir="auto">
					{entry.text}
				</p>
				<ProvenanceLine entry={entry} quietLabel={false} />
			</div>
			<div>
				<p className="meta">{say('inbox.thisSays')}</p>
				<p className="word-diff" dir="auto">
					{edited ?? textAfter(proposal.operation)}
				</p>
			</div>
			{can ? (
				<label className="check">
					<input
						type="checkbox"
						checked={replaces}
						onChange={({ target }) =>
							choose(proposal.id, { replaces: target.checked ? { entryId, baseHash: entry.hash } : undefined, target: undefined })
						}
					/>
					{say('inbox.replaceIt')}
				</label>
			) : null}
		</div>
	);
}
