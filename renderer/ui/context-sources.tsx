import type { ContextSource } from '../../src/domain/context-source.ts';
import { TrustLabel } from './marks.tsx';
import { useSay } from './strings.tsx';

/** What a step could see, or a text was made from: each with its kind, its name and its trust. */
export function ContextSources({ sources }: { sources: readonly ContextSource[] }) {
	const say = useSay();
	return (
		<ul className="ctx-sources">
			{sources.map((source) => (
				<li key={JSON.stringify(source)}>
					<span className="meta">{say(`source.kind.${source.kind}`)}</span>
					<bdi className="ctx-name">{source.name}</bdi>
					<TrustLabel label={source.label} quiet />
				</li>
			))}
		</ul>
	);
}
