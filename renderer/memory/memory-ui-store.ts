import { create } from 'zustand';
import type { EntryId, MemoryEntry, MemoryPath } from '../../src/domain/memory.ts';
import { type Chosen, NOTHING_CHOSEN } from './filter.ts';
import { HEADINGS_AT_ONCE } from './tree-rows.ts';

/** An edit under way. It lives here and not in its row: the row may leave the page, or the list, and the words must not. */
export interface Editing {
	readonly entry: MemoryEntry;
	readonly text: string;
	/** Hash of the text that the owner saw when they began, or last agreed to write over. */
	readonly baseHash: string;
}

export type MemoryDialog =
	| { readonly kind: 'add'; readonly file?: MemoryPath; readonly headingPath?: readonly string[]; readonly text?: string }
	| { readonly kind: 'move' | 'validity' | 'forget' | 'why'; readonly entry: MemoryEntry };

/** What the memory screen itself knows: nothing of it is kept by the runtime. */
interface MemoryUi {
	/** The files show instead of the entries in a narrow window. */
	readonly listOpen: boolean;
	readonly olderOpen: boolean;
	/** How many headings of a file the tree names. */
	readonly headingsShown: number;
	readonly query: string;
	/** Grows when a command asks for the search field. */
	readonly searchTurn: number;
	readonly chosen: Chosen;
	/** The entry that keys act on. */
	readonly currentId: EntryId | null;
	/** The entry that shows what can be done with it. */
	readonly openId: EntryId | null;
	readonly versionsOf: EntryId | null;
	readonly editing: Editing | null;
	readonly dialog: MemoryDialog | null;
	/** What was typed for a new entry that was not added: a dialog is closed more easily than words are found again. */
	readonly addDraft: string;
}

export const useMemoryUi = create<MemoryUi>()(() => ({
	listOpen: false,
	olderOpen: false,
	headingsShown: HEADINGS_AT_ONCE,
	query: '',
	searchTurn: 0,
	chosen: NOTHING_CHOSEN,
	currentId: null,
	openId: null,
	versionsOf: null,
	editing: null,
	dialog: null,
	addDraft: '',
}));

export function askForSearch(): void {
	useMemoryUi.setState((state) => ({ searchTurn: state.searchTurn + 1, listOpen: false }));
}

export function beginEdit(entry: MemoryEntry): void {
	useMemoryUi.setState({
		editing: { entry, text: entry.text, baseHash: entry.hash },
		currentId: entry.id,
		openId: entry.id,
		versionsOf: null,
	});
}

export function endEdit(): void {
	useMemoryUi.setState({ editing: null });
}
