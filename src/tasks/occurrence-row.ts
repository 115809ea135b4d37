import type { ReadDb } from '../db/brands.ts';
import { all, get, type Query, sql } from '../db/sql.ts';
import { ErrorShape } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import { Json } from '../domain/json.ts';
import { Occurrence } from '../domain/task.ts';
import type { OccurrenceForWork } from './ports.ts';

/** A row of `task_occurrences` as it is read. */

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

const OCCURRENCE = sql`SELECT o.*, t.title FROM task_occurrences o JOIN tasks t ON t.id = o.task_id`;

export function one(db: ReadDb, where: Query): StoredOccurrence | undefined {
	const row = get<Row>(db, sql`${OCCURRENCE} ${where}`);
	return row && occurrenceOf(row);
}

export function many(db: ReadDb, where: Query): StoredOccurrence[] {
	return all<Row>(db, sql`${OCCURRENCE} ${where}`).map(occurrenceOf);
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
