import type { Source } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { SourceLink } from '../memory/source-link.tsx';
import { shortHash } from '../memory/versions.tsx';
import { markedFlags } from '../ui/flag-pieces.ts';
import { FlaggedLegend, FlaggedText } from '../ui/flagged.tsx';
import { Icon } from '../ui/icon.tsx';
import { Text, useSay } from '../ui/strings.tsx';
import { sourceIcon } from './proposal-words.tsx';
import type { useInspected } from './use-inspected.ts';

/** The very text that it rests on. As plain text: nothing in it is markup, a link or a picture (B6). */
export function Sources({ proposal, inspected }: { proposal: Proposal; inspected: ReturnType<typeof useInspected> }) {
	const say = useSay();
	const { sources } = proposal.provenance;
	const flagsOf = (index: number) => markedFlags(inspected?.sources[index]);
	return (
		<section className="sec">
			<div className="sec-h">
				<h3>{say('inbox.from')}</h3>
				{sources.length > 0 ? <span className="meta">{say('inbox.plain')}</span> : null}
			</div>
			{sources.length === 0 ? <p className="meta">{say('inbox.fromNothing')}</p> : null}
			{sources.map((source, index) => (
				<div key={JSON.stringify(source)} className="well source">
					<div className="source-h">
						<Icon name={sourceIcon(source)} size="s" />
						<span className="grow">
							{source.kind === 'message' ? (
								<Text id="inbox.said" values={{ role: source.role, source: <SourceLink source={source} /> }} />
							) : (
								<SourceLink source={source} />
							)}
						</span>
						<Fingerprint source={source} />
					</div>
					{source.quote === '' ? null : (
						<p className="source-t" dir="auto">
							<FlaggedText text={source.quote} flags={flagsOf(index)} />
						</p>
					)}
					<FlaggedLegend flags={flagsOf(index)} />
				</div>
			))}
		</section>
	);
}

function Fingerprint({ source }: { source: Source }) {
	const hash = source.kind === 'url' ? source.fetchedHash : source.kind === 'file' || source.kind === 'tool' ? source.hash : undefined;
	return hash ? <code className="dim">{shortHash(hash)}</code> : null;
}
