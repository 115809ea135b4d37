import type { MemoryEntry } from '../../src/domain/memory.ts';
import { withPaths } from '../chat/paths.tsx';

/** What an entry says, as plain text: nothing in it is a link, an image or markup. A long one is cut in the list until it is opened. */
export function EntryText({ entry, open, id }: { entry: MemoryEntry; open: boolean; id: string }) {
	const classes = ['entry-text', open ? '' : 'clamp', entry.state === 'current' || entry.state === 'not_yet' ? '' : 'past'];
	if (entry.kind === 'code' || entry.kind === 'table') {
		return (
			<pre className={[...classes, 'well'].filter(Boolean).join(' ')} id={id} dir="auto">
				{entry.text}
			</pre>
		);
	}
	const Tag = entry.kind === 'heading' ? 'h2' : 'p';
	return (
		<Tag className={classes.filter(Boolean).join(' ')} id={id} dir="auto">
			{withPaths(entry.text)}
		</Tag>
	);
}
