import type { ReadDb } from '../../db/brands.ts';
import type { MemoryHit, SearchMode } from '../../domain/memory.ts';
import { entryConditions } from '../entry-filter.ts';
import type { EmbedLoop } from '../index/embed-loop.ts';
import type { IndexStore } from '../index/index-store.ts';
import { toBytes } from '../index/quantise.ts';
import { similarities } from '../index/vector-store.ts';
import { entriesByRowid, entryFromRow } from '../ledger-store.ts';
import type { SearchRequest } from '../port.ts';
import { type Allowed, lexicalCandidates } from './candidates.ts';
import { allowedRowids, type CandidateRow, candidateRows, neighbourRows, successorRows } from './ledger-rows.ts';
import { nearestUnits } from './nearest.ts';
import { parseQuery } from './query.ts';
import { type RankedEntry, rankEntries } from './rank.ts';

/** Entries by meaning; the last of them is the zero of the scale. */
const BY_MEANING = 100;

export interface SearchDeps {
	readonly read: ReadDb;
	/** The index as it is now; another one after it was built anew. */
	readonly store: () => IndexStore;
	readonly embedder: Pick<EmbedLoop, 'query' | 'port'>;
	readonly now: number;
}

/** The best entries for the request. Rejects only when stopped by `signal`, or where a database fails. */
export async function searchEntries(
	{ read, store: current, embedder, now }: SearchDeps,
	{ query: text, mode: wanted, filter, limit }: SearchRequest,
	signal?: AbortSignal,
): Promise<{ hits: MemoryHit[]; mode: SearchMode }> {
	const query = parseQuery(text, { people: current().people(), now, years: current().years() });
	const vector = wanted === 'keyword' || query.meaning === '' ? undefined : await embedder.query(query.meaning, signal);
	signal?.throwIfAborted();
	const store = current();
	const mode = vector ? wanted : 'keyword';
	const allowed = allowedBy(read, filter, now);

	const lexical = mode === 'vector' ? undefined : lexicalCandidates(store, query, allowed);
	const model = store.model();
	const canCompare = vector && model?.name === embedder.port?.id && model?.dims === vector.length;
	const near = canCompare ? nearestUnits(store, vector, BY_MEANING, allowed) : new Map<number, number>();

	const zero = near.size > 0 ? Math.min(...near.values()) : 0;
	const rows = candidateRows(read, new Set([...(lexical?.ids ?? []), ...near.keys()]));
	const successors = successorRows(read, rows).filter(({ rowid }) => !allowed || allowed(rowid));
	const found = unique([...rows, ...successors]);
	const all = unique([...found, ...neighbourRows(read, found)]);
	if (canCompare) {
		const missing = all.map(({ rowid }) => rowid).filter((id) => !near.has(id));
		for (const [id, similarity] of similarities(store.read, missing, toBytes(vector))) near.set(id, similarity);
	}
	const ranked = rankEntries({
		query,
		mode,
		rows: all,
		lexical,
		similarities: near,
		zero,
		total: store.counts().done,
		now,
	}).filter(({ row }) => !allowed || allowed(row.rowid));
	return { hits: hitsOf(read, ranked.slice(0, limit), now), mode };
}

function allowedBy(read: ReadDb, filter: SearchRequest['filter'], now: number): Allowed {
	if (Object.values(filter).every((wish) => wish === undefined)) return undefined;
	const ids = new Set(allowedRowids(read, entryConditions(filter, now)));
	return (id) => ids.has(id);
}

function unique(rows: readonly CandidateRow[]): CandidateRow[] {
	return [...new Map(rows.map((row) => [row.rowid, row])).values()];
}

function hitsOf(read: ReadDb, ranked: readonly RankedEntry[], now: number): MemoryHit[] {
	const rows = new Map(
		entriesByRowid(
			read,
			ranked.map(({ row }) => row.rowid),
		).map((row) => [row.rowid, row]),
	);
	return ranked.flatMap(({ row, score, parts, similarity, covered: coverage }) => {
		const entry = rows.get(row.rowid);
		return entry ? [{ entry: entryFromRow(entry, now), score, parts, similarity, coverage }] : [];
	});
}
