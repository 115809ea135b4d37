import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../../db/sql.ts';
import { terminal } from '../../domain/errors.ts';
import type { RunId, SessionId, Timestamp } from '../../domain/ids.ts';
import type { Label } from '../../domain/label.ts';
import { Reminder, type ReminderId } from '../../domain/reminder.ts';

/** Rows of `reminders`: coming, told, dismissed. */

interface Row {
	id: string;
	text: string;
	label: string;
	session_id: string | null;
	due_at: number;
	created_at: number;
	told_at: number | null;
	dismissed_at: number | null;
}

export interface NewReminder extends Pick<Reminder, 'id' | 'text' | 'label' | 'dueAt' | 'createdAt'> {
	readonly sessionId?: SessionId | undefined;
	readonly runId?: RunId | undefined;
	/** The same never sets two. */
	readonly stepKey: string;
}

export function insertReminder(db: WriteDb, reminder: NewReminder): void {
	runOne(
		db,
		sql`INSERT INTO reminders (id, text, label, session_id, run_id, step_key, due_at, created_at)
			VALUES (${reminder.id}, ${reminder.text}, ${reminder.label}, ${reminder.sessionId ?? null}, ${reminder.runId ?? null}, ${reminder.stepKey},
				${reminder.dueAt}, ${reminder.createdAt})`,
	);
}

export function reminderOfKey(db: ReadDb, stepKey: string): Reminder | undefined {
	const row = get<Row>(db, sql`SELECT * FROM reminders WHERE step_key = ${stepKey}`);
	return row && reminderOf(row);
}

/** Throws `not_found`. */
export function getReminder(db: ReadDb, id: ReminderId): Reminder {
	const row = get<Row>(db, sql`SELECT * FROM reminders WHERE id = ${id}`);
	if (!row) throw terminal('not_found', 'That reminder no longer exists.', { safe: 'Nothing was changed.' });
	return reminderOf(row);
}

/** Not dismissed, by time; else the newest dismissed ones. */
export function listReminders(db: ReadDb, which: 'open' | 'dismissed', limit: number): Reminder[] {
	const rows =
		which === 'open'
			? all<Row>(db, sql`SELECT * FROM reminders WHERE dismissed_at IS NULL ORDER BY due_at, id LIMIT ${limit}`)
			: all<Row>(db, sql`SELECT * FROM reminders WHERE dismissed_at IS NOT NULL ORDER BY dismissed_at DESC, id LIMIT ${limit}`);
	return rows.map(reminderOf);
}

export function countComing(db: ReadDb, label?: Label): number {
	const only = label ?? null;
	return (
		value<number>(
			db,
			sql`SELECT count(*) FROM reminders WHERE told_at IS NULL AND dismissed_at IS NULL AND (${only} IS NULL OR label = ${only})`,
		) ?? 0
	);
}

/** False where it was told before, or nobody wants it any more. */
export function markTold(db: WriteDb, id: ReminderId, at: Timestamp): boolean {
	return run(db, sql`UPDATE reminders SET told_at = ${at} WHERE id = ${id} AND told_at IS NULL AND dismissed_at IS NULL`) > 0;
}

export function markDismissed(db: WriteDb, id: ReminderId, at: Timestamp): void {
	run(db, sql`UPDATE reminders SET dismissed_at = ${at} WHERE id = ${id} AND dismissed_at IS NULL`);
}

export function deleteReminder(db: WriteDb, id: ReminderId): void {
	run(db, sql`DELETE FROM reminders WHERE id = ${id}`);
}

/** It comes again. */
export function moveReminder(db: WriteDb, id: ReminderId, dueAt: Timestamp): void {
	run(db, sql`UPDATE reminders SET due_at = ${dueAt}, told_at = NULL, dismissed_at = NULL WHERE id = ${id}`);
}

function reminderOf(row: Row): Reminder {
	return Reminder.parse({
		id: row.id,
		text: row.text,
		label: row.label,
		...(row.session_id !== null && { sessionId: row.session_id }),
		dueAt: row.due_at,
		createdAt: row.created_at,
		...(row.told_at !== null && { toldAt: row.told_at }),
		...(row.dismissed_at !== null && { dismissedAt: row.dismissed_at }),
	});
}
