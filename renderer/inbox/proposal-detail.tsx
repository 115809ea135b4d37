import { useEffect } from 'react';
import type { Proposal } from '../../src/domain/proposal.ts';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { Change } from './change.tsx';
import { Choices } from './choices-section.tsx';
import { Conflicts } from './conflicts.tsx';
import { tellOpened } from './inbox-actions.ts';
import { markSeen, useInboxUi } from './inbox-ui-store.ts';
import { kindOf, seenKey } from './proposal-view.ts';
import { usePlace } from './proposal-words.tsx';
import { SourceTexts, useSourceTexts } from './source-texts.tsx';
import { Sources } from './sources.tsx';
import { Under } from './under.tsx';
import { useInspected } from './use-inspected.ts';
import { useSettled } from './use-settled.ts';
import { Does, WhyHeld } from './why-held.tsx';

/** All that a decision is bound to (B3): what changes, whole; where it comes from; why it was held; what a yes would do. */
export function ProposalDetail({ proposal, onApprove }: { proposal: Proposal; onApprove: (text: string) => void }) {
	const say = useSay();
	const place = usePlace(proposal);
	const { operation, status, finding } = proposal;
	const problem = useInboxUi((state) => (state.problem?.id === proposal.id ? state.problem.error : null));
	const settled = useSettled(seenKey(proposal));
	const inspected = useInspected(proposal, settled);
	const texts = useSourceTexts(proposal, settled && finding !== undefined);
	useOpened(proposal, settled);
	return (
		<article className="detail-in" aria-labelledby="inbox-title">
			<header>
				<h2 className="d-title" id="inbox-title" data-of={proposal.id} tabIndex={-1} dir="auto">
					{say(`inbox.title.${kindOf(operation)}`, { place })}
				</h2>
				<Under proposal={proposal} />
			</header>
			{problem ? <ErrorNote error={problem} /> : null}
			{status === 'pending' && proposal.stale ? (
				<Note tone="ask" icon="stale" title={say('inbox.staleTitle')} role="status">
					<p>{say(operation.kind === 'drift' ? 'inbox.staleDriftBody' : 'inbox.staleBody')}</p>
				</Note>
			) : null}
			<Change proposal={proposal} inspected={inspected} onApprove={onApprove} />
			<Conflicts proposal={proposal} />
			<Choices key={seenKey(proposal)} proposal={proposal} />
			{finding ? <SourceTexts proposal={proposal} asked={texts} /> : <Sources proposal={proposal} inspected={inspected} />}
			<WhyHeld proposal={proposal} texts={texts.data} />
			{status === 'pending' ? <Does proposal={proposal} place={place} /> : null}
		</article>
	);
}

/** The owner has exactly this open: noted here at once, and at the runtime, where a batch asks for it. */
function useOpened(proposal: Proposal, settled: boolean): void {
	const tell = settled && proposal.status === 'pending' && !proposal.opened;
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each content, not for each word about it
	useEffect(() => {
		if (!settled) return;
		markSeen(proposal);
		if (tell) void tellOpened(proposal);
	}, [settled, tell, seenKey(proposal)]);
}
