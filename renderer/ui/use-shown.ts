import { type RefObject, useEffect, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';

/** The row that an address names comes into view, once it is in the list. `at`: its place there; -1 where it is not. */
export function useShown(list: RefObject<VirtualizerHandle | null>, at: number): void {
	const there = at >= 0;
	const index = useRef(at);
	index.current = at;
	useEffect(() => {
		if (there) list.current?.scrollToIndex(index.current, { align: 'nearest' });
	}, [there, list]);
}
