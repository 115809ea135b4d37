import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { InterruptId, RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { Interrupt, type InterruptAnswer, InterruptDetail } from '../domain/run.ts';
import { checkAnswer, shownHashOf } from './machine.ts';

/** Rows of `interrupts`: what waits for the owner (R3). Each change here shares its transaction with the run's journal. */

interface InterruptRow {
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
		sql`INSERT INTO interrupts (id, run_id, session_id, step, call_id, detail, shown_hash, status, created_at)
		VALUES (${interrupt.id}, ${interrupt.runId}, ${interrupt.sessionId}, ${interrupt.step}, ${interrupt.callId},
			${JSON.stringify(InterruptDetail.parse(interrupt.detail))}, ${shownHashOf(interrupt.detail)}, 'open', ${interrupt.createdAt})`,
	);
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

/** The run stopped: what it asked is no longer open. Returns what expired. */
export function expireInterrupts(db: WriteDb, runId: RunId, now: Timestamp): Interrupt[] {
	const open = all<InterruptRow>(db, sql`SELECT * FROM interrupts WHERE run_id = ${runId} AND status = 'open'`);
	if (open.length === 0) return [];
	run(db, sql`UPDATE interrupts SET status = 'expired', answered_at = ${now} WHERE run_id = ${runId} AND status = 'open'`);
	return open.map((row) => ({ ...interruptOf(row), status: 'expired', answeredAt: now }));
}

/** Throws `not_found`. */
export function getInterrupt(db: ReadDb, id: InterruptId): Interrupt {
	const row = get<InterruptRow>(db, sql`SELECT * FROM interrupts WHERE id = ${id}`);
	if (!row) throw terminal('not_found', 'That question no longer exists.', { safe: 'Nothing was done.' });
	return interruptOf(row);
}

/** What is open, oldest first: in one session or in all. */
export function openInterrupts(db: ReadDb, sessionId?: SessionId): Interrupt[] {
	const inSession = sessionId === undefined ? sql`` : sql`AND session_id = ${sessionId}`;
	return all<InterruptRow>(db, sql`SELECT * FROM interrupts WHERE status = 'open' ${inSession} ORDER BY rowid`).map(interruptOf);
}

function interruptOf(row: InterruptRow): Interrupt {
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
