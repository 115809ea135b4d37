import type { Flag } from '../../../src/domain/inspection.ts';
import type { Json } from '../../../src/domain/json.ts';
import { FlaggedLegend, FlaggedText } from '../../ui/flagged.tsx';
import { useSay } from '../../ui/strings.tsx';
import { prettyFlags } from './pretty-flags.ts';

/** All of what a tool is given, never shortened: this is what the owner's word is bound to (B3). `flags`: of it as JSON in one line. */
export function ExactArguments({ args, flags = [] }: { args: Json; flags?: readonly Flag[] }) {
	const say = useSay();
	const text = typeof args === 'string' ? args : JSON.stringify(args, null, 2);
	const marks = typeof args === 'string' ? [] : prettyFlags(JSON.stringify(args), text, flags);
	return (
		<section className="exact" aria-label={say('needs.arguments')}>
			<p className="part-name">{say('needs.arguments')}</p>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<pre className="io well" tabIndex={0}>
				<FlaggedText text={text} flags={marks} />
			</pre>
			<FlaggedLegend flags={marks} />
		</section>
	);
}
