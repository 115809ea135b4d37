import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { EntryFilter, EntryId, MemoryPath } from '../../src/domain/memory.ts';
import { useNow } from '../chat/use-now.ts';
import { shell } from '../connection/index.ts';
import { useMemoryFiles } from '../shell/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { ConflictCards } from './conflicts.tsx';
import { findEntry, needEntries, refreshEntries, showEntries, useEntries } from './entries-store.ts';
import { EntryList } from './entry-list.tsx';
import { addHere } from './file-tree.tsx';
import { filterOf, isFiltered, NOTHING_CHOSEN } from './filter.ts';
import { Filters } from './filters.tsx';
import { LostEdit } from './lost-edit.tsx';
import { useMemoryUi } from './memory-ui-store.ts';
import { useOpenInEditor } from './open-in-editor.ts';
import { entryAt } from './pages.ts';
import type { Place } from './place.ts';
import { SearchResults } from './search-results.tsx';

interface EntriesPaneProps {
	place: Place;
	/** The entry that the address names, to go to. */
	goTo: EntryId | undefined;
	onThere: () => void;
}

/** The reading pane: search, filters, and the entries or what was found. */
export function EntriesPane({ place, goTo, onThere }: EntriesPaneProps) {
	const say = useSay();
	const now = useNow();
	const chosen = useMemoryUi((state) => state.chosen);
	const query = useMemoryUi((state) => state.query);
	const asked = JSON.stringify(filterOf(place, chosen, now));
	const filter = useMemo(() => JSON.parse(asked) as EntryFilter, [asked]);
	useEffect(() => {
		// An address leads to an entry also past filters that would hide it.
		if (goTo) useMemoryUi.setState({ query: '', chosen: NOTHING_CHOSEN });
	}, [goTo]);
	return (
		<section className="pane" aria-label={say('memory.entries')}>
			<Head place={place} />
			<Filters />
			{query.trim() === '' ? (
				<ListedEntries place={place} filter={filter} filtered={isFiltered(chosen)} goTo={goTo} onThere={onThere} />
			) : (
				<SearchResults query={query} filter={filter} filtered={isFiltered(chosen) || place.kind === 'file'} />
			)}
		</section>
	);
}

function Head({ place }: { place: Place }) {
	const say = useSay();
	const files = useMemoryFiles().data?.files;
	const openFile = useOpenInEditor();
	const file: MemoryPath | undefined = place.kind === 'file' ? place.file : files?.find(({ kind }) => kind === 'long_term')?.path;
	const isRead = place.kind !== 'file' || !files?.find(({ path }) => path === place.file)?.problem;
	return (
		<div className="pane-head">
			<h1 className="vh">{place.kind === 'file' ? [place.file, ...place.headingPath].join(' › ') : say('memory.all')}</h1>
			<IconButton icon="left" className="back" label={say('memory.showFiles')} onClick={() => useMemoryUi.setState({ listOpen: true })} />
			<SearchField files={files?.length ?? 0} />
			<span className="grow may-go" />
			{file ? (
				<Button
					kind="ghost"
					icon={shell ? 'open' : 'copy'}
					aria-label={say(shell ? 'memory.openInEditor' : 'memory.copyPath')}
					onClick={() => openFile(file)}
				>
					<span className="may-go">{say(shell ? 'memory.openInEditor' : 'memory.copyPath')}</span>
				</Button>
			) : null}
			{isRead ? (
				<Menu trigger={<IconButton icon="more" label={say('memory.more')} />}>
					<MenuItem icon="plus" keys="N" onClick={() => setTimeout(() => useMemoryUi.setState({ dialog: addHere(place) }), 0)}>
						{say(place.kind === 'file' ? 'memory.addHere' : 'memory.add')}
					</MenuItem>
				</Menu>
			) : null}
		</div>
	);
}

function SearchField({ files }: { files: number }) {
	const say = useSay();
	const query = useMemoryUi((state) => state.query);
	const turn = useMemoryUi((state) => state.searchTurn);
	const field = useRef<HTMLInputElement>(null);
	const shownTurn = useRef(turn);
	useEffect(() => {
		if (turn === shownTurn.current && turn === 0) return;
		shownTurn.current = turn;
		if (turn > 0) field.current?.select();
	}, [turn]);
	return (
		<search className="searchbox grow memory-search">
			<Icon name="search" size="s" />
			<input
				ref={field}
				type="search"
				className="field"
				aria-label={say('memory.searchLabel')}
				placeholder={say('memory.searchPlaceholder', { count: files })}
				value={query}
				maxLength={2_000}
				dir="auto"
				onChange={(event) => useMemoryUi.setState({ query: event.target.value, openId: null, versionsOf: null })}
				onKeyDown={(event) => {
					if (isComposing(event)) return;
					if (event.key === 'Escape' && query !== '') {
						event.preventDefault();
						useMemoryUi.setState({ query: '' });
					} else if (event.key === 'ArrowDown' || event.key === 'Enter') {
						event.preventDefault();
						document.querySelector<HTMLElement>('.entries-scroll')?.focus();
					}
				}}
			/>
			{query === '' ? null : (
				<IconButton icon="x" size="sm" label={say('memory.searchClear')} onClick={() => useMemoryUi.setState({ query: '' })} />
			)}
		</search>
	);
}

interface ListedEntriesProps {
	place: Place;
	filter: EntryFilter;
	filtered: boolean;
	goTo: EntryId | undefined;
	onThere: () => void;
}

function ListedEntries({ place, filter, filtered, goTo, onThere }: ListedEntriesProps) {
	const say = useSay();
	const files = useMemoryFiles();
	const pages = useEntries((state) => state.pages);
	const total = useEntries((state) => state.total);
	const error = useEntries((state) => state.error);
	useEffect(() => {
		void showEntries(filter).then(() => (goTo ? findEntry(goTo).then((index) => (index < 0 ? onThere() : undefined)) : undefined));
	}, [filter, goTo, onThere]);
	const places = useMemo(() => {
		const found = new Map<string, number>();
		for (let index = 0; index < (total ?? 0); index++) {
			const id = entryAt(pages, index)?.id;
			if (id && !found.has(id)) found.set(id, index);
		}
		return found;
	}, [pages, total]);
	const at = useCallback((index: number) => entryAt(pages, index), [pages]);
	const indexOf = useCallback((entryId: string) => places.get(entryId) ?? -1, [places]);
	const file = place.kind === 'file' ? place.file : undefined;
	const problem = files.data?.files.find(({ path }) => path === file)?.problem;
	const conflicts = (files.data?.conflicts ?? []).filter((conflict) => !file || conflict.file === file);
	return (
		<EntryList
			total={total ?? 0}
			at={at}
			indexOf={indexOf}
			onRange={needEntries}
			goTo={useMemo(() => (goTo ? { entryId: goTo, onDone: onThere } : undefined), [goTo, onThere])}
		>
			{error ? <ErrorNote error={error} actions={<Button onClick={() => void refreshEntries()}>{say('common.tryAgain')}</Button>} /> : null}
			{problem ? <ErrorNote error={problem} /> : null}
			<ConflictCards conflicts={conflicts} />
			<LostEdit indexOf={indexOf} ready={total !== undefined} />
			{total === 0 && !error && !problem && conflicts.length === 0 ? (
				<Empty place={place} filtered={filtered} known={!file || !files.data || files.data.files.some(({ path }) => path === file)} />
			) : null}
		</EntryList>
	);
}

function Empty({ place, filtered, known }: { place: Place; filtered: boolean; known: boolean }) {
	const say = useSay();
	if (filtered) {
		return (
			<div className="empty">
				<h2>{say('memory.emptyFilteredTitle')}</h2>
				<p>{say('memory.nothingFiltered')}</p>
				<Button onClick={() => useMemoryUi.setState({ chosen: NOTHING_CHOSEN })}>{say('common.filterClear')}</Button>
			</div>
		);
	}
	const file = place.kind === 'file' ? place.file : '';
	const words = file === '' ? 'empty' : known ? 'emptyFile' : 'fileGone';
	const title = words === 'fileGone' ? say('memory.fileGone', { file }) : say(`memory.${words}Title`, { file });
	return (
		<div className="empty">
			<Icon name="memory" />
			<h2>{title}</h2>
			<p>{say(`memory.${words}Body`)}</p>
			<Button kind="primary" icon="plus" onClick={() => useMemoryUi.setState({ dialog: addHere(place) })}>
				{say('memory.add')}
			</Button>
		</div>
	);
}
