import { create } from 'zustand';
import type { ErrorShape } from '../../src/domain/errors.ts';
import type { EntryFilter, EntryId, MemoryEntry, MemoryPath } from '../../src/domain/memory.ts';
import { call, onMemoryChanged, shapeOf } from '../connection/index.ts';
import { indexOf, PAGE, type Pages, pagesOf } from './pages.ts';

/**
 * The entries that a filter leaves, of which only the pages that are looked at are loaded. A change takes what is in view anew, in
 * one step, and lets go of the rest: no row is shown that an older answer put there.
 */
interface Entries {
	readonly filter: EntryFilter | null;
	readonly pages: Pages;
	/** Undefined until the first page is there. */
	readonly total: number | undefined;
	readonly error: ErrorShape | undefined;
}

const NONE: Entries = { filter: null, pages: {}, total: undefined, error: undefined };

export const useEntries = create<Entries>()(() => NONE);

/** The answer to an older question is thrown away. */
let generation = 0;
let inView = { first: 0, last: 0 };
const loading = new Set<number>();
let refreshing: Promise<void> | undefined;
let refreshWanted = false;

async function takePage(filter: EntryFilter, page: number): Promise<{ entries: MemoryEntry[]; total: number }> {
	return call((client) => client.memory.entries({ filter, offset: page * PAGE, limit: PAGE }), { repeatable: true });
}

/** Shows what this filter leaves. What is shown already stays until the first page of the new one is there. */
export async function showEntries(filter: EntryFilter): Promise<void> {
	if (JSON.stringify(useEntries.getState().filter) === JSON.stringify(filter)) return;
	generation++;
	inView = { first: 0, last: 0 };
	loading.clear();
	useEntries.setState({ ...NONE, filter });
	await refreshEntries();
}

/** Loads the pages that hold these rows, where they are not there yet. */
export function needEntries(first: number, last: number): void {
	inView = { first, last };
	const { filter, pages, total } = useEntries.getState();
	if (!filter || total === undefined) return;
	for (const page of pagesOf(first, last, total)) if (!pages[page]) void loadPage(filter, page);
}

async function loadPage(filter: EntryFilter, page: number): Promise<void> {
	if (loading.has(page)) return;
	loading.add(page);
	const asked = generation;
	try {
		const { entries, total } = await takePage(filter, page);
		if (asked !== generation) return;
		useEntries.setState((state) => ({ pages: { ...state.pages, [page]: entries }, total, error: undefined }));
	} catch (error) {
		if (asked === generation) useEntries.setState({ error: shapeOf(error) });
	} finally {
		if (asked === generation) loading.delete(page);
	}
}

/** Takes what is in view anew. Calls that come while it works are answered by one more, and resolve when that is there. */
export function refreshEntries(): Promise<void> {
	refreshWanted = true;
	refreshing ??= refreshUntilDone().finally(() => {
		refreshing = undefined;
	});
	return refreshing;
}

async function refreshUntilDone(): Promise<void> {
	while (refreshWanted) {
		refreshWanted = false;
		await takeInView();
	}
}

async function takeInView(): Promise<void> {
	const { filter, total } = useEntries.getState();
	if (!filter) return;
	const asked = ++generation;
	loading.clear();
	const wanted = pagesOf(inView.first, inView.last, total ?? 1);
	try {
		const taken = await Promise.all((wanted.length > 0 ? wanted : [0]).map(async (page) => ({ page, ...(await takePage(filter, page)) })));
		if (asked !== generation) return;
		const pages: Record<number, MemoryEntry[]> = {};
		for (const { page, entries } of taken) pages[page] = entries;
		useEntries.setState({ pages, total: taken.at(-1)?.total ?? 0, error: undefined });
	} catch (error) {
		if (asked === generation) useEntries.setState({ error: shapeOf(error) });
	}
}

/** Loads pages from the beginning until the entry is there; -1 where the filter leaves it out. A change on the way begins it anew. */
export async function findEntry(entryId: EntryId): Promise<number> {
	let asked = generation;
	for (let page = 0; ; page++) {
		await refreshing;
		if (asked !== generation) {
			asked = generation;
			page = 0;
		}
		const { filter, pages, total } = useEntries.getState();
		const at = indexOf(pages, entryId);
		if (at >= 0) return at;
		if (!filter || page * PAGE >= (total ?? 1)) return -1;
		if (!pages[page]) await loadPage(filter, page);
		if (asked === generation && !useEntries.getState().pages[page]) return -1;
	}
}

onMemoryChanged((files: readonly MemoryPath[] | undefined) => {
	const { filter } = useEntries.getState();
	if (!filter || (filter.file && files && !files.includes(filter.file))) return;
	void refreshEntries();
});
