import type { WriteDb } from '../db/brands.ts';
import { all, type Query, run, sql } from '../db/sql.ts';
import type { SessionId } from '../domain/ids.ts';
import { type MemoryPath, Provenance } from '../domain/memory.ts';

/**
 * A conversation is being deleted, in the same transaction: wherever memory rests on a message of it, the quote stays and it says that
 * the conversation is gone (M2). Gives the files whose entries rest on it.
 */
export function sessionDeleted(tx: WriteDb, sessionId: SessionId): MemoryPath[] {
	const touched = all<{ file: MemoryPath }>(tx, sql`SELECT DISTINCT file FROM memory_entries WHERE live = 1 AND ${names(sessionId)}`);
	for (const { find, replace } of places) {
		for (const { key, other, provenance } of all<Found>(tx, find(sessionId))) {
			const marked = withoutSession(Provenance.parse(JSON.parse(provenance)), sessionId);
			run(tx, replace(key, other, JSON.stringify(marked)));
		}
	}
	return touched.map(({ file }) => file);
}

interface Found {
	key: string;
	other: string;
	provenance: string;
}

interface PlaceOfProvenance {
	readonly find: (sessionId: SessionId) => Query;
	readonly replace: (key: string, other: string, provenance: string) => Query;
}

/** What is kept of texts that come back with an undo stands in versions too. */
const places: readonly PlaceOfProvenance[] = [
	{
		find: (session) => sql`SELECT id AS key, '' AS other, provenance FROM memory_entries WHERE ${names(session)}`,
		replace: (key, _, provenance) => sql`UPDATE memory_entries SET provenance = ${provenance} WHERE id = ${key}`,
	},
	{
		find: (session) => sql`SELECT change_id AS key, entry_id AS other, provenance FROM memory_versions WHERE ${names(session)}`,
		replace: (key, other, provenance) =>
			sql`UPDATE memory_versions SET provenance = ${provenance} WHERE change_id = ${key} AND entry_id = ${other}`,
	},
	{
		find: (session) => sql`SELECT id AS key, '' AS other, provenance FROM memory_changes WHERE ${names(session)}`,
		replace: (key, _, provenance) => sql`UPDATE memory_changes SET provenance = ${provenance} WHERE id = ${key}`,
	},
];

/** The id as a JSON string: found as written, then looked at properly. */
function names(sessionId: SessionId): Query {
	return sql`instr(provenance, ${JSON.stringify(sessionId)}) > 0`;
}

function withoutSession(provenance: Provenance, sessionId: SessionId): Provenance {
	return {
		...provenance,
		sources: provenance.sources.map((source) =>
			source.kind === 'message' && source.sessionId === sessionId ? { ...source, deleted: true } : source,
		),
	};
}
