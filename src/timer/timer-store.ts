import { newId } from '../base/ids.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, sql, value } from '../db/sql.ts';
import type { Timestamp } from '../domain/ids.ts';
import { RunKind } from '../domain/run.ts';
import type { Timer } from './due.ts';

/** Rows of `timers`. A row is there until what it is about has happened: unclaimed before it is told, claimed until its effect is written down. */

interface TimerRow {
	id: string;
	kind: string;
	ref: string;
	due_at: number;
	work: string;
}

/** The same slot is set once. */
export function setTimer(tx: WriteDb, timer: Omit<Timer, 'id'>, now: Timestamp): void {
	run(
		tx,
		sql`INSERT INTO timers (id, kind, ref, due_at, work, created_at)
			VALUES (${newId()}, ${timer.kind}, ${timer.ref}, ${timer.dueAt}, ${timer.work}, ${now})
			ON CONFLICT (kind, ref, due_at) DO NOTHING`,
	);
}

/** All slots of this matter, also claimed ones. */
export function clearTimers(tx: WriteDb, kind: string, ref: string): void {
	run(tx, sql`DELETE FROM timers WHERE kind = ${kind} AND ref = ${ref}`);
}

/** The earliest slot of this matter, also a claimed one. */
export function slotOf(db: ReadDb, kind: string, ref: string): Timestamp | undefined {
	return value<number>(db, sql`SELECT due_at FROM timers WHERE kind = ${kind} AND ref = ${ref} ORDER BY due_at LIMIT 1`);
}

/** Takes what is due, in order of due time: whoever else looks at the same database does not get it. */
export function claimDue(tx: WriteDb, works: readonly RunKind[], now: Timestamp, limit: number): Timer[] {
	const rows = all<TimerRow & { row: number }>(
		tx,
		sql`UPDATE timers SET claimed_at = ${now} WHERE id IN (
				SELECT id FROM timers
				WHERE claimed_at IS NULL AND work IN (SELECT value FROM json_each(${JSON.stringify(works)})) AND due_at <= ${now}
				ORDER BY due_at, rowid LIMIT ${limit}
			) RETURNING *, rowid AS row`,
	);
	return rows.sort((a, b) => a.due_at - b.due_at || a.row - b.row).map(timerOf);
}

/** It was claimed, and neither its effect nor anybody else has done away with it. */
export function isClaimed(db: ReadDb, id: string): boolean {
	return value(db, sql`SELECT 1 FROM timers WHERE id = ${id} AND claimed_at IS NOT NULL`) !== undefined;
}

export function deleteTimer(tx: WriteDb, id: string): void {
	run(tx, sql`DELETE FROM timers WHERE id = ${id}`);
}

/** What a process claimed that died before the effect: to be told again. Only for who owns the profile, at its start. */
export function releaseClaims(tx: WriteDb): number {
	return run(tx, sql`UPDATE timers SET claimed_at = NULL WHERE claimed_at IS NOT NULL`);
}

export function hasClaims(db: ReadDb): boolean {
	return value(db, sql`SELECT 1 FROM timers WHERE claimed_at IS NOT NULL LIMIT 1`) !== undefined;
}

/** The earliest slot of each kind of work that has one. */
export function earliestSlots(db: ReadDb): Map<RunKind, Timestamp> {
	const found = new Map<RunKind, Timestamp>();
	for (const work of RunKind.options) {
		const row = get<{ due_at: number }>(
			db,
			sql`SELECT due_at FROM timers WHERE claimed_at IS NULL AND work = ${work} ORDER BY due_at LIMIT 1`,
		);
		if (row) found.set(work, row.due_at);
	}
	return found;
}

export function countTimers(db: ReadDb): number {
	return value<number>(db, sql`SELECT COUNT(*) FROM timers`) ?? 0;
}

function timerOf(row: TimerRow): Timer {
	return { id: row.id, kind: row.kind, ref: row.ref, dueAt: row.due_at, work: RunKind.parse(row.work) };
}
