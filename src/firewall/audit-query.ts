import { setImmediate } from 'node:timers/promises';
import type { ReadDb } from '../db/brands.ts';
import { all, type Query, sql } from '../db/sql.ts';
import type { AuditDecision, AuditRecord, AuditSink } from '../domain/audit.ts';
import { canonicalJson, type Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import { hashedPart, type StoredRecord } from './audit-chain.ts';
import { newestLink, recordOf } from './audit-store.ts';

/** Looking through the log: newest first for people, oldest first for an export. */

export interface AuditQuery {
	readonly text?: string | undefined;
	readonly decisions?: readonly AuditDecision[] | undefined;
	readonly labels?: readonly Label[] | undefined;
	readonly sinks?: readonly AuditSink[] | undefined;
	readonly runId?: string | undefined;
	readonly since?: number | undefined;
	readonly until?: number | undefined;
}

/** Numbers that are looked through between two turns of the event loop: by the narrow index, or reading every detail. */
const SPAN = 50_000;
const TEXT_SPAN = 4_000;

/** Newest first, below `before`. One that can't be read any more is left out here; `verify` says so. */
export async function listRecords(
	db: ReadDb,
	query: AuditQuery,
	{ before, limit }: { before?: number | undefined; limit: number },
): Promise<{ records: AuditRecord[]; hasMore: boolean }> {
	const span = spanOf(query);
	const found: StoredRecord[] = [];
	for (let below = before ?? newestLink(db).seq + 1; below > 1 && found.length <= limit; below -= span) {
		const where = sql`seq < ${below} AND seq >= ${below - span}`;
		found.push(...page(db, query, where, sql`DESC`, limit + 1 - found.length));
		await setImmediate();
	}
	return { records: found.slice(0, limit).flatMap(readable), hasMore: found.length > limit };
}

/** Oldest first, from behind `after` on: lines of JSON as an export has them. `next`: where the rest begins. */
export async function exportLines(
	db: ReadDb,
	query: AuditQuery,
	{ after, limit }: { after: number; limit: number },
): Promise<{ text: string; records: number; next?: number }> {
	const span = spanOf(query);
	const found: StoredRecord[] = [];
	const newest = newestLink(db).seq;
	let from = after;
	for (; from < newest && found.length < limit; from += span) {
		const where = sql`seq > ${from} AND seq <= ${from + span}`;
		found.push(...page(db, query, where, sql`ASC`, limit - found.length));
		await setImmediate();
	}
	const last = found.at(-1);
	const next = found.length === limit && last ? last.seq : from;
	return { text: found.map(exportLine).join(''), records: found.length, ...(next < newest && { next }) };
}

function spanOf({ text }: AuditQuery): number {
	return text === undefined ? SPAN : TEXT_SPAN;
}

function page(db: ReadDb, query: AuditQuery, range: Query, order: Query, limit: number): StoredRecord[] {
	const narrow =
		query.runId === undefined
			? sql`SELECT seq FROM audit INDEXED BY audit_by_kind WHERE ${range} ${kindsOf(query)}`
			: sql`SELECT seq FROM audit WHERE run_id = ${query.runId} AND ${range} ${kindsOf(query)}`;
	const plain = query.text === undefined ? sql`ORDER BY seq ${order} LIMIT ${limit}` : sql``;
	return all<StoredRecord>(
		db,
		sql`SELECT * FROM audit WHERE seq IN (${narrow} ${plain}) ${holding(query.text)} ORDER BY seq ${order} LIMIT ${limit}`,
	);
}

function kindsOf({ decisions, labels, sinks, since, until }: AuditQuery): Query {
	const among = (column: Query, values: readonly string[] | undefined): Query =>
		values === undefined || values.length === 0 ? sql`` : sql`AND ${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
	const times = sql`${since === undefined ? sql`` : sql`AND at >= ${since}`} ${until === undefined ? sql`` : sql`AND at < ${until}`}`;
	return sql`${among(sql`decision`, decisions)} ${among(sql`label`, labels)} ${among(sql`sink`, sinks)} ${times}`;
}

/** In names, rule or hash. The raw text of a detail is looked at first: it says no most of the time. */
function holding(text: string | undefined): Query {
	if (text === undefined) return sql``;
	const like = (given: string): string => `%${given.replace(/[\\%_]/g, '\\$&')}%`;
	const pattern = like(text);
	const raw = like(JSON.stringify(text).slice(1, -1));
	const names = ['from', 'to', 'reason', 'tool', 'outcome', 'textHash']
		.map((name) => sql`detail ->> ${name} LIKE ${pattern} ESCAPE '\\'`)
		.reduce((left, right) => sql`${left} OR ${right}`);
	const seen = sql`EXISTS (SELECT 1 FROM json_each(detail, '$.sources') WHERE value ->> 'name' LIKE ${pattern} ESCAPE '\\')`;
	return sql`AND (rule LIKE ${pattern} ESCAPE '\\' OR hash LIKE ${pattern} ESCAPE '\\'
		OR (detail LIKE ${raw} ESCAPE '\\' AND (${names} OR ${seen})))`;
}

function readable(stored: StoredRecord): AuditRecord[] {
	try {
		return [recordOf(stored)];
	} catch {
		return [];
	}
}

/** What was hashed, as it was, also where it was tampered with: whoever checks it has to see that. */
function exportLine(stored: StoredRecord): string {
	const { hash, detail, detail_salt: salt } = stored;
	let part: { [key: string]: Json };
	try {
		part = hashedPart(stored);
	} catch {
		part = { seq: stored.seq, previousHash: stored.previous_hash };
	}
	const detailSalt = salt === null ? null : Buffer.from(salt).toString('hex');
	return `${canonicalJson({ ...part, hash, detail: detail === null ? null : detailJson(detail), detailSalt })}\n`;
}

function detailJson(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return text;
	}
}
