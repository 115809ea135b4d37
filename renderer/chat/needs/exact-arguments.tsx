import type { Json } from '../../../src/domain/json.ts';
import { useSay } from '../../ui/strings.tsx';

/** All of what a tool is given, never shortened: this is what the owner's word is bound to (B3). */
export function ExactArguments({ args }: { args: Json }) {
	const say = useSay();
	return (
		<section className="exact" aria-label={say('needs.arguments')}>
			<p className="part-name">{say('needs.arguments')}</p>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<pre className="io well" tabIndex={0}>
				{typeof args === 'string' ? args : JSON.stringify(args, null, 2)}
			</pre>
		</section>
	);
}
