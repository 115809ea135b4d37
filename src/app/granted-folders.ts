import type { Clock } from '../base/clock.ts';
import type { ReadDb } from '../db/brands.ts';
import { permits } from '../firewall/permission.ts';
import { permissionsInForce } from '../firewall/permission-store.ts';
import type { FirewallDoor } from '../run/gate-port.ts';
import { unseenSince } from '../tools/workspace/content-labels.ts';
import type { GrantedFolders } from '../tools/workspace/port.ts';

/** The folders that permissions in force open to a call. Whether it may do there what it wants is the gate's to say. */
export function grantedFolders(db: ReadDb, clock: Clock, workspace: string, jobOf: FirewallDoor['jobOf']): GrantedFolders {
	// What a command wrote that nobody could look at is nobody's until the owner says so anew.
	const isUnseen = (path: string, createdAt: number): boolean =>
		path === workspace && createdAt <= (unseenSince(db) ?? Number.NEGATIVE_INFINITY);

	return ({ runId, sessionId }) => {
		const { job } = jobOf(runId, sessionId);
		return permissionsInForce(db, clock.now()).flatMap(({ terms, createdAt }) => {
			const { scope, tool = '' } = terms;
			if (scope.kind !== 'folder') return [];
			const touch = { sink: 'file' as const, access: 'read' as const, path: scope.path };
			const { path, access, mine } = scope;
			return permits(terms, { touch, label: 'owner', tool, job }) ? [{ path, access, mine: mine && !isUnseen(path, createdAt) }] : [];
		});
	};
}
