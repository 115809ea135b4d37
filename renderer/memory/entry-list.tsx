import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { EntryId, MemoryEntry, MemoryHit } from '../../src/domain/memory.ts';
import { useSay } from '../ui/strings.tsx';
import { EntryRow } from './entry-row.tsx';
import { GroupHeading, GroupPlace } from './group-heading.tsx';
import { groupAt } from './groups.ts';
import { HitPlace, HitScore } from './hit.tsx';
import { useMemoryUi } from './memory-ui-store.ts';
import { shownLabel } from './provenance-parts.ts';
import { useListKeys } from './use-list-keys.ts';
import { useReadingPlace } from './use-reading-place.ts';

export interface EntryListProps {
	total: number;
	at: (index: number) => MemoryEntry | undefined;
	/** Where a loaded entry stands; -1 where it is not loaded. */
	indexOf: (entryId: string) => number;
	/** Told which rows are in view, so that they can be loaded. */
	onRange?: (first: number, last: number) => void;
	/** The hits that the rows are, where they are those of a search: no headings then, but places and scores. */
	hits?: readonly MemoryHit[];
	/** Stands above the first row and scrolls with it. */
	children?: ReactNode;
	/** An entry to go to and open; called back when it is there. */
	goTo?: { entryId: EntryId; onDone: () => void } | undefined;
}

/** Rows of entries, of which only those in view are in the page. */
export function EntryList({ total, at, indexOf, onRange, hits, children, goTo }: EntryListProps) {
	const say = useSay();
	const scroller = useRef<HTMLElement>(null);
	const list = useRef<VirtualizerHandle>(null);
	const above = useRef<HTMLDivElement>(null);
	const startMargin = useHeight(above);
	const currentId = useMemoryUi((state) => state.currentId);
	const openId = useMemoryUi((state) => state.openId);
	const editingId = useMemoryUi((state) => state.editing?.entry.id);
	const rows = useMemo(() => ({ length: total }), [total]);
	const { onKeyDown, focus } = useListKeys({ total, at, indexOf, list, scroller });
	const remember = useReadingPlace({ at, indexOf, list, scroller, startMargin });

	const onScroll = (): void => {
		const handle = list.current;
		if (!handle) return;
		const top = (scroller.current?.scrollTop ?? 0) - startMargin;
		onRange?.(handle.findItemIndex(Math.max(0, top)), handle.findItemIndex(top + handle.viewportSize));
		remember();
	};
	const entryId = goTo?.entryId;
	const index = entryId === undefined ? -1 : indexOf(entryId);
	useEffect(() => {
		if (!goTo || index < 0) return;
		useMemoryUi.setState({ openId: goTo.entryId, currentId: goTo.entryId });
		list.current?.scrollToIndex(index, { align: 'center' });
		focus(goTo.entryId);
		goTo.onDone();
	}, [goTo, index, focus]);

	const kept = [currentId, editingId].flatMap((id) => {
		const place = id ? indexOf(id) : -1;
		return place >= 0 && place < total ? [place] : [];
	});
	return (
		<section
			className="pane-body entries-scroll"
			ref={scroller}
			aria-label={say('memory.listLabel')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
			tabIndex={0}
			onScroll={onScroll}
			onKeyDown={onKeyDown}
		>
			<div className="entries">
				<div ref={above} className="entries-above">
					{children}
				</div>
				<div>
					<Virtualizer
						ref={list}
						data={rows}
						scrollRef={scroller}
						startMargin={startMargin}
						bufferSize={600}
						keepMounted={[...new Set(kept)]}
					>
						{(_row, position) => {
							const entry = at(position);
							if (!entry) return <LoadingRow key={`#${position}`} />;
							const before = position > 0 ? at(position - 1) : undefined;
							const group = hits ? undefined : groupAt(at, position, total);
							const hit = hits?.[position];
							const unlined = before !== undefined && (before.kind === 'heading' || before.id === openId);
							// Not after a heading: that row says no label itself.
							const follows = !group && before !== undefined && before.kind !== 'heading';
							return (
								<div
									key={indexOf(entry.id) === position ? entry.id : `${entry.id}#${position}`}
									className={`entry-in${group ? ' starts' : ''}${unlined ? ' unlined' : ''}`}
								>
									{group && entry.kind !== 'heading' ? <GroupHeading group={group} /> : null}
									<EntryRow
										entry={entry}
										index={position}
										total={total}
										quietLabel={follows && shownLabel(before.provenance) === shownLabel(entry.provenance)}
										asHeading={group && entry.kind === 'heading' ? <GroupPlace group={group} /> : undefined}
										above={hit ? <HitPlace entry={entry} /> : null}
										below={hit ? <HitScore hit={hit} /> : null}
										focus={focus}
									/>
								</div>
							);
						}}
					</Virtualizer>
				</div>
			</div>
		</section>
	);
}

function LoadingRow() {
	const say = useSay();
	return (
		<div className="entry-in">
			<article className="entry entry-loading dim" aria-busy="true">
				{say('memory.loadingRow')}
			</article>
		</div>
	);
}

/** The height of what stands above the rows, as the list must know it. */
function useHeight(element: { current: HTMLElement | null }): number {
	const [height, setHeight] = useState(0);
	useLayoutEffect(() => {
		const box = element.current;
		if (!box) return;
		const measure = (): void => setHeight(box.offsetHeight);
		measure();
		const watch = new ResizeObserver(measure);
		watch.observe(box);
		return () => watch.disconnect();
	}, [element]);
	return height;
}
