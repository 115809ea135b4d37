import { createHash } from 'node:crypto';
import { newId } from '../base/ids.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, sql, value } from '../db/sql.ts';
import { LONGEST_ITEM, WatchedItem, type WatchedItemId, type WatchedSourceId } from '../domain/heartbeat.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import { cutCodePoints, repairSurrogates } from '../domain/text.ts';
import { LONGEST_DAY_MS } from './caps.ts';
import type { ReadItem } from './ports.ts';
import { likeness, sketchOf } from './sketch.ts';

/** Rows of `watched_items`, the quarantine (B1), and of `watched_seen`. Items come in the order of their rows: oldest first. */

interface Row {
	id: string;
	source_id: string;
	title: string;
	url: string | null;
	author: string | null;
	published_at: number | null;
	text: string;
	cut: number;
	fetched_at: number;
	fetched_hash: string;
	state: string;
}

/** Below this a text under a known key is another text, not a corrected one. */
const SAME_TEXT = 0.5;
const LONGEST_TITLE = 500;
/** A corrected text is recognised so long where it gets another id and another link, too. */
const CORRECTED_MS = 30 * 24 * 3_600_000;

export interface TakingIn {
	readonly now: Timestamp;
	/** Its keys are remembered, and it counts as read: what was there before the owner wanted to know of new things. */
	readonly onlyKeys: boolean;
}

/** Takes in what is not known; returns how many. What was known under some of its keys is known under all of them from now on. */
export function takeIn(tx: WriteDb, sourceId: WatchedSourceId, items: readonly ReadItem[], how: TakingIn): number {
	let taken = 0;
	for (const item of items) if (takeOne(tx, sourceId, item, how)) taken += 1;
	if (items.length > 0) run(tx, sql`DELETE FROM watched_seen WHERE source_id = ${sourceId} AND corrected_at < ${how.now - CORRECTED_MS}`);
	return taken;
}

function takeOne(tx: WriteDb, sourceId: WatchedSourceId, item: ReadItem, { now, onlyKeys }: TakingIn): boolean {
	const keys = [...new Set(item.keys)].map((key) => ({ key: seenKey(key), isContent: key.startsWith('hash:') }));
	if (keys.length === 0) throw new Error('an item of a source has no key');
	const known = keys.map(({ key, isContent }) => ({ isContent, row: seen(tx, sourceId, key) }));
	const text = textOf(item);
	const isKnown = known.some(({ row }) => row !== undefined);
	const isRevised = isKnown && item.revises === true && isAnotherText(known, text);
	if (isKnown && !isRevised && known.every(({ row }) => row !== undefined)) return false;
	const sketch = item.revises === true ? sketchOf(text) : null;
	for (const { key, isContent } of keys) {
		const keeps = isRevised ? sql`UPDATE SET sketch = excluded.sketch` : sql`NOTHING`;
		// Some feeds correct everything all the time.
		const correctedAt = isKnown && !isRevised && isContent ? now : null;
		run(
			tx,
			sql`INSERT INTO watched_seen (source_id, key, sketch, corrected_at) VALUES (${sourceId}, ${key}, ${sketch}, ${correctedAt})
				ON CONFLICT DO ${keeps}`,
		);
	}
	if (isKnown && !isRevised) return false;
	if (!onlyKeys) insertItem(tx, sourceId, item, text, now);
	return true;
}

/** Neither this very content was taken in before, nor one that is like it under any of its keys. */
function isAnotherText(known: readonly { isContent: boolean; row: { sketch: Uint8Array | null } | undefined }[], text: string): boolean {
	if (known.some(({ isContent, row }) => isContent && row !== undefined)) return false;
	const sketches = known.flatMap(({ row }) => (row?.sketch ? [row.sketch] : []));
	const sketch = sketchOf(text);
	return sketches.length > 0 && sketches.every((earlier) => likeness(earlier, sketch) < SAME_TEXT);
}

function insertItem(tx: WriteDb, sourceId: WatchedSourceId, item: ReadItem, text: string, now: Timestamp): void {
	const kept = cutCodePoints(text, LONGEST_ITEM);
	const publishedAt = item.publishedAt === undefined ? null : Math.min(now, Math.max(0, Math.round(item.publishedAt)));
	run(
		tx,
		sql`INSERT INTO watched_items (id, source_id, title, url, author, published_at, text, cut, fetched_at, fetched_hash, state)
			VALUES (${newId<WatchedItemId>()}, ${sourceId}, ${short(item.title, LONGEST_TITLE)}, ${item.url === undefined ? null : short(item.url, 4_000)},
				${item.author === undefined ? null : short(item.author, 300)}, ${publishedAt}, ${kept}, ${kept.length < text.length}, ${now},
				${item.fetchedHash}, 'unread')`,
	);
}

/** Begins with its title, so that all that an item says can be quoted. */
export function textOf({ title, text }: Pick<ReadItem, 'title' | 'text'>): string {
	const [head, body] = [repairSurrogates(title).trim(), repairSurrogates(text).trim()];
	return head === '' || body.startsWith(head) ? body : body === '' ? head : `${head}\n\n${body}`;
}

function short(text: string, most: number): string {
	return cutCodePoints(repairSurrogates(text).trim(), most);
}

function seenKey(key: string): Uint8Array {
	return createHash('sha256').update(key).digest().subarray(0, 16);
}

function seen(db: ReadDb, sourceId: WatchedSourceId, key: Uint8Array): { sketch: Uint8Array | null } | undefined {
	return get<{ sketch: Uint8Array | null }>(db, sql`SELECT sketch FROM watched_seen WHERE source_id = ${sourceId} AND key = ${key}`);
}

/** Whether an item was taken in under any of these. */
export function isKnown(db: ReadDb, sourceId: WatchedSourceId, keys: readonly string[]): boolean {
	return keys.some((key) => seen(db, sourceId, seenKey(key)) !== undefined);
}

/** What a source's new place has is not what the old one had. */
export function forgetSeen(tx: WriteDb, sourceId: WatchedSourceId): void {
	run(tx, sql`DELETE FROM watched_seen WHERE source_id = ${sourceId}`);
}

export interface ItemCounts {
	readonly items: number;
	readonly unread: number;
}

export function countItems(db: ReadDb): Map<string, ItemCounts> {
	const rows = all<ItemCounts & { source_id: string }>(
		db,
		sql`SELECT source_id, count(*) AS items, sum(state = 'unread') AS unread FROM watched_items GROUP BY source_id`,
	);
	return new Map(rows.map(({ source_id, items, unread }) => [source_id, { items, unread }]));
}

export function countItemsOf(db: ReadDb, sourceId: WatchedSourceId): ItemCounts {
	const row = get<{ items: number; unread: number | null }>(
		db,
		sql`SELECT count(*) AS items, sum(state = 'unread') AS unread FROM watched_items WHERE source_id = ${sourceId}`,
	);
	return { items: row?.items ?? 0, unread: row?.unread ?? 0 };
}

/** How many no look has considered. */
export function countUnreadOf(db: ReadDb, sourceId: WatchedSourceId): number {
	return value<number>(db, sql`SELECT count(*) FROM watched_items WHERE source_id = ${sourceId} AND state = 'unread'`) ?? 0;
}

/** Of each source that has any: how many no look has considered. Longest waiting first. */
export function countUnread(db: ReadDb): { sourceId: string; unread: number }[] {
	return all<{ sourceId: string; unread: number }>(
		db,
		sql`SELECT source_id AS sourceId, count(*) AS unread FROM watched_items WHERE state = 'unread' GROUP BY source_id ORDER BY min(rowid)`,
	);
}

export function countFetchedBetween(db: ReadDb, since: Timestamp, until: Timestamp, only?: WatchedSourceId): number {
	return (
		value<number>(
			db,
			sql`SELECT count(*) FROM watched_items WHERE fetched_at BETWEEN ${since} AND ${until} AND (source_id = ${only ?? null} OR ${only === undefined})`,
		) ?? 0
	);
}

/** How many a look took up on the day that begins then. */
export function countLookedAt(db: ReadDb, sourceId: WatchedSourceId, since: Timestamp): number {
	return (
		value<number>(
			db,
			sql`SELECT count(*) FROM watched_items WHERE source_id = ${sourceId} AND looked_at >= ${since}
				AND looked_at < ${since + LONGEST_DAY_MS}`,
		) ?? 0
	);
}

export function unreadItems(db: ReadDb, sourceId: WatchedSourceId, limit: number): WatchedItem[] {
	const rows = all<Row>(
		db,
		sql`SELECT * FROM watched_items WHERE source_id = ${sourceId} AND state = 'unread' ORDER BY rowid LIMIT ${limit}`,
	);
	return rows.map(itemOf);
}

/** Throws where one is no longer unread. */
export function markLooking(tx: WriteDb, ids: readonly WatchedItemId[], runId: RunId, now: Timestamp): void {
	const changed = run(
		tx,
		sql`UPDATE watched_items SET state = 'looking', run_id = ${runId}, looked_at = ${now}
			WHERE state = 'unread' AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
	);
	if (changed !== ids.length) throw new Error(`of ${ids.length} items to be looked at ${changed} are unread`);
}

export function itemsOfRun(db: ReadDb, runId: RunId): WatchedItem[] {
	return all<Row>(db, sql`SELECT * FROM watched_items WHERE run_id = ${runId} ORDER BY rowid`).map(itemOf);
}

export function markRead(tx: WriteDb, runId: RunId): void {
	run(tx, sql`UPDATE watched_items SET state = 'read' WHERE run_id = ${runId} AND state = 'looking'`);
}

/** They count as never taken up, also for the budget of the day. */
export function markUnread(tx: WriteDb, runId: RunId): void {
	run(tx, sql`UPDATE watched_items SET state = 'unread', run_id = NULL, looked_at = NULL WHERE run_id = ${runId} AND state = 'looking'`);
}

/** What waits to be looked at, of sources that are read: items, and characters of their texts. */
export function sizeOfUnread(db: ReadDb): { items: number; characters: number } {
	const row = get<{ items: number; characters: number | null }>(
		db,
		sql`SELECT count(*) AS items, sum(length(text)) AS characters FROM watched_items WHERE state = 'unread'
			AND source_id IN (SELECT id FROM watched_sources WHERE paused = 0 AND withdrawn_at IS NULL)`,
	);
	return { items: row?.items ?? 0, characters: row?.characters ?? 0 };
}

/**
 * Deletes texts that were considered: those fetched before `before`, and those beyond the newest `keep`; none of `spare`. Their keys stay, so that
 * they are never taken in again. Returns how many.
 */
export function collectItems(tx: WriteDb, how: { before: Timestamp; keep: number; spare: Iterable<string> }): number {
	const spare = JSON.stringify([...how.spare]);
	const beyond =
		value<number>(tx, sql`SELECT fetched_at FROM watched_items WHERE state = 'read' ORDER BY fetched_at DESC LIMIT 1 OFFSET ${how.keep}`) ??
		0;
	return run(
		tx,
		sql`DELETE FROM watched_items WHERE state = 'read' AND fetched_at < ${Math.max(how.before, beyond)}
			AND id NOT IN (SELECT value FROM json_each(${spare}))`,
	);
}

export function findItem(db: ReadDb, id: WatchedItemId): WatchedItem | undefined {
	const row = get<Row>(db, sql`SELECT * FROM watched_items WHERE id = ${id}`);
	return row && itemOf(row);
}

/** Newest first. */
export function newestItems(db: ReadDb, sourceId: WatchedSourceId, limit: number): WatchedItem[] {
	return all<Row>(db, sql`SELECT * FROM watched_items WHERE source_id = ${sourceId} ORDER BY rowid DESC LIMIT ${limit}`).map(itemOf);
}

function itemOf(row: Row): WatchedItem {
	return WatchedItem.parse({
		id: row.id,
		sourceId: row.source_id,
		title: row.title,
		...(row.url !== null && { url: row.url }),
		...(row.author !== null && { author: row.author }),
		...(row.published_at !== null && { publishedAt: row.published_at }),
		text: row.text,
		cut: row.cut === 1,
		fetchedAt: row.fetched_at,
		fetchedHash: row.fetched_hash,
		state: row.state,
	});
}
