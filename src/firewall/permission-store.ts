import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, type Query, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { InterruptId, RunId, Timestamp } from '../domain/ids.ts';
import { parseJson } from '../domain/json.ts';
import { Permission, type PermissionId, type PermissionJob, type PermissionTerms } from '../domain/permission.ts';

/** Rows of `permissions`: what the owner said yes to in advance. One that was given is never changed, only ended. */

/** Of a profile from its start: the agent may work in `workspace/`. Revoked, it stays so. */
export const WORKSPACE_PERMISSION = 'workspace' as PermissionId;

interface Row {
	id: string;
	terms: string;
	origin: string;
	created_at: number;
	until: number | null;
	uses: number;
	last_used_at: number | null;
	revoked_at: number | null;
}

export interface NewPermission extends Pick<Permission, 'id' | 'terms' | 'origin' | 'createdAt'> {
	/** The question whose answer gave it: one answer gives once. */
	readonly interruptId?: InterruptId | undefined;
}

/** False where the answer gave it before; then nothing changed. */
export function insertPermission(db: WriteDb, { id, terms, origin, createdAt, interruptId }: NewPermission): boolean {
	const changes = run(
		db,
		sql`INSERT INTO permissions (id, terms, job_kind, job_ref, origin, interrupt_id, created_at, until)
		VALUES (${id}, ${JSON.stringify(terms)}, ${terms.job.kind}, ${refOf(terms.job)}, ${origin}, ${interruptId ?? null}, ${createdAt},
			${terms.until ?? null}) ON CONFLICT DO NOTHING`,
	);
	return changes === 1;
}

function refOf(job: PermissionJob): string | null {
	switch (job.kind) {
		case 'any':
			return null;
		case 'run':
			return job.runId;
		case 'chat':
			return job.sessionId;
		case 'workflow':
			return job.name;
		case 'task':
			return job.taskId;
	}
}

/** Makes sure that a profile has it once; whether it still holds is the owner's to say. */
export function ensureWorkspacePermission(db: WriteDb, now: Timestamp): void {
	const terms: PermissionTerms = { scope: { kind: 'workspace' }, label: 'approved', job: { kind: 'any' } };
	insertPermission(db, { id: WORKSPACE_PERMISSION, terms, origin: 'default', createdAt: now });
}

/** What holds now, oldest first. */
export function permissionsInForce(db: ReadDb, now: Timestamp): Permission[] {
	return select(db, sql`WHERE revoked_at IS NULL AND (until IS NULL OR until > ${now}) ORDER BY created_at, rowid`);
}

/** Those that hold first, then those that ended, newest first. */
export function listPermissions(db: ReadDb, now: Timestamp, most: number): Permission[] {
	const ended = sql`WHERE revoked_at IS NOT NULL OR until <= ${now} ORDER BY coalesce(revoked_at, until) DESC, rowid DESC LIMIT ${most}`;
	return [...permissionsInForce(db, now), ...select(db, ended)];
}

/** Throws `not_found`. */
export function getPermission(db: ReadDb, id: PermissionId): Permission {
	const row = get<Row>(db, sql`SELECT * FROM permissions WHERE id = ${id}`);
	const permission = row && permissionOf(row);
	if (!permission) throw terminal('not_found', 'That permission no longer exists.');
	return permission;
}

/** Throws `not_found`. False where it had ended before. */
export function revokePermission(db: WriteDb, id: PermissionId, now: Timestamp): boolean {
	getPermission(db, id);
	return run(db, sql`UPDATE permissions SET revoked_at = ${now} WHERE id = ${id} AND revoked_at IS NULL`) === 1;
}

/** What was given for one run ends with it. */
export function endPermissionsOfRun(db: WriteDb, runId: RunId, now: Timestamp): number {
	return run(db, sql`UPDATE permissions SET revoked_at = ${now} WHERE job_kind = 'run' AND job_ref = ${runId} AND revoked_at IS NULL`);
}

/** What was given for one task ends with it. */
export function endPermissionsOfTask(db: WriteDb, taskId: string, now: Timestamp): number {
	return run(db, sql`UPDATE permissions SET revoked_at = ${now} WHERE job_kind = 'task' AND job_ref = ${taskId} AND revoked_at IS NULL`);
}

/** One call went through on them. */
export function countUse(db: WriteDb, ids: readonly PermissionId[], now: Timestamp): void {
	for (const id of ids) runOne(db, sql`UPDATE permissions SET uses = uses + 1, last_used_at = ${now} WHERE id = ${id}`);
}

function select(db: ReadDb, where: Query): Permission[] {
	return all<Row>(db, sql`SELECT * FROM permissions ${where}`).flatMap((row) => permissionOf(row) ?? []);
}

/** Undefined where a text in it was forgotten that it can't do without: then it names nothing. */
function permissionOf(row: Row): Permission | undefined {
	return Permission.safeParse({
		id: row.id,
		terms: parseJson(row.terms),
		origin: row.origin,
		createdAt: row.created_at,
		uses: row.uses,
		...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
		...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
	}).data;
}
