import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useEffectEvent } from 'react';
import type { Proposal } from '../../src/domain/proposal.ts';
import { approvalKeys } from '../chat/needs/approval-keys.ts';
import { isComposing } from '../ui/controls.tsx';
import { focusRow, focusTitle, isInList } from './focus.ts';
import { change, toggleFold, useInboxUi } from './inbox-ui-store.ts';
import { stepped } from './proposal-view.ts';
import { selectRow } from './select-row.ts';
import { type Batch, NOTHING } from './selection.ts';
import type { Deciding } from './use-deciding.ts';

interface InboxKeys {
	/** The rows of the list that is shown, as they stand. */
	rows: readonly { readonly id: string }[];
	/** What in the list can have the focus: those, and what stands for several of them. */
	stops: readonly { readonly id: string }[];
	/** The row that is shown beside it. */
	openId: string | undefined;
	/** Shows a row beside the list, or in its place. */
	open: (id: string) => void;
	/** The list and what is chosen stand side by side. */
	wide: () => boolean;
	/** Undefined for what is no proposal: a question is answered in its card, an action also by these keys. */
	proposalOf: (id: string | undefined) => Proposal | undefined;
	deciding: Deciding;
	/** What is selected, for the keys that decide on all of it. */
	batch: Batch;
	back: () => void;
}

/** The keys of the inbox, as the keyboard map names them. They act on the row that has the focus, else on what is shown. */
export function useInboxKeys({ rows, stops, openId, open, wide, proposalOf, deciding, batch, back }: InboxKeys) {
	const go = (next: { readonly id: string } | undefined): void => {
		if (!next) return;
		const inList = isInList();
		// Known before it has the focus: the next key starts from there, however fast it comes.
		change({ rowId: next.id });
		if ((openId !== undefined || wide()) && rows.some(({ id }) => id === next.id)) open(next.id);
		if (inList || openId === undefined) focusRow(next.id);
		else focusTitle(next.id);
	};
	const step = (by: number): void => go(isInList() ? stepped(stops, useInboxUi.getState().rowId ?? openId, by) : stepped(rows, openId, by));
	const hear = (event: KeyboardEvent): void => {
		const { target } = event;
		if (!(target instanceof Element) || target.closest(TYPED_INTO)) return;
		if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const run = event.shiftKey ? shiftedKey(key) : keyOf(key, isInList());
		// A held key moves, and decides nothing.
		if (!run || (event.repeat && !MOVES.has(event.key.toLowerCase()))) return;
		event.preventDefault();
		run();
	};
	const hearStray = useEffectEvent((event: KeyboardEvent): void => {
		if (isStray(event) && !document.querySelector(IN_FRONT)) hear(event);
	});
	useEffect(() => {
		// While one row or heading takes the focus over from another, it is nowhere for a moment: a key that is pressed then is not lost. And whoever
		// came by a click on the rail has the focus there.
		const listener = (event: KeyboardEvent): void => hearStray(event);
		window.addEventListener('keydown', listener);
		return () => window.removeEventListener('keydown', listener);
	}, []);
	return ({ nativeEvent, currentTarget }: ReactKeyboardEvent<HTMLElement>): void => {
		// Dialogs hear their own keys, though React lets them come by here; a field keeps what is typed into it.
		if (nativeEvent.target instanceof Element && currentTarget.contains(nativeEvent.target)) hear(nativeEvent);
	};

	function here(inList: boolean): string | undefined {
		return inList ? (useInboxUi.getState().rowId ?? openId) : openId;
	}

	/** On all that is selected, or up to here. */
	function shiftedKey(key: string): (() => void) | undefined {
		const proposal = proposalOf(here(isInList()));
		switch (key) {
			case 'x':
				return proposal?.status === 'pending' ? () => selectRow(proposal.id, true) : undefined;
			case 'a':
				return batch.all.length > 0 ? () => deciding.all(batch.approvable, 'approve') : undefined;
			case 'r':
				return batch.all.length > 0 ? () => deciding.all(batch.all, 'reject') : undefined;
			case 's':
				return proposal ? () => deciding.snoozeAgain(proposal) : undefined;
			default:
				return undefined;
		}
	}

	function keyOf(key: string, inList: boolean): (() => void) | undefined {
		const id = here(inList);
		const proposal = proposalOf(id);
		switch (key) {
			case 'j':
				return () => step(1);
			case 'k':
				return () => step(-1);
			// Beside the list these scroll what is read.
			case 'ArrowDown':
				return inList ? () => step(1) : undefined;
			case 'ArrowUp':
				return inList ? () => step(-1) : undefined;
			case 'Home':
				return inList ? () => go(stops[0]) : undefined;
			case 'End':
				return inList ? () => go(stops.at(-1)) : undefined;
			case 'ArrowRight':
			case 'ArrowLeft':
				return inList && proposal ? () => unfold(proposal, key === 'ArrowRight') : undefined;
			case 'Escape':
				return leave(inList);
			case 'z':
				return () => deciding.undo(proposal);
			default:
				return proposal ? decisionOf(key, proposal) : actionOf(key, id);
		}
	}

	function leave(inList: boolean): (() => void) | undefined {
		if (!inList) return openId === undefined ? undefined : back;
		return batch.all.length > 0 ? () => useInboxUi.setState({ selection: NOTHING }) : undefined;
	}

	/** An action is decided by a key only where it is the one that is shown whole. */
	function actionOf(key: string, id: string | undefined): (() => void) | undefined {
		const keys = id === openId ? approvalKeys(id) : undefined;
		return key === 'a' ? keys?.approve : key === 'r' ? keys?.reject : undefined;
	}

	function decisionOf(key: string, proposal: Proposal): (() => void) | undefined {
		switch (key) {
			case 'a':
				return () => deciding.approve(proposal);
			case 'r':
				return () => deciding.askReason(proposal);
			case 'e':
				return () => deciding.edit(proposal);
			case 'b':
				return () => deciding.rebase(proposal);
			case 's':
				return () => deciding.askSnooze(proposal);
			case 'x':
				return proposal.status === 'pending' ? () => selectRow(proposal.id, false) : undefined;
			default:
				return undefined;
		}
	}
}

/** Letters are no keys of the rail; what moves within it or follows its links is. */
function isStray({ target, key }: KeyboardEvent): boolean {
	return target === document.body || (key.length === 1 && key !== ' ' && target instanceof Element && target.closest('.rail') !== null);
}

/** What folds into it is shown, or no longer. */
function unfold({ id, foldedInto }: Proposal, isOpen: boolean): void {
	const head = foldedInto ?? id;
	if (useInboxUi.getState().unfolded.has(head) !== isOpen) toggleFold(head);
}

const TYPED_INTO = 'textarea, input:not([type="checkbox"]), select, [role="tab"], [role="combobox"]';

/** What lies over the screen has the keys. */
const IN_FRONT = '.dialog[data-open], .palette[data-open], .menu[data-open], .popover[data-open]';

const MOVES = new Set(['j', 'k', 'arrowdown', 'arrowup']);
