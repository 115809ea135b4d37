import { Link } from 'wouter';
import type { EntryId, MemoryEntry } from '../../../src/domain/memory.ts';
import { shapeOf } from '../../connection/index.ts';
import { EntryStateLine } from '../../memory/entry-state.tsx';
import { entryPlace } from '../../memory/place.ts';
import { ProvenanceLine } from '../../memory/provenance.tsx';
import { useMemoryEntry } from '../../shell/queries.ts';
import { useSay } from '../../ui/strings.tsx';

interface UsedListProps {
	entryIds: readonly EntryId[];
	/** A link leads to another place. */
	onLeave: () => void;
}

/** Each memory of a reply as it is now: what it says, where it stands, where it came from. */
export default function UsedList({ entryIds, onLeave }: UsedListProps) {
	const leave = (event: React.MouseEvent): void => {
		if (event.target instanceof Element && event.target.closest('a, button.lnk')) onLeave();
	};
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: it hears the links inside, which keys press too
		<ol className="used-list" onClick={leave}>
			{entryIds.map((entryId) => (
				<Used key={entryId} entryId={entryId} />
			))}
		</ol>
	);
}

function Used({ entryId }: { entryId: EntryId }) {
	const say = useSay();
	const { data: entry, error } = useMemoryEntry(entryId);
	if (!entry) {
		const failure = error ? shapeOf(error) : undefined;
		return (
			<li className="meta">{failure ? (failure.code === 'not_found' ? say('used.forgotten') : failure.message) : say('common.loading')}</li>
		);
	}
	return (
		<li>
			<p className="used-text" dir="auto">
				{entry.text}
			</p>
			<EntryStateLine entry={entry} />
			<ProvenanceLine entry={entry} quietLabel={false} />
			<p className="meta used-place">
				<span className="grow">{placeOf(entry, say)}</span>
				<Link className="lnk" href={entryPlace(entry.id)}>
					{say('used.show')}
				</Link>
			</p>
		</li>
	);
}

function placeOf({ file, headingPath, lineStart, state }: MemoryEntry, say: ReturnType<typeof useSay>): string {
	const place = state === 'gone' ? file : say('memory.line', { file, line: lineStart });
	return [place, ...headingPath].join(' › ');
}
