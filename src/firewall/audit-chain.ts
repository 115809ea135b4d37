import { randomBytes } from 'node:crypto';
import { sha256 } from '../base/sha256.ts';
import type { AuditEntry } from '../domain/audit.ts';
import { canonicalJson, type Json, parseJson } from '../domain/json.ts';

/**
 * How records are chained (S1). What is hashed is canonical JSON of a record without its detail, and holds the hash of the record before.
 * The detail, and with it the hash of the text that crossed, is in it as a salted hash only: it can be forgotten, and of a short text
 * nobody can guess from what stays what it said (M4).
 */

/** A place in the chain. */
export interface Link {
	readonly seq: number;
	readonly hash: string;
}

/** Before the first record. */
export const CHAIN_START: Link = { seq: 0, hash: '0'.repeat(64) };

/** A record as it is stored: the very texts that were hashed. */
export interface StoredRecord {
	readonly seq: number;
	readonly at: number;
	readonly sink: string;
	readonly decision: string;
	readonly rule: string;
	readonly label: string;
	readonly run_id: string | null;
	/** Canonical JSON of what else is hashed. */
	readonly record: string;
	/** Canonical JSON of the detail and the text's hash; null, with its salt, where it was forgotten. */
	readonly detail: string | null;
	readonly detail_salt: Uint8Array | null;
	readonly previous_hash: string;
	readonly hash: string;
}
type Hashed = Omit<StoredRecord, 'detail' | 'detail_salt' | 'hash'>;

/** The next record of the chain. */
export function chained(entry: AuditEntry, at: number, previous: Link): StoredRecord {
	const { detail, textHash, sink, decision, rule, label, runId, callId, ...rest } = entry;
	const salt = randomBytes(16);
	const detailText = canonicalJson(plain({ ...detail, textHash }));
	const call = callId === undefined ? undefined : callNameOf(callId);
	const hashed: Hashed = {
		seq: previous.seq + 1,
		at,
		sink,
		decision,
		rule,
		label,
		run_id: runId ?? null,
		record: canonicalJson(plain({ ...rest, callId: call, detailHash: detailHashOf(detailText, salt) })),
		previous_hash: previous.hash,
	};
	return { ...hashed, detail: detailText, detail_salt: salt, hash: hashOf(hashedPart(hashed)) };
}

/** A model names its calls as it likes: the log holds no such name. */
export function callNameOf(callId: string): string {
	return sha256(callId).slice(0, 16);
}

export function detailHashOf(detailText: string, salt: Uint8Array): string {
	return sha256(`${Buffer.from(salt).toString('hex')}\n${detailText}`);
}

export function hashOf(part: { [key: string]: Json }): string {
	return sha256(canonicalJson(part));
}

/** All that is hashed of a record, by the names of `AuditRecord`. Throws where `record` is not canonical JSON of the rest. */
export function hashedPart(stored: Hashed): { [key: string]: Json } {
	const rest = parseJson(stored.record);
	if (rest === null || typeof rest !== 'object' || Array.isArray(rest)) throw new Error('It is no JSON object.');
	const members = rest as { [key: string]: Json };
	if (canonicalJson(members) !== stored.record) throw new Error('It was not written by Hearth.');
	const { seq, at, sink, decision, rule, label, run_id: runId, previous_hash: previousHash } = stored;
	const columns = { seq, at, sink, decision, rule, label, ...(runId !== null && { runId }), previousHash };
	if (['runId', 'hash', 'detail', 'detailSalt', ...Object.keys(columns)].some((key) => key in members))
		throw new Error('It says a thing twice.');
	return { ...members, ...columns };
}

/** As JSON stores it, without what is undefined. */
function plain(value: object): Json {
	return JSON.parse(JSON.stringify(value)) as Json;
}
