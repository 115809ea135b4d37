import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { MemoryEntry } from '../../src/domain/memory.ts';
import { EntryActs } from './entry-acts.tsx';
import { EntryEditor } from './entry-editor.tsx';
import { EntryStateLine } from './entry-state.tsx';
import { EntryText } from './entry-text.tsx';
import { useMemoryUi } from './memory-ui-store.ts';
import { ProvenanceLine } from './provenance.tsx';

interface EntryRowProps {
	entry: MemoryEntry;
	/** Place in the list, from 0, and how many there are. */
	index: number;
	total: number;
	/** The row before has the same label: it is not said in full again. */
	quietLabel: boolean;
	/** It is the heading over the rows that follow: what stands beside it. Where it came from is said when it is open. */
	asHeading?: ReactNode;
	/** What stands above and under a hit of a search. */
	above?: ReactNode;
	below?: ReactNode;
	/** Puts the focus on this row. */
	focus: (entryId: string) => void;
}

/** One entry: what it says, where it came from, and, when it is open, what can be done with it. */
export const EntryRow = memo(function EntryRow({ entry, index, total, quietLabel, asHeading, above, below, focus }: EntryRowProps) {
	const row = useRef<HTMLElement>(null);
	const open = useMemoryUi((state) => state.openId === entry.id);
	const editing = useMemoryUi((state) => (state.editing?.entry.id === entry.id ? state.editing : null));
	const textId = `entry-${entry.id}`;
	// A row that goes with the focus in it leaves it to the list, so that the keys go on working.
	useLayoutEffect(() => {
		const element = row.current;
		return () => {
			const list = element?.closest<HTMLElement>('.entries-scroll');
			if (!list) return;
			if (element?.contains(document.activeElement)) list.focus({ preventScroll: true });
			else if (useMemoryUi.getState().currentId === entry.id) focusWhenLost(list);
		};
	}, [entry.id]);
	const choose = (event: React.MouseEvent): void => {
		// What lies inside does its own, and React lets a menu's clicks come by here too; a selection of words is not a click on the row.
		const { target, currentTarget } = event;
		if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('a, button, textarea, input')) return;
		if (window.getSelection()?.isCollapsed === false) return;
		useMemoryUi.setState((state) => ({ currentId: entry.id, openId: state.openId === entry.id ? null : entry.id, versionsOf: null }));
	};
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the list hears Enter for the row that has the focus
		<article
			ref={row}
			className={`entry${open ? ' open' : ''}${asHeading === undefined ? '' : ' heading'}`}
			data-entry-id={entry.id}
			tabIndex={-1}
			aria-posinset={index + 1}
			aria-setsize={total}
			aria-labelledby={editing ? undefined : textId}
			onClick={choose}
			onFocus={() => useMemoryUi.setState({ currentId: entry.id })}
		>
			{above}
			{editing ? (
				<EntryEditor editing={editing} entry={entry} onDone={() => focus(entry.id)} />
			) : (
				<div className={asHeading === undefined ? undefined : 'heading-line'}>
					<EntryText entry={entry} open={open} id={textId} />
					{asHeading}
				</div>
			)}
			<EntryStateLine entry={entry} />
			{asHeading === undefined || open || editing ? <ProvenanceLine entry={entry} quietLabel={quietLabel} /> : null}
			{below}
			{open && !editing ? <EntryActs entry={entry} anchor={() => row.current} /> : null}
		</article>
	);
});

/** A row's menu may close, and let go of the focus, after the row has gone. */
function focusWhenLost(list: HTMLElement, frames = 60): void {
	requestAnimationFrame(() => {
		if (!list.isConnected) return;
		if (document.activeElement === document.body) list.focus({ preventScroll: true });
		else if (frames > 0) focusWhenLost(list, frames - 1);
	});
}
