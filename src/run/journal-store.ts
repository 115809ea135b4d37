import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { MessageId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { RunStatus, type RunSummary } from '../domain/run.ts';
import { RunEvent, StreamedPart } from './events.ts';

/** Runs, their journal, and the text of a model step under way. */

interface RunRow {
	id: RunId;
	session_id: SessionId;
	message_id: MessageId;
	status: string;
	step: number;
	updated_at: number;
}

export function insertRun(db: WriteDb, given: { id: RunId; sessionId: SessionId; messageId: MessageId; createdAt: Timestamp }): void {
	const { id, sessionId, messageId, createdAt } = given;
	runOne(
		db,
		sql`INSERT INTO runs (id, session_id, message_id, kind, status, step, created_at, updated_at)
		VALUES (${id}, ${sessionId}, ${messageId}, 'chat', 'running', 1, ${createdAt}, ${createdAt})`,
	);
}

/** The status beside the journal, for scans; always written in the transaction of the event that it follows from. */
export function setRunStatus(db: WriteDb, id: RunId, change: { status: RunStatus; step: number; updatedAt: Timestamp }): void {
	runOne(db, sql`UPDATE runs SET status = ${change.status}, step = ${change.step}, updated_at = ${change.updatedAt} WHERE id = ${id}`);
}

export function findRun(db: ReadDb, id: RunId): RunSummary | undefined {
	const row = get<RunRow>(db, sql`SELECT * FROM runs WHERE id = ${id}`);
	return row && runOf(row);
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

/** The session's run that is at work or waits for the owner, if there is one. */
export function openRun(db: ReadDb, sessionId: SessionId): RunSummary | undefined {
	const row = get<RunRow>(db, sql`SELECT * FROM runs WHERE session_id = ${sessionId} AND status IN ('running', 'waiting') LIMIT 1`);
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

/** All events of a run in order. */
export function readEvents(db: ReadDb, runId: RunId): RunEvent[] {
	return all<{ event: string }>(db, sql`SELECT event FROM journal WHERE run_id = ${runId} ORDER BY seq`).map((row) =>
		RunEvent.parse(JSON.parse(row.event)),
	);
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

function runOf(row: RunRow): RunSummary {
	return {
		id: row.id,
		sessionId: row.session_id,
		messageId: row.message_id,
		status: RunStatus.parse(row.status),
		step: row.step,
		updatedAt: row.updated_at,
	};
}
