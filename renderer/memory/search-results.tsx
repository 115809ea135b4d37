import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { IndexStatus } from '../../src/contract/methods/memory.ts';
import type { EntryFilter, SearchMode } from '../../src/domain/memory.ts';
import { call, shapeOf } from '../connection/index.ts';
import { ErrorNote, Note } from '../ui/note.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { EntryList } from './entry-list.tsx';

const WAIT_MS = 120;
const MOST = 100;

/** What is typed, once the fingers rest. */
function useRested(text: string): string {
	const [rested, setRested] = useState(text);
	useEffect(() => {
		const timer = setTimeout(() => setRested(text), WAIT_MS);
		return () => clearTimeout(timer);
	}, [text]);
	return rested;
}

/** What a search over memory finds, best first, by words and by meaning. The list before stays until the next one is there. */
export function SearchResults({ query: typed, filter, filtered }: { query: string; filter: EntryFilter; filtered: boolean }) {
	const say = useSay();
	const query = useRested(typed.trim());
	const search = useQuery({
		queryKey: ['memory', 'search', query, filter],
		queryFn: () => call((client) => client.memory.search({ query, filter, mode: 'hybrid', limit: MOST }), { repeatable: true }),
		gcTime: 10_000,
		placeholderData: keepPreviousData,
	});
	const hits = useMemo(() => search.data?.hits ?? [], [search.data]);
	const places = useMemo(() => new Map(hits.map(({ entry }, index) => [entry.id as string, index])), [hits]);
	const at = useCallback((index: number) => hits[index]?.entry, [hits]);
	const indexOf = useCallback((entryId: string) => places.get(entryId) ?? -1, [places]);
	const notice = search.data ? indexNotice(say, search.data.index, search.data.mode) : undefined;
	return (
		<EntryList total={hits.length} at={at} indexOf={indexOf} hits={hits}>
			<p className="search-count meta" role="status">
				{search.data ? say('memory.found', { count: hits.length }) : ''}
				{hits.length === MOST ? ` ${say('memory.foundMost', { count: MOST })}` : ''}
			</p>
			{search.error ? <ErrorNote error={shapeOf(search.error)} /> : null}
			{notice ? <Note icon="info">{notice}</Note> : null}
			{search.data && hits.length === 0 && !search.isPlaceholderData ? (
				<div className="empty">
					<h2>{say('memory.nothingFound', { query })}</h2>
					<p>{say(filtered ? 'memory.nothingFiltered' : 'memory.nothingFoundBody')}</p>
				</div>
			) : null}
		</EntryList>
	);
}

/** Why a search may not have found all there is (mem-2, mem-4). */
function indexNotice(say: Say, index: IndexStatus, mode: SearchMode): string | undefined {
	const { done, total, embedded } = index;
	if (done < total) return say('memory.stillIndexing', { done, total });
	if (mode === 'keyword' && index.problem) {
		return say('memory.byWordsProblem', { problem: [index.problem.message, index.problem.action].filter(Boolean).join(' ') });
	}
	if (mode === 'keyword' && index.model === null) return say('memory.byWordsOnly');
	if (index.model !== null && embedded < total) return say('memory.stillEmbedding', { embedded, total });
	return undefined;
}
