import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../db/sql.ts';
import { AuditDetail, type AuditEntry, AuditRecord } from '../domain/audit.ts';
import type { Timestamp } from '../domain/ids.ts';
import { CHAIN_START, chained, hashedPart, type Link, type StoredRecord } from './audit-chain.ts';

/** Rows of `audit`: added at the end of the chain, read, and emptied of what was forgotten. Nothing else changes them; triggers see to that. */

/** Adds them at the end, in this order. */
export function appendRecords(tx: WriteDb, entries: readonly AuditEntry[], at: Timestamp): void {
	let last = newestLink(tx);
	for (const entry of entries) {
		const record = chained(entry, at, last);
		insert(tx, record);
		last = record;
	}
}

function insert(tx: WriteDb, record: StoredRecord): void {
	runOne(
		tx,
		sql`INSERT INTO audit (seq, at, sink, decision, rule, label, run_id, record, detail, detail_salt, previous_hash, hash)
		VALUES (${record.seq}, ${record.at}, ${record.sink}, ${record.decision}, ${record.rule}, ${record.label}, ${record.run_id},
			${record.record}, ${record.detail}, ${record.detail_salt}, ${record.previous_hash}, ${record.hash})`,
	);
}

/** The end of the chain. */
export function newestLink(db: ReadDb): Link {
	return get<Link>(db, sql`SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1`) ?? CHAIN_START;
}

export function linkAt(db: ReadDb, seq: number): Link | undefined {
	return seq === 0 ? CHAIN_START : get<Link>(db, sql`SELECT seq, hash FROM audit WHERE seq = ${seq}`);
}

/** As they are stored, oldest first, from behind this number on. */
export function storedAfter(db: ReadDb, seq: number, limit: number): StoredRecord[] {
	return all<StoredRecord>(db, sql`SELECT * FROM audit WHERE seq > ${seq} ORDER BY seq LIMIT ${limit}`);
}

export function findRecord(db: ReadDb, seq: number): AuditRecord | undefined {
	const stored = get<StoredRecord>(db, sql`SELECT * FROM audit WHERE seq = ${seq}`);
	return stored && recordOf(stored);
}

/** Whether what keeps records from being changed is in place. */
export function isGuarded(db: ReadDb): boolean {
	const triggers = value<number>(db, sql`SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit'`);
	return triggers === 4;
}

/** The detail and the hash of the text go, for good. */
export function blankDetail(tx: WriteDb, seq: number): void {
	run(tx, sql`UPDATE audit SET detail = NULL, detail_salt = NULL WHERE seq = ${seq}`);
}

/** Throws where it is not readable: then it was tampered with, and `verify` says so. */
export function recordOf(stored: StoredRecord): AuditRecord {
	const { textHash = null, ...detail } = stored.detail === null ? {} : (JSON.parse(stored.detail) as { textHash?: string | null });
	return AuditRecord.parse({
		...hashedPart(stored),
		textHash,
		detail: stored.detail === null ? null : AuditDetail.parse(detail),
		hash: stored.hash,
	});
}
