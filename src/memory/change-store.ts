import { z } from 'zod';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql, value } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import { type ChangeId, ChangeKind, type EntryId, MemoryPath, Provenance } from '../domain/memory.ts';
import { Hunk } from './hunks.ts';
import { Plan } from './plan.ts';

/** Rows of `memory_changes`: what was done to which file, in order; an intended one is a write under way (R1, M3). */

export interface MemoryChange {
	/** Order, whatever the clock says (dur-6). */
	readonly seq: number;
	readonly id: ChangeId;
	readonly file: MemoryPath;
	readonly kind: ChangeKind;
	readonly status: 'intended' | 'done' | 'given_up';
	readonly stepKey: string | undefined;
	/** SHA-256 of the file's bytes. */
	readonly beforeHash: string;
	readonly afterHash: string;
	readonly hunks: readonly Hunk[];
	readonly plan: Plan;
	readonly provenance: Provenance;
	readonly undoes: ChangeId | undefined;
	readonly undoneBy: ChangeId | undefined;
	readonly at: Timestamp;
}

export type NewChange = Omit<MemoryChange, 'seq' | 'undoneBy' | 'undoes'>;

interface ChangeRow {
	seq: number;
	id: ChangeId;
	file: string;
	kind: string;
	status: MemoryChange['status'];
	step_key: string | null;
	before_hash: string;
	after_hash: string;
	hunks: string;
	plan: string;
	provenance: string;
	undoes: ChangeId | null;
	undone_by: ChangeId | null;
	at: number;
}

export function insertChange(db: WriteDb, change: NewChange): void {
	runOne(
		db,
		sql`INSERT INTO memory_changes (id, file, kind, status, step_key, before_hash, after_hash, hunks, plan, provenance, undoes, at)
		VALUES (${change.id}, ${change.file}, ${change.kind}, ${change.status}, ${change.stepKey ?? null}, ${change.beforeHash},
			${change.afterHash}, ${JSON.stringify(change.hunks)}, ${JSON.stringify(change.plan)}, ${JSON.stringify(change.provenance)},
			${change.plan.undoes[0] ?? null}, ${change.at})`,
	);
}

export function findChange(db: ReadDb, id: ChangeId): MemoryChange | undefined {
	const row = get<ChangeRow>(db, sql`SELECT * FROM memory_changes WHERE id = ${id}`);
	return row && changeOf(row);
}

/** Throws `not_found`. */
export function getChange(db: ReadDb, id: ChangeId): MemoryChange {
	const change = findChange(db, id);
	if (!change) throw terminal('not_found', 'That change of memory does not exist.', { safe: 'Nothing was changed.' });
	return change;
}

export function changeOfKey(db: ReadDb, stepKey: string): MemoryChange | undefined {
	const row = get<ChangeRow>(db, sql`SELECT * FROM memory_changes WHERE step_key = ${stepKey}`);
	return row && changeOf(row);
}

/** Those that were written as one, in their order. */
export function changesOfGroup(db: ReadDb, group: ChangeId): MemoryChange[] {
	const rows = all<ChangeRow>(
		db,
		sql`SELECT * FROM memory_changes WHERE seq >= (SELECT seq FROM memory_changes WHERE id = ${group})
			AND json_extract(plan, '$.group') = ${group} ORDER BY seq LIMIT 10`,
	);
	return rows.map(changeOf);
}

/** Writes under way, oldest first. Those without a file are not writes of one file and have an owner of their own. */
export function openIntents(db: ReadDb): MemoryChange[] {
	return all<ChangeRow>(db, sql`SELECT * FROM memory_changes WHERE status = 'intended' AND file <> '' ORDER BY seq`).map(changeOf);
}

/** Whether a write to the file is under way, other than this one. */
export function hasOpenIntent(db: ReadDb, file: MemoryPath, besides?: ChangeId): boolean {
	const found = sql`SELECT 1 FROM memory_changes WHERE status = 'intended' AND file = ${file} AND id <> ${besides ?? ''} LIMIT 1`;
	return value<number>(db, found) !== undefined;
}

/** What was done to the file after this change, oldest first. */
export function laterChanges(db: ReadDb, change: MemoryChange): MemoryChange[] {
	const rows = all<ChangeRow>(
		db,
		sql`SELECT * FROM memory_changes WHERE file = ${change.file} AND seq > ${change.seq} AND status = 'done' ORDER BY seq`,
	);
	return rows.map(changeOf);
}

/** What steps of these runs wrote, itself or by the owner's leave, after number `afterSeq` of the ledger; oldest first. */
export function changesOfRuns(db: ReadDb, runIds: readonly RunId[], afterSeq = 0): MemoryChange[] {
	const rows = all<ChangeRow>(
		db,
		sql`SELECT * FROM memory_changes WHERE seq > ${afterSeq} AND status = 'done' AND undoes IS NULL
			AND json_extract(provenance, '$.runId') IN (SELECT value FROM json_each(${JSON.stringify(runIds)})) ORDER BY seq`,
	);
	return rows.map(changeOf);
}

/** The change that gave the entry the text it has. */
export function lastChangeOf(db: ReadDb, entryId: EntryId): MemoryChange | undefined {
	const row = get<ChangeRow>(
		db,
		sql`SELECT c.* FROM memory_versions v JOIN memory_changes c ON c.id = v.change_id
		WHERE v.entry_id = ${entryId} ORDER BY c.seq DESC LIMIT 1`,
	);
	return row && changeOf(row);
}

export function finishChange(db: WriteDb, id: ChangeId): void {
	runOne(db, sql`UPDATE memory_changes SET status = 'done' WHERE id = ${id} AND status = 'intended'`);
}

/** It was not written, and its key may be used again. */
export function giveUpChange(db: WriteDb, id: ChangeId): void {
	runOne(db, sql`UPDATE memory_changes SET status = 'given_up', step_key = NULL WHERE id = ${id} AND status = 'intended'`);
}

/** The same write on top of a file that has changed meanwhile. */
export function rebaseChange(db: WriteDb, change: Pick<MemoryChange, 'id' | 'beforeHash' | 'afterHash' | 'hunks'>): void {
	runOne(
		db,
		sql`UPDATE memory_changes SET before_hash = ${change.beforeHash}, after_hash = ${change.afterHash}, hunks = ${JSON.stringify(change.hunks)}
		WHERE id = ${change.id} AND status = 'intended'`,
	);
}

export function markUndone(db: WriteDb, ids: readonly ChangeId[], undoneBy: ChangeId): void {
	run(db, sql`UPDATE memory_changes SET undone_by = ${undoneBy} WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** What was undone holds again. */
export function unmarkUndone(db: WriteDb, ids: readonly ChangeId[]): void {
	run(db, sql`UPDATE memory_changes SET undone_by = NULL WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

const Hunks = z.array(Hunk);

function changeOf(row: ChangeRow): MemoryChange {
	return {
		seq: row.seq,
		id: row.id,
		file: MemoryPath.parse(row.file),
		kind: ChangeKind.parse(row.kind),
		status: row.status,
		stepKey: row.step_key ?? undefined,
		beforeHash: row.before_hash,
		afterHash: row.after_hash,
		hunks: Hunks.parse(JSON.parse(row.hunks)),
		plan: Plan.parse(JSON.parse(row.plan)),
		provenance: Provenance.parse(JSON.parse(row.provenance)),
		undoes: row.undoes ?? undefined,
		undoneBy: row.undone_by ?? undefined,
		at: row.at,
	};
}
