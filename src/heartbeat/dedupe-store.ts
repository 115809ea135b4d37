import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, type Query, run, sql, value } from '../db/sql.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import type { ProposalId } from '../domain/memory.ts';
import { LONGEST_DAY_MS } from './caps.ts';
import { relationOf, type Statement } from './dedupe.ts';

/** What findings say, to compare new ones with: rows of `proposals` that are findings, and their vectors. */

export interface KnownFinding extends Statement {
	readonly id: ProposalId;
	readonly status: 'pending' | 'approved' | 'rejected';
	readonly sourceId: WatchedSourceId;
}

/** Of more, the newest: what was said long ago may be said again. */
const MOST_COMPARED = 3_000;

interface Row {
	id: ProposalId;
	status: KnownFinding['status'];
	sourceId: WatchedSourceId;
	text: string | null;
	vector: Uint8Array | null;
}

/** Newest first, without those of this run; with their vectors of this model. What was forgotten says nothing any more. */
export function knownFindings(db: ReadDb, model: string | undefined, but: RunId): KnownFinding[] {
	return findingsWhere(db, model, sql`p.run_id IS NOT ${but}`);
}

function findingsWhere(db: ReadDb, model: string | undefined, wanted: Query): KnownFinding[] {
	const rows = all<Row>(
		db,
		sql`SELECT p.id, p.status, p.source_id AS sourceId, json_extract(p.operation, '$.text') AS text, v.vector
			FROM proposals p LEFT JOIN finding_vectors v ON v.proposal_id = p.id AND v.model = ${model ?? ''}
			WHERE p.source_id IS NOT NULL AND ${wanted} ORDER BY p.created_at DESC, p.id DESC LIMIT ${MOST_COMPARED}`,
	);
	return rows.flatMap(({ text, vector, ...row }) => (text === null ? [] : [{ ...row, text, ...(vector && { vector: vectorOf(vector) }) }]));
}

/** Findings that wait and say nearly the same as this one: where the owner rejects it, they fold under it. */
export function similarFindings(db: ReadDb, id: ProposalId): ProposalId[] {
	const model = value<string>(db, sql`SELECT model FROM finding_vectors WHERE proposal_id = ${id} LIMIT 1`);
	const [one] = findingsWhere(db, model, sql`p.id = ${id}`);
	if (!one) return [];
	const waiting = findingsWhere(db, model, sql`p.id <> ${id} AND p.status = 'pending'`);
	return waiting.filter((other) => relationOf(one, other) === 'same').map((other) => other.id);
}

/** Findings of the day that begins then, of all sources or of one, without those of this run. */
export function countFindings(db: ReadDb, since: Timestamp, but: RunId, of?: WatchedSourceId): number {
	const source = of === undefined ? sql`p.source_id IS NOT NULL` : sql`p.source_id = ${of}`;
	return (
		value<number>(
			db,
			sql`SELECT count(*) FROM proposals p WHERE ${source} AND p.created_at >= ${since}
			AND p.created_at < ${since + LONGEST_DAY_MS} AND p.run_id IS NOT ${but}`,
		) ?? 0
	);
}

/** Steps under which this run holds findings already: it was taken in before, up to a crash. */
export function heldSteps(db: ReadDb, runId: RunId): Map<string, ProposalId> {
	const rows = all<{ id: ProposalId; step: string }>(
		db,
		sql`SELECT id, step_key AS step FROM proposals WHERE run_id = ${runId} AND source_id IS NOT NULL AND step_key IS NOT NULL`,
	);
	return new Map(rows.map(({ id, step }) => [step, id]));
}

export function saveFindingVector(db: WriteDb, id: ProposalId, model: string, vector: Float32Array): void {
	const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
	run(
		db,
		sql`INSERT INTO finding_vectors (proposal_id, model, vector) SELECT ${id}, ${model}, ${bytes}
			WHERE EXISTS (SELECT 1 FROM proposals WHERE id = ${id})
			ON CONFLICT (proposal_id, model) DO UPDATE SET vector = excluded.vector`,
	);
}

function vectorOf(bytes: Uint8Array): Float32Array {
	return new Float32Array(bytes.slice().buffer);
}
