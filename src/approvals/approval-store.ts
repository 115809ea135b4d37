import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { InterruptId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { type EventName, Interrupt, type InterruptAnswer, InterruptDetail, OWNERS_INTERRUPTS, type WaitOutcome } from '../domain/run.ts';
import { checkAnswer, shownHashOf } from './machine.ts';

/** Rows of `interrupts`: what runs wait for, the owner or something else (R3). Each change here shares its transaction with the run's journal. */

export interface InterruptRow {
	id: string;
	run_id: string;
	session_id: string;
	step: number;
	call_id: string;
	detail: string;
	shown_hash: string;
	status: string;
	created_at: number;
	answered_at: number | null;
}

export interface NewInterrupt {
	readonly id: InterruptId;
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly step: number;
	readonly callId: string;
	readonly detail: InterruptDetail;
	readonly createdAt: Timestamp;
}

export function openInterrupt(db: WriteDb, interrupt: NewInterrupt): void {
	runOne(
		db,
		sql`INSERT INTO interrupts (id, run_id, session_id, step, call_id, kind, awaited, detail, shown_hash, status, created_at)
		VALUES (${interrupt.id}, ${interrupt.runId}, ${interrupt.sessionId}, ${interrupt.step}, ${interrupt.callId}, ${interrupt.detail.kind},
			${awaitedBy(interrupt.detail)}, ${JSON.stringify(InterruptDetail.parse(interrupt.detail))}, ${shownHashOf(interrupt.detail)}, 'open',
			${interrupt.createdAt})`,
	);
}

/** By what its end is found. */
function awaitedBy(detail: InterruptDetail): string | null {
	if (detail.kind === 'event') return detail.name;
	return detail.kind === 'child' ? detail.childRunId : null;
}

/** Throws `not_found`, `conflict`, `stale` or `invalid_input`; then nothing changed. */
export function answerInterrupt(db: WriteDb, id: InterruptId, shownHash: string, answer: InterruptAnswer, now: Timestamp): Interrupt {
	const interrupt = getInterrupt(db, id);
	checkAnswer(interrupt, shownHash, answer);
	runOne(
		db,
		sql`UPDATE interrupts SET status = 'answered', answer = ${JSON.stringify(answer)}, answered_at = ${now} WHERE id = ${id} AND status = 'open'`,
	);
	return { ...interrupt, status: 'answered', answeredAt: now };
}

/** What it waited for came. Throws `not_found`, or `conflict` where it waits no longer; then nothing changed. */
export function endWait(db: WriteDb, id: InterruptId, outcome: WaitOutcome, now: Timestamp): Interrupt {
	const interrupt = getInterrupt(db, id);
	if (interrupt.status !== 'open') throw terminal('conflict', 'Nothing waits for this any longer.', { safe: 'Nothing happened twice.' });
	runOne(
		db,
		sql`UPDATE interrupts SET status = 'answered', answer = ${JSON.stringify(outcome)}, answered_at = ${now} WHERE id = ${id} AND status = 'open'`,
	);
	return { ...interrupt, status: 'answered', answeredAt: now };
}

/** The run stopped: what it asked is no longer open. Returns what expired. */
export function expireInterrupts(db: WriteDb, runId: RunId, now: Timestamp): Interrupt[] {
	const open = all<InterruptRow>(db, sql`SELECT * FROM interrupts WHERE run_id = ${runId} AND status = 'open'`);
	if (open.length === 0) return [];
	run(db, sql`UPDATE interrupts SET status = 'expired', answered_at = ${now} WHERE run_id = ${runId} AND status = 'open'`);
	return open.map((row) => ({ ...interruptOf(row), status: 'expired', answeredAt: now }));
}

export function findInterrupt(db: ReadDb, id: InterruptId): Interrupt | undefined {
	const row = get<InterruptRow>(db, sql`SELECT * FROM interrupts WHERE id = ${id}`);
	return row && interruptOf(row);
}

/** Throws `not_found`. */
export function getInterrupt(db: ReadDb, id: InterruptId): Interrupt {
	const found = findInterrupt(db, id);
	if (!found) throw terminal('not_found', 'That question no longer exists.', { safe: 'Nothing was done.' });
	return found;
}

/** What is open of all kinds, oldest first: of one session, one run, or all. */
export function openInterrupts(db: ReadDb, of: { sessionId?: SessionId | undefined; runId?: RunId | undefined } = {}): Interrupt[] {
	const inSession = of.sessionId === undefined ? sql`` : sql`AND session_id = ${of.sessionId}`;
	const inRun = of.runId === undefined ? sql`` : sql`AND run_id = ${of.runId}`;
	return all<InterruptRow>(db, sql`SELECT * FROM interrupts WHERE status = 'open' ${inSession} ${inRun} ORDER BY rowid`).map(interruptOf);
}

/** What waits for the owner, oldest first. */
export function ownersInterrupts(db: ReadDb, sessionId?: SessionId): Interrupt[] {
	const inSession = sessionId === undefined ? sql`` : sql`AND session_id = ${sessionId}`;
	const kinds = JSON.stringify(OWNERS_INTERRUPTS);
	return all<InterruptRow>(
		db,
		sql`SELECT * FROM interrupts WHERE status = 'open' AND kind IN (SELECT value FROM json_each(${kinds})) ${inSession} ORDER BY rowid`,
	).map(interruptOf);
}

/** Open waits for an event of this name, oldest first. */
export function waitsForEvent(db: ReadDb, name: EventName): InterruptId[] {
	return awaiting(db, 'event', name);
}

/** The open wait for this child run, if there is one. */
export function waitForChild(db: ReadDb, childRunId: RunId): InterruptId | undefined {
	return awaiting(db, 'child', childRunId)[0];
}

/** Child runs that somebody waits for although they no longer go on by themselves, or are gone. */
export function endedChildWaits(db: ReadDb): RunId[] {
	return all<{ awaited: RunId }>(
		db,
		sql`SELECT i.awaited FROM interrupts i LEFT JOIN runs r ON r.id = i.awaited
			WHERE i.kind = 'child' AND i.awaited IS NOT NULL AND i.status = 'open'
				AND coalesce(r.status, 'gone') NOT IN ('running', 'waiting', 'sleeping')
			ORDER BY i.rowid`,
	).map(({ awaited }) => awaited);
}

function awaiting(db: ReadDb, kind: 'event' | 'child', awaited: string): InterruptId[] {
	return all<{ id: InterruptId }>(
		db,
		sql`SELECT id FROM interrupts WHERE kind = ${kind} AND awaited = ${awaited} AND status = 'open' ORDER BY rowid`,
	).map(({ id }) => id);
}

/** Those of these that there still are, open or not. */
export function findInterrupts(db: ReadDb, ids: readonly InterruptId[]): Interrupt[] {
	const wanted = sql`SELECT value FROM json_each(${JSON.stringify(ids)})`;
	return all<InterruptRow>(db, sql`SELECT * FROM interrupts WHERE id IN (${wanted}) ORDER BY rowid`).map(interruptOf);
}

export function interruptOf(row: InterruptRow): Interrupt {
	return Interrupt.parse({
		id: row.id,
		runId: row.run_id,
		sessionId: row.session_id,
		step: row.step,
		callId: row.call_id,
		detail: JSON.parse(row.detail),
		shownHash: row.shown_hash,
		status: row.status,
		createdAt: row.created_at,
		...(row.answered_at !== null && { answeredAt: row.answered_at }),
	});
}
