import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import { WatchedBudget, WatchedHealth, WatchedPlace, type WatchedSource, WatchedSourceId } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';
import { type Json, parseJson } from '../domain/json.ts';
import { NEVER, type NextReading } from './schedule.ts';
import { asTrust } from './trust-store.ts';

/** Rows of `watched_sources`: what is read, how far, and how that goes. */

/** A source as its row says it: without what is counted in other tables. */
export interface StoredSource extends Omit<WatchedSource, 'items' | 'unread' | 'findings'> {
	readonly cursor: Json;
	/** Beside its row, in the secret store. */
	readonly hasSecret: boolean;
	/** What is there at the first reading counts as read. */
	readonly fromNow: boolean;
}

interface Row {
	id: string;
	title: string;
	place: string;
	budget: string;
	paused: number;
	health: string;
	cursor: string | null;
	trust: number;
	last_read_at: number | null;
	next_read_at: number;
	created_at: number;
	from_now: number;
	has_secret: number;
}

export type NewSource = Pick<StoredSource, 'id' | 'title' | 'place' | 'budget' | 'trust' | 'createdAt' | 'fromNow'> & {
	readonly hasSecret?: boolean;
};

export function insertSource(tx: WriteDb, source: NewSource): void {
	runOne(
		tx,
		sql`INSERT INTO watched_sources (id, title, place, budget, trust, next_read_at, created_at, from_now, has_secret)
			VALUES (${source.id}, ${source.title}, ${JSON.stringify(source.place)}, ${JSON.stringify(source.budget)}, ${source.trust},
				${source.createdAt}, ${source.createdAt}, ${source.fromNow}, ${source.hasSecret === true})`,
	);
}

/** By title. Withdrawn ones are gone for everybody. */
export function listSources(db: ReadDb): StoredSource[] {
	return all<Row>(db, sql`SELECT * FROM watched_sources WHERE withdrawn_at IS NULL ORDER BY title COLLATE NOCASE, id`).map(sourceOf);
}

export function findSource(db: ReadDb, id: WatchedSourceId): StoredSource | undefined {
	const row = get<Row>(db, sql`SELECT * FROM watched_sources WHERE id = ${id} AND withdrawn_at IS NULL`);
	return row && sourceOf(row);
}

/** Throws `not_found`. */
export function getSource(db: ReadDb, id: WatchedSourceId): StoredSource {
	const source = findSource(db, id);
	if (!source) throw terminal('not_found', 'That source no longer exists.', { safe: 'Nothing was changed.' });
	return source;
}

export function countActiveSources(db: ReadDb): number {
	return value<number>(db, sql`SELECT count(*) FROM watched_sources WHERE paused = 0 AND withdrawn_at IS NULL`) ?? 0;
}

/** A reading that lies so far ahead was made by a clock that was wrong: what it said of the next one is wrong, too. */
const CLOCK_SET_MS = 60_000;

/** What was read so lately is not read again for an owner who wants all of it now. */
const JUST_NOW_MS = 60_000;

/**
 * Those whose time has come, longest waiting first. `early`: also the others, but for what was read just now, what waits because it could not be
 * read, and what needs the owner.
 */
export function dueSources(db: ReadDb, now: Timestamp, early: boolean): WatchedSourceId[] {
	const rows = all<{ id: string }>(
		db,
		sql`SELECT id FROM watched_sources WHERE paused = 0 AND withdrawn_at IS NULL AND (next_read_at <= ${now}
			OR (${early} AND json_extract(health, '$.kind') IN ('new', 'ok') AND coalesce(last_read_at, 0) <= ${now - JUST_NOW_MS})
			OR (next_read_at < ${NEVER} AND json_extract(health, '$.at') > ${now + CLOCK_SET_MS})) ORDER BY next_read_at, id`,
	);
	return rows.map(({ id }) => WatchedSourceId.parse(id));
}

/** Readings from then to then, and those of them that did not work. */
export function countReadBetween(
	db: ReadDb,
	since: Timestamp,
	until: Timestamp,
	only?: WatchedSourceId,
): { sources: number; failedSources: number } {
	const row = get<{ sources: number; failed: number | null }>(
		db,
		sql`SELECT count(*) AS sources, sum(json_extract(health, '$.kind') <> 'ok') AS failed FROM watched_sources
			WHERE json_extract(health, '$.at') BETWEEN ${since} AND ${until} AND withdrawn_at IS NULL AND (id = ${only ?? null} OR ${only === undefined})`,
	);
	return { sources: row?.sources ?? 0, failedSources: row?.failed ?? 0 };
}

export interface ReadResult extends NextReading {
	readonly cursor: Json;
	readonly readAt: Timestamp;
	readonly fromNow: boolean;
}

/** A reading that worked: in the transaction that takes its items in. */
export function setRead(tx: WriteDb, id: WatchedSourceId, { cursor, health, readAt, nextReadAt, fromNow }: ReadResult): void {
	runOne(
		tx,
		sql`UPDATE watched_sources SET cursor = ${JSON.stringify(cursor)}, health = ${JSON.stringify(health)}, last_read_at = ${readAt},
			next_read_at = ${nextReadAt}, from_now = ${fromNow} WHERE id = ${id}`,
	);
}

/** A reading that did not work. */
export function setFailed(tx: WriteDb, id: WatchedSourceId, { health, nextReadAt, pause }: NextReading): void {
	runOne(
		tx,
		sql`UPDATE watched_sources SET health = ${JSON.stringify(health)}, next_read_at = ${nextReadAt}, paused = max(paused, ${pause})
			WHERE id = ${id}`,
	);
}

/** Going on also means to try again what failed. */
export function setPaused(tx: WriteDb, id: WatchedSourceId, paused: boolean, now: Timestamp): void {
	runOne(tx, sql`UPDATE watched_sources SET paused = ${paused} WHERE id = ${id}`);
	if (!paused) run(tx, sql`UPDATE watched_sources SET next_read_at = ${now} WHERE id = ${id} AND next_read_at = ${NEVER}`);
}

export function setSource(tx: WriteDb, id: WatchedSourceId, { title, budget }: Pick<StoredSource, 'title' | 'budget'>): void {
	runOne(tx, sql`UPDATE watched_sources SET title = ${title}, budget = ${JSON.stringify(budget)} WHERE id = ${id}`);
}

export function setHasSecret(tx: WriteDb, id: WatchedSourceId, hasSecret: boolean): void {
	runOne(tx, sql`UPDATE watched_sources SET has_secret = ${hasSecret} WHERE id = ${id}`);
}

/** `isOther`: another place, which is read from its beginning. */
export function setPlace(tx: WriteDb, id: WatchedSourceId, place: WatchedPlace, isOther: boolean): void {
	runOne(tx, sql`UPDATE watched_sources SET place = ${JSON.stringify(place)} WHERE id = ${id}`);
	if (isOther) runOne(tx, sql`UPDATE watched_sources SET cursor = NULL WHERE id = ${id}`);
}

/** What it is read with changed, or the owner asks for it: its past failures say nothing any more. */
export function setAnew(tx: WriteDb, id: WatchedSourceId, now: Timestamp): void {
	runOne(tx, sql`UPDATE watched_sources SET health = ${JSON.stringify({ kind: 'new' })}, next_read_at = ${now} WHERE id = ${id}`);
}

/** From now on it is gone for the owner; its row goes with `deleteSource`, once nothing is left to be done for it. */
export function markWithdrawn(tx: WriteDb, id: WatchedSourceId, now: Timestamp): void {
	runOne(tx, sql`UPDATE watched_sources SET withdrawn_at = ${now} WHERE id = ${id} AND withdrawn_at IS NULL`);
}

export function withdrawnSources(db: ReadDb): WatchedSourceId[] {
	const rows = all<{ id: string }>(db, sql`SELECT id FROM watched_sources WHERE withdrawn_at IS NOT NULL`);
	return rows.map(({ id }) => WatchedSourceId.parse(id));
}

/** With its items and all that it knows. */
export function deleteSource(tx: WriteDb, id: WatchedSourceId): void {
	run(tx, sql`DELETE FROM watched_sources WHERE id = ${id}`);
}

/** What came of each source that has any findings. */
export function countFindingsBySource(db: ReadDb): Map<string, WatchedSource['findings']> {
	const rows = all<WatchedSource['findings'] & { id: string }>(
		db,
		sql`SELECT source_id AS id, sum(status = 'pending') AS pending, sum(status = 'approved') AS approved, sum(status = 'rejected') AS rejected
			FROM proposals WHERE source_id IS NOT NULL GROUP BY source_id`,
	);
	return new Map(rows.map(({ id, ...findings }) => [id, findings]));
}

/** Ids of all that there are, the withdrawn ones too. */
export function sourceIds(db: ReadDb): Set<string> {
	return new Set(all<{ id: string }>(db, sql`SELECT id FROM watched_sources`).map(({ id }) => id));
}

function sourceOf(row: Row): StoredSource {
	return {
		id: WatchedSourceId.parse(row.id),
		title: row.title,
		place: WatchedPlace.parse(parseJson(row.place)),
		budget: WatchedBudget.parse(parseJson(row.budget)),
		paused: row.paused === 1,
		health: WatchedHealth.parse(parseJson(row.health)),
		cursor: row.cursor === null ? null : (parseJson(row.cursor) as Json),
		trust: asTrust(row.trust),
		...(row.last_read_at !== null && { lastReadAt: row.last_read_at }),
		...(row.next_read_at !== NEVER && { nextReadAt: row.next_read_at }),
		createdAt: row.created_at,
		fromNow: row.from_now === 1,
		hasSecret: row.has_secret === 1,
	};
}
