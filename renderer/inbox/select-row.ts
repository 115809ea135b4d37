import type { ProposalId } from '../../src/domain/memory.ts';
import { useInboxUi } from './inbox-ui-store.ts';
import { ranged, toggled } from './selection.ts';

/** The proposals that have a row now, in their order: a range is what lies between two of them. */
let shown: readonly { readonly id: ProposalId }[] = [];

export function showRows(rows: readonly { readonly id: ProposalId }[]): void {
	shown = rows;
}

/** Selects a row, or no longer; with `range` also what lies between it and the one before. */
export function selectRow(id: ProposalId, range: boolean): void {
	useInboxUi.setState(({ selection }) => ({ selection: range ? ranged(selection, shown, id) : toggled(selection, id) }));
}
