import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../db/sql.ts';
import { ErrorShape, terminal } from '../domain/errors.ts';
import { HeartbeatTick, type TickId, type TickOutcome, WatchedSourceId } from '../domain/heartbeat.ts';
import { RunId, type SessionId, type Timestamp } from '../domain/ids.ts';

/** Rows of `heartbeat_ticks` and `heartbeat_runs`: looks, one a slot, and the runs that consider what they read. */

interface TickRow {
	id: string;
	slot: number;
	by: string;
	outcome: string;
	why: string | null;
	started_at: number;
	ended_at: number | null;
	sources: number;
	failed_sources: number;
	items: number;
	findings: number;
	known: number;
	over_cap: number;
	dropped: number;
	note: string | null;
	source_id: string | null;
	run_ids: string;
}

/** A look as the engine goes on with it. */
export interface StoredTick extends HeartbeatTick {
	/** The only source that the owner wanted looked at. */
	readonly only?: WatchedSourceId;
}

const TICK = sql`SELECT t.*, (SELECT json_group_array(run_id) FROM (SELECT run_id FROM heartbeat_runs WHERE tick_id = t.id ORDER BY rowid)) AS run_ids
	FROM heartbeat_ticks t`;

export interface NewTick {
	readonly id: TickId;
	readonly by: HeartbeatTick['by'];
	readonly slot: Timestamp;
	readonly only?: WatchedSourceId | undefined;
}

/** False: this slot has its look already. */
export function insertTick(tx: WriteDb, { id, by, slot, only }: NewTick, now: Timestamp): boolean {
	return (
		run(
			tx,
			sql`INSERT INTO heartbeat_ticks (id, slot, by, outcome, started_at, source_id) VALUES (${id}, ${slot}, ${by}, 'reading', ${now}, ${only ?? null})
				ON CONFLICT (by, slot) DO NOTHING`,
		) === 1
	);
}

/** A slot for what is not asked for by the clock: after all that there are, should it stand still or go back (dur-6). */
export function slotNow(db: ReadDb, now: Timestamp): Timestamp {
	const last = value<number | null>(db, sql`SELECT max(slot) FROM heartbeat_ticks WHERE by = 'owner'`);
	return Math.max(now, (last ?? -1) + 1);
}

export function findTick(db: ReadDb, id: TickId): StoredTick | undefined {
	const row = get<TickRow>(db, sql`${TICK} WHERE t.id = ${id}`);
	return row && tickOf(row);
}

/** Throws `not_found`. */
export function getTick(db: ReadDb, id: TickId): StoredTick {
	const tick = findTick(db, id);
	if (!tick) throw terminal('not_found', 'That look is no longer kept.');
	return tick;
}

/** The look under way: there is one at most. */
export function openTick(db: ReadDb): StoredTick | undefined {
	const row = get<TickRow>(db, sql`${TICK} WHERE t.ended_at IS NULL ORDER BY t.started_at DESC LIMIT 1`);
	return row && tickOf(row);
}

export function lastTick(db: ReadDb): StoredTick | undefined {
	const row = get<TickRow>(db, sql`${TICK} WHERE t.ended_at IS NOT NULL ORDER BY t.started_at DESC, t.rowid DESC LIMIT 1`);
	return row && tickOf(row);
}

/** Newest first. */
export function listTicks(db: ReadDb, limit: number): StoredTick[] {
	return all<TickRow>(db, sql`${TICK} ORDER BY t.started_at DESC, t.rowid DESC LIMIT ${limit}`).map(tickOf);
}

/** The owner takes over a look that would wait for its hour. */
export function setByOwner(tx: WriteDb, id: TickId, slot: Timestamp): void {
	runOne(tx, sql`UPDATE heartbeat_ticks SET by = 'owner', slot = ${slot} WHERE id = ${id} AND ended_at IS NULL`);
}

/** What it read; then it considers that. */
export function setTickRead(tx: WriteDb, id: TickId, read: Pick<HeartbeatTick, 'sources' | 'failedSources' | 'items'>): void {
	run(
		tx,
		sql`UPDATE heartbeat_ticks SET outcome = 'thinking', sources = ${read.sources}, failed_sources = ${read.failedSources}, items = ${read.items}
			WHERE id = ${id} AND ended_at IS NULL`,
	);
}

export function endTick(tx: WriteDb, id: TickId, end: { outcome: TickOutcome; why?: string | undefined }, now: Timestamp): void {
	run(
		tx,
		sql`UPDATE heartbeat_ticks SET outcome = ${end.outcome}, why = ${end.why ?? null}, ended_at = ${now} WHERE id = ${id} AND ended_at IS NULL`,
	);
}

/** Where the look before this one was held for the same reason and had read nothing new, this one says it for both. */
export function dropSameHeld(tx: WriteDb, id: TickId): void {
	run(
		tx,
		sql`DELETE FROM heartbeat_ticks AS t WHERE outcome = 'held' AND by = 'schedule' AND items = 0 AND findings = 0
			AND id = (SELECT id FROM heartbeat_ticks WHERE id <> ${id} AND ended_at IS NOT NULL ORDER BY started_at DESC, rowid DESC LIMIT 1)
			AND why IS (SELECT why FROM heartbeat_ticks WHERE id = ${id} AND outcome = 'held')
			AND NOT EXISTS (SELECT 1 FROM heartbeat_runs r WHERE r.tick_id = t.id)`,
	);
}

export function addFound(tx: WriteDb, id: TickId, found: Pick<HeartbeatTick, 'findings' | 'known' | 'overCap' | 'dropped'>): void {
	runOne(
		tx,
		sql`UPDATE heartbeat_ticks SET findings = findings + ${found.findings}, known = known + ${found.known}, over_cap = over_cap + ${found.overCap},
			dropped = dropped + ${found.dropped} WHERE id = ${id}`,
	);
}

export function setNote(tx: WriteDb, id: TickId, note: string): void {
	runOne(tx, sql`UPDATE heartbeat_ticks SET note = ${note} WHERE id = ${id}`);
}

/** Over, with findings that the owner was not told of. */
export function untoldTicks(db: ReadDb): { id: TickId; findings: number }[] {
	return all(db, sql`SELECT id, findings FROM heartbeat_ticks WHERE told = 0 AND findings > 0 AND ended_at IS NOT NULL ORDER BY rowid`);
}

export function setTold(tx: WriteDb, id: TickId): void {
	runOne(tx, sql`UPDATE heartbeat_ticks SET told = 1 WHERE id = ${id}`);
}

/** All but the newest; a look under way stays. Returns how many are gone. */
export function deleteOldTicks(tx: WriteDb, keep: number): number {
	return run(
		tx,
		sql`DELETE FROM heartbeat_ticks WHERE ended_at IS NOT NULL
			AND id NOT IN (SELECT id FROM heartbeat_ticks ORDER BY started_at DESC, rowid DESC LIMIT ${keep})`,
	);
}

/** A run of a look. `outcome` is absent until its findings are written and its items read, or unread again. */
export interface TickRun {
	readonly runId: RunId;
	readonly tickId: TickId;
	readonly sourceId: WatchedSourceId;
	readonly attempt: number;
	readonly items: number;
	readonly outcome?: TickRunOutcome;
	readonly error?: ErrorShape;
}
/**
 * `unreadable`: no answer that could be read, or none at all; its items are not considered again. After the others they are: `failed`: fewer of them,
 * at once; `unanswered`: fewer of them, by the next look; `stopped`: it was no fault of theirs. `aside`: the one item of it counts as being looked
 * at until the look ends, as only then it shows whether others went well.
 */
export const TICK_RUN_OUTCOMES = ['taken', 'unreadable', 'failed', 'unanswered', 'aside', 'stopped'] as const;
export type TickRunOutcome = (typeof TICK_RUN_OUTCOMES)[number];
/** It came to no answer. */
export const WITHOUT_ANSWER: ReadonlySet<TickRunOutcome | undefined> = new Set(['failed', 'unanswered', 'aside']);

interface RunRow {
	run_id: string;
	tick_id: TickId;
	source_id: string;
	attempt: number;
	items: number;
	outcome: TickRunOutcome | null;
	error: string | null;
}

export function insertTickRun(tx: WriteDb, { runId, tickId, sourceId, attempt, items }: Omit<TickRun, 'outcome' | 'error'>): void {
	runOne(
		tx,
		sql`INSERT INTO heartbeat_runs (run_id, tick_id, source_id, attempt, items) VALUES (${runId}, ${tickId}, ${sourceId}, ${attempt}, ${items})`,
	);
}

/** False: somebody else ended it. `error`: why it came to no answer. */
export function endTickRun(tx: WriteDb, runId: RunId, outcome: TickRunOutcome, error?: ErrorShape): boolean {
	const json = error === undefined ? null : JSON.stringify(error);
	return run(tx, sql`UPDATE heartbeat_runs SET outcome = ${outcome}, error = ${json} WHERE run_id = ${runId} AND outcome IS NULL`) === 1;
}

/** What becomes of an item that was set aside. */
export function settleAside(tx: WriteDb, runId: RunId, outcome: 'unreadable' | 'unanswered'): void {
	runOne(tx, sql`UPDATE heartbeat_runs SET outcome = ${outcome} WHERE run_id = ${runId} AND outcome = 'aside'`);
}

export function findTickRun(db: ReadDb, runId: RunId): TickRun | undefined {
	const row = get<RunRow>(db, sql`SELECT * FROM heartbeat_runs WHERE run_id = ${runId}`);
	return row && runOf(row);
}

/** In the order in which they began. */
export function tickRuns(db: ReadDb, tickId: TickId): TickRun[] {
	return all<RunRow>(db, sql`SELECT * FROM heartbeat_runs WHERE tick_id = ${tickId} ORDER BY rowid`).map(runOf);
}

/** How its last run ended; undefined before the first. */
export function lastRunOfSource(db: ReadDb, sourceId: WatchedSourceId): TickRun | undefined {
	const row = get<RunRow>(
		db,
		sql`SELECT * FROM heartbeat_runs WHERE source_id = ${sourceId} AND outcome IS NOT NULL ORDER BY rowid DESC LIMIT 1`,
	);
	return row && runOf(row);
}

/** Of the source's newest runs that ended: how many, one after another, had one item and came to no answer. */
export function unansweredAlone(db: ReadDb, sourceId: WatchedSourceId, among: number): number {
	const rows = all<{ alone: number }>(
		db,
		sql`SELECT items = 1 AND outcome = 'unanswered' AS alone FROM heartbeat_runs WHERE source_id = ${sourceId} AND outcome IS NOT NULL
			ORDER BY rowid DESC LIMIT ${among}`,
	);
	const end = rows.findIndex(({ alone }) => alone === 0);
	return end < 0 ? rows.length : end;
}

/** Among the newest that ended, whatever their source, one was taken: what looks works. */
export function worksLately(db: ReadDb, among: number): boolean {
	return (
		value(
			db,
			sql`SELECT 1 FROM (SELECT outcome FROM heartbeat_runs WHERE outcome IS NOT NULL ORDER BY rowid DESC LIMIT ${among}) WHERE outcome = 'taken'`,
		) !== undefined
	);
}

/** It belongs to a look that the owner asked for: it keeps to no hours. */
export function isOwnersLook(db: ReadDb, runId: RunId): boolean {
	const by = value<string>(db, sql`SELECT t.by FROM heartbeat_runs r JOIN heartbeat_ticks t ON t.id = r.tick_id WHERE r.run_id = ${runId}`);
	return by === 'owner';
}

/** Of looks' runs that are over since before: the session each has for itself. */
export function sessionsOfOldLooks(db: ReadDb, before: Timestamp, limit: number): { runId: RunId; sessionId: SessionId }[] {
	return all(
		db,
		sql`SELECT r.id AS runId, r.session_id AS sessionId FROM runs r
			WHERE r.kind = 'heartbeat' AND r.updated_at < ${before} AND r.status IN ('done', 'failed', 'stopped', 'interrupted')
				AND NOT EXISTS (SELECT 1 FROM heartbeat_runs h WHERE h.run_id = r.id AND h.outcome IS NULL)
			ORDER BY r.rowid LIMIT ${limit}`,
	);
}

function tickOf(row: TickRow): StoredTick {
	const tick = HeartbeatTick.parse({
		id: row.id,
		slot: row.slot,
		by: row.by,
		outcome: row.outcome,
		...(row.why !== null && { why: row.why }),
		startedAt: row.started_at,
		...(row.ended_at !== null && { endedAt: row.ended_at }),
		sources: row.sources,
		failedSources: row.failed_sources,
		items: row.items,
		findings: row.findings,
		known: row.known,
		overCap: row.over_cap,
		dropped: row.dropped,
		...(row.note !== null && { note: row.note }),
		runIds: JSON.parse(row.run_ids),
	});
	return row.source_id === null ? tick : { ...tick, only: WatchedSourceId.parse(row.source_id) };
}

function runOf(row: RunRow): TickRun {
	return {
		runId: RunId.parse(row.run_id),
		tickId: row.tick_id,
		sourceId: WatchedSourceId.parse(row.source_id),
		attempt: row.attempt,
		items: row.items,
		...(row.outcome !== null && { outcome: row.outcome }),
		...(row.error !== null && { error: ErrorShape.parse(JSON.parse(row.error)) }),
	};
}
