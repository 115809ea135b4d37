import { z } from 'zod';
import type { Json } from '../../../src/domain/json.ts';
import type { Touch } from '../../../src/domain/sink.ts';
import { useSay } from '../../ui/strings.tsx';

const Message = z.object({ subject: z.string().optional(), text: z.string() });

/** A message as those who get it will read it, whole. What the owner's word is bound to stands below it, letter by letter (B3). */
export function MessageText({ touches, args }: { touches: readonly Touch[]; args: Json }) {
	const say = useSay();
	const message = touches.some(({ sink }) => sink === 'message') ? Message.safeParse(args).data : undefined;
	if (!message) return null;
	const { subject, text } = message;
	return (
		<section aria-label={say('needs.message')}>
			<p className="part-name">{subject ? say('needs.messageSubject', { subject }) : say('needs.message')}</p>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<pre className="io well" tabIndex={0}>
				{text}
			</pre>
		</section>
	);
}
