import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../db/sql.ts';
import { AuditDetail, type AuditEntry, AuditRecord } from '../domain/audit.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
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

/** About how many bytes the log takes within state.db, told by its newest records. */
export function auditBytes(db: ReadDb): number {
	const newest = sql`SELECT length(record) + coalesce(length(detail), 0) + 400 AS bytes FROM audit ORDER BY seq DESC LIMIT 1000`;
	const each = value<number | null>(db, sql`SELECT avg(bytes) FROM (${newest})`) ?? 0;
	return Math.round(each * newestLink(db).seq);
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

/** Records of these steps that still have their detail. */
export function detailedAt(db: ReadDb, steps: readonly { readonly runId: RunId; readonly step: number }[]): number[] {
	const wanted = sql`SELECT value ->> 'runId' AS run_id, value ->> 'step' AS step FROM json_each(${JSON.stringify(steps)})`;
	return all<{ seq: number }>(
		db,
		sql`SELECT a.seq FROM (${wanted}) w JOIN audit a ON a.run_id = w.run_id AND a.record ->> 'step' = w.step WHERE a.detail IS NOT NULL`,
	).map(({ seq }) => seq);
}

/** Records of texts with these hashes. */
export function detailedOf(db: ReadDb, textHashes: readonly string[]): number[] {
	const wanted = sql`SELECT value FROM json_each(${JSON.stringify(textHashes)})`;
	return all<{ seq: number }>(db, sql`SELECT seq FROM audit WHERE detail ->> 'textHash' IN (${wanted})`).map(({ seq }) => seq);
}

/** Of the owner's own rules, too: they are names, and stay. */
export function rulesInUse(db: ReadDb): string[] {
	return all<{ rule: string }>(db, sql`SELECT DISTINCT rule FROM audit`).map(({ rule }) => rule);
}
