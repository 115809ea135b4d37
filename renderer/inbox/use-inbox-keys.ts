import type { KeyboardEvent } from 'react';
import type { Proposal } from '../../src/domain/proposal.ts';
import { approvalKeys } from '../chat/needs/approval-keys.ts';
import { isComposing } from '../ui/controls.tsx';
import { focusRow, isInList } from './focus.ts';
import { useInboxUi } from './inbox-ui-store.ts';
import { stepped } from './proposal-view.ts';
import type { Deciding } from './use-deciding.ts';

interface InboxKeys {
	/** The rows of the list that is shown, as they stand. */
	rows: readonly { readonly id: string }[];
	/** The row that is shown beside it. */
	openId: string | undefined;
	/** Shows a row beside the list, or in its place. */
	open: (id: string) => void;
	/** The list and what is chosen stand side by side. */
	wide: () => boolean;
	/** Undefined for what is no proposal: a question is answered in its card, an action also by these keys. */
	proposalOf: (id: string | undefined) => Proposal | undefined;
	deciding: Deciding;
	back: () => void;
}

/** The keys of the inbox, as the keyboard map names them. They act on the row that has the focus, else on what is shown. */
export function useInboxKeys({ rows, openId, open, wide, proposalOf, deciding, back }: InboxKeys) {
	const step = (by: number): void => {
		const from = isInList() ? (useInboxUi.getState().rowId ?? openId) : openId;
		const next = stepped(rows, from, by);
		if (!next) return;
		const inList = isInList();
		if (openId !== undefined || wide()) open(next.id);
		if (inList || openId === undefined) focusRow(next.id);
	};
	return (event: KeyboardEvent<HTMLElement>): void => {
		const { target, currentTarget } = event;
		// Dialogs hear their own keys, though React lets them come by here; a field keeps what is typed into it.
		if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('textarea, input, select, [role="tab"]')) return;
		if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const run = keyOf(event.key.length === 1 ? event.key.toLowerCase() : event.key, isInList());
		// A held key moves, and decides nothing.
		if (!run || (event.repeat && !MOVES.has(event.key.toLowerCase()))) return;
		event.preventDefault();
		run();
	};

	function keyOf(key: string, inList: boolean): (() => void) | undefined {
		const id = inList ? (useInboxUi.getState().rowId ?? openId) : openId;
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
			case 'Escape':
				return openId !== undefined && !inList ? back : undefined;
			case 'z':
				return () => deciding.undo(proposal);
			default:
				return proposal ? decisionOf(key, proposal) : actionOf(key, id);
		}
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
			default:
				return undefined;
		}
	}
}

const MOVES = new Set(['j', 'k', 'arrowdown', 'arrowup']);
