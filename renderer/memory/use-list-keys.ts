import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { MemoryEntry } from '../../src/domain/memory.ts';
import { openDialog } from './entry-acts.tsx';
import { undoLastOf } from './memory-actions.ts';
import { askForSearch, beginEdit, useMemoryUi } from './memory-ui-store.ts';

interface ListOfEntries {
	total: number;
	at: (index: number) => MemoryEntry | undefined;
	indexOf: (entryId: string) => number;
	list: RefObject<VirtualizerHandle | null>;
	scroller: RefObject<HTMLElement | null>;
}

interface ListKeys {
	onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
	/** Brings an entry into view and puts the focus on it. */
	focus: (entryId: string) => void;
}

/** The keys of the list, as the keyboard map names them. They act on the entry that has the focus. */
export function useListKeys({ total, at, indexOf, list, scroller }: ListOfEntries): ListKeys {
	/** A row that is not loaded yet gets the focus when it is. */
	const awaited = useRef<number | null>(null);
	const latest = useRef(indexOf);
	latest.current = indexOf;

	const focus = useCallback(
		(entryId: string) => {
			const take = (tries: number): void => {
				const row = scroller.current?.querySelector<HTMLElement>(`[data-entry-id="${CSS.escape(entryId)}"]`);
				if (row) row.focus({ preventScroll: true });
				else if (tries > 0) requestAnimationFrame(() => take(tries - 1));
			};
			const index = latest.current(entryId);
			if (index >= 0) list.current?.scrollToIndex(index, { align: 'nearest' });
			// At once where it is there already: no key may be lost in between.
			take(10);
		},
		[list, scroller],
	);
	const focusIndex = (index: number): void => {
		const entry = at(index);
		awaited.current = entry ? null : index;
		list.current?.scrollToIndex(index, { align: 'nearest' });
		if (!entry) return;
		useMemoryUi.setState({ currentId: entry.id });
		focus(entry.id);
	};
	useEffect(() => {
		const entry = awaited.current === null ? undefined : at(awaited.current);
		if (!entry) return;
		awaited.current = null;
		useMemoryUi.setState({ currentId: entry.id });
		focus(entry.id);
	}, [at, focus]);

	/** The row that keys start from: the one with the focus, else the first in view. */
	const here = (): number => indexOf(useMemoryUi.getState().currentId ?? '');
	const firstInView = (): number => list.current?.findItemIndex(list.current.scrollOffset) ?? 0;

	const listKey = (key: string): (() => void) | undefined => {
		const index = here();
		switch (key) {
			case 'j':
			case 'ArrowDown':
				return () => focusIndex(index < 0 ? firstInView() : Math.min(total - 1, index + 1));
			case 'k':
			case 'ArrowUp':
				return () => focusIndex(index < 0 ? firstInView() : Math.max(0, index - 1));
			case 'Home':
				return () => focusIndex(0);
			case 'End':
				return () => focusIndex(total - 1);
			case '/':
				return askForSearch;
			case 'n': {
				const entry = at(index);
				return () => openDialog({ kind: 'add', ...(entry ? { file: entry.file, headingPath: entry.headingPath } : {}) });
			}
			case 'Escape':
				return useMemoryUi.getState().openId ? () => useMemoryUi.setState({ openId: null, versionsOf: null }) : undefined;
			default:
				return undefined;
		}
	};
	const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
		const { target, currentTarget } = event;
		// Popovers and dialogs hear their own keys, though React lets them come by here; a field keeps what is typed into it.
		if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('textarea, input, select')) return;
		if (event.ctrlKey || event.metaKey || event.altKey || total === 0) return;
		const index = here();
		const entry = index >= 0 ? at(index) : undefined;
		const onRow = target.matches('[data-entry-id]') || target === currentTarget;
		const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const run = listKey(name) ?? (entry ? entryKey(name, entry, onRow) : undefined);
		if (!run || event.shiftKey) return;
		event.preventDefault();
		run();
	};
	return { onKeyDown, focus };
}

/** What a key does with the entry that has the focus. */
function entryKey(key: string, entry: MemoryEntry, onRow: boolean): (() => void) | undefined {
	switch (key) {
		case 'Enter':
			return onRow ? () => toggle(entry) : undefined;
		case 'e':
			return () => beginEdit(entry);
		case 'h':
			return () => useMemoryUi.setState({ openId: entry.id, versionsOf: entry.id });
		case 'w':
			return () => openDialog({ kind: 'why', entry });
		case 'z':
			return () => void undoLastOf(entry);
		case 'm':
			return () => openDialog({ kind: 'move', entry });
		case 'Delete':
			return () => openDialog({ kind: 'forget', entry });
		default:
			return undefined;
	}
}

function toggle(entry: MemoryEntry): void {
	useMemoryUi.setState((state) => ({ openId: state.openId === entry.id ? null : entry.id, versionsOf: null }));
}
