import type { ReadDb, WriteDb } from '../../db/brands.ts';
import { all, get, run, runOne, type SqlValue, sql, value } from '../../db/sql.ts';
import type { RestoreId, RunId } from '../../domain/ids.ts';
import { Label } from '../../domain/label.ts';
import { sourcesOf } from './content-labels.ts';
import type { WhichChanges, WorkspaceChange } from './port.ts';

/** Rows of `workspace_changes`: what was done to which file of `workspace/`, in order; an intended one is a change under way (R1). */

interface ChangeRow {
	seq: number;
	run_id: RunId | null;
	step: number | null;
	restore_id: RestoreId | null;
	step_key: string | null;
	path: string;
	root: string | null;
	before_hash: string | null;
	after_hash: string | null;
	bytes: number;
	label: string;
	sources: string;
	status: WorkspaceChange['status'];
	at: number;
}

export type NewWorkspaceChange = Omit<WorkspaceChange, 'seq' | 'status'>;

/** As intended. Gives its number. */
export function insertWorkspaceChange(db: WriteDb, change: NewWorkspaceChange): number {
	runOne(
		db,
		sql`INSERT INTO workspace_changes (run_id, step, restore_id, step_key, path, root, before_hash, after_hash, bytes, label, sources, status, at)
		VALUES (${change.runId ?? null}, ${change.step ?? null}, ${change.restoreId ?? null}, ${change.stepKey ?? null}, ${change.path},
			${change.root ?? null}, ${change.before}, ${change.after}, ${change.bytes}, ${change.label}, ${JSON.stringify(change.sources)}, 'intended', ${change.at})`,
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

/** Whether this content is kept in `blobs/` because it was written. */
export function keepsContent(db: ReadDb, hash: string): boolean {
	return value<number>(db, sql`SELECT EXISTS (SELECT 1 FROM workspace_changes WHERE after_hash = ${hash})`) === 1;
}

export function lastChangeOfPath(db: ReadDb, path: string): WorkspaceChange | undefined {
	const row = get<ChangeRow>(db, sql`SELECT * FROM workspace_changes WHERE path = ${path} AND status = 'done' ORDER BY seq DESC LIMIT 1`);
	return row && changeOf(row);
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
		sql`INSERT INTO workspace_changes (path, root, before_hash, after_hash, bytes, label, sources, status, at)
		SELECT path, root, NULL, after_hash, bytes, label, sources, 'given_up', max(at) FROM workspace_changes
		WHERE after_hash = ${from} AND seq NOT IN (${last}) GROUP BY label`,
	);
	run(db, sql`UPDATE workspace_changes SET before_hash = ${to} WHERE before_hash = ${from}`);
	run(
		db,
		sql`UPDATE workspace_changes SET after_hash = ${to}, bytes = ${bytes}
		WHERE after_hash = ${from} AND status = 'done' AND seq NOT IN (${last})`,
	);
}

/** By name, the labels of those who gave it: of these files, and of those that lie in these folders. A name that is not in it nobody gave. */
export function labelsOfNames(db: ReadDb, paths: readonly string[]): ReadonlyMap<string, Label[]> {
	const found = all<{ name: string; label: string }>(
		db,
		sql`SELECT DISTINCT n.value AS name, c.label FROM json_each(${JSON.stringify(paths)}) n JOIN workspace_changes c
			ON c.path = n.value OR (c.path > n.value || '/' AND c.path < n.value || '0') WHERE c.after_hash IS NOT NULL`,
	);
	const labels = new Map<string, Label[]>();
	for (const { name, label } of found) labels.set(name, [...(labels.get(name) ?? []), Label.parse(label)]);
	return labels;
}

/** The granted folder in which a change of this file was made last. */
export function rootOfPath(db: ReadDb, path: string): string | undefined {
	return (
		value<string | null>(db, sql`SELECT root FROM workspace_changes WHERE path = ${path} AND root IS NOT NULL ORDER BY seq DESC LIMIT 1`) ??
		undefined
	);
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
		root: row.root ?? undefined,
		before: row.before_hash,
		after: row.after_hash,
		bytes: row.bytes,
		label: Label.parse(row.label),
		sources: sourcesOf(row.sources),
		status: row.status,
		at: row.at,
	};
}
