import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, get, run, runOne, type SqlValue, sql, value } from '../../db/sql.ts';
import type { RestoreId, RunId } from '../../domain/ids.ts';
import { Label } from '../../domain/label.ts';
import type { WhichChanges, WorkspaceChange } from './port.ts';

/** Rows of `workspace_changes`: what was done to which file of `workspace/`, in order; an intended one is a change under way (R1). */

interface ChangeRow {
	seq: number;
	run_id: RunId | null;
	step: number | null;
	restore_id: RestoreId | null;
	step_key: string | null;
	path: string;
	before_hash: string | null;
	after_hash: string | null;
	bytes: number;
	label: string;
	status: WorkspaceChange['status'];
	at: number;
}

export type NewWorkspaceChange = Omit<WorkspaceChange, 'seq' | 'status'>;

/** As intended. Gives its number. */
export function insertWorkspaceChange(db: WriteDb, change: NewWorkspaceChange): number {
	runOne(
		db,
		sql`INSERT INTO workspace_changes (run_id, step, restore_id, step_key, path, before_hash, after_hash, bytes, label, status, at)
		VALUES (${change.runId ?? null}, ${change.step ?? null}, ${change.restoreId ?? null}, ${change.stepKey ?? null}, ${change.path},
			${change.before}, ${change.after}, ${change.bytes}, ${change.label}, 'intended', ${change.at})`,
	);
	return value<number>(db, sql`SELECT last_insert_rowid()`) ?? 0;
}

export function endWorkspaceChange(db: WriteDb, seq: number, status: 'done' | 'given_up'): void {
	runOne(db, sql`UPDATE workspace_changes SET status = ${status} WHERE seq = ${seq} AND status = 'intended'`);
}

/** It was not made, and its key may be used again. */
export function dropWorkspaceChange(db: WriteDb, seq: number): void {
	runOne(db, sql`UPDATE workspace_changes SET status = 'given_up', step_key = NULL WHERE seq = ${seq} AND status = 'intended'`);
}

export function findWorkspaceChange(db: ReadDb, seq: number): WorkspaceChange | undefined {
	const row = get<ChangeRow>(db, sql`SELECT * FROM workspace_changes WHERE seq = ${seq}`);
	return row && changeOf(row);
}

export function workspaceChangeOfKey(db: ReadDb, stepKey: string): WorkspaceChange | undefined {
	const row = get<ChangeRow>(db, sql`SELECT * FROM workspace_changes WHERE step_key = ${stepKey}`);
	return row && changeOf(row);
}

/** Changes under way, oldest first. */
export function openWorkspaceChanges(db: ReadDb): WorkspaceChange[] {
	return all<ChangeRow>(db, sql`SELECT * FROM workspace_changes WHERE status = 'intended' ORDER BY seq`).map(changeOf);
}

export function workspaceChanges(db: ReadDb, which: WhichChanges): WorkspaceChange[] {
	const { runIds, paths, restoreId = null, afterSeq = 0, upToSeq = Number.MAX_SAFE_INTEGER } = which;
	const rows = all<ChangeRow>(
		db,
		sql`SELECT * FROM workspace_changes WHERE status = 'done' AND seq > ${afterSeq} AND seq <= ${upToSeq}
			AND (${restoreId} IS NULL OR restore_id = ${restoreId})
			AND (${jsonList(runIds)} IS NULL OR run_id IN (SELECT value FROM json_each(${jsonList(runIds)})))
			AND (${jsonList(paths)} IS NULL OR path IN (SELECT value FROM json_each(${jsonList(paths)})))
		ORDER BY seq`,
	);
	return rows.map(changeOf);
}

/** The newest of the ledger, whatever became of it; 0 where there is none. */
export function lastWorkspaceSeq(db: ReadDb): number {
	return value<number | null>(db, sql`SELECT max(seq) FROM workspace_changes`) ?? 0;
}

/** The last change of each file up to then, by path: what the files of the ledger held. */
export function lastWorkspaceChanges(db: ReadDb, upToSeq: number): WorkspaceChange[] {
	const rows = all<ChangeRow>(
		db,
		sql`SELECT * FROM workspace_changes
			WHERE seq IN (SELECT max(seq) FROM workspace_changes WHERE status = 'done' AND seq <= ${upToSeq} GROUP BY path) ORDER BY path`,
	);
	return rows.map(changeOf);
}

/**
 * Content that was kept under one hash is kept under another one, because something was taken out of it. A file that still holds the old
 * content stays known by it, and so does its label.
 */
export function moveWorkspaceContent(db: WriteDb, from: string, to: string, bytes: number): void {
	const last = sql`SELECT max(seq) FROM workspace_changes WHERE status = 'done' GROUP BY path`;
	run(
		db,
		sql`INSERT INTO workspace_changes (path, before_hash, after_hash, bytes, label, status, at)
		SELECT path, NULL, after_hash, bytes, label, 'given_up', max(at) FROM workspace_changes
		WHERE after_hash = ${from} AND seq NOT IN (${last}) GROUP BY label`,
	);
	run(db, sql`UPDATE workspace_changes SET before_hash = ${to} WHERE before_hash = ${from}`);
	run(
		db,
		sql`UPDATE workspace_changes SET after_hash = ${to}, bytes = ${bytes}
		WHERE after_hash = ${from} AND status = 'done' AND seq NOT IN (${last})`,
	);
}

/** The labels under which this content was ever written, to whatever file: a copy is no more to be trusted than what it was copied from. */
export function labelsOfContent(db: ReadDb, hash: string): Label[] {
	return labels(db, sql`SELECT DISTINCT label FROM workspace_changes WHERE after_hash = ${hash}`);
}

/** The labels of those who gave these files, and what lies in these folders, their names. */
export function labelsOfNames(db: ReadDb, paths: readonly string[]): Label[] {
	return labels(
		db,
		sql`SELECT DISTINCT c.label FROM json_each(${JSON.stringify(paths)}) n JOIN workspace_changes c
			ON c.path = n.value OR (c.path > n.value || '/' AND c.path < n.value || '0') WHERE c.after_hash IS NOT NULL`,
	);
}

function labels(db: ReadDb, query: Parameters<typeof all>[1]): Label[] {
	return all<{ label: string }>(db, query).map((row) => Label.parse(row.label));
}

function jsonList(values: readonly string[] | undefined): SqlValue {
	return values === undefined ? null : JSON.stringify(values);
}

function changeOf(row: ChangeRow): WorkspaceChange {
	return {
		seq: row.seq,
		runId: row.run_id ?? undefined,
		step: row.step ?? undefined,
		restoreId: row.restore_id ?? undefined,
		stepKey: row.step_key ?? undefined,
		path: row.path,
		before: row.before_hash,
		after: row.after_hash,
		bytes: row.bytes,
		label: Label.parse(row.label),
		status: row.status,
		at: row.at,
	};
}
