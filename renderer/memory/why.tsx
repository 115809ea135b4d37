import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { WhyStep } from '../../src/contract/methods/memory.ts';
import type { MemoryEntry, Source } from '../../src/domain/memory.ts';
import { call, shapeOf } from '../connection/index.ts';
import { proposalPlace } from '../inbox/place.ts';
import { runPlace } from '../timeline/place.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Text, useSay } from '../ui/strings.tsx';
import { WordDiff } from '../ui/word-diff.tsx';
import { backToRow } from './back-to-row.ts';
import { useDay } from './provenance.tsx';
import { shownLabel, writerOf } from './provenance-parts.ts';
import { SourceLink } from './source-link.tsx';
import { shortHash, useKind, VersionText } from './versions.tsx';

/** The whole chain that made an entry say what it says: each change, who made it, out of what, and what the owner was shown. */
export function WhyDialog({ entry, onClose }: { entry: MemoryEntry; onClose: () => void }) {
	const say = useSay();
	const why = useQuery({
		queryKey: ['memory', 'why', entry.id],
		queryFn: () => call((client) => client.memory.why({ entryId: entry.id }), { repeatable: true }),
		staleTime: 0,
	});
	// A source leads to another screen: the question is closed with it.
	const leave = (event: React.MouseEvent): void => {
		if (event.target instanceof Element && event.target.closest('a, button.lnk')) onClose();
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('memory.whyTitle')}
			finalFocus={backToRow(entry.id)}
			lead={say('memory.whyLead')}
			wide
			footer={<Button onClick={onClose}>{say('common.close')}</Button>}
		>
			{why.error ? <ErrorNote error={shapeOf(why.error)} /> : null}
			{/* biome-ignore lint/a11y/useKeyWithClickEvents: it hears the links inside, which keys press too */}
			<ol className="why-chain" aria-busy={why.isPending} onClick={leave}>
				{why.data?.chain.map((step) => (
					<ChainStep key={step.version.changeId} step={step} />
				))}
			</ol>
		</Dialog>
	);
}

function ChainStep({ step }: { step: WhyStep }) {
	const say = useSay();
	const day = useDay();
	const kindOf = useKind();
	const { version, sources } = step;
	const { provenance } = version;
	const { approval } = provenance;
	const writer = writerOf({ author: provenance.author, sources: [] });
	const from = writerOf({ author: provenance.author, sources });
	const origin = provenance.author === 'heartbeat' && from.kind === 'writer' ? from.source : undefined;
	return (
		<li className="why-step">
			<div className="ver-h">
				<b>{day(version.at, true)}</b>
				<TrustLabel label={shownLabel(provenance)} />
			</div>
			<p>{kindOf(version)}</p>
			<div className="well why-text">
				<VersionText version={version} />
			</div>
			{sources.length === 0 ? (
				<p className="meta">
					{writer.kind === 'writer' ? `${say(writer.id)}. ` : null}
					{say('memory.whyNoSource')}
				</p>
			) : (
				<ul className="why-sources">
					{sources.map((source) => (
						<SourceItem key={JSON.stringify(source)} source={source} />
					))}
				</ul>
			)}
			{provenance.reason ? <p className="meta">{say('memory.whyReason', { reason: provenance.reason })}</p> : null}
			{provenance.runId && provenance.author === 'heartbeat' ? (
				<p className="meta">
					<Text
						id="memory.whyFound"
						values={{
							model: provenance.modelName ?? say('inbox.noModel'),
							run: (words) => (
								<Link className="lnk" href={runPlace(provenance.runId ?? '')}>
									{words}
								</Link>
							),
						}}
					/>
				</p>
			) : provenance.runId ? (
				<p className="meta">
					{say('memory.whyRun', { model: provenance.modelName ?? 'none', step: provenance.step === undefined ? 'none' : provenance.step })}
				</p>
			) : null}
			{step.heldBy ? <p className="meta">{say('memory.whyHeld', { reason: step.heldBy })}</p> : null}
			{approval ? (
				<p className="meta">
					{origin ? (
						<Text
							id="memory.whyApprovedFrom"
							values={{ source: <SourceLink source={origin} />, date: day(approval.at, true), hash: shortHash(approval.shownHash) }}
						/>
					) : (
						say('memory.whyApproved', { date: day(approval.at, true), hash: shortHash(approval.shownHash) })
					)}{' '}
					<Link className="lnk" href={proposalPlace(approval.proposalId)}>
						{say('memory.whyShown')}
					</Link>
				</p>
			) : null}
			{approval?.proposedText !== undefined && version.after !== null ? (
				<>
					<p className="meta">{say('memory.whyApprovedEdited')}</p>
					<WordDiff before={approval.proposedText} after={version.after} />
				</>
			) : null}
			{provenance.origin === 'external' ? <p className="meta">{say('memory.whyLabel')}</p> : null}
		</li>
	);
}

function SourceItem({ source }: { source: Source }) {
	const say = useSay();
	const link = <SourceLink source={source} />;
	const head = {
		message: () => <Text id="memory.whySaid" values={{ role: source.kind === 'message' ? source.role : '', source: link }} />,
		finding: () => <Text id="memory.whyFinding" values={{ source: link }} />,
		url: () => (source.kind === 'url' ? <Text id="memory.whyUrl" values={{ source: link, start: source.start, end: source.end }} /> : null),
		file: () => <Text id="memory.whyFile" values={{ source: link }} />,
		tool: () => <Text id="memory.whyTool" values={{ source: link }} />,
		entry: () => <Text id="memory.whyEntry" values={{ source: link }} />,
	}[source.kind]();
	return (
		<li>
			<p className="meta">{head}</p>
			{source.quote ? <blockquote dir="auto">{source.quote}</blockquote> : null}
			{source.kind === 'message' && source.deleted ? <p className="meta">{say('memory.whyDeleted')}</p> : null}
			{source.kind === 'url' ? <p className="meta">{say('memory.whyHash', { hash: shortHash(source.fetchedHash) })}</p> : null}
		</li>
	);
}
