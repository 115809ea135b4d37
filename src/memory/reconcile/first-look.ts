import { isCopy, noCopyAnyMore } from '../../db/backup.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { run, sql, value } from '../../db/sql.ts';
import type { Timestamp } from '../../domain/ids.ts';
import type { Outsider } from '../outside.ts';

/** A change of no file, there as soon as every file was compared with this ledger once. */
const FIRST_LOOK = 'first-look';

/**
 * False for a ledger that is new, or that was put back from a back-up: what lies on the disk and is not in it may be the owner's, or what
 * Hearth wrote with sources that nobody knows any more.
 */
export function hasLooked(db: ReadDb): boolean {
	return !isCopy(db) && value<number>(db, sql`SELECT 1 FROM memory_changes WHERE id = ${FIRST_LOOK}`) === 1;
}

export function noteFirstLook(db: WriteDb, at: Timestamp): void {
	const provenance = JSON.stringify(unknownOrigin(at).provenance);
	run(
		db,
		sql`INSERT INTO memory_changes (id, file, kind, status, before_hash, after_hash, hunks, plan, provenance, at)
		VALUES (${FIRST_LOOK}, '', 'file_edit', 'done', '', '', '[]', '{}', ${provenance}, ${at}) ON CONFLICT DO NOTHING`,
	);
	if (isCopy(db)) noCopyAnyMore(db);
}

/** Never taken for the owner's own words, and not for outside text either, which would be kept from every prompt. */
export function unknownOrigin(at: Timestamp): Outsider {
	return { kind: 'file_edit', provenance: { author: 'unknown', label: 'approved', origin: 'approved', sources: [], at } };
}
