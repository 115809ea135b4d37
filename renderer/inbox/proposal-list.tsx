import { type CSSProperties, createContext, type ReactNode, type Ref, type RefObject, useContext, useEffect, useMemo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { GroupHeading } from './group-heading.tsx';
import { useInboxUi } from './inbox-ui-store.ts';
import type { ListRow, Rows } from './list-rows.ts';
import { OpenContext } from './listed.ts';
import { FoldRow, ProposalRow } from './proposal-row.tsx';

/** Which rows there are, for the items of the list: they know their number only. */
const Shown = createContext<Rows | null>(null);

interface ProposalListProps {
	rows: Rows;
	scroller: RefObject<HTMLElement | null>;
	/** A row was opened by keyboard. */
	onKeyed: (id: string) => void;
}

/** Rows of proposals under their headings, of which only those in view are in the page, and the one that has the focus. */
export function ProposalList({ rows, scroller, onKeyed }: ProposalListProps) {
	const openId = useContext(OpenContext);
	const list = useRef<VirtualizerHandle>(null);
	const rowId = useInboxUi((state) => state.rowId);
	const focusedId = useInboxUi((state) => state.focusedId);
	const kept = useMemo(
		() => [...new Set([openId, rowId, focusedId].map((id) => rows.indexOf.get(id ?? '')))].filter((index) => index !== undefined),
		[rows, openId, rowId, focusedId],
	);
	useFollowed(list, rows, rowId, openId);
	return (
		<Shown.Provider value={rows}>
			<Virtualizer ref={list} data={rows.rows} scrollRef={scroller} as="ul" item={Item} bufferSize={300} keepMounted={kept}>
				{(row: ListRow) => <OneRow key={row.key} row={row} current={row.key === openId} onKeyed={onKeyed} />}
			</Virtualizer>
		</Shown.Provider>
	);
}

function OneRow({ row, current, onKeyed }: { row: ListRow; current: boolean; onKeyed: (id: string) => void }) {
	switch (row.kind) {
		case 'group':
			return <GroupHeading group={row.group} />;
		case 'fold':
			return <FoldRow rowKey={row.key} head={row.head} ids={row.ids} unfolded={row.unfolded} />;
		default:
			return (
				<ProposalRow
					proposal={row.proposal}
					under={row.under}
					folded={row.folded}
					unfolded={row.unfolded}
					current={current}
					onKeyed={onKeyed}
				/>
			);
	}
}

/** Says where it stands among all, of which most are not in the page. */
function Item({ style, index, children, ref }: { style: CSSProperties; index: number; children: ReactNode; ref?: Ref<HTMLLIElement> }) {
	const shown = useContext(Shown);
	const row = shown?.rows[index];
	const place = row?.kind === 'proposal' ? { 'aria-posinset': row.place, 'aria-setsize': shown?.proposals.length } : undefined;
	return (
		<li ref={ref} style={style} {...place}>
			{children}
		</li>
	);
}

/** A row that is gone to comes into view; one that only moves because others came or went does not. */
function useFollowed(list: RefObject<VirtualizerHandle | null>, rows: Rows, rowId: string | null, openId: string | undefined): void {
	const latest = useRef({ rows, rowId, openId });
	const was = latest.current;
	latest.current = { rows, rowId, openId };
	const goes = rowId !== was.rowId ? (rowId ?? openId) : openId;
	const there = goes !== undefined && rows.indexOf.has(goes);
	useEffect(() => {
		const index = there ? latest.current.rows.indexOf.get(goes) : undefined;
		if (index !== undefined) list.current?.scrollToIndex(index, { align: 'nearest' });
	}, [goes, there, list]);
}
