import type { ReadDb } from '../../db/brands.ts';
import { all, sql } from '../../db/sql.ts';
import type { IndexStore } from '../index/index-store.ts';
import { Best } from '../index/quantise.ts';
import { weightOf } from './lexical.ts';
import type { Query, QueryTerm } from './query.ts';

/**
 * Which entries are worth a closer look: the full-text tables and the table of signs name a few hundred, `score.ts` puts those in order.
 * Ranking in SQLite costs about half a microsecond a match, so it is asked for only where the terms match few; else entries are counted by
 * the weight of the terms they hold, which is enough to choose whom to look at.
 */

/** Entries by words. */
const BY_WORDS = 160;
const BY_PARTS = 80;
const BY_DATE = 150;
/** Ranked by SQLite up to this many matches. */
const RANKED = 8000;
/** A word in more entries than this is no help where rarer ones were found. */
const COMMON_SHARE = 0.1;
const RARER = 3;
/** A term found in fewer entries than this is also looked for as a part of words. */
const FEW = 3;

/** Which entries may be found; undefined: all. */
export type Allowed = ((id: number) => boolean) | undefined;

export interface LexicalCandidates {
	readonly ids: ReadonlySet<number>;
	/** How many entries hold each term, in the order of the query's. */
	readonly frequencies: readonly number[];
	/** Terms that are also compared with parts of words. */
	readonly partly: ReadonlySet<QueryTerm>;
}

/** `prefix`: the last word may be the beginning of one. */
export function lexicalCandidates(store: IndexStore, query: Query, allowed: Allowed): LexicalCandidates {
	const db = store.read;
	const frequencies = query.terms.map((term) => (term.isUnspaced ? 0 : store.frequency(term.match)));
	const ids = byWords(store, query, frequencies, allowed);
	const partly = new Set<QueryTerm>();
	query.terms.forEach((term, index) => {
		if ((frequencies[index] ?? 0) >= FEW || (term.isExact && term.tokens.length > 1 && !term.isUnspaced)) return;
		const text = term.tokens.join(' ');
		if (text.length < (/[^\p{ASCII}]/u.test(text) ? 2 : 3) && !term.isUnspaced) return;
		partly.add(term);
		for (const id of byPart(db, text, allowed)) ids.add(id);
	});
	for (const id of byPrefix(store, query, ids.size, allowed)) ids.add(id);
	for (const id of byDate(db, query, allowed)) ids.add(id);
	return { ids, frequencies, partly };
}

function byWords(store: IndexStore, query: Query, frequencies: readonly number[], allowed: Allowed): Set<number> {
	const total = store.counts().done;
	const terms = query.terms
		.map((term, index) => ({ term, frequency: frequencies[index] ?? 0 }))
		.filter(({ frequency }) => frequency > 0)
		.sort((a, b) => a.frequency - b.frequency);
	const telling = terms.filter(({ term, frequency }, index) => index < RARER || term.isExact || frequency <= total * COMMON_SHARE);
	const matches = telling.reduce((sum, { frequency }) => sum + frequency, 0);
	if (matches === 0) return new Set();
	if (matches <= RANKED && !allowed) {
		const match = telling.map(({ term }) => `(${term.match})`).join(' OR ');
		const rows = all<{ rowid: number }>(
			store.read,
			sql`SELECT rowid FROM words WHERE words MATCH ${match} ORDER BY rank LIMIT ${BY_WORDS}`,
		);
		return new Set(rows.map(({ rowid }) => rowid));
	}
	return byWeight(store.read, telling, total, allowed);
}

/** The entries with the greatest sum of weights of the terms they hold; among equals the later ones. */
function byWeight(db: ReadDb, terms: readonly { term: QueryTerm; frequency: number }[], total: number, allowed: Allowed): Set<number> {
	const lists = terms.map(({ term, frequency }) => ({
		weight: weightOf(frequency, total),
		rows: all<{ rowid: number }>(db, sql`SELECT rowid FROM words WHERE words MATCH ${term.match}`),
	}));
	const largest = lists.reduce((most, { rows }) => Math.max(most, rows.at(-1)?.rowid ?? 0), 0);
	const sums = new Float32Array(largest + 1);
	for (const { weight, rows } of lists) for (const { rowid } of rows) sums[rowid] = (sums[rowid] ?? 0) + weight;
	const best = new Best(BY_WORDS);
	for (let id = largest; id > 0; id--) {
		const sum = sums[id] as number;
		if (sum > best.worst && sum > 0 && (!allowed || allowed(id))) best.offer(id, sum);
	}
	return new Set(best.inOrder());
}

/** Entries that hold the text somewhere, if only within a word. */
function byPart(db: ReadDb, text: string, allowed: Allowed): number[] {
	const characters = [...text];
	const rows =
		characters.length < 3
			? all<{ id: number }>(db, sql`SELECT id FROM units WHERE instr(body, ${text}) OR instr(heading, ${text}) ORDER BY id DESC LIMIT 1000`)
			: all<{ id: number }>(
					db,
					sql`SELECT rowid AS id FROM trigrams WHERE trigrams MATCH ${trigramsOf(characters)} ORDER BY rowid DESC LIMIT 1000`,
				);
	const ids = rows.map(({ id }) => id);
	return (allowed ? ids.filter(allowed) : ids).slice(0, BY_PARTS);
}

/** All of them in any order; whether they follow one another is seen when the texts are compared. */
function trigramsOf(characters: readonly string[]): string {
	const parts = new Set<string>();
	for (let at = 0; at + 3 <= characters.length; at++)
		parts.add(
			`"${characters
				.slice(at, at + 3)
				.join('')
				.replaceAll('"', '""')}"`,
		);
	return [...parts].slice(0, 30).join(' AND ');
}

/** While a word is being typed its beginning finds it. */
function byPrefix(store: IndexStore, query: Query, found: number, allowed: Allowed): number[] {
	if (query.unfinished === undefined || found >= BY_PARTS) return [];
	const rows = all<{ rowid: number }>(
		store.read,
		sql`SELECT rowid FROM words WHERE words MATCH ${`"${query.unfinished}" *`} ORDER BY rowid DESC LIMIT 1000`,
	);
	const ids = rows.map(({ rowid }) => rowid);
	return (allowed ? ids.filter(allowed) : ids).slice(0, BY_PARTS);
}

/** Entries of the days that the question names. */
function byDate(db: ReadDb, query: Query, allowed: Allowed): number[] {
	return query.dates.slice(0, 5).flatMap(({ from, until }) => {
		const rows = all<{ id: number }>(
			db,
			sql`SELECT id FROM units WHERE dated >= ${from} AND dated < ${until} ORDER BY dated DESC LIMIT 2000`,
		);
		const ids = rows.map(({ id }) => id);
		return (allowed ? ids.filter(allowed) : ids).slice(0, BY_DATE);
	});
}
