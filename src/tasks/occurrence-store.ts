import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, run, runOne, sql, value } from '../db/sql.ts';
import { ErrorShape, terminal } from '../domain/errors.ts';
import type { RunId, Timestamp, WorkflowInstanceId } from '../domain/ids.ts';
import { Json } from '../domain/json.ts';
import { type MissedWhy, Occurrence, type OccurrenceId, type OccurrenceState, type TaskId } from '../domain/task.ts';
import type { Begun, OccurrenceForWork } from './ports.ts';

/** Rows of `task_occurrences`: each time that a task was to run. A slot is claimed by its row: `UNIQUE (task_id, by, slot)` (R5). */

export type Cause = NonNullable<Occurrence['cause']>;

/** An occurrence with what only those who work on it need. */
export interface StoredOccurrence extends OccurrenceForWork {
	/** The owner has seen to it: what was missed is done with, what runs was their word and keeps to no hours. */
	readonly seen: boolean;
	/** Its result is where it belongs. */
	readonly delivered: boolean;
	readonly createdAt: Timestamp;
}

interface Row {
	id: string;
	task_id: string;
	title: string;
	by: string;
	slot: number;
	count: number;
	last_slot: number | null;
	state: string;
	why: string | null;
	note: string | null;
	cause: string | null;
	payload: string | null;
	attempt: number;
	next_try_at: number | null;
	run_id: string | null;
	session_id: string | null;
	instance_id: string | null;
	reminder_id: string | null;
	result: string | null;
	delivered: number;
	seen: number;
	error: string | null;
	tokens: number;
	cost_usd: number;
	created_at: number;
	started_at: number | null;
	ended_at: number | null;
}

/** In the very words of the index, which is of no use without them: else each look would read all of the history. */
const OPEN = sql`o.state IN ('queued', 'running', 'asks')`;
const UNDELIVERED = sql`SELECT id FROM task_occurrences WHERE delivered = 0 AND state IN ('done', 'failed', 'stopped')`;
const OCCURRENCE = sql`SELECT o.*, t.title FROM task_occurrences o JOIN tasks t ON t.id = o.task_id`;

export interface NewOccurrence {
	readonly id: OccurrenceId;
	readonly taskId: TaskId;
	readonly by: Occurrence['by'];
	readonly slot: Timestamp;
	readonly count?: number | undefined;
	readonly lastSlot?: Timestamp | undefined;
	readonly state: OccurrenceState;
	readonly why?: MissedWhy | undefined;
	readonly note?: string | undefined;
	readonly cause?: Cause | undefined;
	readonly payload?: Json | undefined;
	/** There is nothing that the owner has to see to. */
	readonly seen?: boolean | undefined;
}

/** False: this slot has its row already. */
export function insertOccurrence(tx: WriteDb, given: NewOccurrence, now: Timestamp): boolean {
	const { id, taskId, by, slot, count = 1, lastSlot, state, why, note, cause, payload, seen = false } = given;
	const over = state === 'missed' || state === 'skipped' ? now : null;
	return (
		run(
			tx,
			sql`INSERT INTO task_occurrences (id, task_id, by, slot, count, last_slot, state, why, note, cause, payload, seen, created_at, ended_at)
				VALUES (${id}, ${taskId}, ${by}, ${slot}, ${count}, ${lastSlot ?? null}, ${state}, ${why ?? null}, ${note ?? null},
					${cause === undefined ? null : JSON.stringify(cause)}, ${payload === undefined ? null : JSON.stringify(payload)}, ${seen},
					${now}, ${over})
				ON CONFLICT (task_id, by, slot) DO NOTHING`,
		) === 1
	);
}

/** Slots from `first` to `last` that have rows, as ranges: missed ones that stand as one row say from where to where. */
export function claimedSlots(
	db: ReadDb,
	taskId: TaskId,
	first: Timestamp,
	last: Timestamp,
): { readonly slot: Timestamp; readonly lastSlot: Timestamp }[] {
	return all(
		db,
		sql`SELECT slot, coalesce(last_slot, slot) AS lastSlot FROM task_occurrences
			WHERE task_id = ${taskId} AND by = 'schedule' AND slot <= ${last} AND (slot >= ${first} OR last_slot >= ${first})`,
	);
}

/** A slot for what no schedule asked for: after all of its kind, should the clock stand still or go back (dur-6). */
export function freeSlot(db: ReadDb, taskId: TaskId, by: 'trigger' | 'owner', from: Timestamp): Timestamp {
	const last = value<number | null>(db, sql`SELECT max(slot) FROM task_occurrences WHERE task_id = ${taskId} AND by = ${by}`);
	return Math.max(from, (last ?? -1) + 1);
}

export function findOccurrence(db: ReadDb, id: OccurrenceId): StoredOccurrence | undefined {
	return one(db, sql`WHERE o.id = ${id}`);
}

/** Throws `not_found`. */
export function getOccurrence(db: ReadDb, id: OccurrenceId): StoredOccurrence {
	const found = findOccurrence(db, id);
	if (!found) throw terminal('not_found', 'That run of a task is no longer kept.', { safe: 'Nothing was changed.' });
	return found;
}

export function occurrenceOfRun(db: ReadDb, runId: RunId): StoredOccurrence | undefined {
	return one(db, sql`WHERE o.run_id = ${runId}`);
}

export function occurrenceOfInstance(db: ReadDb, instanceId: WorkflowInstanceId): StoredOccurrence | undefined {
	return one(db, sql`WHERE o.instance_id = ${instanceId}`);
}

/** What runs, waits for its turn or asks; of all tasks where none is named. In order of time. */
export function openOccurrences(db: ReadDb, state: 'queued' | 'running' | 'asks', taskId?: TaskId): StoredOccurrence[] {
	const only = taskId === undefined ? sql`` : sql`AND o.task_id = ${taskId}`;
	return many(db, sql`WHERE ${OPEN} AND o.state = ${state} ${only} ORDER BY o.rowid`);
}

export function countOpen(db: ReadDb, state: 'queued' | 'running' | 'asks', taskId?: TaskId): number {
	const only = taskId === undefined ? sql`` : sql`AND task_id = ${taskId}`;
	return value<number>(db, sql`SELECT count(*) FROM task_occurrences o WHERE ${OPEN} AND o.state = ${state} ${only}`) ?? 0;
}

/** Of what waits for its turn, and may have it now: the owner's wishes in the order in which they came. Of a task that is at work none. */
export function nextOwners(db: ReadDb, now: Timestamp): StoredOccurrence | undefined {
	return one(
		db,
		sql`WHERE o.state = 'queued' AND (o.by = 'owner' OR o.seen = 1) AND ${isReady(now)} ORDER BY o.created_at, o.rowid LIMIT 1`,
	);
}

/** The same of all others. Of one task they keep their order, also where the first of them waits for its next try. */
export function nextInLine(db: ReadDb, now: Timestamp): StoredOccurrence | undefined {
	return one(
		db,
		sql`WHERE o.state = 'queued' AND ${isReady(now)} AND NOT EXISTS (SELECT 1 FROM task_occurrences e
				WHERE e.state = 'queued' AND e.task_id = o.task_id AND e.rowid < o.rowid)
			ORDER BY o.created_at, o.rowid LIMIT 1`,
	);
}

function isReady(now: Timestamp): Query {
	return sql`(o.next_try_at IS NULL OR o.next_try_at <= ${now})
		AND NOT EXISTS (SELECT 1 FROM task_occurrences r WHERE r.state = 'running' AND r.task_id = o.task_id)`;
}

/** Others of the same task run, or wait for longer. */
export function isBehindOthers(db: ReadDb, { id, taskId }: Pick<StoredOccurrence, 'id' | 'taskId'>): boolean {
	return (
		value(
			db,
			sql`SELECT 1 FROM task_occurrences o WHERE o.task_id = ${taskId} AND (o.state = 'running' OR (o.state = 'queued'
				AND o.rowid < (SELECT rowid FROM task_occurrences WHERE id = ${id}))) LIMIT 1`,
		) !== undefined
	);
}

/** Over, with a result that is not where it belongs. */
export function undelivered(db: ReadDb): StoredOccurrence[] {
	return many(db, sql`WHERE o.id IN (${UNDELIVERED}) AND o.state <> 'stopped' ORDER BY o.rowid`);
}

/** That the owner has not seen to, newest first; the newest `limit` of one task, or of each. */
export function unseenMissed(db: ReadDb, taskId: TaskId | undefined, limit: number): StoredOccurrence[] {
	const unseen = sql`state IN ('missed', 'asks') AND seen = 0`;
	if (taskId !== undefined) return many(db, sql`WHERE o.task_id = ${taskId} AND ${unseen} ORDER BY o.slot DESC LIMIT ${limit}`);
	return many(
		db,
		sql`WHERE o.id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY task_id ORDER BY slot DESC) AS nth FROM task_occurrences
			WHERE ${unseen}) WHERE nth <= ${limit}) ORDER BY o.slot DESC`,
	);
}

/** Rows that the owner has not seen to, and tasks that need them. */
export function countMissed(db: ReadDb): { readonly missed: number; readonly needOwner: number } {
	const row = get<{ missed: number; need_owner: number }>(
		db,
		sql`SELECT (SELECT count(*) FROM task_occurrences WHERE state IN ('missed', 'asks') AND seen = 0) AS missed,
			(SELECT count(*) FROM (SELECT task_id FROM task_occurrences WHERE state IN ('missed', 'asks') AND seen = 0
				UNION SELECT id FROM tasks WHERE status = 'blocked')) AS need_owner`,
	);
	return { missed: row?.missed ?? 0, needOwner: row?.need_owner ?? 0 };
}

/** The newest that is over. */
export function lastOver(db: ReadDb, taskId: TaskId): StoredOccurrence | undefined {
	return one(
		db,
		sql`WHERE o.task_id = ${taskId} AND o.state NOT IN ('queued', 'running', 'asks') ORDER BY o.slot DESC, o.rowid DESC LIMIT 1`,
	);
}

/** Newest first, of all tasks where none is named. */
export function listOccurrences(
	db: ReadDb,
	{ taskId, before, limit }: { taskId?: TaskId | undefined; before?: OccurrenceId | undefined; limit: number },
): StoredOccurrence[] {
	const only = taskId === undefined ? sql`` : sql`AND o.task_id = ${taskId}`;
	const last = before === undefined ? undefined : getOccurrence(db, before);
	const page = last === undefined ? sql`` : sql`AND (o.slot, o.id) < (${last.slot}, ${last.id})`;
	return many(db, sql`WHERE 1 ${only} ${page} ORDER BY o.slot DESC, o.id DESC LIMIT ${limit}`);
}

export function countOccurrences(db: ReadDb, taskId: TaskId): number {
	return value<number>(db, sql`SELECT count(*) FROM task_occurrences WHERE task_id = ${taskId}`) ?? 0;
}

/** False: it does not wait for its turn any more. */
export function setRunning(tx: WriteDb, id: OccurrenceId, begun: Begun, now: Timestamp): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET state = 'running', attempt = attempt + 1, next_try_at = NULL, error = NULL,
				started_at = coalesce(started_at, ${now}), run_id = coalesce(${begun.runId ?? null}, run_id),
				session_id = coalesce(${begun.sessionId ?? null}, session_id), instance_id = coalesce(${begun.instanceId ?? null}, instance_id),
				reminder_id = coalesce(${begun.reminderId ?? null}, reminder_id)
				WHERE id = ${id} AND state = 'queued'`,
		) === 1
	);
}

/** Waits for its turn, from a time on where that is given. */
export function setQueued(
	tx: WriteDb,
	id: OccurrenceId,
	how: { readonly nextTryAt?: Timestamp; readonly error?: ErrorShape; readonly byOwner?: true; readonly note?: string | undefined },
): void {
	runOne(
		tx,
		sql`UPDATE task_occurrences SET state = 'queued', next_try_at = ${how.nextTryAt ?? null}, error = ${jsonOf(how.error)}, why = NULL,
			ended_at = NULL, delivered = 0, result = NULL, seen = CASE WHEN ${how.byOwner ?? false} THEN 1 ELSE seen END,
			note = coalesce(${how.note ?? null}, note) WHERE id = ${id}`,
	);
}

export interface End {
	readonly state: 'done' | 'failed' | 'stopped' | 'missed' | 'skipped' | 'asks';
	readonly why?: MissedWhy | undefined;
	readonly note?: string | undefined;
	readonly error?: ErrorShape | undefined;
	readonly tokens?: number;
	readonly costUsd?: number;
	/** Nothing of it is to be put anywhere. */
	readonly nothingToDeliver?: boolean;
	readonly seen?: boolean;
}

/** False: it was over before, or is gone. */
export function endOccurrence(tx: WriteDb, id: OccurrenceId, end: End, now: Timestamp): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET state = ${end.state}, why = coalesce(${end.why ?? null}, why), note = coalesce(${end.note ?? null}, note),
				error = ${jsonOf(end.error)}, tokens = ${end.tokens ?? 0}, cost_usd = ${end.costUsd ?? 0}, next_try_at = NULL,
				delivered = ${end.nothingToDeliver ?? false}, seen = CASE WHEN ${end.seen ?? false} THEN 1 ELSE seen END,
				ended_at = ${end.state === 'asks' ? null : now} WHERE id = ${id} AND state IN ('queued', 'running', 'asks')`,
		) === 1
	);
}

/** What runs is to be stopped, and says then why. */
export function setWhy(tx: WriteDb, id: OccurrenceId, why: MissedWhy): void {
	runOne(tx, sql`UPDATE task_occurrences SET why = ${why} WHERE id = ${id}`);
}

export function setSeen(tx: WriteDb, id: OccurrenceId): void {
	runOne(tx, sql`UPDATE task_occurrences SET seen = 1 WHERE id = ${id}`);
}

/** False: somebody else was first. `refused`: why it could not be put there. */
export function setDelivered(tx: WriteDb, id: OccurrenceId, result: Occurrence['result'], refused?: ErrorShape): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET delivered = 1, result = ${jsonOf(result)}, error = coalesce(${jsonOf(refused)}, error)
				WHERE id = ${id} AND delivered = 0`,
		) === 1
	);
}

/** One more slot of the same kind, right after it: the newest row says it for both. False where there is no such row. */
export function joinMissed(tx: WriteDb, taskId: TaskId, why: MissedWhy, slot: Timestamp): boolean {
	return (
		run(
			tx,
			sql`UPDATE task_occurrences SET count = count + 1, last_slot = ${slot} WHERE state = 'missed' AND why = ${why} AND seen = 0 AND slot < ${slot}
				AND id = (SELECT id FROM task_occurrences WHERE task_id = ${taskId} AND by = 'schedule' ORDER BY slot DESC LIMIT 1)`,
		) === 1
	);
}

/** Of slots that were passed over by a clock that was wrong and are still to come: gone, so that they are claimed when they come. Returns the first. */
export function unclaimAhead(tx: WriteDb, taskId: TaskId, now: Timestamp): Timestamp | undefined {
	const ahead = all<{ slot: number }>(
		tx,
		sql`DELETE FROM task_occurrences WHERE task_id = ${taskId} AND by = 'schedule' AND state IN ('missed', 'asks') AND why = 'clock'
			AND coalesce(last_slot, slot) > ${now} RETURNING slot`,
	);
	return ahead.length === 0 ? undefined : Math.min(...ahead.map(({ slot }) => slot));
}

/**
 * Of rows that are over since before `before`, all but the newest `keep` of each task; `most` at a time. Their task remembers up to where, so that
 * no clock that is set back brings them again. Returns how many are gone.
 */
export function deleteOldOccurrences(tx: WriteDb, { before, keep, most }: { before: Timestamp; keep: number; most: number }): number {
	const gone = all<{ task_id: string; by: string; slot: number; last_slot: number | null }>(
		tx,
		sql`DELETE FROM task_occurrences WHERE id IN (
				SELECT id FROM task_occurrences AS o WHERE ended_at < ${before} AND state NOT IN ('queued', 'running', 'asks')
					AND (state NOT IN ('done', 'failed') OR delivered = 1)
					AND slot < (SELECT slot FROM task_occurrences n WHERE n.task_id = o.task_id ORDER BY slot DESC LIMIT 1 OFFSET ${keep - 1})
				LIMIT ${most})
			RETURNING task_id, by, slot, last_slot`,
	);
	const upTo = new Map<string, Timestamp>();
	for (const row of gone.filter(({ by }) => by === 'schedule'))
		upTo.set(row.task_id, Math.max(upTo.get(row.task_id) ?? 0, row.last_slot ?? row.slot));
	for (const [id, slot] of upTo) runOne(tx, sql`UPDATE tasks SET collected_to = max(collected_to, ${slot}) WHERE id = ${id}`);
	return gone.length;
}

function one(db: ReadDb, where: Query): StoredOccurrence | undefined {
	const row = get<Row>(db, sql`${OCCURRENCE} ${where}`);
	return row && occurrenceOf(row);
}

function many(db: ReadDb, where: Query): StoredOccurrence[] {
	return all<Row>(db, sql`${OCCURRENCE} ${where}`).map(occurrenceOf);
}

function jsonOf(given: object | undefined): string | null {
	return given === undefined ? null : JSON.stringify(given);
}

/** What of it others are shown. */
export function shownOf(stored: StoredOccurrence): Occurrence {
	return Occurrence.parse(stored);
}

function occurrenceOf(row: Row): StoredOccurrence {
	const shown = Occurrence.parse({
		id: row.id,
		taskId: row.task_id,
		title: row.title,
		by: row.by,
		slot: row.slot,
		count: row.count,
		...(row.last_slot !== null && { lastSlot: row.last_slot }),
		state: row.state,
		...(row.why !== null && { why: row.why }),
		...(row.note !== null && { note: row.note }),
		...(row.cause !== null && { cause: JSON.parse(row.cause) }),
		attempt: row.attempt,
		...(row.run_id !== null && { runId: row.run_id }),
		...(row.session_id !== null && { sessionId: row.session_id }),
		...(row.instance_id !== null && { instanceId: row.instance_id }),
		...(row.reminder_id !== null && { reminderId: row.reminder_id }),
		...(row.result !== null && { result: JSON.parse(row.result) }),
		...(row.started_at !== null && { startedAt: row.started_at }),
		...(row.ended_at !== null && { endedAt: row.ended_at }),
		...(row.next_try_at !== null && { nextTryAt: row.next_try_at }),
		...(row.error !== null && { error: ErrorShape.parse(JSON.parse(row.error)) }),
		tokens: row.tokens,
		costUsd: row.cost_usd,
	});
	return {
		...shown,
		payload: row.payload === null ? undefined : Json.parse(JSON.parse(row.payload)),
		causeSources: shown.cause ? [{ kind: 'task', name: shown.cause.name, label: shown.cause.label }] : [],
		seen: row.seen === 1,
		delivered: row.delivered === 1,
		createdAt: row.created_at,
	};
}
