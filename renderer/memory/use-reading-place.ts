import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { MemoryEntry } from '../../src/domain/memory.ts';

interface ReadingPlaceOptions {
	at: (index: number) => MemoryEntry | undefined;
	indexOf: (entryId: string) => number;
	list: RefObject<VirtualizerHandle | null>;
	scroller: RefObject<HTMLElement | null>;
	/** Pixels above the first row. */
	startMargin: number;
}

/**
 * Keeps the reader where they are while entries come and go above: the first entry in view stays where it is. Returns what is to be
 * called on every scroll.
 */
export function useReadingPlace({ at, indexOf, list, scroller, startMargin }: ReadingPlaceOptions): () => void {
	const place = useRef<{ id: string; index: number; into: number; top: number | undefined } | null>(null);
	const remember = (): void => {
		const handle = list.current;
		const top = (scroller.current?.scrollTop ?? 0) - startMargin;
		// At the very top a reader sees what is new there.
		if (!handle || top <= 0) {
			place.current = null;
			return;
		}
		const index = handle.findItemIndex(top);
		const id = at(index)?.id;
		// A row that is being loaded names nobody: the place is learnt when it is there.
		place.current = id ? { id, index, into: top - handle.getItemOffset(index), top: topOf(scroller.current, id) } : null;
	};
	const learn = useEffectEvent(remember);
	useLayoutEffect(() => {
		const kept = place.current;
		const index = kept ? indexOf(kept.id) : -1;
		if (!kept || index < 0) {
			// What is in view has just been loaded.
			learn();
			return;
		}
		if (index === kept.index) return;
		place.current = { ...kept, index };
		list.current?.scrollToIndex(index, { align: 'start', offset: kept.into });
		// The list places by sizes that it had for other rows: what is left is put right when they are laid out.
		let left = 3;
		const settle = (): void => {
			const now = topOf(scroller.current, kept.id);
			if (scroller.current && now !== undefined && kept.top !== undefined) scroller.current.scrollTop += now - kept.top;
			if (--left > 0) frame = requestAnimationFrame(settle);
		};
		let frame = requestAnimationFrame(settle);
		return () => cancelAnimationFrame(frame);
	}, [indexOf, list, scroller]);
	return remember;
}

/** Pixels from the top of the view to the top of the entry's row; undefined where it is not laid out. */
function topOf(scroller: HTMLElement | null, entryId: string): number | undefined {
	const row = scroller?.querySelector(`[data-entry-id="${CSS.escape(entryId)}"]`);
	return scroller && row ? row.getBoundingClientRect().top - scroller.getBoundingClientRect().top : undefined;
}
