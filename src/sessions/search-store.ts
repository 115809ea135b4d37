import { MATCH_END, MATCH_START, type SearchHit } from '../contract/methods/sessions.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, type Query, run, sql, value } from '../db/sql.ts';
import type { MessageId, SessionId } from '../domain/ids.ts';
import { parseSearchQuery, type SearchQuery } from './search-query.ts';
import { listTitles } from './session-store.ts';
import { markTerms, snippetOf } from './snippet.ts';

export interface SearchOptions {
	/** Only in what this session shows: its chosen branch, and no titles. */
	readonly sessionId?: SessionId | undefined;
	readonly limit: number;
}

/** Newest messages that a search for one or two characters looks through: no index helps there. */
const SCANNED_MESSAGES = 20_000;

/** More matches than this are ordered by age: ranking looks at each of them. */
const RANKED_MESSAGES = 3000;

interface HitRow {
	rowid: number;
	id: MessageId;
	session_id: SessionId;
	title: string;
	role: 'user' | 'assistant';
	created_at: number;
	/** The text with the matches marked. */
	marked: string;
	in_other_version: number;
}

/**
 * Titles and messages that hold every term of the query: first titles, then messages by whole words (stemmed; best first, in one session newest first),
 * then messages by parts of words. Any text is a valid query; one that holds nothing to look for finds nothing.
 */
export function searchSessions(db: ReadDb, text: string, options: SearchOptions): SearchHit[] {
	const query = parseSearchQuery(text);
	if (!query) return [];
	const titles = options.sessionId === undefined ? searchTitles(db, query, options.limit) : [];
	const rows = new Map<number, HitRow>();
	for (const find of [byWords, bySubstrings]) {
		if (titles.length + rows.size >= options.limit) break;
		for (const row of find(db, query, options)) if (!rows.has(row.rowid)) rows.set(row.rowid, row);
	}
	return [...titles, ...[...rows.values()].map(hitOf)].slice(0, options.limit);
}

export const SEARCH_INDEXES = ['messages_words', 'messages_trigrams'] as const;
/** Pages of an index that one step merges: some tens of milliseconds. */
const MERGED_PAGES = 32;

/**
 * One step of rewriting a search index without what was deleted: deletion only marks, and the marked text stays in the file
 * until it is merged away. Begin with `first`, then repeat until it returns false. A step cut off by a crash does no harm.
 */
export function mergeSearchIndex(db: WriteDb, index: (typeof SEARCH_INDEXES)[number], first: boolean): boolean {
	const changesBefore = value<number>(db, sql`SELECT total_changes()`) ?? 0;
	const pages = first ? -MERGED_PAGES : MERGED_PAGES;
	if (index === 'messages_words') run(db, sql`INSERT INTO messages_words (messages_words, rank) VALUES ('merge', ${pages})`);
	else run(db, sql`INSERT INTO messages_trigrams (messages_trigrams, rank) VALUES ('merge', ${pages})`);
	// SQLite's own sign that there was work: fewer than two changes mean that all is merged.
	return (value<number>(db, sql`SELECT total_changes()`) ?? 0) - changesBefore >= 2;
}

/** Titles are few: compared here, in every script alike. */
function searchTitles(db: ReadDb, query: SearchQuery, limit: number): SearchHit[] {
	const hits: SearchHit[] = [];
	for (const { id, title, updatedAt } of listTitles(db)) {
		if (hits.length === limit) break;
		const lower = title.toLowerCase();
		if (!query.terms.every((term) => lower.includes(term))) continue;
		const snippet = snippetOf(markTerms(title, query.terms));
		hits.push({ sessionId: id, sessionTitle: title, messageId: null, role: null, snippet, createdAt: updatedAt, inOtherVersion: false });
	}
	return hits;
}

function byWords(db: ReadDb, query: SearchQuery, options: SearchOptions): HitRow[] {
	const [place, order] = isRankable(db, query, options) ? [sql`f.rank`, sql`f.rank`] : [sql`-f.rowid`, sql`f.rowid DESC`];
	return hits(
		db,
		sql`SELECT f.rowid, highlight(messages_words, 0, ${MATCH_START}, ${MATCH_END}) AS marked, ${place} AS place
			FROM messages_words f WHERE messages_words MATCH ${query.words} ${inSession(options)} ORDER BY ${order} LIMIT ${options.limit}`,
	);
}

/** Within one session the newest come first, as in the transcript; and where nearly everything matches, no order by rank means much. */
function isRankable(db: ReadDb, query: SearchQuery, options: SearchOptions): boolean {
	if (options.sessionId !== undefined) return false;
	const counted = sql`SELECT 1 FROM messages_words WHERE messages_words MATCH ${query.words} LIMIT ${RANKED_MESSAGES + 1}`;
	return (value<number>(db, sql`SELECT count(*) FROM (${counted})`) ?? 0) <= RANKED_MESSAGES;
}

function bySubstrings(db: ReadDb, query: SearchQuery, options: SearchOptions): HitRow[] {
	if (!query.substringsComplete) return [];
	if (query.trigrams === undefined) return byScan(db, query, options);
	return hits(
		db,
		sql`SELECT f.rowid, highlight(messages_trigrams, 0, ${MATCH_START}, ${MATCH_END}) AS marked, -f.rowid AS place
			FROM messages_trigrams f
			WHERE messages_trigrams MATCH ${query.trigrams} ${inSession(options)}
				AND NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(query.shortTerms)}) t WHERE instr(lower(f.text), t.value) = 0)
			ORDER BY f.rowid DESC LIMIT ${options.limit}`,
	);
}

/** One or two characters of a script without spaces, or an emoji: read through the newest messages. */
function byScan(db: ReadDb, query: SearchQuery, options: SearchOptions): HitRow[] {
	const scope = options.sessionId === undefined ? sql`` : sql`WHERE rowid IN (${shownRows(options.sessionId)})`;
	const rows = hits(
		db,
		sql`SELECT rowid, text AS marked, -rowid AS place
			FROM (SELECT rowid, text FROM messages ${scope} ORDER BY rowid DESC LIMIT ${SCANNED_MESSAGES})
			WHERE NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(query.shortTerms)}) t WHERE instr(lower(text), t.value) = 0)
			ORDER BY rowid DESC LIMIT ${options.limit}`,
	);
	return rows.map((row) => ({ ...row, marked: markTerms(row.marked, query.shortTerms) }));
}

function inSession(options: SearchOptions): Query {
	// The plus keeps SQLite from asking the index once for each row of the session.
	return options.sessionId === undefined ? sql`` : sql`AND +f.rowid IN (${shownRows(options.sessionId)})`;
}

function shownRows(sessionId: SessionId): Query {
	return sql`WITH RECURSIVE shown (row, parent) AS (
			SELECT m.rowid, m.parent_id FROM sessions s JOIN messages m ON m.id = s.head_id WHERE s.id = ${sessionId}
			UNION ALL
			SELECT p.rowid, p.parent_id FROM shown JOIN messages p ON p.id = shown.parent
		)
		SELECT row FROM shown`;
}

/** Joins what was found with what a hit shows; walks up each chosen branch only as far as the hit. */
function hits(db: ReadDb, found: Query): HitRow[] {
	return all<HitRow>(
		db,
		sql`SELECT found.rowid, m.id, m.session_id, s.title, m.role, m.created_at, found.marked,
				NOT EXISTS (
					WITH RECURSIVE branch (id, parent, depth) AS (
						SELECT id, parent_id, depth FROM messages WHERE id = s.head_id
						UNION ALL
						SELECT p.id, p.parent_id, p.depth FROM branch JOIN messages p ON p.id = branch.parent WHERE branch.depth > m.depth
					)
					SELECT 1 FROM branch WHERE id = m.id
				) AS in_other_version
			FROM (${found}) found JOIN messages m ON m.rowid = found.rowid JOIN sessions s ON s.id = m.session_id
			ORDER BY found.place`,
	);
}

function hitOf(row: HitRow): SearchHit {
	return {
		sessionId: row.session_id,
		sessionTitle: row.title,
		messageId: row.id,
		role: row.role,
		snippet: snippetOf(row.marked),
		createdAt: row.created_at,
		inOtherVersion: row.in_other_version === 1,
	};
}
