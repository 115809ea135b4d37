import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Announce } from '../contract/announce.ts';
import type { WriteDb } from '../db/open.ts';
import type { PermissionId, PermissionJob, PermissionTerms } from '../domain/permission.ts';
import type { TaskId } from '../domain/task.ts';
import { permissionEntry } from '../firewall/answers.ts';
import { endPermissionsOfTask, insertPermission, permissionsInForce } from '../firewall/permission-store.ts';
import type { AuditLog } from '../firewall/ports.ts';
import { boundTo } from '../tasks/grants.ts';

export interface TaskPermissions {
	/** Standing ones, of the owner's yes to a card, in its transaction. Throws `invalid_input` for those of other work. */
	give(tx: WriteDb, taskId: TaskId, terms: readonly PermissionTerms[]): void;
	/** What a test run may, until it ends. */
	permit(tx: WriteDb, terms: readonly PermissionTerms[]): void;
	end(tx: WriteDb, taskId: TaskId): void;
}

/** Permissions that the owner gives with a task: rows as any others, audited as any others. */
export function createTaskPermissions({ clock, audit, announce }: { clock: Clock; audit: AuditLog; announce: Announce }): TaskPermissions {
	// A transaction ends before anything else is done.
	const changed = (): void => queueMicrotask(() => announce({ type: 'permissions_changed' }));
	function insert(tx: WriteDb, all: readonly PermissionTerms[]): void {
		for (const terms of all) {
			const id = newId<PermissionId>();
			insertPermission(tx, { id, terms, origin: 'owner', createdAt: clock.now() });
			audit.append(tx, [permissionEntry('granted', id, terms)]);
		}
		if (all.length > 0) changed();
	}
	return {
		give: (tx, taskId, terms) => {
			const job: PermissionJob = { kind: 'task', taskId };
			const known = permissionsInForce(tx, clock.now()).map((permission) => permission.terms);
			insert(tx, boundTo(job, terms, known));
		},
		permit: insert,
		end: (tx, taskId) => {
			if (endPermissionsOfTask(tx, taskId, clock.now()) > 0) changed();
		},
	};
}
