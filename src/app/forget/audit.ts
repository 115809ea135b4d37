import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { isIn, type TextPlace } from '../../db/scrub.ts';
import { all, sql } from '../../db/sql.ts';
import type { RunId } from '../../domain/ids.ts';
import { type AppendRecords, forgetDetails } from '../../firewall/audit-forget.ts';
import { detailedAt } from '../../firewall/audit-store.ts';
import { rowidsIn } from './places.ts';

/** Forgetting in the audit log (M4): details go as a whole, and a record says of which ones. What is chained holds no text, and stays. */

const TABLE = 'audit';

/** Names and hashes of Hearth's own, such as a rule's. */
export function isChained(place: TextPlace): boolean {
	return isIn(place, TABLE) && place.column !== '"detail"';
}

export function isInAudit(place: TextPlace): boolean {
	return isIn(place, TABLE);
}

/**
 * The details that hold it, and those of steps whose journal does: the hash of a call's arguments is in them, and of a short text it could be
 * guessed what was hashed.
 */
export function forgetInAudit(tx: WriteDb, places: readonly TextPlace[], append: AppendRecords): void {
	const holding = rowidsIn(places, TABLE);
	forgetDetails(tx, [...holding, ...ofSteps(tx, rowidsIn(places, 'journal'))], append);
}

function ofSteps(db: ReadDb, journalRowids: readonly number[]): number[] {
	if (journalRowids.length === 0) return [];
	const steps = all<{ runId: RunId; step: number }>(
		db,
		sql`SELECT DISTINCT run_id AS runId, event ->> 'step' AS step FROM journal
			WHERE rowid IN (SELECT value FROM json_each(${JSON.stringify(journalRowids)})) AND event ->> 'step' IS NOT NULL`,
	);
	return detailedAt(db, steps);
}
