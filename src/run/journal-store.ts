import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { MessageId, RunId, SessionId, Timestamp, WorkflowInstanceId } from '../domain/ids.ts';
import { InterruptKind, RunKind, RunStatus, type RunSummary } from '../domain/run.ts';
import { RunEvent, StreamedPart } from './events.ts';

/** Runs, their journal, and the text of a model step under way. */

export interface RunRow {
	id: RunId;
	session_id: SessionId;
	message_id: MessageId;
	kind: string;
	title: string;
	status: string;
	step: number;
	parent_run_id: RunId | null;
	instance_id: WorkflowInstanceId | null;
	from_run_id: RunId | null;
	from_step: number | null;
	from_how: 'fork' | 'restore' | null;
	waits_for: string | null;
	waits_until: number | null;
	created_at: number;
	updated_at: number;
}

export interface NewRun {
	readonly id: RunId;
	readonly sessionId: SessionId;
	readonly messageId: MessageId;
	readonly kind: RunKind;
	/** What it is about, in one line. */
	readonly title: string;
	/** Begun once for this key; throws a storage error where there is one already. */
	readonly beginKey?: string | undefined;
	readonly parentRunId?: RunId | undefined;
	readonly instanceId?: WorkflowInstanceId | undefined;
	readonly from?: RunSummary['from'];
	readonly createdAt: Timestamp;
}

export function insertRun(db: WriteDb, given: NewRun): void {
	const { id, sessionId, messageId, kind, title, beginKey, parentRunId, instanceId, from, createdAt } = given;
	runOne(
		db,
		sql`INSERT INTO runs (id, session_id, message_id, kind, title, status, step, begin_key, parent_run_id, instance_id, from_run_id, from_step,
			from_how, created_at, updated_at)
		VALUES (${id}, ${sessionId}, ${messageId}, ${kind}, ${title}, 'running', 1, ${beginKey ?? null}, ${parentRunId ?? null},
			${instanceId ?? null}, ${from?.runId ?? null}, ${from?.step ?? null}, ${from?.how ?? null}, ${createdAt}, ${createdAt})`,
	);
}

/** The status beside the journal, for scans; always written in the transaction of the event that it follows from. */
export interface StatusChange {
	readonly status: RunStatus;
	readonly step: number;
	/** Of its steps, without its waits; as it was where left out. */
	readonly workedMs?: number | undefined;
	/** What it waits for now, and until when at the longest. */
	readonly waitsFor?: InterruptKind | undefined;
	readonly waitsUntil?: Timestamp | undefined;
	readonly updatedAt: Timestamp;
}

export function setRunStatus(db: WriteDb, id: RunId, change: StatusChange): void {
	runOne(
		db,
		sql`UPDATE runs SET status = ${change.status}, step = ${change.step}, worked_ms = coalesce(${change.workedMs ?? null}, worked_ms), waits_for = ${change.waitsFor ?? null},
			waits_until = ${change.waitsUntil ?? null}, updated_at = ${change.updatedAt} WHERE id = ${id}`,
	);
}

export function findRun(db: ReadDb, id: RunId): RunSummary | undefined {
	const row = get<RunRow>(db, sql`SELECT * FROM runs WHERE id = ${id}`);
	return row && runOf(row);
}

/** The run that was begun for this key, if it was. */
export function findRunByKey(db: ReadDb, beginKey: string): RunSummary | undefined {
	const row = get<RunRow>(db, sql`SELECT * FROM runs WHERE begin_key = ${beginKey}`);
	return row && runOf(row);
}

export function runIdsOf(db: ReadDb, sessionId: SessionId): RunId[] {
	return all<{ id: RunId }>(db, sql`SELECT id FROM runs WHERE session_id = ${sessionId}`).map((row) => row.id);
}

/** The runs that steps of this one delegated to, oldest first; not those that these delegated to. */
export function childrenOf(db: ReadDb, parentRunId: RunId): RunSummary[] {
	return all<RunRow>(db, sql`SELECT * FROM runs WHERE parent_run_id = ${parentRunId} ORDER BY rowid`).map(runOf);
}

/** The session is that of a look: text of sources, which stays apart (B1). */
export function holdsLook(db: ReadDb, sessionId: SessionId): boolean {
	return value(db, sql`SELECT 1 FROM runs WHERE session_id = ${sessionId} AND kind = 'heartbeat' LIMIT 1`) !== undefined;
}

/** Throws `not_found`. */
export function getRun(db: ReadDb, id: RunId): RunSummary {
	const found = findRun(db, id);
	if (!found) throw terminal('not_found', 'That reply no longer exists.', { action: 'Open the chat anew to see what it holds now.' });
	return found;
}

/** Runs that a process was at work on, oldest first. After a start, nobody is. */
export function runsAtWork(db: ReadDb): RunSummary[] {
	return all<RunRow>(db, sql`SELECT * FROM runs WHERE status = 'running' ORDER BY rowid`).map(runOf);
}

/** The session's run that is at work or waits, if there is one. */
export function openRun(db: ReadDb, sessionId: SessionId): RunSummary | undefined {
	const row = get<RunRow>(
		db,
		sql`SELECT * FROM runs WHERE session_id = ${sessionId} AND status IN ('running', 'waiting', 'sleeping') LIMIT 1`,
	);
	return row && runOf(row);
}

/**
 * Writes the event as number `seq` of its run. The number must be the next one: a gap or a repeat means that two drivers
 * hold one run, and the transaction is given up.
 */
export function appendEvent(db: WriteDb, runId: RunId, seq: number, event: RunEvent, at: Timestamp): void {
	runOne(
		db,
		sql`INSERT INTO journal (run_id, seq, event, at)
		SELECT ${runId}, ${seq}, ${JSON.stringify(RunEvent.parse(event))}, ${at}
		WHERE ${seq} = (SELECT coalesce(max(seq), 0) + 1 FROM journal WHERE run_id = ${runId})`,
	);
}

/** All events of a run in order, or those up to number `upTo`. */
export function readEvents(db: ReadDb, runId: RunId, upTo = Number.MAX_SAFE_INTEGER): RunEvent[] {
	const rows = all<{ event: string }>(db, sql`SELECT event FROM journal WHERE run_id = ${runId} AND seq <= ${upTo} ORDER BY seq`);
	return rows.map((row) => RunEvent.parse(JSON.parse(row.event)));
}

/** Number of the run's newest event; 0 where there is none. */
export function lastSeq(db: ReadDb, runId: RunId): number {
	return value<number>(db, sql`SELECT coalesce(max(seq), 0) FROM journal WHERE run_id = ${runId}`) ?? 0;
}

/** Whether the journal knows that a tool began at this time or later. */
export function hasToolStart(db: ReadDb, runId: RunId, at: Timestamp): boolean {
	const found = sql`SELECT 1 FROM journal WHERE run_id = ${runId} AND json_extract(event, '$.type') = 'tool_started' AND json_extract(event, '$.at') >= ${at}`;
	return value<number>(db, sql`SELECT EXISTS (${found})`) === 1;
}

/** Events 1 to `toSeq` of one run become those of another, each as `changed` gives it, at the times they have. */
export function copyEvents(db: WriteDb, from: RunId, toSeq: number, into: RunId, changed: (event: RunEvent) => RunEvent): void {
	const rows = all<{ seq: number; event: string; at: number }>(
		db,
		sql`SELECT seq, event, at FROM journal WHERE run_id = ${from} AND seq <= ${toSeq} ORDER BY seq`,
	);
	for (const { seq, event, at } of rows) appendEvent(db, into, seq, changed(RunEvent.parse(JSON.parse(event))), at);
}

/** Saves a batch of streamed text. `seq` orders the batches of a step. */
export function appendChunks(db: WriteDb, runId: RunId, step: number, seq: number, parts: readonly StreamedPart[]): void {
	parts.forEach((part, index) => {
		runOne(
			db,
			sql`INSERT INTO stream_chunks (run_id, step, seq, kind, text) VALUES (${runId}, ${step}, ${seq + index}, ${part.type}, ${part.text})`,
		);
	});
}

export function readChunks(db: ReadDb, runId: RunId, step: number): StreamedPart[] {
	const rows = all<{ type: string; text: string }>(
		db,
		sql`SELECT kind AS type, text FROM stream_chunks WHERE run_id = ${runId} AND step = ${step} ORDER BY seq`,
	);
	return rows.map((row) => StreamedPart.parse(row));
}

/** The step's event holds the whole text now. */
export function deleteChunks(db: WriteDb, runId: RunId): void {
	run(db, sql`DELETE FROM stream_chunks WHERE run_id = ${runId}`);
}

export function runOf(row: RunRow): RunSummary {
	const { from_run_id: runId, from_step: step, from_how: how } = row;
	return {
		id: row.id,
		kind: RunKind.parse(row.kind),
		title: row.title,
		sessionId: row.session_id,
		messageId: row.message_id,
		status: RunStatus.parse(row.status),
		step: row.step,
		createdAt: row.created_at,
		updatedAt: row.updated_at,
		...(row.parent_run_id !== null && { parentRunId: row.parent_run_id }),
		...(row.instance_id !== null && { instanceId: row.instance_id }),
		...(runId !== null && step !== null && how !== null && { from: { runId, step, how } }),
		...(row.waits_for !== null && { waitsFor: InterruptKind.parse(row.waits_for) }),
		...(row.waits_until !== null && { waitsUntil: row.waits_until }),
	};
}
