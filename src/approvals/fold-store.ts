import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, sql, value } from '../db/sql.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { ProposalId } from '../domain/memory.ts';

/** Which of a source's findings stand under another one. Each folds under one that folds under none. */

/** The oldest finding of this source that waits by itself, and now. */
export function headOfSource(db: ReadDb, sourceId: WatchedSourceId, now: Timestamp): ProposalId | undefined {
	return value<ProposalId>(
		db,
		sql`SELECT id FROM proposals WHERE source_id = ${sourceId} AND status = 'pending' AND folded_into IS NULL
			AND (snoozed_until IS NULL OR snoozed_until <= ${now}) ORDER BY created_at, id LIMIT 1`,
	);
}

export function pendingOfSource(db: ReadDb, sourceId: WatchedSourceId): ProposalId[] {
	return ids(
		all<{ id: ProposalId }>(db, sql`SELECT id FROM proposals WHERE source_id = ${sourceId} AND status = 'pending' ORDER BY created_at, id`),
	);
}

/** What waits under this one, oldest first. */
export function foldedUnder(db: ReadDb, id: ProposalId): ProposalId[] {
	return ids(
		all<{ id: ProposalId }>(db, sql`SELECT id FROM proposals WHERE folded_into = ${id} AND status = 'pending' ORDER BY created_at, id`),
	);
}

/** `under` null: they wait by themselves. */
export function foldUnder(db: WriteDb, which: readonly ProposalId[], under: ProposalId | null): void {
	run(
		db,
		sql`UPDATE proposals SET folded_into = ${under} WHERE id IN (SELECT value FROM json_each(${JSON.stringify(which)})) AND status = 'pending'`,
	);
}

function ids(rows: readonly { id: ProposalId }[]): ProposalId[] {
	return rows.map(({ id }) => id);
}
